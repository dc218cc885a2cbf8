"""Measures crawls that choose between HTTP and the browser; `run.sh` says how to start it and what can
be set."""

import os
import shutil
import statistics
from collections import defaultdict

import drawing
import replayed
import report
import servers
import websites
from contest import run, say
from crawling import Crawled, Crawler, Way
from recall import Held, against, held, needs, percent
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
PER_SITE = os.environ.get("VARVE_BENCH_PAGES_PER_SITE", "20").split()
SITES = os.environ.get("VARVE_BENCH_SITES", "").split()
WITHOUT = os.environ.get("VARVE_BENCH_WITHOUT", "templates cover sharing classifier").split()
QA_PAGES = int(os.environ.get("VARVE_BENCH_QA_PAGES", "0"))
SCRATCH = f"{DIR}/sprinter"
RESULTS = "bench/results/sprinter"
VARVE = f"{BIN}/varve"
DEMO = "127.0.0.1:8879"
DEMO_PAGES = [
    f"https://garden.example/{name}"
    for name in ("", "planner/", "almanac/", "menus/", "tabs/", "accordion/", "carousel/", "friends/", "weather/")
]
MANY = 300  # pages of a site that is large
HTTP, BROWSER, AGAIN, AUTO, SECOND = "HTTP", "browser", "browser, again", "auto", "auto, second crawl"

HOW = (
    "All ways crawl the same pages in turn, site by site, into collections that they keep. CPU time is that of all "
    "processes, Chromium's too. What a page needs are the URLs that it got in both of two crawls in the browser; what is "
    "had of them is counted in bytes, page by page, so that what many pages need counts for each. URLs are compared letter "
    "by letter, except for numbers of six and more digits in queries, which are times or chance; what is had with these "
    "too is told beside it. "
    "Extra is what no browser asked for on any page of the site, in bytes against all that the browser fetched. What one "
    "crawl in the browser has of another's is what none can exceed."
)


def main():
    facts = report.conditions([])
    facts["versions"]["varve"] = run([VARVE, "--version"])[1].split()[1]
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    server, web = servers.to_crawl(VARVE, SCRATCH, DEMO)
    contests = {}
    try:
        for size in PER_SITE:
            without = WITHOUT if size == PER_SITE[-1] else []
            contests[size] = Contest(Crawler(VARVE, server, SCRATCH), size, ways(without))
            contests[size].run(lambda: write(contests, facts))
    finally:
        if web:
            web.terminate()
        shutil.rmtree(SCRATCH, ignore_errors=True)


def ways(without):
    """The ways to crawl, in turn; the two in the browser as far from each other as they can be."""
    found = [
        Way(BROWSER, "browser", ["--tier", "browser"]),
        Way(HTTP, "http", ["--tier", "http"]),
        Way(AUTO, "auto", ["--tier", "auto"]),
        Way(SECOND, "auto", ["--tier", "auto"]),
    ]
    found += [
        Way(f"auto without {what}", f"without-{what}", ["--tier", "auto", "--memo-without", what]) for what in without
    ]
    return [*found, Way(AGAIN, "again", ["--tier", "browser"])]


class Contest:
    """All ways, with so many pages of each site."""

    def __init__(self, crawler, size, ways):
        self.crawler, self.size, self.ways = crawler, size, ways
        self.sites = defaultdict(dict)  # by site and way: what it cost
        self.held = defaultdict(dict)  # by site and way: what it has
        self.replayed = {}

    def run(self, after_each):
        most = 10**9 if self.size == "all" else int(self.size)
        self.crawler.forget(self.ways)
        for site, pages in websites.by_site(most, DEMO_PAGES).items():
            if SITES and site not in SITES:
                continue
            say(f"{site}, {len(pages)} pages")
            self.site(site, pages)
            after_each()

    def site(self, site, pages):
        left, absent = {}, {}
        for way in self.ways:
            self.sites[site][way.name], left[way.name] = self.crawler.crawl(way, pages)
            done = self.sites[site][way.name]
            say(f"  {way.name}: {done.rate():.2f} pages/s, {done.cpu():.3f} s a page, {done.share():.0f} % in the browser")
            if QA_PAGES and way.name in (BROWSER, AUTO):
                absent[way.name] = replayed.absent(VARVE, self.crawler.place(way), SCRATCH, site, QA_PAGES)
        one, other = left[BROWSER], left[AGAIN]
        needed = needs(one, other, one.tiers)
        known = one.bytes.keys() | other.bytes.keys()
        for way in self.ways:
            found = held(left[way.name], needed, known) if way.name != AGAIN else against(one, other, one.tiers)
            self.held[site][way.name] = found
            say(f"  {way.name}: has {found.share():.2f} %")
        if absent:
            self.replayed[site] = replayed.worse(absent[BROWSER], absent[AUTO])

    def total(self, way, sites=None):
        """What a way cost and has, over some or all sites."""
        crawled, has = Crawled(), Held()
        for site in self.sites if sites is None else sites:
            crawled.add(self.sites[site][way])
            has.add(self.held[site][way])
        return crawled, has

    def large(self):
        return [site for site, by_way in self.sites.items() if by_way[BROWSER].pages >= MANY]

    def raw(self):
        return {
            site: {
                way: {"crawl": crawled.raw(), "held": self.held[site][way].raw()} for way, crawled in by_way.items()
            }
            for site, by_way in self.sites.items()
        } | {"replayed": self.replayed}


