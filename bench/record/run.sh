#!/usr/bin/env bash
# Measures the recorder: the browser tier against bare navigation in the same Chromium, the HTTP
# tier against wget; all in one run, the contenders in turn. Writes bench/results/record.md and
# record.json. Needs root (control groups count the CPU time of all processes) and a quiet machine.
#
#   VARVE_BENCH_SERVER=127.0.0.1:8080  a server that knows all hosts of the lists
#   VARVE_BENCH_PAGES=FILE             the pages, one URL on each line
#   VARVE_BENCH_CA=FILE                the authority of the server's certificates, for https pages
#   VARVE_BENCH_ROUNDS=3               how often each contender runs
#
# Without a server the example web is served and measured.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges browser
command -v wget >/dev/null || { echo "missing: wget (apt-get install wget)" >&2; exit 1; }
cargo build --quiet --release -p varve
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/record/measure.py
