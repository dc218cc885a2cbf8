"""The pace of crawls with everything on and off, and what they cost."""

from report import Row, yes

OFF = ["--no-filter"]


def measure(scratch, web, slow, slow_alone, without_third, easylist, per_site, auto_per_site):
    """Crawls of sites with third parties from a slow server, if there is one, and of those that are said to have
    none. Crawls that choose tiers have more pages of a site, since they learn from the first ones. If there is a slow
    server that knows no third parties, what it gives is what no filter can exceed. Rows, and all that was measured."""
    filtered, on = easylist, [*easylist, "--learn"]
    rows, raw = [], {}
    if slow:
        third = {site: pages for site, pages in slow.sites(per_site).items() if site not in without_third}
        learning = [*OFF, "--learn"]
        ways = {"everything off": OFF, "the filter alone": filtered, "learning alone": learning, "everything on": on}
        servers = {"no third parties at all": slow_alone} if slow_alone else {}
        ways |= {way: OFF for way in servers}
        crawls = raw["browser"] = in_turns(scratch, slow, third, ways, "browser", servers)
        for way in servers:
            rows += compared(crawls, way, None)
        rows += compared(crawls, "the filter alone", None)
        rows += compared(crawls, "learning alone", None)
        rows += compared(crawls, "everything on", 1.39)
        if auto_per_site:
            third = {site: pages for site, pages in slow.sites(auto_per_site).items() if site not in without_third}
            ways = {"--tier auto, everything off": OFF, "--tier auto, the filter alone": filtered, "--tier auto, everything on": on}
            servers = {"--tier auto, no third parties at all": slow_alone} if slow_alone else {}
            ways |= {way: OFF for way in servers}
            crawls = raw["auto"] = in_turns(scratch, slow, third, ways, "auto", servers)
            for way in servers:
                rows += compared(crawls, way, None)
            rows += compared(crawls, "--tier auto, the filter alone", None)
            rows += compared(crawls, "--tier auto, everything on", 1.39)
            rows.append(all_in_all(raw))
    for site in without_third:
        # What is learned from the first pages is spread over all that a crawl has of a site.
        pages = {site: web.sites(max(per_site, auto_per_site))[site]}
        crawls = raw[site] = in_turns(scratch, web, pages, {"everything off": OFF, "everything on": on}, "browser")
        before, now = crawls.values()
        ratio = now["cpu"] / before["cpu"]
        costs = [f"{crawl['cpu'] / crawl['pages']:.2f} s a page" for crawl in (now, before)]
        rows.append(Row(f"{site}, no third parties: CPU with everything on", *costs, f"{ratio:.2f}x", "<= 1.15x", yes(ratio <= 1.15)))
    return rows, raw


def compared(crawls, way, goal):
    """Rows of one way against the first one, which has everything off."""
    before, now = next(iter(crawls.values())), crawls[way]
    what = f"third parties, slow server, {before['pages']} pages: {way}"
    ratio = before["seconds"] / now["seconds"]
    wanted = (f"{goal}x", yes(ratio >= goal)) if goal else ("-", "-")
    paces = [f"{crawl['pages'] / crawl['seconds']:.2f} pages/s" for crawl in (now, before)]
    costs = [f"{crawl['cpu'] / crawl['pages']:.2f} s a page" for crawl in (now, before)]
    return [
        Row(what, *paces, f"{ratio:.2f}x", *wanted),
        Row(f"{what}, CPU", *costs, f"{now['cpu'] / before['cpu']:.2f}x"),
    ]


def all_in_all(raw):
    """What the program does by itself, against all pages in the browser and everything off."""
    plain, now = raw["browser"]["everything off"], raw["auto"]["--tier auto, everything on"]
    paces = [crawl["pages"] / crawl["seconds"] for crawl in (now, plain)]
    what = f"third parties, slow server: --tier auto, everything on, {now['pages']} pages, against --tier browser, everything off"
    return Row(what, *(f"{pace:.2f} pages/s" for pace in paces), f"{paces[0] / paces[1]:.2f}x")


def in_turns(scratch, web, sites, ways, tier, servers={}):
    """Crawls pages in several ways, one after the other, twice; the cheaper crawl of each way. Some have a server of
    their own. Pages are those that were asked for: what redirects lead to does not count."""
    seeds = f"{scratch}/seeds"
    with open(seeds, "w") as out:
        out.writelines(page + "\n" for pages in sites.values() for page in pages)
    asked = sum(len(pages) for pages in sites.values())
    crawl = lambda way, words: {**servers.get(way, web).crawl(f"{scratch}/pace", seeds, words, tier), "pages": asked}
    rounds = [[crawl(way, words) for way, words in ways.items()] for _ in range(2)]
    return {way: min(crawls, key=lambda crawl: crawl["cpu"]) for way, *crawls in zip(ways, *rounds)}
