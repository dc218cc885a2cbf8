#!/usr/bin/env python3
"""Visits the pages of sites as the classifier's labels need it: once over HTTP and twice in the
browser, each into a collection of its own.

usage: visit.py OUT ADDR:PORT LIST... [--pages N] [--varve PROGRAM] [--ca FILE]

A LIST is a file with one URL on each line; its name without the ending is the name of the site. Of
longer lists N pages are taken, always the same ones. All hosts are mapped to ADDR:PORT, which must
be on loopback. What is done already is not done again.
"""
import argparse
import hashlib
import pathlib
import shutil
import subprocess
import sys

PASSES = [("http", "http"), ("browser-1", "browser"), ("browser-2", "browser")]


def chosen(urls, count):
    """The same pages each time, from all over the list."""
    by_hash = sorted(urls, key=lambda url: hashlib.sha1(url.encode()).hexdigest())
    return sorted(by_hash[:count])


def visit(options, site, urls, name, tier):
    done = options.out / site / f"{name}.done"
    collection = options.out / site / name
    if done.exists():
        return
    shutil.rmtree(collection, ignore_errors=True)
    seeds = options.out / site / "pages.txt"
    seeds.write_text("".join(f"{url}\n" for url in urls))
    command = [options.varve, "crawl", "-q", "--seeds", seeds, "-c", collection, "--tier", tier,
               "--scope", "page", "--delay", "0", "--workers", "3", "--no-screenshots",
               "--no-sitemaps", "--ignore-robots", "--retries", "0", "--page-timeout", "60",
               "--map-host", f"*={options.server}", "--allow-net", "127.0.0.0/8"]
    if options.ca:
        command += ["--ca-file", options.ca]
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # 4: some pages failed. They are not in the page list, and of no further interest.
    if result.returncode not in (0, 4):
        sys.exit(f"{site} {name}: {result.stderr}")
    done.touch()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("server")
    parser.add_argument("lists", nargs="+", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--varve", default="varve")
    parser.add_argument("--ca")
    options = parser.parse_args()
    for path in options.lists:
        site = path.stem
        (options.out / site).mkdir(parents=True, exist_ok=True)
        urls = [line.strip() for line in path.read_text().splitlines() if line.strip()]
        for name, tier in PASSES:
            visit(options, site, chosen(set(urls), options.pages), name, tier)
        print(site, flush=True)


if __name__ == "__main__":
    main()
