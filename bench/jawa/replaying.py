"""Pages replayed by another client: what they ask for in vain, and what they never ask for."""

import glob
import json
import subprocess

MEANS = ("none", "matching", "pinning", "all")


def replay(varve, collection, scratch, means):
    """For each page requests without an answer, and bytes that nobody asked for; and how often something was looked
    up in the index for all of them."""
    command = [varve, "-q", "--json", "qa", collection, "--all", "--phone", "--means", means]
    done = subprocess.run([*command, "--report", f"{scratch}/qa"], capture_output=True, text=True)
    if done.returncode not in (0, 5):
        raise SystemExit(f"qa ended with {done.returncode}: {done.stderr[-500:]}")
    with open(f"{scratch}/qa/report.json") as report:
        report = json.load(report)
    lengths = stored(collection)
    pages = [
        {
            "url": page["url"],
            # What got no answer at capture either is no failure.
            "failed": sum(finding["kind"] in ("missing", "failed") for finding in page["findings"]),
            "unfetched": sum(lengths.get(url, 0) for url in page["requests"]["unasked"]),
            "asked": page["requests"]["asked"],
        }
        for page in report["pages"]
    ]
    return {"pages": pages, "look_ups": report["summary"]["index_look_ups"]}


def stored(collection):
    """How many bytes there are of each URL, as they are stored."""
    lengths = {}
    for name in glob.glob(f"{collection}/layers/*/indexes/index.cdxj"):
        with open(name) as lines:
            for line in lines:
                capture = json.loads(line.split(" ", 2)[2])
                lengths[capture["url"]] = max(lengths.get(capture["url"], 0), int(capture["length"]))
    return lengths


def shares(values):
    """A cumulative distribution: what share of all has at most so much."""
    ordered = sorted(values)
    return [(value, 100 * (at + 1) / len(ordered)) for at, value in enumerate(ordered)]
