#!/usr/bin/env bash
# Crawls pages of a corpus of real websites on loopback in Chromium, replays them with other clients
# than the one that captured them, and compares pictures, requests and complaints. An extra check
# for machines that have such a corpus: `check-replay.sh SERVER_COMMAND URLS [PAGES]`, where
# SERVER_COMMAND takes `--port` and URLS is a file with a URL on each line, of which PAGES (100) are
# taken, evenly spread. Pictures that differ are put into `target/pictures`.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-100}
. scripts/corpus.sh

scripts/need.sh build browser
cargo build --quiet --profile "$cargo_profile" -p varve
serve_corpus
crawl_corpus
kill "$server_pid"
mkdir -p "$target/pictures"
VARVE_REPLAYED=$archive VARVE_PICTURES=$target/pictures \
  cargo test --quiet --profile "$cargo_profile" -p varve --test replay other_pages -- --ignored --nocapture
