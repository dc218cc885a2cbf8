#!/usr/bin/env bash
# Crawls pages of a corpus of real websites on loopback in Chromium, replays them with other clients
# than the one that captured them, and compares pictures, requests and complaints. An extra check
# for machines that have such a corpus: `check-replay.sh SERVER_COMMAND URLS [PAGES]`, where
# SERVER_COMMAND takes `--port` and URLS is a file with a URL on each line, of which PAGES (100) are
# taken, evenly spread. Pictures that differ are put into `target/pictures`.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-100}

scripts/need.sh build browser
profile=${VARVE_CHECK_PROFILE:-release}
cargo build --quiet --profile "${profile/debug/dev}" -p varve
target=${CARGO_TARGET_DIR:-$PWD/target}
home=$(mktemp -d)
port=${VARVE_CORPUS_PORT:-18080}
"$server" --port "$port" >"$home/server.log" 2>&1 &
trap 'kill $! 2>/dev/null || true; rm -rf "$home"' EXIT
until grep -q "$port" "$home/server.log"; do sleep 0.2; done
# A server that finds the port taken says so and ends; another one would answer in its place.
sleep 1
kill -0 $! || { cat "$home/server.log" >&2; exit 1; }

step=$(($(wc -l <"$urls") / pages)) && ((step > 0)) || step=1
awk -v step="$step" -v pages="$pages" '(NR - 1) % step == 0 && n++ < pages' "$urls" >"$home/pages.txt"
code=0
"$target/$profile/varve" crawl --seeds "$home/pages.txt" -c "$home/archive" --tier browser --scope page \
  --delay 0 --retries 0 --ignore-robots \
  --map-host "*=127.0.0.1:$port" --allow-net 127.0.0.0/8 --accept-invalid-certificates \
  2>"$home/crawl.log" || code=$?
grep -v '^ok ' "$home/crawl.log" || true
echo "crawled, exit code $code"
kill $!
mkdir -p "$target/pictures"
VARVE_REPLAYED=$home/archive VARVE_PICTURES=$target/pictures \
  cargo test --quiet --profile "${profile/debug/dev}" -p varve --test replay other_pages -- --ignored --nocapture
