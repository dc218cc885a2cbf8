"""Measures the interfaces; `run.sh` says how to start it and what can be set."""

import json
import os
import random
import shutil
import statistics
import time
from urllib.parse import quote

import pages
import report
import servers
from contest import run, say
from report import Row, limit, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
LINES = int(os.environ.get("VARVE_BENCH_LINES", "10000000"))
PAGES = int(os.environ.get("VARVE_BENCH_COLLECTION_PAGES", "100000"))
SMALL = 100_000
SCRATCH = f"{DIR}/interfaces"
RESULTS = "bench/results/interfaces"
VARVE = f"{BIN}/varve"
ROUNDS = 3
ASKED = 300  # questions of each kind
AGAIN = {"varve": 10, "pywb": 1}  # how often each is asked: CPU time is counted in hundredths of a second
GOAL = 50
KINDS = {
    "exact": ("captures of a URL", "/cdx?url={url}"),
    "prefix": ("captures below a URL, 100 at most", "/cdx?url={url}&matchType=prefix&limit=100"),
    "timemap": ("TimeMap", "/timemap/link/{url}"),
}

rows, inputs, raw = [], [], {"cpu_ms": {}, "ui_ms": {}}


def main():
    facts = report.conditions(["pywb"])
    facts["versions"] = {"varve": run([VARVE, "--version"])[1].split()[1], **facts["versions"]}
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(f"{SCRATCH}/pywb/collections")
    for name, lines in (("small", SMALL), ("large", LINES)):
        measure_questions(name, lines)
    measure_pages()
    inputs.append(f"CPU per request: the server's own; {ASKED} questions, those to varve ten times, the least of {ROUNDS} rounds, in turn")
    inputs.append("both servers must give the same number of lines to every question")
    inputs.append(f"load over the last 15 minutes when it ended: {os.getloadavg()[2]:.1f}")
    report.write(RESULTS, "Interfaces, measured", rows, inputs, facts, raw)
    shutil.rmtree(SCRATCH, ignore_errors=True)


def measure_questions(name, lines):
    say(f"{name}: {lines:,} lines")
    index = f"{SCRATCH}/{name}"
    os.makedirs(index)
    run([f"{BIN}/varve-bench-store", "sort", str(lines), index])
    collection = serve_by_both(name, f"{index}/index.cdxj")
    urls = some_urls(f"{index}/index.cdxj", ASKED)
    found, answers = {}, {}
    for number in range(ROUNDS):
        for who in ("varve", "pywb"):
            say(f"  round {number + 1} of {ROUNDS}: {who}")
            server = servers.pywb(f"{SCRATCH}/pywb") if who == "pywb" else servers.varve(VARVE, collection, SCRATCH)
            for kind, (_, path) in KINDS.items():
                before = f"/{name}" if who == "pywb" else ""
                paths = [before + path.format(url=quoted(url, kind)) for url in urls]
                counts = []
                cpu, _ = server.get(paths * AGAIN[who], lambda body: counts.append(body.count(b"\n")) or body)
                found.setdefault((kind, who), []).append(cpu * 1000)
                answers[kind, who] = counts[:ASKED]
            server.stop()
    for kind, (what, _) in KINDS.items():
        if kind != "timemap" and answers[kind, "varve"] != answers[kind, "pywb"]:
            raise SystemExit(f"{what}: varve and pywb give different answers")
        mine, theirs = (max(min(found[kind, who]), 1e-3) for who in ("varve", "pywb"))
        ratio = theirs / mine
        rows.append(Row(f"{what}, of {lines:,} lines: CPU", f"{mine:.3f} ms", f"pywb: {theirs:.2f} ms",
                        f"{ratio:.0f}x", f"{GOAL}x", yes(ratio >= GOAL)))
    raw["cpu_ms"][name] = {" ".join(key): values for key, values in found.items()}


def serve_by_both(name, index):
    """Puts an index where varve and pywb look for it; gives varve's collection."""
    warc = f"{SCRATCH}/{name}.warc.gz"
    with open(warc, "wb") as out:
        out.write(pages.record(0, "http://nowhere.example/", b"x"))
    home = f"{SCRATCH}/{name}-collection"
    run([VARVE, "-q", "import", "-c", home, warc])
    (layer,) = os.listdir(f"{home}/layers")
    own = f"{home}/layers/{layer}/indexes/index.cdxj"
    os.remove(own)
    os.link(index, own)
    theirs = f"{SCRATCH}/pywb/collections/{name}"
    for part in ("archive", "indexes"):
        os.makedirs(f"{theirs}/{part}")
    os.link(index, f"{theirs}/indexes/index.cdxj")
    return home


def some_urls(index, count):
    """URLs from places all over an index."""
    dice, size, urls = random.Random(3), os.path.getsize(index), []
    with open(index, "rb") as lines:
        while len(urls) < count:
            lines.seek(dice.randrange(size))
            lines.readline()
            line = lines.readline()
            if line:
                urls.append(json.loads(line.split(b" ", 2)[2])["url"])
    return urls


def quoted(url, kind):
    if kind == "timemap":
        return quote(url, safe=":/?&=%")
    # Below a URL there is something only if the URL is cut.
    return quote(url if kind == "exact" else url[: url.rindex("/") + 1], safe="")


def measure_pages():
    say(f"{PAGES:,} pages")
    home = pages.collection(run, VARVE, SCRATCH, PAGES)
    began = time.monotonic()
    server = servers.varve(VARVE, home, SCRATCH)
    known = pages.words(5000)
    while True:
        _, _ = server.get(["/"], bool)
        seen = []
        server.get([f"/search?q={known[0]}"], lambda body: seen.append(b"still being read" in body) or body)
        if not seen[0] and time.monotonic() - began > 3:
            break
        time.sleep(0.5)
    inputs.append(f"{PAGES:,} pages of 120 words; their words were read in {time.monotonic() - began:.0f} s")
    dice = random.Random(4)
    url = f"{pages.HOST}/7/107.html"
    (collection,) = [os.path.basename(home)]
    for what, paths in {
        "the first page": ["/"],
        "a collection": [f"/collections/{collection}"],
        "the captures of a URL": [f"/web/*/{url}"],
        "the URLs below one": [f"/web/*/{pages.HOST}/7/*"],
        "a page with its bar": [f"/web/20260101000000/{url}"],
    }.items():
        _, waited = server.get(paths * 20, bool)
        raw["ui_ms"][what] = [seconds * 1000 for seconds in waited]
        rows.append(limit(f"{what}: the slowest of 20", max(waited) * 1000, 20, "ms"))
    queries = [f"/search?q={quote(' '.join(dice.choices(known[:500], k=dice.randint(1, 3))))}" for _ in range(100)]
    _, waited = server.get(queries, bool)
    raw["search_ms"] = [seconds * 1000 for seconds in waited]
    rows.append(limit("words, half of the questions", statistics.median(waited) * 1000, 50, "ms"))
    rows.append(limit("words, the slowest of 100", max(waited) * 1000, 50, "ms"))
    rows.append(Row(f"memory with {PAGES:,} pages", f"{server.memory():.0f} MB"))
    server.stop()


main()
