#!/usr/bin/env bash
# Crawls pages of a corpus of real websites on loopback in Chromium, and has `varve qa` compare all
# of them with their replays: as nothing was done to the archive, whatever it finds is a fault of
# replay, or a false accusation. Then it injects 20 known faults, which must be found. An extra check for machines that have such a corpus:
# `check-qa.sh SERVER_COMMAND URLS [PAGES]`, where SERVER_COMMAND takes `--port` and URLS is a file
# with a URL on each line, of which PAGES (200) are taken, evenly spread. The report is put into
# `target/qa`.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-200}
. scripts/corpus.sh

scripts/need.sh build browser
cargo build --quiet --profile "$cargo_profile" -p varve
# shellcheck disable=SC2086  # several words
serve_corpus ${VARVE_CORPUS_OPTIONS:-}
crawl_corpus
kill "$server_pid"
"$varve" qa "$archive" --all --report "$target/qa"
VARVE_QA_ARCHIVE=$archive \
  cargo test --quiet --profile "$cargo_profile" -p varve --test qa other_pages -- --ignored --nocapture
