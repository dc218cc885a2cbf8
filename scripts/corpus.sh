# Sourced by the checks that crawl a corpus of real websites on loopback: serves it and has pages of
# it crawled in Chromium. Needs `server` (a command that takes `--port`), `urls` (a file with a URL on
# each line) and `pages` (how many of them, evenly spread). Gives `home`, which is removed at the end,
# `archive` in it, `target`, `profile` and `varve`.
profile=${VARVE_CHECK_PROFILE:-release}
target=${CARGO_TARGET_DIR:-$PWD/target}
varve=$target/$profile/varve
home=$(mktemp -d)
archive=$home/archive
port=${VARVE_CORPUS_PORT:-18080}

# The name of the profile in words of cargo.
cargo_profile=${profile/debug/dev}

# Serves the corpus; more words are for the server.
serve_corpus() {
  "$server" --port "$port" "$@" >"$home/server.log" 2>&1 &
  server_pid=$!
  trap 'kill $server_pid 2>/dev/null || true; rm -rf "$home"' EXIT
  until grep -q "$port" "$home/server.log"; do sleep 0.2; done
  # A server that finds the port taken says so and ends; another one would answer in its place.
  sleep 1
  kill -0 "$server_pid" || { cat "$home/server.log" >&2; exit 1; }
}

# Chooses the pages.
choose_pages() {
  local step
  step=$(($(wc -l <"$urls") / pages)) && ((step > 0)) || step=1
  awk -v step="$step" -v pages="$pages" '(NR - 1) % step == 0 && n++ < pages' "$urls" >"$home/pages.txt"
}

# Crawls the pages; more words are for the crawl. Says what was not saved, and how it ended.
crawl_corpus() {
  local code=0
  choose_pages
  "$varve" crawl --seeds "$home/pages.txt" -c "$archive" --tier browser --scope page \
    --delay 0 --retries 0 --ignore-robots \
    --map-host "*=127.0.0.1:$port" --allow-net 127.0.0.0/8 --accept-invalid-certificates \
    "$@" 2>"$home/crawl.log" || code=$?
  grep -v '^ok ' "$home/crawl.log" || true
  echo "crawled, exit code $code"
}
