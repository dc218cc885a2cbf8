"""Measures what is stored of pages, and how they replay; `run.sh` says how to start it and what can
be set."""

import os
import re
import shutil
import subprocess
from collections import Counter
from functools import partial

import drawing
import exported
import pace
import replaying
import report
import servers
import storage
import websites
from contest import say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
SERVER = os.environ.get("VARVE_BENCH_SERVER")
PER_SITE = int(os.environ.get("VARVE_BENCH_PAGES_PER_SITE", "4"))
LARGE_PER_SITE = int(os.environ.get("VARVE_BENCH_LARGE_PAGES_PER_SITE", "100"))
PACE_PER_SITE = int(os.environ.get("VARVE_BENCH_PACE_PAGES_PER_SITE", "12"))
VERIFIED = os.environ.get("VARVE_BENCH_VERIFIED", "all")
SCRATCH = f"{DIR}/jawa"
RESULTS = "bench/results/jawa"
VARVE = f"{BIN}/varve"
DEMO = "127.0.0.1:8877"
DEMO_PAGES = [
    f"https://garden.example/{name}"
    for name in (
        "", "planner/", "almanac/", "menus/", "tabs/", "accordion/", "carousel/", "gallery/", "journal/", "lazy/", "client/", "friends/", "weather/"
    )
]
EVERYTHING = ("scripts", "cold", "others")
# Scripts that are data have nothing to take out: less than this share of a site's is never run.
CODE = 5
# Sites with at least this share of their scripts from third parties, as pages of news and shops have.
MANY_THIRD = 50

HOW = (
    "Bytes are those of records on disk, compressed, each body of a URL once. Hot is what is at hand, cold what was "
    "taken out of scripts because it never ran; sums have both unless they say otherwise."
)

rows, inputs, raw = [], [], {"sites": {}, "large": {}}


def main():
    facts = report.conditions([])
    facts["versions"]["varve"] = output([VARVE, "--version"]).split()[1]
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    example = servers.example(VARVE, DEMO, f"{SCRATCH}/ca.pem")
    webs = [Web(SERVER, os.environ.get("VARVE_BENCH_CA", ""), websites.listed())] if SERVER else []
    webs.append(Web(DEMO, f"{SCRATCH}/ca.pem", DEMO_PAGES, is_small=True))
    easylist = storage.lists(SCRATCH)
    inputs.append(f"pages of each site: at most {PER_SITE}, all in the browser; pictures and logs of visits do not count")
    inputs.append(f"pages of each site to measure the size of many: at most {LARGE_PER_SITE}, of which one is replayed; crawls choose tiers")
    inputs.append("lists: varve's own; EasyList and EasyPrivacy of Debian's webext-ublock-origin-chromium")
    inputs.append(f"pages of each site to measure the pace: at most {PACE_PER_SITE}; crawls that choose tiers, and of sites without third parties: {LARGE_PER_SITE}")
    inputs.append("all crawls run event handlers, so that they store what these ask for")
    inputs.append("replayed by another client: a telephone, without the network")
    inputs.append("not all visited: a third of the pages are visited to learn what runs, all are compared")
    pruning = partial(storage.prune, VARVE, verified=VERIFIED)
    try:
        paces(webs[0], easylist)
        probed()
        for web, site, pages in sites(webs, LARGE_PER_SITE) if LARGE_PER_SITE else ():
            say(f"{site}, {len(pages)} pages")
            large(web, site, pages, pruning, easylist)
        for web, site, pages in sites(webs, PER_SITE):
            say(site)
            small(web, site, pages, pruning, easylist)
            write(facts)
    finally:
        example.terminate()
        shutil.rmtree(SCRATCH, ignore_errors=True)


def paces(web, easylist):
    """The pace of crawls, and what they cost."""
    slow = os.environ.get("VARVE_BENCH_SLOW_SERVER")
    slow = Web(slow, web.ca, web.pages) if slow else None
    slow_alone = os.environ.get("VARVE_BENCH_SLOW_SERVER_ALONE")
    slow_alone = Web(slow_alone, web.ca, web.pages) if slow_alone else None
    without_third = os.environ.get("VARVE_BENCH_WITHOUT_THIRD", "").split()
    found, raw["pace"] = pace.measure(SCRATCH, web, slow, slow_alone, without_third, easylist, PACE_PER_SITE, LARGE_PER_SITE)
    rows.extend(found)


