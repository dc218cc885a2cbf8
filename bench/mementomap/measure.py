"""Measures MementoMaps; `run.sh` says how to start it and what can be set."""

import os
import shutil
import subprocess
import time

import report
import worth
from contest import Contender, Cost, contest, run, say
from scatter import chart
from report import Row, against, limit, yes

LINES = int(os.environ.get("VARVE_BENCH_LINES", "5000000"))
MANY = int(os.environ.get("VARVE_BENCH_MANY_LINES", "100000000"))
ROUNDS = int(os.environ.get("VARVE_BENCH_ROUNDS", "3"))
URLS = os.environ.get("VARVE_BENCH_URLS")
BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
HOME = os.path.abspath(os.environ["VARVE_BENCH_DIR"]) + "/mementomap"
VARVE, MAKER = f"{BIN}/varve", f"{BIN}/varve-bench-mementomap"
PYTHON, PACKAGE = os.path.abspath(".venv/bin/python"), os.path.abspath(".venv/bin/mementomap")
LOOKUPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "their_lookups.py")
# The package takes so long for each that it gets fewer.
THEIR_QUESTIONS, OUR_QUESTIONS = 20_000, 1_000_000

rows, inputs, raw = [], [], {"contests": {}, "alone": {}, "worth": {}, "foreseeing": {}}


def main():
    facts = report.conditions(["mementomap"])
    facts["versions"] = {"varve": run([VARVE, "--version"])[1].split()[1], **facts["versions"]}
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(HOME)
    try:
        beside()
        if MANY:
            alone()
        if URLS and os.path.exists(URLS):
            value()
    finally:
        shutil.rmtree(HOME, ignore_errors=True)
    report.write("bench/results/mementomap", "MementoMaps, measured", rows, inputs, facts, raw)


def make(what, count, name):
    path = f"{HOME}/{name}"
    with open(path, "w") as out:
        subprocess.run([MAKER, what, str(count)], stdout=out, check=True)
    return path


def beside():
    """The same work for both."""
    say(f"making {LINES:,} lines")
    index = make("index", LINES, "index.cdxj")
    inputs.append(f"An index of {LINES:,} CDXJ lines ({os.path.getsize(index) / 1e6:.0f} MB), sorted; made by the benchmark.")
    ours, theirs = f"{HOME}/ours", f"{HOME}/theirs"
    versus(
        "generate",
        "a map of the index, in full detail",
        [VARVE, "-q", "mementomap", "generate", index, "-o", ours],
        [PACKAGE, "generate", index, theirs],
        goal=50,
    )
    os.remove(index)
    made = f"{HOME}/made"
    os.rename(ours, made)
    detailed = make("map", LINES, "detailed")
    keys = sum(1 for _ in open(detailed, "rb"))
    inputs.append(f"A map of {keys:,} lines in full detail, for rolling up and for look-ups.")
    versus(
        "compact",
        "rolling up, weights of 1",
        [VARVE, "-q", "mementomap", "compact", detailed, "-o", ours],
        [PACKAGE, "compact", detailed, theirs],
        goal=50,
    )
    merging(made, detailed)
    lookups(detailed)


def merging(*maps):
    """Two maps as one; how many processors that keeps busy is wall time against CPU time."""
    command = [VARVE, "-q", "mementomap", "merge", *maps, "-o", f"{HOME}/merged"]
    (varve,) = contest(ROUNDS, Contender("varve", [command]))
    lines = sum(sum(1 for _ in open(path, "rb")) for path in maps)
    best = varve.best()
    rows.append(Row(f"merging two maps of {lines:,} lines together", f"{lines / best.cpu / 1e6:.1f} million lines/s of CPU, {busy(best)}"))
    raw["contests"]["merge"] = {varve.name: varve.raw()}


def busy(cost):
    return f"{cost.cpu / cost.wall:.1f} processors busy"


def versus(name, what, ours, theirs, goal):
    varve, package = contest(ROUNDS, Contender("varve", [ours]), Contender("mementomap", [theirs]))
    rows.append(against(what, varve, package, goal, note=f", {varve.best().peak_mb:.0f} MB, {busy(varve.best())}"))
    raw["contests"][name] = {one.name: one.raw() for one in (varve, package)}


