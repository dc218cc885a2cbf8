#!/usr/bin/env bash
# Measures what is stored of pages, technique by technique: everything, without the scripts of third
# parties that cannot work, without what never runs, packed with dictionaries; and how pages replay with
# another client. Writes
# bench/results/jawa.md and jawa.json.
#
#   VARVE_BENCH_SERVER=127.0.0.1:8080  a server that knows all hosts
#   VARVE_BENCH_PAGES=FILE             pages, one URL on each line
#   VARVE_BENCH_CA=FILE                the authority of the server's certificates, for https
#   VARVE_BENCH_PAGES_PER_SITE=4       how many of each site are taken, evenly spread
#   VARVE_BENCH_LARGE_PAGES_PER_SITE=100  the same to measure the size of many pages, and the pace of crawls that
#                                      choose tiers; 0 for not at all
#   VARVE_BENCH_VERIFIED=all           how many are replayed before and after
#   VARVE_BENCH_PACE_PAGES_PER_SITE=12 the same to measure the pace of crawls
#   VARVE_BENCH_SLOW_SERVER=ADDR       the same server with delays, to measure the pace of crawls
#   VARVE_BENCH_SLOW_SERVER_ALONE=ADDR that one without third parties: what no filter can exceed
#   VARVE_BENCH_WITHOUT_THIRD=HOST     a site without third parties, to measure what learning costs
#
# Without a server pages of the example web are measured.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges browser
cargo build --quiet --release -p varve
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/jawa/measure.py