def probed():
    """What can be found out about a visitor, of which two other clients find out something else in replay than the one
    that captured: the tests of replay know pages that ask for all of it."""
    command = ["cargo", "test", "--quiet", "--workspace", "--test", "replay", "--", "--nocapture", "asks_in_our_frame_for_what_was_captured"]
    done = subprocess.run(command, capture_output=True, text=True)
    told = re.findall(r"^(\S+): (\d+) of (\d+) probes differ$", done.stdout, re.MULTILINE)
    if not told:
        raise SystemExit(f"the tests of replay say nothing: {done.stderr[-500:]}")
    differ = sum(int(number) for _, number, _ in told)
    fewest = min(int(number) for *_, number in told)
    raw["probes"] = told
    rows.append(Row("characteristics of the client that pages find otherwise in replay, by another computer and a telephone", str(differ), f"of {fewest} and more, {len(told)} visits", "-", "0", yes(differ == 0)))


def large(web, site, pages, pruning, easylist):
    """The sizes of many pages of a site."""
    found = storage.large_site(site, SCRATCH, pages, web.crawl, pruning, easylist)
    plain, lists, packed, smallest = (found["sizes"][name] for name in ("plain", "lists", "packed", "smallest"))
    rows.append(fewer(f"{site}, {len(pages)} pages, all, packed with zstd", packed.total, plain.total))
    rows.append(fewer(f"{site}, {len(pages)} pages, all, packed as small as it gets", smallest.total, plain.total))
    rows.append(fewer(f"{site}, {len(pages)} pages, hot scripts, packed with zstd", packed.scripts, lists.scripts))
    raw["large"][site] = {**found, "sizes": {name: sizes.raw() for name, sizes in found["sizes"].items()}}


def small(web, site, pages, pruning, easylist):
    """Sizes of a few pages of a site, technique by technique, and how they replay."""
    found = storage.one_site(site, SCRATCH, pages, web.crawl, pruning, easylist)
    replayed = {means: replaying.replay(VARVE, f"{SCRATCH}/plain", SCRATCH, means) for means in replaying.MEANS}
    found["pywb"] = exported.new_complaints(VARVE, f"{SCRATCH}/lists", f"{SCRATCH}/pruned", pages, SCRATCH)
    replayed["pruned"] = replaying.replay(VARVE, f"{SCRATCH}/pruned", SCRATCH, "all")
    sizes = {name: sizes.raw() for name, sizes in found["sizes"].items()}
    raw["sites"][site] = {**found, "sizes": sizes, "replayed": replayed}
    tell(site, found["sizes"], found)


def write(facts):
    """Writes what is known so far."""
    sums, more = in_all()
    replayed, charts = in_replay()
    report.write(RESULTS, "Storage, measured", [*sums, *replayed, *rows], [*inputs, *more, charts], facts, raw, HOW)


class Web:
    """A server that knows all hosts of some sites. Of small ones all pages are always taken."""

    def __init__(self, server, ca, pages, is_small=False):
        self.server, self.ca, self.pages, self.is_small = server, ca, pages, is_small
        self.crawl = partial(storage.crawl, VARVE, server, ca)

    def sites(self, most):
        """Some pages of each site, evenly spread."""
        return websites.spread(self.pages, len(self.pages) if self.is_small else most)


def sites(webs, most):
    """The sites of all webs, with some pages of each."""
    return [(web, site, pages) for web in webs for site, pages in web.sites(most).items()]


def tell(site, sizes, found):
    plain, filtered, lists, pruned = (sizes[name] for name in ("plain", "filtered", "lists", "pruned"))
    share = 100 * plain.scripts / plain.total
    rows.append(Row(f"{site}, scripts of all bytes", f"{share:.0f} %", f"{found['pages']} pages, {mb(plain.total)}"))
    rows.append(fewer(f"{site}, scripts, own filter", filtered.scripts, plain.scripts))
    rows.append(fewer(f"{site}, scripts, EasyList too", lists.scripts, plain.scripts))
    is_code = found["pruned"]["pruned"].get("scripts", {}).get("cold", 0) * 100 > CODE * lists.scripts
    rows.append(fewer(f"{site}, hot scripts after pruning", pruned.scripts, lists.scripts, 45 if is_code else None))
    if is_code and found["data"]["lists"]:
        code = [sizes[name].scripts - found["data"][name] for name in ("pruned", "lists")]
        rows.append(fewer(f"{site}, hot scripts after pruning, without those that are data", *code, 45))
    rows.append(fewer(f"{site}, hot scripts after pruning, packed with zstd", sizes["packed"].scripts, lists.scripts))
    rows.append(fewer(f"{site}, hot scripts in all", pruned.scripts, plain.scripts))
    rows.append(fewer(f"{site}, all, packed with zstd", sizes["packed"].total, plain.total))
    rows.append(fewer(f"{site}, all, packed as small as it gets", sizes["smallest"].total, plain.total))


