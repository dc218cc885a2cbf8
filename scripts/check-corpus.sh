#!/usr/bin/env bash
# Crawls pages of a corpus of real websites on loopback in Chromium and compares the archive with
# the server's own log. An extra check for machines that have such a corpus:
# `check-corpus.sh SERVER_COMMAND URLS [PAGES]`, where SERVER_COMMAND takes `--port` and `--log`
# and URLS is a file with a URL on each line, of which PAGES (200) are taken, evenly spread.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-200}
. scripts/corpus.sh

scripts/need.sh build judges browser
cargo build --quiet --profile "$cargo_profile" -p varve
serve_corpus --log "$home/access.jsonl"
crawl_corpus --no-screenshots
"$varve" audit "$archive"
sleep 1
.venv/bin/python tests/judges/compare_with_log.py "$archive" "$home/access.jsonl" "$home"
