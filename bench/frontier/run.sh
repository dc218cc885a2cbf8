#!/usr/bin/env bash
# Measures the frontier alone. Writes bench/results/frontier.md and frontier.json. Run it on a quiet
# machine.
#
#   VARVE_BENCH_URLS=10000000   how many URLs to add
#
# Needs some 3 GB of disk below target/bench at the default size; they are removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges
target="${CARGO_TARGET_DIR:-target}"
dir="$target/bench/frontier"
cargo build --quiet --release -p varve-bench-frontier
rm -rf "$dir"
mkdir -p "$target/bench"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
.venv/bin/python bench/frontier/measure.py \
  "$target/release/varve-bench-frontier" "$dir" "$target/bench/frontier.json" "${VARVE_BENCH_URLS:-10000000}"
rm -rf "$dir"