def lookups(detailed):
    """Questions that nothing speaks for, most of what an aggregator asks."""
    many, few = make("misses", OUR_QUESTIONS, "many"), make("misses", THEIR_QUESTIONS, "few")
    varve, package = contest(
        ROUNDS,
        Contender("varve", [[VARVE, "-q", "mementomap", "lookup", detailed, "--batch", many]]),
        Contender("mementomap", [[PYTHON, LOOKUPS, detailed, few]]),
    )
    ours = varve.best().cpu / OUR_QUESTIONS * 1e6
    theirs = package.best().cpu / THEIR_QUESTIONS * 1e6
    rows.append(
        Row(
            "a look-up of what is not held, of many in one run",
            f"{ours:.2f} us CPU",
            f"mementomap: {theirs:.0f} us CPU",
            f"{theirs / ours:.0f}x",
            "100x",
            yes(theirs / ours >= 100),
        )
    )
    raw["contests"]["lookup"] = {one.name: one.raw() for one in (varve, package)}


def piped(what, count, *words):
    """Runs varve on lines that are made as it reads them; gives what varve itself cost."""
    maker = subprocess.Popen([MAKER, what, str(count)], stdout=subprocess.PIPE)
    began = time.monotonic()
    child = subprocess.Popen([VARVE, "-q", "mementomap", *words], stdin=maker.stdout, stdout=subprocess.DEVNULL)
    maker.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    maker.wait()
    if os.waitstatus_to_exitcode(status) or maker.returncode:
        raise SystemExit(f"varve mementomap {' '.join(words)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss / 1024)


def alone():
    """More lines than the package could be waited for."""
    for part in (MANY // 10, MANY):
        say(f"rolling up {part:,} lines")
        cost = piped("map", part, "compact", "-")
        rate = part / cost.cpu / 1e6
        raw["alone"][f"compact {part}"] = vars(cost)
        rows.append(
            Row(f"rolling up {part:,} lines from a pipe", f"{rate:.1f} million lines/s of CPU", goal=">= 5", met=yes(rate >= 5))
        )
        rows.append(limit(f"its memory, {part:,} lines", cost.peak_mb, 64, "MB"))
    say(f"making a map of {MANY:,} lines")
    cost = piped("index", MANY, "generate", "-")
    raw["alone"][f"generate {MANY}"] = vars(cost)
    rows.append(Row(f"a map of {MANY:,} index lines from a pipe", f"{MANY / cost.cpu / 1e6:.1f} million lines/s of CPU, {cost.peak_mb:.0f} MB"))


def value():
    """What maps are worth on real URLs."""
    series = []
    for by in ("host", "URL"):
        say(f"judging maps, split by {by}")
        judge = worth.Judge(VARVE, worth.parts(URLS, by, HOME), HOME)
        curves = worth.curves(judge)
        raw["worth"][by] = curves
        cost = worth.cost_of(curves["weights"], 0.6)
        if cost is None:
            continue
        worth.at_cost(judge, curves, cost)
        best = judge.foreseeing(cost)
        raw["foreseeing"][by] = best
        inputs.append(f"Wildcards chosen by the very look-ups that judge them, split by {by}, are right in {best['accuracy']:.1%} at {best['cost']:.4f} of the lines: about as much as wildcards can be.")
        for what, measure in worth.MEASURES.items():
            compare(curves, by, what, measure)
        series += [(f"{name} ({by})", [(row["cost"], row["accuracy"]) for row in curve]) for name, curve in curves.items()]
    lost = sum(row["lost_keys"] for curves in raw["worth"].values() for curve in curves.values() for row in curve)
    rows.append(Row("keys of the index that any of these maps denies", str(lost), goal="0", met=yes(lost == 0)))
    with open("bench/results/mementomap.svg", "w") as out:
        out.write(chart(series))


def compare(curves, by, what, measure):
    """How right each way is where it takes no more than the roll-up by weights that is right in 60%."""
    limit = worth.cost_of(curves["weights"], 0.6, measure)
    inputs.append(f"Real URLs split by the hash of the {by}: the roll-up by weights is right in 60% at {limit:.4f} of the {what} of full detail.")
    for name, curve in curves.items():
        if name == "weights":
            continue
        found = worth.best(curve, measure, limit)
        told = f"{found['accuracy']:.1%} at {found[measure]:.4f}" if found else "none is so small"
        met = found is not None and found["accuracy"] >= 0.75
        row = f"accuracy at no more {what}, split by {by}: {name}"
        rows.append(Row(row, told, "weights: 60.0%", goal=">= 75%", met=yes(met)))


if __name__ == "__main__":
    main()
