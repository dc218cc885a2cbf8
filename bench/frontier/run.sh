#!/usr/bin/env bash
# Measures the frontier alone and writes bench/results/frontier.json. Run it on a quiet machine.
#
#   VARVE_BENCH_URLS=10000000   how many URLs to add
#
# Needs some 3 GB of disk below target/bench at the default size; they are removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."

target="${CARGO_TARGET_DIR:-target}"
dir="$target/bench/frontier"
cargo build --quiet --release -p varve-bench-frontier
rm -rf "$dir"
mkdir -p "$target/bench"
"$target/release/varve-bench-frontier" "$dir" bench/results/frontier.json "${VARVE_BENCH_URLS:-10000000}"
rm -rf "$dir"
