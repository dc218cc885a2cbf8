"""Compares a collection with the log of the server that it was crawled from.

Usage: compare_with_log.py COLLECTION LOG PYWB_DIR
LOG has one JSON object per request with `host`, `url` (a path) and `status`. Every line must be
matched by a response or revisit record of its own; `gzip -t`, `warcio check` and `warcio index`
must pass on every archive file; and pywb must serve some pages as they are stored.
"""
import collections
import glob
import json
import os
import subprocess
import sys
import urllib.parse

from warcio.archiveiterator import ArchiveIterator

collection, log, pywb = sys.argv[1:]
tools = os.path.dirname(sys.executable)
files = sorted(glob.glob(f"{collection}/layers/*/archive/*.warc.gz"))
assert files, "there are no archive files"


def recorded():
    """How often each URL and status was recorded, and the bodies of some pages."""
    counts, pages = collections.Counter(), {}
    for name in files:
        with open(name, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type not in ("response", "revisit"):
                    continue
                url = record.rec_headers.get_header("WARC-Target-URI")
                parts = urllib.parse.urlsplit(url)
                target = url.split(parts.netloc, 1)[1]
                status = record.http_headers.get_statuscode()
                counts[parts.hostname, target, status] += 1
                kind = record.http_headers.get_header("Content-Type") or ""
                if record.rec_type == "response" and status == "200" and kind.startswith("text/html"):
                    date = record.rec_headers.get_header("WARC-Date")
                    digits = "".join(c for c in date if c.isdigit())[:14]
                    if len(pages) < 5:
                        pages[url] = (digits, name, record.content_stream().read())
    return counts, pages


counts, pages = recorded()
answers = 0
missing = []
with open(log) as lines:
    for line in lines:
        entry = json.loads(line)
        if entry.get("status") is None:
            continue
        answers += 1
        key = (entry["host"].split(":")[0], entry["url"], str(entry["status"]))
        if counts[key] > 0:
            counts[key] -= 1
        else:
            missing.append(key)
print(f"{answers} answers in the server's log, {len(missing)} of them not in the archive")
for key in missing[:40]:
    print("  missing:", *key)
left = sum(counts.values())
print(f"{left} records more than the log has")

for name in files:
    for command in (["gzip", "-t", name], [f"{tools}/warcio", "check", name], [f"{tools}/warcio", "index", name]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
print(f"{len(files)} files pass gzip -t, warcio check and warcio index")

served = 0
for url, (digits, name, body) in pages.items():
    out = os.path.join(pywb, f"out-{served}")
    os.makedirs(out)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "serve_with_pywb.py")
    command = [sys.executable, script, os.path.join(pywb, f"wb-{served}"), name, out, digits, url]
    subprocess.run(command, check=True)
    with open(os.path.join(out, "0"), "rb") as file:
        assert file.read() == body, f"pywb serves {url} otherwise"
    served += 1
print(f"pywb serves {served} pages as they are stored")
sys.exit(1 if missing else 0)
