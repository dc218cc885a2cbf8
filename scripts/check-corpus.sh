#!/usr/bin/env bash
# Crawls pages of a corpus of real websites on loopback in Chromium and compares the archive with
# the server's own log. An extra check for machines that have such a corpus:
# `check-corpus.sh SERVER_COMMAND URLS [PAGES]`, where SERVER_COMMAND takes `--port` and `--log`
# and URLS is a file with a URL on each line, of which PAGES (200) are taken, evenly spread.
set -euo pipefail
cd "$(dirname "$0")/.."
server=$1 urls=$2 pages=${3:-200}

scripts/need.sh build judges browser
cargo build --quiet --release -p varve
varve=${CARGO_TARGET_DIR:-target}/release/varve
home=$(mktemp -d)
port=${VARVE_CORPUS_PORT:-18080}
"$server" --port "$port" --log "$home/access.jsonl" >"$home/server.log" 2>&1 &
trap 'kill $! 2>/dev/null || true; rm -rf "$home"' EXIT
until grep -q "$port" "$home/server.log"; do sleep 0.2; done
# A server that finds the port taken says so and ends; another one would answer in its place.
sleep 1
kill -0 $! || { cat "$home/server.log" >&2; exit 1; }

step=$(($(wc -l <"$urls") / pages)) && ((step > 0)) || step=1
awk -v step="$step" -v pages="$pages" '(NR - 1) % step == 0 && n++ < pages' "$urls" >"$home/pages.txt"
code=0
"$varve" crawl --seeds "$home/pages.txt" -c "$home/archive" --tier browser --no-screenshots --scope page --delay 0 --retries 0 --ignore-robots \
  --map-host "*=127.0.0.1:$port" --allow-net 127.0.0.0/8 --accept-invalid-certificates \
  2>"$home/crawl.log" || code=$?
grep -v '^ok ' "$home/crawl.log" || true
echo "exit code $code"
"$varve" audit "$home/archive"
sleep 1
.venv/bin/python tests/judges/compare_with_log.py "$home/archive" "$home/access.jsonl" "$home"
