"""What maps are worth: accuracy by cost on real URLs, split by their hash or by that of their host.

Half of the URLs is the index, a quarter the log that choices may be made by, and the last quarter
the look-ups by which all are judged.
"""

import hashlib
import json
import lzma
import subprocess

WEIGHTS = ["64", "32", "16", "8", "6", "5", "4", "3", "2.5", "2", "1.5", "1", "0.5", "0.25"]


def parts(urls, by, home):
    """Writes the three parts; gives their paths."""
    opened = lzma.open(urls, "rt", errors="replace") if urls.endswith(".xz") else open(urls, errors="replace")
    paths = {part: f"{home}/{by}-{part}" for part in ("index", "log", "lookups")}
    files = {part: open(path, "w") for part, path in paths.items()}
    with opened as lines:
        for line in lines:
            url = line.strip()
            what = url.split("/")[2] if by == "host" and url.count("/") > 1 else url
            turn = hashlib.sha256(what.encode()).digest()[0] % 4
            files[["index", "index", "log", "lookups"][turn]].write(url + "\n")
    for file in files.values():
        file.close()
    return paths


def judged(varve, paths, home):
    """The curves: for each way to make a map, rows of cost and accuracy."""

    def run(*words):
        return subprocess.run([varve, "-q", "mementomap", *words], check=True, capture_output=True, text=True).stdout

    def evaluate(map, *more):
        words = ["--index", paths["index"], "--lookups", paths["lookups"], "--json", *more]
        return json.loads(run("evaluate", map, *words))

    detailed, small, filter = f"{home}/detailed", f"{home}/small", f"{home}/filter"
    run("generate", paths["index"], "-o", detailed)
    curves = {"weights": [], "adaptive": [], "adaptive without a log": [], "weights and a filter": []}
    for weight in WEIGHTS:
        weights = ["--host-weight", weight, "--path-weight", weight]
        run("compact", detailed, *weights, "-o", small)
        found = {"weight": weight, **evaluate(small)}
        curves["weights"].append(found)
        lines = ["--adaptive", "--target-lines", str(max(found["lines"], 1))]
        run("compact", detailed, *lines, "--lookups", paths["log"], "-o", small)
        curves["adaptive"].append({"weight": weight, **evaluate(small)})
        run("compact", detailed, *lines, "-o", small)
        curves["adaptive without a log"].append({"weight": weight, **evaluate(small)})
        run("compact", detailed, *weights, "--filter", filter, "-o", small)
        curves["weights and a filter"].append({"weight": weight, **evaluate(small, "--filter", filter)})
    return curves


def at_accuracy(curve, accuracy):
    """The cost at which a curve has an accuracy, between its points; None if it never has."""
    points = sorted((row["cost"], row["accuracy"]) for row in curve)
    for (low, below), (high, above) in zip(points, points[1:]):
        if below <= accuracy <= above and above > below:
            return low + (accuracy - below) / (above - below) * (high - low)
    return None


def best_within(curve, cost):
    """The best accuracy of a curve at no more than a cost."""
    return max((row["accuracy"] for row in curve if row["cost"] <= cost), default=None)
