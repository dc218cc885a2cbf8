"""The table: one row per claim, with its goal."""

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass

# How figures are to be read where programs contend.
CONTEST = (
    "CPU time is user and system, children included: the least of several runs, the contenders in turn. "
    "A ratio is how many times more the baseline needs."
)
HEADER = ["what", "varve", "baseline", "ratio", "goal", "met?"]


@dataclass
class Row:
    what: str
    varve: str
    baseline: str = "-"
    ratio: str = "-"
    goal: str = "-"
    met: str = "-"


def against(what, varve, baseline, goal=None, note=""):
    """A row that compares CPU time; `goal` is how many times less varve must use."""
    ratio = baseline.best().cpu / varve.best().cpu
    return Row(
        what,
        f"{seconds(varve)}{note}",
        f"{baseline.name}: {seconds(baseline)}",
        f"{ratio:.1f}x",
        f"{goal:g}x" if goal else "-",
        yes(ratio >= goal) if goal else "-",
    )


def limit(what, value, most, unit):
    """A row with a figure that must be below a limit."""
    return Row(what, f"{value:.1f} {unit}", goal=f"< {most} {unit}", met=yes(value < most))


def seconds(contender):
    return f"{contender.best().cpu:.2f} s CPU"


def yes(met):
    return "yes" if met else "no"


def conditions(judges):
    """Where and with what this was measured."""
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "kernel": platform.release(),
        "load_before": round(os.getloadavg()[0], 1),
        "versions": {
            "rustc": rustc.stdout.split()[1],
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in judges},
        },
    }


def cpu_model():
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def table(rows):
    """The rows as a Markdown table whose columns stand below each other."""
    cells = [HEADER] + [list(asdict(row).values()) for row in rows]
    widths = [max(len(line[at]) for line in cells) for at in range(len(HEADER))]
    cells.insert(1, ["-" * width for width in widths])
    padded = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in padded)


def write(stem, title, rows, inputs, facts, raw, how=CONTEST):
    """Writes the Markdown and the JSON and prints the former."""
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    text = "\n".join([
        f"# {title}",
        "",
        f"By `bench/{os.path.basename(stem)}/run.sh`, {facts['date']}, on {facts['cpu']}, {facts['cores']} cores, "
        f"{facts['memory_gb']} GB of memory, Linux {facts['kernel']}; load before the run: {facts['load_before']}. "
        f"{versions}.",
        "",
        how,
        "",
        *[f"- {line}" for line in inputs],
        "",
        table(rows),
        "",
    ])
    os.makedirs(os.path.dirname(stem), exist_ok=True)
    with open(f"{stem}.md", "w") as out:
        out.write(text)
    with open(f"{stem}.json", "w") as out:
        json.dump({"conditions": facts, "rows": [asdict(row) for row in rows], **raw}, out, indent=1)
        out.write("\n")
    print(text)
