"""What two archives of a site hold, and why one lacks what the other has."""

import collections
import glob
import json
from urllib.parse import quote, unquote, urlsplit

from warcio.archiveiterator import ArchiveIterator

# Escapes are compared as what they stand for; these characters stay as they are.
PLAIN = "/:?&=;,+$@!*'()~%[]"


def captured(files, host):
    """The URLs of a host that were answered with 200, and how many of them are pages."""
    urls, pages = set(), set()
    for name in files:
        with open(name, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type not in ("response", "revisit") or not record.http_headers:
                    continue
                url = canonical(record.rec_headers.get_header("WARC-Target-URI"))
                if record.http_headers.get_statuscode() != "200" or urlsplit(url).hostname != host:
                    continue
                urls.add(url)
                if (record.http_headers.get_header("Content-Type") or "").startswith("text/html"):
                    pages.add(url)
    return urls, pages


def canonical(url):
    """The same text for the same URL, whoever wrote it down."""
    url, _, _ = url.strip("<>").partition("#")
    return quote(unquote(url), safe=PLAIN)


def archives(collection):
    """The WARC files of a collection."""
    return glob.glob(f"{collection}/layers/*/archive/*.warc.gz")


def fates(collection, urls):
    """What became of URLs in a crawl, as its log tells: how many of each fate."""
    told = {}
    for name in glob.glob(f"{collection}/layers/*/logs/crawl.jsonl"):
        with open(name) as lines:
            for line in map(json.loads, lines):
                status, reason = line.get("status"), line.get("reason")
                told[canonical(line.get("url", ""))] = f"{status or '-'} {reason or ''}".strip()
    return dict(collections.Counter(told.get(url, "never asked for") for url in urls))
