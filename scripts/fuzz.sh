#!/usr/bin/env bash
# Runs every fuzz target for a number of executions (a million when not told otherwise):
# `scripts/fuzz.sh [RUNS] [TARGET...]`. Findings stay in fuzz/artifacts/.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-1000000}
shift || true
targets=${*:-surt cdxj gzip warc zipnum wacz}

cargo +nightly fuzz build --fuzz-dir fuzz
for target in $targets; do
  echo "== $target: $runs executions"
  # What is found new goes to a scratch directory; the committed corpus stays small.
  scratch=fuzz/target/corpus/$target
  mkdir -p "$scratch"
  cargo +nightly fuzz run --fuzz-dir fuzz "$target" "$scratch" "fuzz/corpus/$target" -- \
    -runs="$runs" -max_len=16384 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 2>&1 |
    tee "fuzz/target/$target.log" | grep -E 'stat::|ERROR|SUMMARY|Test unit' || true
  grep -q "stat::number_of_executed_units" "fuzz/target/$target.log"
  ! grep -qE 'ERROR: libFuzzer|SUMMARY: ' "fuzz/target/$target.log"
done
