#!/usr/bin/env python3
"""Trains the classifier on rows of `varve-bench-classifier`, judges it on sites that it was not
trained on, and writes the model and a report.

usage: train.py ROWS MODEL.json REPORT.md     (needs numpy and scikit-learn)

The model has two steps. Boosted trees judge the page alone; a weighted sum then joins their log-odds
with what is known of the site: how many of its visited pages were deferred, and which scripts of this
page are known from them. The weights are learned from judgements of trees that had not seen the site.

Each page is judged by a model, and by a threshold, that were made without any page of its site: the
sites are dealt out to ten groups, each of which is left out in turn. All of that is done five times,
with other deals and other chance in the trees, since there are few sites and much depends on it; the
report has means, and from where to where accuracy and recall went.
"""
import collections
import json
import random
import sys

import numpy
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression

FOLDS = 10
REPEATS = 5
INNER = 6
# Which share of deferred pages the threshold must let through.
RECALL = 0.97
# How many other pages of the site were visited before.
VISITED = (0, 1, 2, 4)
# What the second step looks at, and not the trees.
AROUND = ("visited", "prior", "known", "fetching")
SHAPE = dict(n_estimators=150, max_depth=3, learning_rate=0.1, subsample=0.7,
             min_samples_leaf=20, max_features=0.4)


def main():
    rows_file, model_file, report_file = sys.argv[1:]
    rows = [json.loads(line) for line in open(rows_file)]
    for row in rows:
        row["features"] = dict(row["features"])
    index = collections.defaultdict(list)
    for row in rows:
        index[row["site"]].append(row)
    names = list(rows[0]["features"])
    judged = [judged_once(rows, names, index, chance) for chance in range(REPEATS)]
    with open(model_file, "w") as file:
        json.dump(Trained(rows, names, index, 0).written(), file, separators=(",", ":"))
        file.write("\n")
    with open(report_file, "w") as file:
        file.write(report(rows, judged))


def judged_once(rows, names, index, chance):
    """For each number of visited pages: all pages, what was said of them, and the threshold."""
    folds = dealt(index, FOLDS, chance)
    judged = {count: [] for count in VISITED}
    for fold in range(FOLDS):
        train = [row for row in rows if folds[row["site"]] != fold]
        model = Trained(train, names, index, chance)
        for row in (row for row in rows if folds[row["site"]] == fold):
            for count in VISITED:
                judged[count].append((row, model.judge(row, count), model.thresholds[count]))
        print(f"deal {chance}, fold {fold}", file=sys.stderr)
    return judged


def dealt(sites, count, chance):
    order = sorted(sites)
    random.Random(chance).shuffle(order)
    return {site: nth % count for nth, site in enumerate(order)}


def log_odds(probability):
    """Of probabilities that are not quite 0 and not quite 1."""
    return numpy.log((probability + 1e-3) / (1 - probability + 1e-3))


def siblings(pages, row, count):
    """Pages of its site that were visited before a page, the same ones each time."""
    others = [other for other in pages if other is not row]
    random.Random(row["url"]).shuffle(others)
    return others[:count]


class Trained:
    def __init__(self, rows, names, index, chance):
        self.index, self.chance = index, chance
        self.own = [name for name in names if name not in AROUND]
        sizes = collections.Counter(row["site"] for row in rows)
        self.weights = {site: 1 / size ** 0.7 for site, size in sizes.items()}
        self.rows = rows
        unseen = self.unseen(rows)
        x, y, weights = [], [], []
        for row, odds in zip(rows, unseen):
            for count in VISITED:
                x.append(self.joined(row, odds, count))
                y.append(bool(row["missed"]))
                weights.append(self.weights[row["site"]])
        self.blend = LogisticRegression().fit(x, y, sample_weight=weights)
        self.thresholds = {count: self.threshold(rows, unseen, count) for count in VISITED}
        self.trees = self.fit(rows)

    def fit(self, rows):
        x = [[row["features"][name] for name in self.own] for row in rows]
        y = [bool(row["missed"]) for row in rows]
        weights = [self.weights[row["site"]] for row in rows]
        return GradientBoostingClassifier(**SHAPE, random_state=self.chance).fit(x, y, sample_weight=weights)

    def page_odds(self, trees, rows):
        x = [[row["features"][name] for name in self.own] for row in rows]
        return log_odds(trees.predict_proba(x)[:, 1])

    def unseen(self, rows):
        """What trees say of each page that have seen no page of its site."""
        folds = dealt({row["site"] for row in rows}, INNER, self.chance)
        odds = numpy.zeros(len(rows))
        for fold in range(INNER):
            held = [nth for nth, row in enumerate(rows) if folds[row["site"]] == fold]
            trees = self.fit([row for row in rows if folds[row["site"]] != fold])
            odds[held] = self.page_odds(trees, [rows[nth] for nth in held])
        return odds

    def joined(self, row, odds, count):
        """What the second step looks at, after so many pages of the site were visited."""
        visited = siblings(self.index[row["site"]], row, count)
        deferred = sum(1 for other in visited if other["missed"])
        prior = (deferred + 0.5) / (len(visited) + 1)
        scripts = set(row["scripts"])
        known = scripts & {script for other in visited for script in other["scripts"]}
        fetching = scripts & {script for other in visited for script in other["fetching"]}
        all_ = max(1, len(row["scripts"]))
        return [odds, odds if not visited else 0.0, float(numpy.log(prior / (1 - prior))),
                len(known) / all_, len(fetching) / all_, float(bool(fetching))]

    def threshold(self, rows, unseen, count):
        """The probability that RECALL of the deferred pages reach."""
        x = [self.joined(row, odds, count) for row, odds in zip(rows, unseen) if row["missed"]]
        return float(min(0.5, numpy.quantile(self.blend.predict_proba(x)[:, 1], 1 - RECALL)))

    def judge(self, row, count):
        odds = self.page_odds(self.trees, [row])[0]
        return self.blend.predict_proba([self.joined(row, odds, count)])[0][1]

    def written(self):
        deferred = [row for row in self.rows if row["missed"]]
        x = [[row["features"][name] for name in self.own] for row in deferred]
        lost = numpy.log1p([row["lost"] for row in deferred])
        weights = [self.weights[row["site"]] for row in deferred]
        bytes_ = GradientBoostingRegressor(**(SHAPE | dict(n_estimators=40, random_state=0)))
        bytes_.fit(x, lost, sample_weight=weights)
        share = numpy.average([bool(row["missed"]) for row in self.rows],
                              weights=[self.weights[row["site"]] for row in self.rows])
        blend = [round(float(weight), 5) for weight in self.blend.coef_[0]]
        return {"names": self.own, "deferred": written(self.trees, numpy.log(share / (1 - share))),
                "bytes": written(bytes_, numpy.average(lost, weights=weights)),
                "blend": {"bias": round(float(self.blend.intercept_[0]), 5), "weights": blend},
                "thresholds": [[count, round(least, 5)]
                               for count, least in self.thresholds.items()]}


