#!/usr/bin/env bash
# Measures what other tools ask an archive, beside pywb, on the same index and in one run: CPU time
# of each question to the index and of each TimeMap, on a small index and on one of ten million
# lines; then how long the archive's own pages and the search by words take with 100,000 pages.
# Writes bench/results/interfaces.md and interfaces.json. Wants a quiet machine.
#
#   VARVE_BENCH_LINES=10000000   lines of the large index
#   VARVE_BENCH_COLLECTION_PAGES=100000     pages of the collection that is looked at
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges
cargo build --quiet --release -p varve -p varve-bench-store
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/interfaces/measure.py
