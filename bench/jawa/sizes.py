"""What a collection has on disk, by what it is."""

import glob
import json
import os
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

COLD = ("urn:varve:cold:", "urn:varve:hot:")


@dataclass
class Sizes:
    """Bytes of records as they are stored, compressed."""

    scripts: int = 0  # responses
    cold: int = 0  # what was taken out of scripts
    others: int = 0  # other responses, requests, dictionaries
    index: int = 0
    third: int = 0  # scripts of third parties, among the scripts

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
    files = sum(os.path.getsize(name) for name in glob.glob(f"{collection}/layers/*/archive/*"))
    sizes, about = Sizes(), 0
    for length, url, mime in captures(collection):
        if url.startswith(COLD):
            sizes.cold += length
        elif url.startswith("urn:"):
            about += length
        elif "javascript" in mime:
            sizes.scripts += length
            sizes.third += length if owner(url) != owner(f"//{site}/") else 0
    sizes.others = files - about - sizes.cold - sizes.scripts
    sizes.index = sum(os.path.getsize(name) for name in glob.glob(f"{collection}/layers/*/indexes/*"))
    return sizes


def owner(url):
    """The last two labels of a host: near enough to what can be registered."""
    return (urlsplit(url).hostname or "").split(".")[-2:]


def captures(collection):
    for name in glob.glob(f"{collection}/layers/*/indexes/index.cdxj"):
        with open(name) as lines:
            for line in lines:
                _, _, rest = line.split(" ", 2)
                capture = json.loads(rest)
                yield int(capture["length"]), capture["url"], capture.get("mime", "")
