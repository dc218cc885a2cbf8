"""Measures the recorder; `run.sh` says how to start it and what can be set."""

import glob
import json
import os
import shutil
import subprocess
import time

import report
from contest import Contender, contest, run, say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
ROUNDS = int(os.environ.get("VARVE_BENCH_ROUNDS", "3"))
SCRATCH = f"{DIR}/record"
VARVE = f"{BIN}/varve"
PYTHON = os.path.abspath(".venv/bin/python")
SHELL = shutil.which("chromium-headless-shell")
DEMO = "127.0.0.1:8877"
DEMO_PAGES = "/ /carousel/ /tabs/ /menus/ /accordion/ /lightbox/ /lazy/ /modules/ /components/ /forms/".split()

rows, inputs, raw = [], [], {"contests": {}}


def main():
    facts = report.conditions(["warcio", "cdxj-indexer"])
    facts["versions"] = {
        "varve": run([VARVE, "--version"])[1].split()[1],
        "chromium": run([SHELL, "--version"])[1].split()[1] if SHELL else "-",
        "wget": run(["wget", "--version"])[1].split()[2],
        **facts["versions"],
    }
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    server, web = find_server()
    try:
        browser_tier(server)
        http_tier(server)
    finally:
        if web:
            web.terminate()
    report.write("bench/results/record", "The recorder, measured", rows, inputs, facts, raw)


def find_server():
    """The server to crawl and, if it is ours, its process."""
    server = os.environ.get("VARVE_BENCH_SERVER")
    pages = f"{SCRATCH}/pages.txt"
    if server:
        shutil.copy(os.environ["VARVE_BENCH_PAGES"], pages)
        if "VARVE_BENCH_CA" in os.environ:
            shutil.copy(os.environ["VARVE_BENCH_CA"], f"{SCRATCH}/ca.pem")
        return server, None
    with open(pages, "w") as out:
        out.writelines(f"http://garden.example{path}\n" for path in DEMO_PAGES)
    web = subprocess.Popen(
        [VARVE, "-q", "demo-site", "--listen", DEMO, "--ca-file", f"{SCRATCH}/ca.pem"], stdout=subprocess.DEVNULL
    )
    time.sleep(1)
    return DEMO, web


def page_list():
    with open(f"{SCRATCH}/pages.txt") as lines:
        return [line.strip() for line in lines if line.strip()]


def crawl(server, tier, collection, workers):
    command = [VARVE, "-q", "--json", "crawl", "--seeds", f"{SCRATCH}/pages.txt", "-c", collection, "--tier", tier,
               "--scope", "page", "--delay", "0", "--retries", "0", "--ignore-robots"]
    command += ["--workers", str(workers), "--no-screenshots"]
    command += ["--map-host", f"*={server}", "--allow-net", "127.0.0.0/8"]
    return command + (["--ca-file", f"{SCRATCH}/ca.pem"] if os.path.exists(f"{SCRATCH}/ca.pem") else [])


def browser_tier(server):
    say("browser tier")
    pages, collection = len(page_list()), f"{SCRATCH}/browser"
    inputs.append(f"{pages} pages, such as {page_list()[0]}")
    varve = Contender(
        "varve", [crawl(server, "browser", collection, 4)], before=lambda: remove(collection), whole_tree=True
    )
    command = [PYTHON, os.path.abspath("bench/record/bare.py"), SHELL, server, f"{SCRATCH}/pages.txt", "4"]
    bare = Contender("bare navigation", [command], whole_tree=True)
    contest(ROUNDS, varve, bare)
    keep("browser tier", varve, bare)
    cost, base = varve.best().cpu / pages, bare.best().cpu / pages
    account = json.loads(varve.said)["account"]
    inputs.append(f"browser tier: {account['requested']} requests, {account['recorded']['count']} recorded")
    rows.append(Row(
        "browser tier, CPU per page", f"{cost:.3f} s", f"bare navigation: {base:.3f} s", f"{cost / base:.2f}x",
        "<= 1.25x", yes(cost <= 1.25 * base),
    ))
    rows.append(Row("browser tier, CPU per page", f"{cost:.3f} s", goal="<= 0.40 s", met=yes(cost <= 0.4)))
    rows.append(Row(
        "browser tier, pages per second", f"{pages / varve.best().wall:.2f}", f"{pages / bare.best().wall:.2f}",
    ))


def http_tier(server):
    say("HTTP tier")
    pages, collection = len(page_list()), f"{SCRATCH}/http"
    varve = Contender(
        "varve", [crawl(server, "http", collection, 16)], before=lambda: remove(collection), whole_tree=True
    )
    proxy = f"http://{server}"
    command = ["sh", "-c", "wget -q --page-requisites --span-hosts --no-directories --delete-after --no-check-certificate"
               f" -e http_proxy={proxy} -e https_proxy={proxy} -e robots=off --tries=1"
               f" --warc-file={SCRATCH}/wget -i {SCRATCH}/pages.txt -P {SCRATCH}/wget-files || test $? -eq 8"]
    wget = Contender("wget", [command], before=lambda: remove(f"{SCRATCH}/wget-files"), whole_tree=True)
    contest(ROUNDS, varve, wget)
    keep("HTTP tier", varve, wget)
    cost, base = varve.best().cpu / pages, wget.best().cpu / pages
    rate, base_rate = pages / varve.best().wall, pages / wget.best().wall
    rows.append(Row(
        "HTTP tier, CPU per page", f"{cost * 1000:.2f} ms", f"wget: {base * 1000:.2f} ms", f"{base / cost:.1f}x", "4x",
        yes(base >= 4 * cost),
    ))
    rows.append(Row(
        "HTTP tier, pages per second", f"{rate:.1f}", f"wget: {base_rate:.1f}", f"{rate / base_rate:.1f}x", "8x",
        yes(rate >= 8 * base_rate),
    ))
    ours = urls(glob.glob(f"{collection}/layers/*/archive/*.warc.gz"))
    theirs = urls([f"{SCRATCH}/wget.warc.gz"])
    lacking = sorted(theirs - ours)
    raw["lacking"] = lacking[:200]
    rows.append(Row(
        "HTTP tier, URLs captured", f"{len(ours)}", f"wget: {len(theirs)}", f"{len(lacking)} of wget's are not ours",
        "none", yes(not lacking),
    ))


def urls(files):
    """The URLs of the responses in WARC files."""
    from warcio.archiveiterator import ArchiveIterator

    found = set()
    for name in files:
        with open(name, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type in ("response", "revisit"):
                    found.add(record.rec_headers.get_header("WARC-Target-URI").strip("<>"))
    return found


def keep(name, *contenders):
    raw["contests"][name] = {contender.name: contender.raw() for contender in contenders}


def remove(path):
    shutil.rmtree(path, ignore_errors=True)


main()
