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

scripts/need.sh build browser
profile=${VARVE_CHECK_PROFILE:-release}
cargo build --quiet --profile "${profile/debug/dev}" -p varve
target=${CARGO_TARGET_DIR:-$PWD/target}
varve=$target/$profile/varve
home=$(mktemp -d)
port=${VARVE_CORPUS_PORT:-18080}
"$server" --port "$port" ${VARVE_CORPUS_OPTIONS:-} >"$home/server.log" 2>&1 &
trap 'kill $! 2>/dev/null || true; rm -rf "$home"' EXIT
until grep -q "$port" "$home/server.log"; do sleep 0.2; done
# A server that finds the port taken says so and ends; another one would answer in its place.
sleep 1
kill -0 $! || { cat "$home/server.log" >&2; exit 1; }

step=$(($(wc -l <"$urls") / pages)) && ((step > 0)) || step=1
awk -v step="$step" -v pages="$pages" '(NR - 1) % step == 0 && n++ < pages' "$urls" >"$home/pages.txt"
code=0
"$varve" crawl --seeds "$home/pages.txt" -c "$home/archive" --tier browser --scope page \
  --delay 0 --retries 0 --ignore-robots \
  --map-host "*=127.0.0.1:$port" --allow-net 127.0.0.0/8 --accept-invalid-certificates \
  2>"$home/crawl.log" || code=$?
grep -v '^ok ' "$home/crawl.log" || true
echo "crawled, exit code $code"
kill $!
"$varve" qa "$home/archive" --all --report "$target/qa"
VARVE_QA_ARCHIVE=$home/archive \
  cargo test --quiet --profile "${profile/debug/dev}" -p varve --test qa other_pages -- --ignored --nocapture
