#!/usr/bin/env bash
# Measures whole crawls: sites over HTTP against wget, the contenders in turn, and one long crawl in
# the browser, with its speed and memory over time. Writes bench/results/crawl.md, crawl.json and
# crawl.svg. Needs root (control groups count the CPU time of all processes) and a quiet machine.
#
#   VARVE_BENCH_SERVER=127.0.0.1:8080  a server that knows all hosts, and is a proxy for wget
#   VARVE_BENCH_SITES="URL URL ..."    the sites, each crawled as far as its host goes
#   VARVE_BENCH_PAGES=FILE             the pages of the browser crawl, one URL on each line
#   VARVE_BENCH_CA=FILE                the authority of the server's certificates, for https
#   VARVE_BENCH_ROUNDS=3               how often each contender runs
#   VARVE_BENCH_BROWSER_PAGES=3000     how many pages the browser crawl has; 0 leaves it out
#   VARVE_BENCH_BROWSER_SECONDS=       ends it after so long
#
# Without a server a site of the example web is served and measured.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges browser
command -v wget >/dev/null || { echo "missing: wget (apt-get install wget)" >&2; exit 1; }
cargo build --quiet --release -p varve
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/crawl/measure.py
