#!/usr/bin/env bash
# Runs every fuzz target for a number of executions (a million when not told otherwise):
# `scripts/fuzz.sh [RUNS] [TARGET...]`. Findings stay in fuzz/artifacts/.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000000}
shift || true
targets=${*:-surt cdxj gzip warc zipnum wacz page rewrite fields js scripts mementomap}

cargo +nightly fuzz build --fuzz-dir fuzz
programs=fuzz/target/$(rustc -vV | sed -n 's/^host: //p')/release
for target in $targets; do
  echo "== $target: $runs executions"
  # What is found new goes to a scratch directory; the committed corpus stays small.
  scratch=fuzz/target/corpus/$target artifacts=fuzz/artifacts/$target
  mkdir -p "$scratch" "$artifacts"
  status=0
  "$programs/$target" "$scratch" "fuzz/corpus/$target" -artifact_prefix="$artifacts/" -runs="$runs" \
    -max_len=4096 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    >"fuzz/target/$target.log" 2>&1 || status=$?
  grep -E 'stat::|ERROR|SUMMARY|panicked' "fuzz/target/$target.log" || true
  if [ "$status" -ne 0 ]; then
    echo "$target failed; see fuzz/target/$target.log and $artifacts" >&2
    exit 1
  fi
done