def in_all():
    def total(name, parts):
        return sum(site["sizes"][name][part] for site in raw["sites"].values() for part in parts)

    sums = []
    plain = total("plain", EVERYTHING)
    scripts = total("plain", ("scripts",))
    sums.append(fewer("all sites, scripts, own filter", total("filtered", ("scripts",)), scripts))
    sums.append(fewer("all sites, scripts, EasyList too", total("lists", ("scripts",)), scripts))
    sums.append(fewer("all sites, scripts of third parties, own filter", total("filtered", ("third",)), total("plain", ("third",)), 95))
    sums.append(fewer("all sites, scripts of third parties, EasyList too", total("lists", ("third",)), total("plain", ("third",)), 95))
    sums.append(fewer("all sites, hot scripts in all", total("pruned", ("scripts",)), scripts))
    many = [site["sizes"] for site in raw["sites"].values() if site["sizes"]["plain"]["third"] * 100 >= MANY_THIRD * max(site["sizes"]["plain"]["scripts"], 1)]
    if many:
        left, all_of_them = (sum(sizes[name]["scripts"] for sizes in many) for name in ("pruned", "plain"))
        sums.append(fewer(f"{len(many)} sites with {MANY_THIRD} % and more of third parties, hot scripts in all", left, all_of_them, 84))
    sums.append(fewer("all sites, own filter", total("filtered", EVERYTHING), plain))
    sums.append(fewer("all sites, EasyList too", total("lists", EVERYTHING), plain))
    sums.append(fewer("all sites, after pruning", total("pruned", EVERYTHING), plain))
    sums.append(fewer("all sites, packed with zstd", total("packed", EVERYTHING), plain))
    sums.append(fewer("all sites, packed as small as it gets", total("smallest", EVERYTHING), plain, 41))
    sums.append(fewer("all sites, with --cold drop", total("dropped", EVERYTHING), plain))
    sums += large_in_all()
    rows_of_looks, looks = filtered_looks()
    sums += rows_of_looks
    sums += operations()
    sums.append(fewer("all sites, index after pruning", total("pruned", ("index",)), total("plain", ("index",))))
    sums += in_pywb()
    sums += alike("pruned", "compared")
    sums += alike("unseen", "compared, not all visited")
    return sums, [handlers_by_kind(), looks]


def large_in_all():
    """The sizes of many pages of all sites."""
    if not raw["large"]:
        return []
    of = lambda name: [sum(site["sizes"][name][part] for part in EVERYTHING) for site in raw["large"].values()]
    plain = of("plain")
    media = lambda name: sum(site["sizes"][name]["media"] for site in raw["large"].values())
    share = 100 * media("plain") / sum(plain)
    many = f"{LARGE_PER_SITE} pages of each"
    sums = [Row(f"all sites, {many}, pictures, fonts and films of all bytes", f"{share:.0f} %", mb(sum(plain)))]
    for name, words, goal in (("packed", "packed with zstd", None), ("smallest", "packed as small as it gets", 41)):
        packed = of(name)
        each = [1 - now / before for now, before in zip(packed, plain)]
        sums.append(fewer(f"all sites, {many}, {words}", sum(packed), sum(plain), goal))
        sums.append(fewer(f"all sites, {many}, all but pictures, fonts and films, {words}", sum(packed) - media(name), sum(plain) - media("plain")))
        sums.append(fewer(f"all sites, {many}, pictures, fonts and films, {words}", media(name), media("plain")))
        sums.append(Row(f"the mean of the sites, {many}, {words}", "-", "-", f"{100 * sum(each) / len(each):.1f} % less"))
    return sums


def in_pywb():
    """Pages that complain about more when pywb replays them after pruning."""
    pages = [new for site in raw["sites"].values() for new in site["pywb"].values()]
    worse = sum(bool(new) for new in pages)
    return [Row("exported and replayed in pywb: pages with new complaints after pruning", str(worse), f"{len(pages)} pages", "-", "0", yes(worse == 0))]


def handlers_by_kind():
    """Event handlers that crawls found and ran."""
    counts = Counter()
    for site in raw["sites"].values():
        for kind, both in site["crawls"]["lists"]["handlers"].items():
            counts.update({f"{kind} found": both["found"], f"{kind} run": both["run"] + both["alike"]})
    kinds = sorted({name.rsplit(" ", 1)[0] for name in counts})
    words = ", ".join(f"{kind} {counts[f'{kind} run']} of {counts[f'{kind} found']}" for kind in kinds)
    return f"event handlers that were run to learn what can run, or are like others that were, by kind: {words}"


