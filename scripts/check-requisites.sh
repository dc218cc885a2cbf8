#!/usr/bin/env bash
# Compares what pages of a corpus of real websites on loopback get without a browser with what
# Chromium loads for them with scripts switched off: how many of the bytes are found, and how many
# more are fetched. An extra check for machines that have such a corpus:
# `check-requisites.sh SERVER_COMMAND URLS [PAGES]`, where SERVER_COMMAND takes `--port` and URLS is
# a file with a URL on each line, of which PAGES (150) are taken, evenly spread.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-150}
. scripts/corpus.sh

scripts/need.sh build browser
# shellcheck disable=SC2086  # several words
serve_corpus ${VARVE_CORPUS_OPTIONS:-}
choose_pages
VARVE_REQUISITES=$home/pages.txt VARVE_REQUISITES_SERVER=127.0.0.1:$port \
  cargo test --quiet --profile "$cargo_profile" -p varve --test recorder other_pages -- --ignored --nocapture
