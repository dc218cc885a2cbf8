"""The pages that are crawled, by site."""

import os
from collections import defaultdict
from urllib.parse import urlsplit


def by_site(most, without_list):
    """At most so many pages of each site of `VARVE_BENCH_PAGES`, evenly spread; if there is no such
    list, of these."""
    return spread(listed() or without_list, most)


def listed():
    """The pages of `VARVE_BENCH_PAGES`, if there is such a list."""
    source = os.environ.get("VARVE_BENCH_PAGES")
    if not source:
        return []
    with open(source) as lines:
        return [line.strip() for line in lines if line.strip()]


def spread(pages, most):
    """At most so many pages of each site, evenly spread."""
    found = defaultdict(list)
    for page in pages:
        found[urlsplit(page).hostname].append(page)
    for site, pages in found.items():
        number = min(most, len(pages))
        found[site] = [pages[at * len(pages) // number] for at in range(number)]
    return found
