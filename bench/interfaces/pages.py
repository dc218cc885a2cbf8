"""A collection with very many small pages, made up from a few thousand words."""

import gzip
import hashlib
import io
import json
import os
import random

HOST = "https://library.example"
TIME = "2026-01-01T00:00:00Z"


def words(count):
    """Words that look like some."""
    dice = random.Random(1)
    parts = ["ba", "be", "cor", "da", "el", "fi", "gan", "ho", "ir", "jo", "kel", "lu", "ma", "no", "or", "pa"]
    return ["".join(dice.choices(parts, k=dice.randint(2, 4))) for _ in range(count)]


def each(count):
    """URL, title and HTML of every page."""
    dice, known = random.Random(2), words(5000)
    weights = [1 / (rank + 1) for rank in range(len(known))]
    for number in range(count):
        text = dice.choices(known, weights, k=120)
        title = f"{text[0].title()} {text[1]} {number}"
        url = f"{HOST}/{number % 100}/{number}.html"
        yield url, title, f"<!doctype html><title>{title}</title><h1>{title}</h1><p>{' '.join(text)}."


def write(warc, listed, count):
    """Writes the WARC file and the list of its pages."""
    with open(warc, "wb") as out, open(listed, "w") as pages:
        pages.write(json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}) + "\n")
        for number, (url, title, html) in enumerate(each(count)):
            out.write(record(number, url, html.encode()))
            pages.write(json.dumps({"id": str(number), "url": url, "ts": TIME, "title": title}) + "\n")


def record(number, url, body):
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    block = head.encode() + body
    fields = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012d}>\r\n"
        f"WARC-Date: {TIME}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"WARC-Payload-Digest: sha256:{hashlib.sha256(body).hexdigest()}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=1, mtime=0) as member:
        member.write(fields.encode() + block + b"\r\n\r\n")
    return packed.getvalue()


def collection(run, program, scratch, count):
    """A collection of so many pages; gives its directory."""
    warc, listed, home = f"{scratch}/pages.warc.gz", f"{scratch}/pages.jsonl", f"{scratch}/pages"
    write(warc, listed, count)
    run([program, "-q", "import", "-c", home, warc])
    (layer,) = os.listdir(f"{home}/layers")
    os.makedirs(f"{home}/layers/{layer}/pages", exist_ok=True)
    os.replace(listed, f"{home}/layers/{layer}/pages/pages.jsonl")
    os.remove(warc)
    return home
