"""What a collection has on disk, by what it is."""

import glob
import json
import os
import re
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

MEDIA = re.compile(r"(image/(?!svg)|font/|video/|audio/|application/(font|x-font|vnd.ms-fontobject|zip|pdf|octet-stream))")
COLD = ("urn:varve:cold:", "urn:varve:hot:")


@dataclass
class Sizes:
    """Bytes of records as they are stored, compressed."""

    scripts: int = 0  # responses
    cold: int = 0  # what was taken out of scripts
    others: int = 0  # other responses, requests, dictionaries
    index: int = 0
    third: int = 0  # scripts of third parties, among the scripts
    media: int = 0  # pictures, fonts, films: compressed by themselves, among the others
    lines: int = 0  # of the index: each was written once
    payloads: int = 0  # lines of responses with a body: before it was stored, each was looked up once

    @property
    def hot(self):
        return self.scripts + self.others

    @property
    def total(self):
        return self.hot + self.cold

    def raw(self):
        return asdict(self)


def measure(collection, site):
    """Sizes of a collection of a site, without what is said about its pages (pictures, logs)."""
    names = layers(collection, "archive/*")
    files = sum(os.path.getsize(name) for name in names)
    sizes, about = Sizes(), sum(dictionary(name) for name in names if "-about-" in name)
    for length, url, mime in captures(collection):
        sizes.lines += 1
        sizes.payloads += not url.startswith("urn:")
        if url.startswith(COLD):
            sizes.cold += length
        elif url.startswith("urn:"):
            about += length
        elif "javascript" in mime:
            sizes.scripts += length
            sizes.third += length if owner(url) != owner(f"//{site}/") else 0
        elif MEDIA.match(mime):
            sizes.media += length
    sizes.others = files - about - sizes.cold - sizes.scripts
    sizes.index = sum(os.path.getsize(name) for name in layers(collection, "indexes/*"))
    return sizes


def scripts_at(collection, urls):
    """Bytes of the scripts that stand at some URLs."""
    return sum(length for length, url, mime in captures(collection) if url in urls and "javascript" in mime)


def layers(collection, pattern):
    """Files of all layers of a collection."""
    return glob.glob(f"{collection}/layers/*/{pattern}")


def dictionary(name):
    """Bytes of the dictionary at the start of a file."""
    with open(name, "rb") as file:
        head = file.read(8)
    return 8 + int.from_bytes(head[4:], "little") if head[:4] == b"\x5d\x2a\x4d\x18" else 0


def owner(url):
    """The last two labels of a host: near enough to what can be registered."""
    return (urlsplit(url).hostname or "").split(".")[-2:]


def captures(collection):
    for name in layers(collection, "indexes/index.cdxj"):
        with open(name) as lines:
            for line in lines:
                _, _, rest = line.split(" ", 2)
                capture = json.loads(rest)
                yield int(capture["length"]), capture["url"], capture.get("mime", "")
