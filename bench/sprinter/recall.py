"""What archives hold of what pages need.

A page needs the URLs that it got in both of two visits, letter by letter. A crawl has a URL if it asked
for it and was answered, for whichever page: replay finds it by that URL for all. It also has a URL if it
asked for one on the same page that differs in nothing but long numbers of its query, which are others at
each visit; `letters` is without these."""

from dataclasses import dataclass, field

from layer import steady


@dataclass
class Held:
    """How much of what pages need a crawl has."""

    pages: dict = field(default_factory=dict)  # of each page: bytes that it has, and needs
    lacking: dict = field(default_factory=dict)  # of each page that lacks any: URLs
    unlettered: int = 0  # bytes of what it has but for volatile parts
    fetched: int = 0  # bytes of everything
    extra: int = 0  # of what no visit of the same pages asked for

    def add(self, other):
        self.pages.update(other.pages)
        self.lacking.update(other.lacking)
        self.unlettered += other.unlettered
        self.fetched += other.fetched
        self.extra += other.extra

    def add_page(self, page, sizes, has, alike):
        """A page that needs URLs of such sizes, of which these are there, or others like them."""
        strangers = {url for url in sizes if url not in has}
        lacking = {url for url in strangers if steady(url) not in alike}
        whole = sum(sizes.values())
        self.pages[page] = whole - sum(sizes[url] for url in lacking), whole
        self.unlettered += sum(sizes[url] for url in strangers - lacking)
        if lacking:
            self.lacking[page] = lacking

    def share(self):
        """Bytes of what pages need, in per cent; what many pages need counts for each."""
        had = sum(had for had, _ in self.pages.values())
        return percent(had, sum(needed for _, needed in self.pages.values()))

    def letters(self):
        """The same, letter by letter."""
        had = sum(had for had, _ in self.pages.values()) - self.unlettered
        return percent(had, sum(needed for _, needed in self.pages.values()))

    def mean(self):
        """The mean of pages' own shares."""
        shares = self.shares()
        return sum(shares) / len(shares) if shares else 100.0

    def shares(self):
        return sorted(percent(had, needed) for had, needed in self.pages.values())

    def whole(self):
        """Pages that lack nothing, in per cent."""
        return percent(len(self.pages) - len(self.lacking), len(self.pages))

    def raw(self, examples=40):
        lacking = sorted(self.lacking.items(), key=lambda page: -len(page[1]))
        return {
            "pages": len(self.pages),
            "bytes_share": self.share(),
            "bytes_share_by_the_letter": self.letters(),
            "mean_share": self.mean(),
            "pages_without_a_miss": self.whole(),
            "fetched": self.fetched,
            "extra": self.extra,
            "lacking": {page: sorted(urls)[:examples] for page, urls in lacking[:examples]},
        }


def needs(one, other, pages):
    """What each page needs, by two crawls in the browser: the bytes of its URLs."""
    needed = {}
    for page in pages:
        first, second = one.asked(page), other.asked(page)
        if first is not None and second is not None:
            needed[page] = {url: one.bytes[url] for url in first & second if url in one.bytes}
    return needed


def held(layer, needed, known):
    """What a crawl has of what pages need. `known` are all URLs that visits of them asked for."""
    found = Held()
    for page, urls in needed.items():
        found.add_page(page, urls, layer.bytes, layer.alike.get(page, ()))
    found.fetched = sum(layer.bytes.values())
    found.extra = sum(size for url, size in layer.bytes.items() if url not in known)
    return found


def against(one, other, pages):
    """How much of what a page got in one visit it got in another: what no crawl can exceed."""
    found = Held()
    for page in pages:
        first, second = one.asked(page), other.asked(page)
        if first is None or second is None:
            continue
        sizes = {url: one.bytes[url] for url in first if url in one.bytes}
        found.add_page(page, sizes, second, {steady(url) for url in second})
    found.fetched = sum(one.bytes.values())
    found.extra = sum(size for url, size in one.bytes.items() if url not in other.bytes)
    return found


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0