def written(model, base):
    """Trees as lists of nodes: [feature, threshold, left, right], or [value]."""
    trees = []
    for (estimator,) in model.estimators_:
        tree, rate = estimator.tree_, model.learning_rate
        trees.append([
            [round(float(tree.value[nth][0][0]) * rate, 5)] if tree.children_left[nth] < 0 else
            [int(tree.feature[nth]), round(float(tree.threshold[nth]), 5),
             int(tree.children_left[nth]), int(tree.children_right[nth])]
            for nth in range(tree.node_count)])
    return {"base": round(float(base), 5), "trees": trees}


def report(rows, judged):
    sites = collections.Counter(row["site"] for row in rows)
    deferred = [row for row in rows if row["missed"]]
    lines = [f"{len(rows)} pages with scripts of {len(sites)} sites; {len(deferred)} of them "
             f"deferred, on {len({row['site'] for row in deferred})} sites.\n\n"
             "| visited before | threshold | deferred, found | deferred, missed | false alarms "
             "| static, found | accuracy | precision | recall | bytes lost |\n"
             "|---|---|---|---|---|---|---|---|---|---|\n"]
    for count in VISITED:
        # Sites with fewer pages say nothing about this.
        enough = [[entry for entry in once[count] if sites[entry[0]["site"]] > count]
                  for once in judged]
        lines.append(confusion(count, "(rule)", [ruled(enough[0], rows, count)], lambda _: 0.5))
        lines.append(confusion(count, "0.5", enough, lambda _: 0.5))
        lines.append(confusion(count, "for recall", enough, lambda least: least))
    lines.append("\nMisjudged on first contact, at 0.5, on average:\n\n"
                 "| site | pages | deferred | missed | false alarms |\n|---|---|---|---|---|\n")
    for site in sorted(sites):
        of = [(bool(row["missed"]), bool(odds >= 0.5))
              for once in judged for row, odds, _ in once[0] if row["site"] == site]
        missed, alarms = of.count((True, False)), of.count((False, True))
        if missed or alarms:
            count = sum(1 for row in rows if row["site"] == site and row["missed"])
            lines.append(f"| {site} | {sites[site]} | {count} | {missed / REPEATS:.1f} "
                         f"| {alarms / REPEATS:.1f} |\n")
    return "".join(lines)


def ruled(judged, rows, count):
    """The same pages by a rule that any model must beat: a page is deferred if one of the visited
    pages was; on first contact none is."""
    by_site = collections.defaultdict(list)
    for row in rows:
        by_site[row["site"]].append(row)
    said = []
    for row, *_ in judged:
        visited = siblings(by_site[row["site"]], row, count)
        said.append((row, float(any(other["missed"] for other in visited)), 0.5))
    return said


def confusion(count, title, judged, least_of):
    """A line of the table: means over all deals."""
    figures = numpy.array([figures_of(once, least_of) for once in judged])
    mean, low, high = figures.mean(axis=0), figures.min(axis=0), figures.max(axis=0)
    hits, misses, alarms, rest = (round(cell) for cell in mean[:4])
    return (f"| {count} | {title} | {hits} | {misses} | {alarms} | {rest} "
            f"| {mean[4]:.1%} ({low[4]:.1%} to {high[4]:.1%}) | {mean[5]:.1%} "
            f"| {mean[6]:.1%} ({low[6]:.1%} to {high[6]:.1%}) | {mean[7]:.2%} |\n")


def figures_of(judged, least_of):
    cells = collections.Counter()
    lost = total = 0
    for row, odds, least in judged:
        alarm = odds >= least_of(least)
        cells[bool(row["missed"]), bool(alarm)] += 1
        total += row["bytes"]
        lost += 0 if alarm else row["lost"]
    hits, misses = cells[True, True], cells[True, False]
    alarms, rest = cells[False, True], cells[False, False]
    return (hits, misses, alarms, rest, (hits + rest) / max(1, len(judged)),
            hits / max(1, hits + alarms), hits / max(1, hits + misses), lost / max(1, total))


if __name__ == "__main__":
    main()
