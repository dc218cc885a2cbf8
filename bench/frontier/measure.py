"""Runs the program that measures the frontier and writes its figures down; `run.sh` starts it."""

import json
import os
import subprocess
import sys

import report
from report import Row, yes

MOST_MEMORY = 512  # MB, however many URLs there are
SHOWN = """inserts cpu_of_inserts rss_peak_after_inserts disk_after_inserts reopening claims claim_p99
durable_cycles_one_at_a_time durable_cycles_64_workers cpu_per_cycle_64_workers rss_peak disk""".split()


def main(program, directory, out, urls):
    facts = report.conditions([])
    subprocess.run([program, directory, out, urls], check=True, stdout=subprocess.DEVNULL)
    load = os.getloadavg()
    with open(out) as file:
        figures = json.load(file)
    units = {name: figure["unit"] for name, figure in figures.items()}
    values = {name: figure["value"] for name, figure in figures.items()}
    inputs = [
        f"{values['urls']:,.0f} URLs over {values['hosts']:,.0f} hosts",
        "a cycle is a claim and its settling, on disk before it is answered, with "
        f"{values['links_per_cycle']:.0f} links: half of them new, half known",
        f"load over the last 15 minutes when it ended: {load[2]:.1f}",
    ]
    rows = [row(name, values[name], units[name], values) for name in SHOWN]
    how = "All figures are of one run, in which one process does it all."
    report.write("bench/results/frontier", "The frontier, measured", rows, inputs, facts, {"figures": figures}, how)


def row(name, value, unit, values):
    told = Row(name.replace("_", " "), f"{value:,.0f} {unit}".strip())
    if name.startswith("rss_peak"):
        told.goal, told.met = f"< {MOST_MEMORY} MB", yes(value < MOST_MEMORY)
    if name == "durable_cycles_64_workers":
        alone = values["durable_cycles_one_at_a_time"]
        told.baseline, told.ratio = f"one at a time: {alone:,.0f}", f"{value / alone:.1f}x"
        told.goal, told.met = "> 1x", yes(value > alone)
    return told


main(*sys.argv[1:])
