"""Measures what is stored of pages, and how they replay; `run.sh` says how to start it and what can
be set."""

import os
import shutil
import subprocess
from collections import Counter
from functools import partial

import drawing
import replaying
import report
import servers
import storage
import websites
from contest import say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
PER_SITE = int(os.environ.get("VARVE_BENCH_PAGES_PER_SITE", "6"))
LARGE_PER_SITE = int(os.environ.get("VARVE_BENCH_LARGE_PAGES_PER_SITE", "30"))
PACE_PER_SITE = int(os.environ.get("VARVE_BENCH_PACE_PAGES_PER_SITE", "12"))
VERIFIED = os.environ.get("VARVE_BENCH_VERIFIED", "all")
SCRATCH = f"{DIR}/jawa"
RESULTS = "bench/results/jawa"
VARVE = f"{BIN}/varve"
CA = f"{SCRATCH}/ca.pem"
DEMO = "127.0.0.1:8877"
DEMO_PAGES = [
    f"https://garden.example/{name}"
    for name in ("", "planner/", "almanac/", "menus/", "tabs/", "accordion/", "carousel/", "friends/", "weather/")
]
EVERYTHING = ("scripts", "cold", "others")
# Scripts that are data have nothing to take out: less than this share of a site's is never run.
CODE = 5

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
    server, web = servers.to_crawl(VARVE, SCRATCH, DEMO)
    easylist = storage.lists(SCRATCH)
    inputs.append(f"pages of each site: at most {PER_SITE}, all in the browser; pictures and logs of visits do not count")
    inputs.append(f"pages of each site to measure the size of many: at most {LARGE_PER_SITE}, of which two are replayed")
    inputs.append("lists: varve's own; EasyList and EasyPrivacy of Debian's webext-ublock-origin-chromium")
    inputs.append(f"pages of each site to measure the pace: at most {PACE_PER_SITE}")
    inputs.append("all crawls run event handlers, so that they store what these ask for")
    inputs.append("replayed by another client: a telephone, without the network")
    crawling = partial(storage.crawl, VARVE, server, CA)
    pruning = partial(storage.prune, VARVE, verified=VERIFIED)
    try:
        pace(sites(PACE_PER_SITE), easylist)
        for site, pages in sites(LARGE_PER_SITE).items() if LARGE_PER_SITE else ():
            say(f"{site}, {len(pages)} pages")
            found = storage.large_site(site, SCRATCH, pages, crawling, pruning, easylist)
            rows.append(fewer(f"{site}, {len(pages)} pages, all, packed with zstd", found["sizes"]["packed"].total, found["sizes"]["plain"].total))
            raw["large"][site] = {**found, "sizes": {name: sizes.raw() for name, sizes in found["sizes"].items()}}
        for site, pages in sites(PER_SITE).items():
            say(site)
            found = storage.one_site(site, SCRATCH, pages, crawling, pruning, easylist)
            replayed = {
                means: replaying.replay(VARVE, f"{SCRATCH}/plain", SCRATCH, means) for means in replaying.MEANS
            }
            replayed["pruned"] = replaying.replay(VARVE, f"{SCRATCH}/pruned", SCRATCH, "all")
            sizes = {name: sizes.raw() for name, sizes in found["sizes"].items()}
            raw["sites"][site] = {**found, "sizes": sizes, "replayed": replayed}
            tell(site, found["sizes"], found)
            write(facts)
    finally:
        if web:
            web.terminate()
        shutil.rmtree(SCRATCH, ignore_errors=True)


def write(facts):
    """Writes what is known so far."""
    sums, more = in_all()
    replayed, charts = in_replay()
    report.write(RESULTS, "Storage, measured", [*sums, *replayed, *rows], [*inputs, more, charts], facts, raw, HOW)


def sites(most):
    """Some pages of each site, evenly spread."""
    return websites.by_site(most, DEMO_PAGES)


