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


class Judge:
    """Makes maps of the index part and judges them by the look-ups."""

    def __init__(self, varve, paths, home):
        self.varve, self.paths = varve, paths
        self.detailed, self.small, self.filter = (f"{home}/{name}" for name in ("detailed", "small", "filter"))
        self.run("generate", paths["index"], "-o", self.detailed)

    def run(self, *words):
        command = [self.varve, "-q", "mementomap", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def judge(self, compact, *evaluate):
        """Rolls up with these words, and gives what comes of it."""
        self.run("compact", self.detailed, *compact, "-o", self.small)
        parts = ["--index", self.paths["index"], "--lookups", self.paths["lookups"]]
        return json.loads(self.run("evaluate", self.small, *parts, "--json", *evaluate))

    def weights(self, weight):
        return self.judge(["--host-weight", weight, "--path-weight", weight])

    def filtered(self, weight):
        words = ["--host-weight", weight, "--path-weight", weight, "--filter", self.filter]
        return self.judge(words, "--filter", self.filter)

    def filtered_at(self, cost):
        """With a filter whose bytes are part of the cost."""
        words = ["--target-cost", str(cost), "--filter", self.filter]
        return self.judge(words, "--filter", self.filter)

    def adaptive(self, cost):
        return self.judge(["--adaptive", "--target-cost", str(cost), "--lookups", self.paths["log"]])

    def foreseeing(self, cost):
        """Wildcards chosen by the very look-ups that judge them: nearly the best that any can do."""
        return self.judge(["--adaptive", "--target-cost", str(cost), "--lookups", self.paths["lookups"]])

    def adaptive_without_log(self, cost):
        return self.judge(["--adaptive", "--target-cost", str(cost)])


def curves(judge):
    """For each way to make a map, rows of cost and accuracy; those after the first at the same costs."""
    weights = [judge.weights(weight) for weight in WEIGHTS]
    costs = [row["cost"] for row in weights]
    return {
        "weights": weights,
        "adaptive": [judge.adaptive(cost) for cost in costs],
        "adaptive without a log": [judge.adaptive_without_log(cost) for cost in costs],
        "weights and a filter": [judge.filtered(weight) for weight in WEIGHTS],
    }


# What a map can be compared by: lines for each key (a filter counts as the lines that its bytes
# would be), and bytes for each byte of the map in full detail, as they are and in zstd.
MEASURES = {"lines": "cost", "bytes": "byte_cost", "bytes in zstd": "packed_cost"}


def at_cost(judge, curves, cost):
    """Adds to all curves but the first what can be had at one more cost in lines."""
    curves["adaptive"].append(judge.adaptive(cost))
    curves["adaptive without a log"].append(judge.adaptive_without_log(cost))
    curves["weights and a filter"].append(judge.filtered_at(cost))


def best(curve, measure, limit):
    """The most accurate of those that take no more than a limit; None if none does."""
    fitting = [row for row in curve if row[measure] <= limit]
    return max(fitting, key=lambda row: row["accuracy"], default=None)


def cost_of(curve, accuracy, measure="cost"):
    """What a curve takes for an accuracy, between its points; None if it never has it."""
    points = sorted((row[measure], row["accuracy"]) for row in curve)
    for (low, below), (high, above) in zip(points, points[1:]):
        if below <= accuracy <= above and above > below:
            return low + (accuracy - below) / (above - below) * (high - low)
    return None
