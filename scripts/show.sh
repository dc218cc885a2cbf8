#!/usr/bin/env bash
# What `make run` shows: pages saved from the example web (or from any URL given), found again,
# audited, and open for replay until Ctrl-C. `show.sh [URL...]`
set -euo pipefail
cd "$(dirname "$0")/.."

varve=${CARGO_TARGET_DIR:-target}/release/varve
home=target/sample
archive=$home/my-archive
mkdir -p "$home"
rm -rf "$archive" "$archive.wacz"
# What an earlier run said would be taken for what this one says.
rm -f "$home/demo-site.log" "$home/serve.log"

# Shows a command as one would type it, and runs it.
try() {
  printf '\n$ varve'
  local word
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./:=,-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$varve" "$@"
}

if [ $# -gt 0 ]; then
  try crawl "$@" -c "$archive"
else
  "$varve" demo-site --listen 127.0.0.1:0 --ca-file "$home/demo-ca.pem" >"$home/demo-site.log" &
  trap 'kill $! 2>/dev/null' EXIT
  until grep -qs '^in another terminal' "$home/demo-site.log"; do sleep 0.1; done
  address=$(sed -n 's/^serving on \([^ ]*\).*/\1/p' "$home/demo-site.log")
  echo "The example web is served on $address."
  try crawl https://garden.example/ https://herbarium.garden.example/ --scope host --max-pages 60 \
    --delay 50 -c "$archive" --map-host "*=$address" --allow-net 127.0.0.0/8 --ca-file "$home/demo-ca.pem"
  try find "$archive" 'garden.example/*' --match domain --fields timestamp,status,mime,url --limit 12
fi
try audit "$archive"
try export "$archive" "$home/my-archive.wacz"

# The sites are gone now; the pages are not.
kill %1 2>/dev/null || true
trap - EXIT
address=127.0.0.1:8080
if (exec 3<>/dev/tcp/127.0.0.1/8080) 2>/dev/null; then address=127.0.0.1:0; fi
if [ -t 1 ]; then
  try serve "$archive" --listen "$address"
  exit
fi
# Nobody is there to look: one look of our own, at the list of pages.
"$varve" serve "$archive" --listen 127.0.0.1:0 >"$home/serve.log" &
trap 'kill $! 2>/dev/null' EXIT
until grep -qs '^open http' "$home/serve.log"; do sleep 0.1; done
port=$(sed -n 's/^open http:\/\/127.0.0.1:\([0-9]*\).*/\1/p' "$home/serve.log")
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /collections/my-archive HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3
grep -q '/web/' <&3
printf '\nopen for replay: varve serve %s\n' "$archive"
