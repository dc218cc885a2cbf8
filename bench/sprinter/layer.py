"""What one crawl left: its layer, read from its log, its index and its visits."""

import glob
import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field

VISIT = "urn:varve:visit:"
VOLATILE = re.compile(r"\d{6,}")  # in queries: times, and numbers of chance


@dataclass
class Layer:
    """A layer of a collection."""

    path: str
    bytes: dict = field(default_factory=dict)  # of each URL that was answered: of its response, as it came
    alike: dict = field(default_factory=lambda: defaultdict(set))  # of each page: what was asked for, without volatile parts
    tiers: dict = field(default_factory=dict)  # of each page: http or browser
    places: dict = field(default_factory=dict)  # of each page's visit: file, offset and length

    def __post_init__(self):
        for line in lines_of(f"{self.path}/logs/crawl.jsonl"):
            line = json.loads(line)
            if line.get("kind") == "page":
                self.tiers[line["url"]] = line["tier"]
            elif line.get("method") == "GET" and (line.get("status") or 999) < 400:
                size = max(line.get("bytes") or 0, self.bytes.get(line["url"], 0))
                self.bytes[line["url"]] = size
                self.alike[line["page"]].add(steady(line["url"]))
        for capture in self.captures():
            if capture["url"].startswith(VISIT):
                page = capture["url"][len(VISIT):]
                self.places[page] = capture["filename"], int(capture["offset"]), int(capture["length"])

    def captures(self):
        for name in glob.glob(f"{self.path}/indexes/*.cdx*"):
            for line in lines_of(name):
                if "{" in line:
                    yield json.loads(line[line.index("{"):])

    def asked(self, page):
        """The URLs that a page got in its visit, those on the way to them too; none without a visit."""
        if page not in self.places:
            return None
        name, offset, length = self.places[page]
        with open(f"{self.path}/archive/{name.rsplit('/', 1)[-1]}", "rb") as archive:
            archive.seek(offset)
            record = gzip.decompress(archive.read(length))
        visit = json.loads(record.split(b"\r\n\r\n", 1)[1].rstrip(b"\r\n"))
        got = set()
        for request in visit["requests"]:
            if request["method"] == "GET" and not request["error"] and (request["status"] or 999) < 400:
                got.add(request["url"])
                got.update(redirect["url"] for redirect in request["redirects"])
        return got


def steady(url):
    """A URL without what differs from visit to visit."""
    path, mark, query = url.partition("?")
    return path + mark + VOLATILE.sub("0", query)


def lines_of(name):
    opened = gzip.open(name, "rt") if name.endswith(".gz") else open(name)
    with opened as lines:
        yield from lines


def layers(collection):
    """The names of the layers of a collection."""
    return set(glob.glob(f"{collection}/layers/*"))
