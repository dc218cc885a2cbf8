"""Measures whole crawls; `run.sh` says how to start it and what can be set."""

import os
import shutil
from urllib.parse import urlsplit

import longrun
import report
import servers
from captured import archives, captured, fates
from contest import Contender, contest, run, say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
ROUNDS = int(os.environ.get("VARVE_BENCH_ROUNDS", "3"))
BROWSER_PAGES = int(os.environ.get("VARVE_BENCH_BROWSER_PAGES", "3000"))
BROWSER_SECONDS = os.environ.get("VARVE_BENCH_BROWSER_SECONDS")
SCRATCH = f"{DIR}/crawl"
RESULTS = "bench/results/crawl"
VARVE = f"{BIN}/varve"
SHELL = shutil.which("chromium-headless-shell")
DEMO = "127.0.0.1:8878"
DEMO_SITES = "http://herbarium.garden.example/"
AT_ONCE = 16  # pages over HTTP
EXAMPLES = 20  # of what an archive lacks

rows, inputs, raw = [], [], {"contests": {}, "lacking": {}}


def main():
    facts = report.conditions(["warcio"])
    facts["versions"] = {
        "varve": run([VARVE, "--version"])[1].split()[1],
        "chromium": run([SHELL, "--version"])[1].split()[1] if SHELL else "-",
        "wget": run(["wget", "--version"])[1].split()[2],
        **facts["versions"],
    }
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    server, web = servers.to_crawl(VARVE, SCRATCH, DEMO)
    inputs.append(f"rounds of each contest: {ROUNDS}")
    try:
        for site in os.environ.get("VARVE_BENCH_SITES", DEMO_SITES).split():
            whole_site(server, site)
        report.write(RESULTS, "Crawls, measured", rows, inputs, facts, raw)
        if BROWSER_PAGES:
            long_crawl(server)
            inputs.append(f"load over the last 15 minutes when it ended: {os.getloadavg()[2]:.1f}")
            report.write(RESULTS, "Crawls, measured", rows, inputs, facts, raw)
    finally:
        if web:
            web.terminate()
        shutil.rmtree(SCRATCH, ignore_errors=True)


def crawl(server, collection, *words):
    """The words of a crawl. Links that lead nowhere are no failure of it."""
    command = [VARVE, "-q", "--json", "crawl", "-c", collection, "--delay", "0", "--retries", "0"]
    command += ["--ignore-robots", "--map-host", f"'*={server}'", "--allow-net", "127.0.0.0/8", *words]
    if os.path.exists(f"{SCRATCH}/ca.pem"):
        command += ["--ca-file", f"{SCRATCH}/ca.pem"]
    return ["sh", "-c", " ".join(command) + " || test $? -eq 4"]


def whole_site(server, site):
    host = urlsplit(site).hostname
    say(host)
    collection, warc, files = (f"{SCRATCH}/{name}" for name in ("http", "wget", "wget-files"))
    words = [site, "--scope", "host", "--tier", "http", "--workers", str(AT_ONCE), "--per-host", str(AT_ONCE)]
    varve = Contender(
        "varve", [crawl(server, collection, *words)], before=lambda: remove(collection), whole_tree=True
    )
    proxy = f"http://{server}"
    command = ["sh", "-c", "wget -q --recursive --level=inf --page-requisites --no-parent --no-check-certificate"
               f" -e http_proxy={proxy} -e https_proxy={proxy} -e robots=off --tries=1 --wait=0"
               # Of what it could not fetch, or not write as a file, the comparison of the archives tells.
               f" --warc-file={warc} -P {files} {site}; code=$?; test $code -eq 0 || test $code -gt 2"]
    wget = Contender("wget", [command], before=lambda: remove(files), whole_tree=True)
    contest(ROUNDS, varve, wget)
    raw["contests"][host] = {contender.name: contender.raw() for contender in (varve, wget)}
    ours, theirs = captured(archives(collection), host), captured([f"{warc}.warc.gz"], host)
    compare(host, varve, wget, ours, theirs)
    tell_lacking(host, collection, ours[0], theirs[0])
    remove(files)


def compare(host, varve, wget, ours, theirs):
    """The rows of a site: what it cost, how fast it went, what was captured."""
    (our_urls, our_pages), (their_urls, their_pages) = ours, theirs
    cost, base = varve.best().cpu, wget.best().cpu
    rows.append(Row(
        f"{host}, CPU", f"{cost:.2f} s", f"wget: {base:.2f} s", f"{base / cost:.1f}x", "4x", yes(base >= 4 * cost),
    ))
    rate, base_rate = len(our_pages) / varve.best().wall, len(their_pages) / wget.best().wall
    rows.append(Row(
        f"{host}, pages per second", f"{rate:.1f}", f"wget: {base_rate:.1f}", f"{rate / base_rate:.1f}x", "8x",
        yes(rate >= 8 * base_rate),
    ))
    for what, mine, its in (("pages", our_pages, their_pages), ("URLs", our_urls, their_urls)):
        rows.append(Row(
            f"{host}, {what} captured", f"{len(mine)}", f"wget: {len(its)}",
            f"{len(its - mine)} of wget's are not ours, {len(mine - its)} of ours not wget's",
            "the same or more", yes(not its - mine),
        ))


def tell_lacking(host, collection, ours, theirs):
    """Writes down what wget has and varve has not, with what varve's log says of it."""
    lacking = sorted(theirs - ours)
    told = fates(collection, lacking)
    raw["lacking"][host] = {"fates": told, "examples": lacking[:EXAMPLES], "ours": sorted(ours - theirs)[:EXAMPLES]}
    if lacking:
        fate = ", ".join(f"{count} {name}" for name, count in told.items())
        inputs.append(f"{host}: {len(lacking)} URLs that wget has and varve has not ({fate}), such as {lacking[0]}")


def long_crawl(server):
    """Many pages in the browser, watched all the while."""
    say("browser crawl")
    pages, collection = f"{SCRATCH}/pages.txt", f"{SCRATCH}/browser"
    words = ["--tier", "browser", "--no-screenshots", "--max-pages", str(BROWSER_PAGES)]
    words += ["--max-time", BROWSER_SECONDS] if BROWSER_SECONDS else []
    words += ["--dashboard", longrun.DASHBOARD]
    if "VARVE_BENCH_PAGES" in os.environ:
        longrun.pick(os.environ["VARVE_BENCH_PAGES"], BROWSER_PAGES, pages)
        words += ["--scope", "page", "--seeds", pages]
    else:
        words += ["--scope", "host", DEMO_SITES]
    samples = longrun.watch(crawl(server, collection, *words))
    raw["browser"] = longrun.plain(samples)
    rows.extend(longrun.rows(samples))
    longrun.chart(samples, f"{RESULTS}.svg")
    inputs.append(
        f"browser crawl: {samples[-1].pages} of {BROWSER_PAGES} pages in {samples[-1].seconds:.0f} s, four at once"
        + (f" (at most {BROWSER_SECONDS} s); " if BROWSER_SECONDS else "; ") +
        "memory is what its processes hold, shared parts counted once; over time: [crawl.svg](crawl.svg)"
    )


def remove(path):
    shutil.rmtree(path, ignore_errors=True)


main()
