#!/bin/sh
# Everything that the classifier's model and figures are made of: sites, visits, rows, training.
#
#   bench/classifier/run.sh DIR
#
# Needs node, apt-get, Chromium, and python3 with numpy and scikit-learn; some 2 GB below DIR, and an
# hour. Sites of your own are added as lists of URLs in DIR/more/, with MORE=ADDR:PORT for the server
# that answers for them (and MORE_CA=FILE for its authority).
set -eu
DIR=$(realpath -m "$1")
HERE=$(realpath "$(dirname "$0")")
PORT=${PORT:-18750}
mkdir -p "$DIR/visits"
cargo build --release -p varve -p varve-bench-classifier
BIN=$(realpath "$HERE/../../target/release")

"$HERE/sites.py" install "$DIR/sites"
"$HERE/sites.py" serve "$DIR/sites" "$PORT" &
SITES=$!
"$BIN/varve" demo-site --listen "127.0.0.1:$((PORT + 1))" --ca-file "$DIR/demo-ca.pem" &
DEMO=$!
trap 'kill $SITES $DEMO' EXIT
sleep 2
"$HERE/visit.py" "$DIR/visits" "127.0.0.1:$PORT" "$DIR"/sites/urls/*.txt --pages 10 --varve "$BIN/varve"
"$HERE/visit.py" "$DIR/visits" "127.0.0.1:$((PORT + 1))" "$HERE"/example/*.txt --pages 26 \
    --varve "$BIN/varve" --ca "$DIR/demo-ca.pem"
if [ -n "${MORE:-}" ]; then
    "$HERE/visit.py" "$DIR/visits" "$MORE" "$DIR"/more/*.txt --pages 24 --varve "$BIN/varve" \
        ${MORE_CA:+--ca "$MORE_CA"}
fi
"$BIN/varve-bench-classifier" "$DIR"/visits/* > "$DIR/rows.jsonl"
"$HERE/train.py" "$DIR/rows.jsonl" "$HERE/../../crates/varve-memo/src/classify/model.json" \
    "$HERE/../results/classifier.md"