def filtered_looks():
    """How pages look without what the lists leave out."""
    pages = [page for site in raw["sites"].values() for page in site["looks"]]
    other = [page for page in pages if page["differs"] > 0]
    steady = [page for page in other if page["by_chance"] == 0]
    shown = [f"{page['url']} ({100 * page['differs']:.1f} % of the picture{told(page['gone'])})" for page in steady]
    looks = "look different without what lists leave out, not by chance: " + ("; ".join(shown) or "none")
    return [
        Row("captured without what lists leave out: pages that look the same", str(len(pages) - len(other)), f"{len(pages)} pages"),
        Row("captured without what lists leave out: pages that look different, not by chance", str(len(steady)), f"{len(pages)} pages"),
    ], looks


def told(lines):
    return ", without \"" + "\", \"".join(line[:60] for line in lines[:3]) + "\"" if lines else ""


def alike(name, what):
    """How pages that were replayed after pruning compare with what they were before."""
    pruned = [site["pruned"][name] for site in raw["sites"].values() if "failed" not in site["pruned"][name]]
    verified = sum(outcome["pages_verified"] for outcome in pruned)
    if not verified:
        return []
    of = lambda count: sum(outcome["compared"][count] for outcome in pruned)
    pictures = 100 * of("pictures_alike") / verified
    others = of("effects_other")
    spared = sum(len(outcome["pages_spared"]) for outcome in pruned)
    return [
        Row(f"{what}: pages that look the same", f"{pictures:.1f} %", f"{verified} pages", "-", "98 %", yes(pictures >= 98)),
        Row(f"{what}: handlers that do something else", str(others), f"of {of('effects')} compared", "-", "0", yes(others == 0)),
        Row(f"{what}: pages that are worse in any way", str(of("worse")), f"of {verified}", "-", "0", yes(of("worse") == 0)),
        Row(f"{what}: pages that were worse at first", str(of("worse_at_first")), f"of {verified}"),
        Row(f"{what}: pages whose scripts stay whole therefore", str(spared), f"of {verified}"),
        Row(f"{what}: functions and branches fetched in replay, a page", f"{of('fetched') / verified:.1f}"),
    ]


def operations():
    """Operations of the index for a page: when it is crawled, and when it is replayed."""
    pages = sum(site["pages"] for site in raw["sites"].values())
    of = lambda name, what: sum(site["sizes"][name][what] for site in raw["sites"].values()) / pages
    asked = lambda means: sum(site["replayed"][means]["look_ups"] for site in raw["sites"].values()) / pages
    return [
        Row("index operations a page, crawled: written", f"{of('lists', 'lines'):.1f}", f"{of('plain', 'lines'):.1f}"),
        Row("index operations a page, crawled: looked up", f"{of('lists', 'payloads'):.1f}", f"{of('plain', 'payloads'):.1f}"),
        Row("index operations a page, replayed: looked up", f"{asked('pruned'):.1f}", f"{asked('all'):.1f}"),
    ]


def in_replay():
    """Pages without a failed request, by what replay does for them; and the distributions as a chart."""
    shown = []
    failures = drawing.Panel("pages with at most so many failed requests (%)", {})
    absences = drawing.Panel("pages with at most so much unfetched (%)", {})
    for means in (*replaying.MEANS, "pruned"):
        pages = [page for site in raw["sites"].values() for page in site["replayed"][means]["pages"]]
        failed = [page["failed"] for page in pages]
        unfetched = [page["unfetched"] / 1e3 for page in pages]
        good = 100 * sum(count == 0 for count in failed) / len(pages)
        goal = ("99 %", yes(good >= 99)) if means in ("all", "pruned") else ("-", "-")
        name = "all, pruned" if means == "pruned" else means
        shown.append(Row(f"replayed elsewhere ({name}), pages without failed requests", f"{good:.1f} %", f"{len(pages)} pages, {sum(failed)} failed", "-", *goal))
        shown.append(Row(f"replayed elsewhere ({name}), unfetched", f"{sum(unfetched) / 1e3:.2f} MB"))
        if means != "pruned":
            failures.lines[means] = replaying.shares(failed)
            absences.lines[means] = replaying.shares(unfetched)
    drawing.draw(f"{RESULTS}-failed.svg", "failed requests", [failures])
    drawing.draw(f"{RESULTS}-unfetched.svg", "KB that were saved for the page and not asked for", [absences])
    return shown, ("distributions: [failed requests](jawa-failed.svg), [unfetched bytes](jawa-unfetched.svg)")


def fewer(what, now, before, goal=None):
    """A row that says how much less something is."""
    less = 100 * (1 - now / before) if before else 0
    met = yes(less >= goal) if goal else "-"
    return Row(what, mb(now), mb(before), f"{less:.1f} % less", f"{goal} % less" if goal else "-", met)


def mb(count):
    return f"{count / 1e6:.2f} MB"


def output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
