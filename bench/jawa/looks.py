"""What pages look like and say when they are crawled with a filter, against what they do without one."""

import io

from fastwarc import ArchiveIterator, WarcRecordType
from PIL import Image, ImageChops

from sizes import layers

PICTURE, TEXT = "urn:view:", "urn:text:"


def compared(scratch):
    """For each page of both crawls the share of its picture that differs, with the same of two crawls that differ in
    lists alone, by which one knows what differs by chance; and what of its text is gone."""
    plain, filtered, lists = (seen(f"{scratch}/{name}") for name in ("plain", "filtered", "lists"))
    both = sorted(plain.keys() & filtered.keys() & lists.keys())
    return [
        {
            "url": url,
            "differs": differing(plain[url].get(PICTURE), lists[url].get(PICTURE)),
            "by_chance": differing(filtered[url].get(PICTURE), lists[url].get(PICTURE)),
            "gone": gone(plain[url].get(TEXT, b""), lists[url].get(TEXT, b"")),
        }
        for url in both
    ]


def seen(collection):
    """Picture and text of each page, as they were when it was captured."""
    found = {}
    for name in layers(collection, "archive/*.warc.gz"):
        with open(name, "rb") as file:
            for record in ArchiveIterator(file, WarcRecordType.resource):
                uri = record.headers.get("WARC-Target-URI", "")
                for kind in (PICTURE, TEXT):
                    if uri.startswith(kind):
                        found.setdefault(uri.removeprefix(kind), {})[kind] = record.reader.read()
    return found


def differing(one, other):
    """The share of pixels that differ, of pictures as large as both."""
    if one is None or other is None or one == other:
        return float(one != other)
    one, other = (Image.open(io.BytesIO(it)).convert("RGB") for it in (one, other))
    size = (max(one.width, other.width), max(one.height, other.height))
    one, other = (on_canvas(it, size) for it in (one, other))
    pixels = ImageChops.difference(one, other).convert("L").point(lambda it: 255 if it else 0)
    return pixels.histogram()[255] / (size[0] * size[1])


def on_canvas(picture, size):
    canvas = Image.new("RGB", size, (255, 0, 255))
    canvas.paste(picture)
    return canvas


def gone(before, now):
    """Lines of a text that it no longer has."""
    left = set(now.decode("utf-8", "replace").splitlines())
    lines = before.decode("utf-8", "replace").splitlines()
    return [line for line in lines if line.strip() and line not in left][:20]
