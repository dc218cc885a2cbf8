"""The pages that are crawled, by site."""

import os
from collections import defaultdict
from urllib.parse import urlsplit


def by_site(most, without_list):
    """At most so many pages of each site of `VARVE_BENCH_PAGES`, evenly spread; if there is no such
    list, of these."""
    source, pages = os.environ.get("VARVE_BENCH_PAGES"), without_list
    if source:
        with open(source) as lines:
            pages = [line.strip() for line in lines if line.strip()]
    found = defaultdict(list)
    for page in pages:
        found[urlsplit(page).hostname].append(page)
    for site, pages in found.items():
        number = min(most, len(pages))
        found[site] = [pages[at * len(pages) // number] for at in range(number)]
    return found
