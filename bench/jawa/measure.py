"""Measures what is stored of pages; `run.sh` says how to start it and what can be set."""

import json
import os
import shutil
import subprocess
import time
from collections import defaultdict
from urllib.parse import urlsplit

import report
import servers
from contest import ControlGroup, say
from report import Row, yes
from sizes import measure

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
PER_SITE = int(os.environ.get("VARVE_BENCH_PAGES_PER_SITE", "12"))
VERIFIED = os.environ.get("VARVE_BENCH_VERIFIED", "20")
SCRATCH = f"{DIR}/jawa"
RESULTS = "bench/results/jawa"
VARVE = f"{BIN}/varve"
DEMO = "127.0.0.1:8877"
DEMO_PAGES = [f"https://garden.example/{name}" for name in ("", "planner/", "menus/", "tabs/", "friends/", "weather/")]

HOW = (
    "Bytes are those of records on disk, compressed, each body of a URL once. Hot is what is at hand, cold what was "
    "taken out of scripts because it never ran; sums have both unless they say otherwise."
)

rows, inputs, raw = [], [], {"sites": {}}


def main():
    facts = report.conditions([])
    facts["versions"]["varve"] = output([VARVE, "--version"]).split()[1]
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    server, web = servers.to_crawl(VARVE, SCRATCH, DEMO)
    inputs.append(f"pages of each site: at most {PER_SITE}, all in the browser; pictures and logs of visits do not count")
    inputs.append("lists: " + "; ".join(output([VARVE, "filter", "lists"]).split("\n")).strip("; "))
    try:
        for site, pages in sites().items():
            one_site(server, site, pages)
            report.write(RESULTS, "Storage, measured", rows, inputs, facts, raw, HOW)
        in_all()
        report.write(RESULTS, "Storage, measured", rows, inputs, facts, raw, HOW)
    finally:
        if web:
            web.terminate()
        shutil.rmtree(SCRATCH, ignore_errors=True)


def sites():
    """Some pages of each site."""
    source, pages = os.environ.get("VARVE_BENCH_PAGES"), DEMO_PAGES
    if source:
        with open(source) as lines:
            pages = [line.strip() for line in lines if line.strip()]
    found = defaultdict(list)
    for page in pages:
        found[urlsplit(page).hostname].append(page)
    for site, pages in found.items():
        number = min(PER_SITE, len(pages))
        found[site] = [pages[at * len(pages) // number] for at in range(number)]
    return found


def one_site(server, site, pages):
    say(site)
    seeds = f"{SCRATCH}/seeds"
    with open(seeds, "w") as out:
        out.write("\n".join(pages) + "\n")
    plain, filtered = (f"{SCRATCH}/{name}" for name in ("plain", "filtered"))
    found = {"pages": len(pages), "sizes": {}, "crawls": {}, "pruned": {}}
    for name, directory, more in (("plain", plain, ["--no-filter"]), ("filtered", filtered, [])):
        shutil.rmtree(directory, ignore_errors=True)
        found["crawls"][name] = crawl(server, directory, seeds, more)
        found["sizes"][name] = measure(directory)
    for name, words in (
        ("pruned", []),
        ("packed", ["--compress", "zstd"]),
        ("dropped", ["--compress", "zstd", "--cold", "drop"]),
    ):
        directory = f"{SCRATCH}/{name}"
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(filtered, directory)
        found["pruned"][name] = prune(directory, words)
        found["sizes"][name] = measure(directory)
        shutil.rmtree(directory)
    tell(site, found)
    raw["sites"][site] = {**found, "sizes": {name: sizes.raw() for name, sizes in found["sizes"].items()}}


def crawl(server, collection, seeds, more):
    """Pages, seconds and CPU seconds of a crawl."""
    command = [VARVE, "-q", "--json", "crawl", "-c", collection, "--seeds", seeds, "--scope", "page"]
    command += ["--tier", "browser", "--delay", "0", "--retries", "0", "--ignore-robots", "--no-sitemaps"]
    command += ["--map-host", f"*={server}", "--allow-net", "127.0.0.0/8", *more]
    if os.path.exists(f"{SCRATCH}/ca.pem"):
        command += ["--ca-file", f"{SCRATCH}/ca.pem"]
    group, began = ControlGroup(), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=group.join)
    seconds, cpu = time.monotonic() - began, group.seconds() - group.before
    group.close()
    if done.returncode not in (0, 4):
        raise SystemExit(f"the crawl ended with {done.returncode}: {done.stderr[-500:]}")
    return {"seconds": seconds, "cpu": cpu}


def prune(collection, words):
    """What pruning says of itself."""
    command = [VARVE, "-q", "--json", "prune", collection, "--learn", "all", "--verify", VERIFIED, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 5:
        return {"failed": done.stderr.strip()}
    if done.returncode != 0:
        raise SystemExit(f"pruning ended with {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def tell(site, found):
    sizes = found["sizes"]
    plain, filtered, pruned = sizes["plain"], sizes["filtered"], sizes["pruned"]
    share = 100 * plain.scripts / plain.total
    rows.append(Row(f"{site}, scripts of all bytes", f"{share:.0f} %", f"{found['pages']} pages, {mb(plain.total)}"))
    rows.append(fewer(f"{site}, scripts after filtering", filtered.scripts, plain.scripts))
    rows.append(fewer(f"{site}, hot scripts after pruning", pruned.scripts, filtered.scripts))
    rows.append(fewer(f"{site}, hot scripts in all", pruned.scripts, plain.scripts))
    rows.append(fewer(f"{site}, all, packed with zstd", sizes["packed"].total, plain.total))


def in_all():
    def total(name, parts):
        return sum(site["sizes"][name][part] for site in raw["sites"].values() for part in parts)

    everything = ("scripts", "cold", "others")
    plain = total("plain", everything)
    scripts = total("plain", ("scripts",))
    rows.append(fewer("all sites, hot scripts in all", total("pruned", ("scripts",)), scripts, 84))
    rows.append(fewer("all sites, after filtering", total("filtered", everything), plain))
    rows.append(fewer("all sites, after pruning", total("pruned", everything), plain))
    rows.append(fewer("all sites, packed with zstd", total("packed", everything), plain, 41))
    rows.append(fewer("all sites, with --cold drop", total("dropped", everything), plain))
    rows.append(fewer("all sites, index after pruning", total("pruned", ("index",)), total("plain", ("index",))))
    spent = {name: sum(site["crawls"][name]["seconds"] for site in raw["sites"].values()) for name in ("plain", "filtered")}
    ratio = spent["plain"] / spent["filtered"]
    rows.append(Row("all sites, pages per second with the filter", "-", "without", f"{ratio:.2f}x"))
    spared = sum(len(site["pruned"]["pruned"].get("pages_spared", [])) for site in raw["sites"].values())
    verified = sum(site["pruned"]["pruned"].get("pages_verified", 0) for site in raw["sites"].values())
    rows.append(Row("pages whose scripts stay whole, since they differed", str(spared), f"of {verified} compared"))


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
