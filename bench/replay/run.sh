#!/usr/bin/env bash
# Measures replay beside pywb, on the same records and in one run: CPU time of each request to a
# rewritten page, script and image, for the first time and again; requests per second and the
# slowest hundredth under load; memory after many requests; how fast documents are rewritten.
# Writes bench/results/replay.md and replay.json. Wants a quiet machine.
#
#   VARVE_BENCH_DOCUMENTS=300   how many pages, scripts and images each there are
#   VARVE_BENCH_REQUESTS=100000 requests before memory is looked at
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges wrk
cargo build --quiet --release -p varve -p varve-bench-replay
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/replay/measure.py
