#!/usr/bin/env bash
# Measures MementoMaps beside the Python package `mementomap`, on the same inputs and in one run:
# making a map, rolling it up, and asking it; then rolling up and making maps of many more lines
# alone, from a pipe; and what maps are worth on real URLs. Writes bench/results/mementomap.md,
# mementomap.json and mementomap.svg. Wants a quiet machine.
#
#   VARVE_BENCH_LINES=5000000          lines of the index that both get
#   VARVE_BENCH_MANY_LINES=100000000   lines that only varve gets; 0 for none
#   VARVE_BENCH_ROUNDS=3               how often each contender runs
#   VARVE_BENCH_URLS=FILE              URLs, one on each line, perhaps in xz; without it maps are
#                                      not judged
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges
cargo build --quiet --release -p varve -p varve-bench-mementomap
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/mementomap/measure.py
