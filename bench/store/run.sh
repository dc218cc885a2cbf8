#!/usr/bin/env bash
# Measures the store against the tools of the field, on inputs that it makes itself, and writes
# bench/results/store.md and store.json. Run it on a quiet machine.
#
#   VARVE_BENCH_GB=1.1          how much WARC to make
#   VARVE_BENCH_LINES=20000000  how many index lines to make
#   VARVE_BENCH_ROUNDS=3        how often each contender runs
#
# Needs some 20 GB of disk below target/bench at the default sizes. The WARC files stay there for
# the next run; everything else is removed.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges
cargo build --quiet --release -p varve -p varve-bench-store
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/store/measure.py
