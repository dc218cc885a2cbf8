#!/usr/bin/env bash
# Measures the aggregator over six archives with different holdings, all of them served by varve:
# how many requests the MementoMaps that they publish spare, with the same mementos found; then many
# look-ups at once while two of the six hang: how long the slowest takes, and how much memory. Writes
# bench/results/aggregate.md and aggregate.json.
#
#   VARVE_BENCH_HOSTS=3000         hosts that are archived somewhere
#   VARVE_BENCH_LOOKUPS=5000       URLs that are looked up, with maps and without
#   VARVE_BENCH_AT_ONCE=1000       look-ups at a time while two archives hang
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges
cargo build --quiet --release -p varve
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${VARVE_BENCH_BIN:-${CARGO_TARGET_DIR:-target}/release}"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/aggregate/measure.py