def write(contests, facts):
    """Writes what is known so far; the rows are of the contest with the most pages."""
    last = list(contests.values())[-1]
    inputs = [
        f"pages of each site: at most {', '.join(contests)}; the figures are of {last.size}",
        f"{len(last.sites)} sites, {last.total(BROWSER)[0].pages} pages",
        "throughput against pages of a site: [sprinter.svg](sprinter.svg); what pages have: [sprinter-recall.svg](sprinter-recall.svg)",
    ]
    inputs += [f"{way}: {said}" for way in (AUTO, SECOND) if (said := last.total(way)[0].reasons())]
    raw = {"contests": {size: contest.raw() for size, contest in contests.items()}}
    chart(contests, last)
    report.write(RESULTS, "Few pages in the browser, measured", rows(last), inputs, facts, raw, f"{HOW}\n\n{table(last)}")


def table(contest):
    """One line for each way."""
    lines = [
        "| | pages/s | CPU-s/page | saved by the browser | looked at in it | had of what pages need | letter by letter | pages that lack nothing | extra |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    whole = contest.total(BROWSER)[1].fetched
    for way in contest.ways:
        crawled, has = contest.total(way.name)
        lines.append(
            f"| {way.name} | {crawled.rate():.2f} | {crawled.cpu():.3f} | {crawled.share():.1f} % | {crawled.looks():.1f} % | "
            f"{has.share():.2f} % | {has.letters():.2f} % | {has.whole():.1f} % | {percent(has.extra, whole):.1f} % |"
        )
    return "\n".join(lines)


def rows(contest):
    found = []
    browser, whole = contest.total(BROWSER)
    auto, _ = contest.total(AUTO)
    second, _ = contest.total(SECOND)
    _, ceiling = contest.total(AGAIN)
    found.append(faster("all sites, pages/s", auto, browser, 5))
    large = contest.large()
    if large:
        found.append(faster(f"sites with {MANY} pages, pages/s", contest.total(AUTO, large)[0], contest.total(BROWSER, large)[0], 10))
    found.append(faster("second crawl, pages/s", second, auto, 1.78, "first crawl"))
    for name in (AUTO, SECOND):
        _, has = contest.total(name)
        bound = f"browser against browser: {ceiling.share():.2f} %"
        found.append(Row(f"{name}, bytes had", f"{has.share():.2f} %", bound, "-", "99.5 %", yes(has.share() >= 99.5)))
        found.append(Row(f"{name}, pages that lack nothing", f"{has.whole():.1f} %", f"{ceiling.whole():.1f} %", "-", "95 %", yes(has.whole() >= 95)))
        extra, floor = (percent(it.extra, whole.fetched) for it in (has, ceiling))
        found.append(Row(f"{name}, extra bytes", f"{extra:.2f} %", f"browser against browser: {floor:.2f} %", "-", "<= 2 %", yes(extra <= 2)))
    for site in contest.sites:
        found.append(of_site(contest, site))
    if contest.replayed:
        pages = sum(one["pages"] for one in contest.replayed.values())
        alike = percent(pages - sum(len(one["worse"]) for one in contest.replayed.values()), pages)
        found.append(Row("replayed as from the browser's archive", f"{alike:.1f} %", f"{pages} pages", "-", "99 %", yes(alike >= 99)))
    return found


def of_site(contest, site):
    crawled, has = contest.sites[site][AUTO], contest.held[site][AUTO]
    ratio = crawled.rate() / contest.sites[site][BROWSER].rate()
    goal = ("< 6.5 %", yes(crawled.share() < 6.5)) if site in contest.large() else ("-", "-")
    what = f"{crawled.share():.1f} % of {crawled.pages}"
    return Row(f"{site}, pages in the browser", what, f"bytes had: {has.share():.2f} %", f"{ratio:.1f}x the pace", *goal)


def faster(what, one, other, goal, name=BROWSER):
    ratio = one.rate() / other.rate()
    return Row(what, f"{one.rate():.2f}", f"{name}: {other.rate():.2f}", f"{ratio:.2f}x", f"{goal}x", yes(ratio >= goal))


def chart(contests, last):
    """The pace against pages of a site, and how many pages have how much."""
    paces = drawing.Panel("pages per second", defaultdict(list))
    shares = drawing.Panel("pages in the browser (%)", defaultdict(list))
    for contest in contests.values():
        for name in (HTTP, BROWSER, AUTO, SECOND):
            crawled, _ = contest.total(name)
            size = statistics.mean(by_way[name].pages for by_way in contest.sites.values())
            paces.lines[name].append((size, crawled.rate()))
            if name in (AUTO, SECOND):
                shares.lines[name].append((size, crawled.share()))
    drawing.draw(f"{RESULTS}.svg", "pages of a site", [paces, shares])
    had = drawing.Panel("pages that have at most so much (%)", {})
    for name in (HTTP, AUTO, SECOND):
        values = last.total(name)[1].shares()
        had.lines[name] = [(value, 100 * (at + 1) / len(values)) for at, value in enumerate(values)]
    drawing.draw(f"{RESULTS}-recall.svg", "of what a page needs (%)", [had])


main()
