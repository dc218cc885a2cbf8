"""Running programs and taking from the kernel what they cost."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field


@dataclass
class Cost:
    """What a program used, its children included."""

    cpu: float  # seconds, user and system
    wall: float  # seconds
    peak_mb: float  # the largest resident set of any one process

    def __add__(self, other):
        return Cost(self.cpu + other.cpu, self.wall + other.wall, max(self.peak_mb, other.peak_mb))


@dataclass
class Contender:
    """A program in a contest: its commands make one run, `before` is not measured."""

    name: str
    commands: list
    before: object = None
    cwd: str = None
    runs: list = field(default_factory=list)
    said: str = ""  # the stdout of its last command

    def run(self):
        if self.before:
            self.before()
        total = Cost(0, 0, 0)
        for command in self.commands:
            cost, self.said = run(command, cwd=self.cwd)
            total += cost
        self.runs.append(total)

    def best(self):
        """The run that used the least CPU time: the others were disturbed more."""
        return min(self.runs, key=lambda cost: cost.cpu)

    def raw(self):
        return {"commands": [words(c) for c in self.commands], "runs": [asdict(cost) for cost in self.runs]}


def contest(rounds, *contenders):
    """Runs all contenders in turn, several rounds, so that they share what disturbs a machine."""
    for number in range(rounds):
        for contender in contenders:
            say(f"  round {number + 1} of {rounds}: {contender.name}")
            contender.run()
    return contenders


def run(command, cwd=None):
    """Runs a command (a list, or a text for the shell); gives its cost and its stdout."""
    shell = isinstance(command, str)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        child = subprocess.Popen(command, shell=shell, cwd=cwd, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            text = (out.read() + err.read()).decode(errors="replace")
            sys.exit(f"{words(command)}: exit code {child.returncode}\n{text[-4000:]}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024), out.read().decode()


def words(command):
    """A command as one would type it here, wherever here is."""
    text = command if isinstance(command, str) else " ".join(command)
    for variable, place in [("VARVE_BENCH_BIN", "target/release"), ("VARVE_BENCH_DIR", "target/bench")]:
        text = text.replace(os.path.abspath(os.environ[variable]), place)
    return text.replace(os.getcwd() + "/", "")


def say(text):
    print(text, file=sys.stderr, flush=True)