def tell(site, sizes, found):
    plain, filtered, lists, pruned = (sizes[name] for name in ("plain", "filtered", "lists", "pruned"))
    share = 100 * plain.scripts / plain.total
    rows.append(Row(f"{site}, scripts of all bytes", f"{share:.0f} %", f"{found['pages']} pages, {mb(plain.total)}"))
    rows.append(fewer(f"{site}, scripts, own filter", filtered.scripts, plain.scripts))
    rows.append(fewer(f"{site}, scripts, EasyList too", lists.scripts, plain.scripts))
    is_code = found["pruned"]["pruned"].get("scripts", {}).get("cold", 0) * 100 > CODE * lists.scripts
    rows.append(fewer(f"{site}, hot scripts after pruning", pruned.scripts, lists.scripts, 45 if is_code else None))
    rows.append(fewer(f"{site}, hot scripts in all", pruned.scripts, plain.scripts))
    rows.append(fewer(f"{site}, all, packed with zstd", sizes["packed"].total, plain.total))


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
    sums.append(fewer("all sites, hot scripts in all", total("pruned", ("scripts",)), scripts, 84))
    sums.append(fewer("all sites, own filter", total("filtered", EVERYTHING), plain))
    sums.append(fewer("all sites, EasyList too", total("lists", EVERYTHING), plain))
    sums.append(fewer("all sites, after pruning", total("pruned", EVERYTHING), plain))
    sums.append(fewer("all sites, packed with zstd", total("packed", EVERYTHING), plain, 41))
    sums.append(fewer("all sites, with --cold drop", total("dropped", EVERYTHING), plain))
    if raw["large"]:
        plain = sum(site["sizes"]["plain"][part] for site in raw["large"].values() for part in EVERYTHING)
        packed = sum(site["sizes"]["packed"][part] for site in raw["large"].values() for part in EVERYTHING)
        sums.append(fewer(f"all sites, {LARGE_PER_SITE} pages of each, packed with zstd", packed, plain, 41))
    sums += operations()
    sums.append(fewer("all sites, index after pruning", total("pruned", ("index",)), total("plain", ("index",))))
    spared = sum(len(site["pruned"]["pruned"].get("pages_spared", [])) for site in raw["sites"].values())
    verified = sum(site["pruned"]["pruned"].get("pages_verified", 0) for site in raw["sites"].values())
    sums.append(Row("pages whose scripts stay whole, since they differed", str(spared), f"of {verified} compared"))
    handlers = Counter()
    for site in raw["sites"].values():
        for kind, both in site["crawls"]["lists"]["handlers"].items():
            handlers.update({f"{kind} found": both["found"], f"{kind} run": both["run"] + both["alike"]})
    kinds = sorted({name.rsplit(" ", 1)[0] for name in handlers})
    words = ", ".join(f"{kind} {handlers[f'{kind} run']} of {handlers[f'{kind} found']}" for kind in kinds)
    return sums, (f"event handlers that were run to learn what can run, or are like others that were, by kind: {words}")


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


def pace(chosen, easylist):
    """Crawls with everything on and off: of sites with third parties from a slow server, if there is one, and of
    those that are said to have none."""
    without_third = os.environ.get("VARVE_BENCH_WITHOUT_THIRD", "").split()
    slow = os.environ.get("VARVE_BENCH_SLOW_SERVER")
    on, off = [*easylist, "--learn"], ["--no-filter"]
    if slow:
        pages = [page for site, pages in chosen.items() if site not in without_third for page in pages]
        with_all, without = in_turns(slow, pages, (on, off))
        raw["pace"] = {"off": without, "on": with_all}
        ratio = without["seconds"] / with_all["seconds"]
        per_page = [f"{crawled['pages'] / crawled['seconds']:.2f} pages/s" for crawled in (with_all, without)]
        rows.append(Row("third parties, slow server: crawl with everything on", *per_page, f"{ratio:.2f}x", "1.39x", yes(ratio >= 1.39)))
        ratio = with_all["cpu"] / without["cpu"]
        rows.append(Row("third parties, slow server: CPU with everything on", f"{with_all['cpu']:.1f} s", f"{without['cpu']:.1f} s", f"{ratio:.2f}x"))
        with_filter = in_turns(slow, pages, (easylist,))[0]
        ratio = without["seconds"] / with_filter["seconds"]
        per_page = f"{with_filter['pages'] / with_filter['seconds']:.2f} pages/s"
        rows.append(Row("third parties, slow server: crawl with the filter alone", per_page, "-", f"{ratio:.2f}x"))
    for site in without_third:
        with_all, without = in_turns(os.environ["VARVE_BENCH_SERVER"], chosen[site], (on, off))
        ratio = with_all["cpu"] / without["cpu"]
        costs = [f"{crawled['cpu'] / crawled['pages']:.2f} s a page" for crawled in (with_all, without)]
        rows.append(Row(f"{site}, no third parties: CPU with everything on", *costs, f"{ratio:.2f}x", "<= 1.15x", yes(ratio <= 1.15)))


def in_turns(server, pages, ways):
    """Crawls pages in several ways, one after the other, twice; the cheaper crawl of each way."""
    seeds = f"{SCRATCH}/seeds"
    with open(seeds, "w") as out:
        out.writelines(page + "\n" for page in pages)
    rounds = [[storage.crawl(VARVE, server, CA, f"{SCRATCH}/pace", seeds, words) for words in ways] for _ in range(2)]
    return [min(crawls, key=lambda crawl: crawl["cpu"]) for crawls in zip(*rounds)]


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
