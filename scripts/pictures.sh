#!/usr/bin/env bash
# Takes the pictures of the README and of docs/ anew: a crawl of the example web on a terminal and on
# its dashboard, then the archive in the browser. `pictures.sh` (VARVE=path/to/varve for another program than the release build)
set -euo pipefail
cd "$(dirname "$0")/.."

varve=$(realpath "${VARVE:-${CARGO_TARGET_DIR:-target}/release/varve}")
home=$(mktemp -d)
jobs=()
trap 'kill "${jobs[@]}" 2>/dev/null || true; rm -rf "$home"' EXIT

# Waits until a command succeeds.
until_true() {
  local tries=0
  until "$@" >/dev/null 2>&1; do
    sleep 0.2
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "never came true: $*" >&2; exit 1; }
  done
}

"$varve" demo-site --listen 127.0.0.1:0 --ca-file "$home/ca.pem" >"$home/demo-site.log" &
jobs+=($!)
until_true grep -q '^in another terminal' "$home/demo-site.log"
web=$(sed -n 's/^serving on \([^ ]*\).*/\1/p' "$home/demo-site.log")

# The garden's pages, and two that cannot be had.
grep -o 'https://garden.example/[^<]*' examples/site/web/garden.example/sitemap.xml >"$home/pages"
{
  sed -n 1,9p "$home/pages"
  echo "http://127.0.0.1:64999/"
  echo "http://0.0.0.0/"
  sed -n '10,$p' "$home/pages"
  echo "https://old.garden.example/"
  echo "https://shop.garden.example/"
} >"$home/seeds"

cat >"$home/crawl.sh" <<END
stty cols 92 rows 30
exec "$varve" crawl --seeds "$home/seeds" -c "$home/archive" --tier browser --workers 3 \
  --map-host '*.example=$web' --allow-net 127.0.0.0/8 --ca-file "$home/ca.pem" \
  --dashboard 127.0.0.1:0
END
TERM=xterm-256color script -q -f -c "sh $home/crawl.sh" "$home/typescript" </dev/null >/dev/null &
jobs+=($!)
until_true grep -q 'dashboard at' "$home/typescript"
dashboard=$(grep -ao 'http://127[0-9.:]*/' "$home/typescript" | head -n 1)

saved() { curl -s "${dashboard}metrics" | sed -n 's/^varve_crawl_pages_total{outcome="saved"} //p'; }
enough() { [ "$(saved)" -ge 16 ]; }
until_true enough

python3 scripts/screenshot.py "$dashboard" "$home/dashboard.png" 1180
python3 scripts/small_png.py "$home/dashboard.png" docs/pictures/dashboard.png
wait "${jobs[1]}"
python3 scripts/terminal_svg.py "$home/typescript" docs/pictures/terminal.svg

# The sites are gone now; the pages are not.
kill "${jobs[0]}"
"$varve" -q serve "$home/archive" --listen 127.0.0.1:0 >"$home/serve.log" &
jobs+=($!)
until_true grep -q '^open http' "$home/serve.log"
archive=$(sed -n 's/^open \(http[^ ]*\) .*/\1/p' "$home/serve.log")

# `picture NAME WIDTH PATH [dark]`: a page of the archive.
picture() {
  python3 scripts/screenshot.py "$archive$3" "$home/$1.png" "$2" "${4:-light}"
  python3 scripts/small_png.py "$home/$1.png" "docs/pictures/$1.png"
}
picture collection 1180 collections/archive
picture captures 1180 'web/*/https://garden.example/' dark
picture replay 1180 web/https://garden.example/plants/
picture search 420 'search?q=garden'
ls -l docs/pictures
