"""A long crawl, watched: pages, CPU time and memory every few seconds."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass

from contest import ControlGroup, say
from drawing import Panel, draw
from report import Row, yes

DASHBOARD = "127.0.0.1:8879"
EVERY = 2  # seconds
WARM = 500  # pages after which memory should not grow
GROWTH = 1.05  # so much more at the end is no growth yet: pages differ
WINDOW = 15  # samples that a rate is taken over
FEWEST = 5  # samples that tell something


@dataclass
class Sample:
    """What was so at one moment of a crawl."""

    seconds: float
    pages: int
    cpu: float  # seconds since it began, of all processes
    varve_mb: float
    chromium_mb: float

    @property
    def all_mb(self):
        return self.varve_mb + self.chromium_mb


def pick(source, count, target):
    """Writes pages of a list to another, spread evenly over it."""
    with open(source) as lines:
        pages = [line for line in lines if line.strip()]
    count = min(count, len(pages))
    with open(target, "w") as out:
        out.writelines(pages[number * len(pages) // count] for number in range(count))


def watch(command):
    """Runs a crawl with a dashboard and samples it until it ends."""
    group, samples, began = ControlGroup(), [], time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=group.join)
    while child.poll() is None:
        time.sleep(EVERY)
        pages = visited()
        if pages is None:
            continue
        varve, chromium = memory(group)
        cpu = group.seconds() - group.before
        samples.append(Sample(time.monotonic() - began, pages, cpu, varve, chromium))
        if len(samples) % 20 == 0:
            say(f"  {pages} pages, {cpu:.0f} s CPU, {varve:.0f} + {chromium:.0f} MB")
    group.close()
    # Once all pages are done with, the browser goes: that says nothing about crawling.
    samples = [sample for sample in samples if sample.pages < samples[-1].pages]
    if child.returncode != 0 or len(samples) < FEWEST:
        sys.exit(f"the crawl ended with {child.returncode} and {len(samples)} samples; too few to tell")
    return samples


def visited():
    """How many pages are done with; None when nobody tells."""
    try:
        with urllib.request.urlopen(f"http://{DASHBOARD}/api/status", timeout=EVERY) as answer:
            pages = json.load(answer)["crawl"]["pages"]
    except (urllib.error.URLError, OSError):
        return None
    return pages["saved"] + pages["failed"]


def memory(group):
    """The memory of varve and of all that it started, in MB; what they share is counted once."""
    varve = chromium = 0
    with open(f"{group.path}/cgroup.procs") as procs:
        for pid in procs.read().split():
            try:
                with open(f"/proc/{pid}/comm") as name, open(f"/proc/{pid}/smaps_rollup") as rollup:
                    own, held = name.read().strip(), rollup.read()
            except OSError:
                continue  # it has ended
            kib = sum(int(line.split()[1]) for line in held.splitlines() if line.startswith("Pss:"))
            if own == "varve":
                varve += kib
            elif own != "sh":
                chromium += kib
    return varve * 1024 / 1e6, chromium * 1024 / 1e6


def rows(samples):
    """The beginning of the crawl against the rest."""
    total = samples[-1].pages
    warm = WARM if total >= 1.5 * WARM else total // 2
    first = [sample for sample in samples if sample.pages <= warm] or samples[:1]
    rest = [first[-1]] + [sample for sample in samples if sample.pages > warm]
    against = f"first {warm} pages"
    zero = Sample(0, 0, 0, 0, 0)
    (rate, cost), (rate_then, cost_then) = pace(rest[0], rest[-1]), pace(zero, first[-1])
    told = [
        Row("browser crawl, pages per second", f"{rate:.2f}", f"{against}: {rate_then:.2f}"),
        Row("browser crawl, CPU per page", f"{cost:.3f} s", f"{against}: {cost_then:.3f} s"),
    ]
    for who, held in (("all processes", "all_mb"), ("varve", "varve_mb"), ("Chromium", "chromium_mb")):
        early, late = ends([getattr(sample, held) for sample in rest[1:] or rest])
        most = max(getattr(sample, held) for sample in first)
        told.append(Row(
            f"browser crawl, memory of {who}", f"{late:.0f} MB in the last quarter",
            f"{early:.0f} MB in the first after {warm} pages (before: at most {most:.0f} MB)",
            f"{late / early:.2f}x", f"<= {GROWTH}x", yes(late <= GROWTH * early),
        ))
        # Between the middles of the two quarters lie three quarters of the pages.
        pages = max(0.75 * (total - warm), 1)
        told.append(Row(
            f"browser crawl, growth of {who}", f"{(late - early) / pages * 1000:+.0f} MB per 1,000 pages",
        ))
    return told


def pace(begin, end):
    """Pages per second and CPU seconds per page between two moments."""
    pages = max(end.pages - begin.pages, 1)
    return pages / (end.seconds - begin.seconds), (end.cpu - begin.cpu) / pages


def ends(values):
    """The means of the first and the last quarter."""
    quarter = max(len(values) // 4, 1)
    return sum(values[:quarter]) / quarter, sum(values[-quarter:]) / quarter


def chart(samples, path):
    """Draws the crawl over its pages."""
    window = min(WINDOW, len(samples) // 2)
    paces = [(end.pages, *pace(begin, end)) for begin, end in zip(samples, samples[window:])]
    draw(path, "pages visited", [
        Panel("pages per second", {"": [(at, rate) for at, rate, _ in paces]}),
        Panel("CPU seconds per page", {"": [(at, cost) for at, _, cost in paces]}),
        Panel("memory, MB", {
            "Chromium": [(sample.pages, sample.chromium_mb) for sample in samples],
            "varve": [(sample.pages, sample.varve_mb) for sample in samples],
        }),
    ])


def plain(samples):
    """The samples as JSON has them."""
    return [{name: round(value, 2) for name, value in asdict(sample).items()} for sample in samples]
