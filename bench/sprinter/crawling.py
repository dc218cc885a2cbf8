"""One crawl of some pages in one way: what it cost, and what it left."""

import json
import os
import shutil
from collections import Counter
from dataclasses import asdict, dataclass, field

from contest import Cost, run
from layer import Layer, layers


@dataclass
class Way:
    """A way to crawl. Ways with the same collection share it: the later one finds what the earlier
    ones learned. It is kept from site to site."""

    name: str
    collection: str
    words: list


@dataclass
class Crawled:
    """What crawls of one way came to, over some sites."""

    pages: int = 0
    in_browser: int = 0  # pages that were saved there
    looked_at: int = 0  # pages that were loaded there to see whether they lack anything
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0))
    tiers: list = field(default_factory=list)  # what the crawls say of their choices

    def add(self, other):
        self.pages += other.pages
        self.in_browser += other.in_browser
        self.looked_at += other.looked_at
        self.cost += other.cost
        self.tiers += other.tiers

    def rate(self):
        return self.pages / self.cost.wall

    def cpu(self):
        return self.cost.cpu / self.pages

    def share(self):
        """Pages that a browser saved, in per cent."""
        return 100 * self.in_browser / self.pages

    def looks(self):
        """Other pages that a browser loaded, in per cent."""
        return 100 * self.looked_at / self.pages

    def reasons(self):
        """Why pages went to the browser, and what the crawls found when they looked at others there."""
        told = [tiers for tiers in self.tiers if tiers]
        why = sum((Counter(tiers.get("why", {})) for tiers in told), Counter())
        words = ", ".join(f"{count} {reason}" for reason, count in why.most_common())
        complete = sum(tiers.get("complete", 0) for tiers in told)
        looks = [f"{self.looked_at} pages looked at, {complete} of them lack nothing"] if self.looked_at else []
        return "; ".join([*([f"in the browser since: {words}"] if words else []), *looks])

    def raw(self):
        return asdict(self)


class Crawler:
    """Crawls pages of a server, each way into a collection below the scratch directory."""

    def __init__(self, varve, server, scratch):
        self.varve, self.server, self.scratch = varve, server, scratch

    def crawl(self, way, pages):
        """The cost of a crawl, and its layer."""
        seeds, collection = f"{self.scratch}/seeds", self.place(way)
        with open(seeds, "w") as out:
            out.writelines(page + "\n" for page in pages)
        before = layers(collection)
        command = [self.varve, "-q", "--json", "crawl", "-c", collection, "--seeds", seeds, "--scope", "page"]
        command += ["--delay", "0", "--retries", "0", "--ignore-robots", "--no-sitemaps", "--no-screenshots"]
        command += ["--map-host", f"'*={self.server}'", "--allow-net", "127.0.0.0/8", *way.words]
        if os.path.exists(f"{self.scratch}/ca.pem"):
            command += ["--ca-file", f"{self.scratch}/ca.pem"]
        # Pages that could not be saved are no failure of the crawl.
        cost, said = run(["sh", "-c", " ".join(command) + " || test $? -eq 4"], whole_tree=True)
        new = layers(collection) - before
        if len(new) != 1:
            raise SystemExit(f"{way.name}: the crawl left {len(new)} layers")
        layer = Layer(new.pop())
        in_browser = sum(tier == "browser" for tier in layer.tiers.values())
        tiers = json.loads(said).get("tiers") or {}
        # A page that is saved twice, since a look found that it lacks something, is one page.
        return Crawled(len(layer.tiers), in_browser, tiers.get("looked_at", 0), cost, [tiers]), layer

    def place(self, way):
        return f"{self.scratch}/{way.collection}"

    def forget(self, ways):
        for way in ways:
            shutil.rmtree(self.place(way), ignore_errors=True)
