#!/usr/bin/env bash
# Measures crawls that visit few pages in the browser and foretell what the others need: over HTTP
# alone, in the browser alone, by choice, and by choice once more with what the first crawl learned.
# All crawl the same pages in turn; what each lacks is told by two crawls in the browser. Writes
# bench/results/sprinter.md, sprinter.json, sprinter.svg and sprinter-recall.svg. Needs root (control
# groups count the CPU time of all processes) and a quiet machine.
#
#   VARVE_BENCH_SERVER=127.0.0.1:8080    a server that knows all hosts
#   VARVE_BENCH_PAGES=FILE               pages, one URL on each line
#   VARVE_BENCH_CA=FILE                  the authority of the server's certificates, for https
#   VARVE_BENCH_SITES="HOST HOST ..."    only these sites
#   VARVE_BENCH_PAGES_PER_SITE="20"      how many of each site are taken, evenly spread; several
#                                        numbers, or `all`, for a chart over them: "20 100 300 all"
#   VARVE_BENCH_WITHOUT="templates cover sharing classifier"
#                                        techniques that are left out, each for one more crawl with
#                                        the last of those numbers
#   VARVE_BENCH_QA_PAGES=0               how many pages of each site are replayed from both archives
#
# Without a server pages of the example web are crawled. Ten sites with 20 pages each take about
# ten minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/need.sh build judges browser
cargo build --quiet --release -p varve
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench
export VARVE_BENCH_BIN="${CARGO_TARGET_DIR:-target}/release"
export VARVE_BENCH_DIR="${CARGO_TARGET_DIR:-target}/bench"
exec .venv/bin/python bench/sprinter/measure.py
