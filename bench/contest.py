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
    whole_tree: bool = False  # count processes that nobody waits for too

    def run(self):
        if self.before:
            self.before()
        total = Cost(0, 0, 0)
        for command in self.commands:
            cost, self.said = run(command, cwd=self.cwd, whole_tree=self.whole_tree)
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


def run(command, cwd=None, whole_tree=False):
    """Runs a command (a list, or a text for the shell); gives its cost and its stdout."""
    shell = isinstance(command, str)
    group = ControlGroup() if whole_tree else None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        join = group.join if group else None
        child = subprocess.Popen(command, shell=shell, cwd=cwd, stdout=out, stderr=err, preexec_fn=join)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode != 0:
            text = (out.read() + err.read()).decode(errors="replace")
            sys.exit(f"{words(command)}: exit code {child.returncode}\n{text[-4000:]}")
        cpu = group.close() if group else usage.ru_utime + usage.ru_stime
        return Cost(cpu, wall, usage.ru_maxrss / 1024), out.read().decode()


class ControlGroup:
    """CPU time of a process and all it starts, whoever waits for them: a browser's renderers too."""

    V1, V2 = "/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup"

    def __init__(self):
        root = self.V1 if os.path.isdir(self.V1) else self.V2
        self.path = f"{root}/varve-bench-{os.getpid()}"
        os.makedirs(self.path, exist_ok=True)
        self.before = self.seconds()

    def join(self):
        with open(f"{self.path}/cgroup.procs", "w") as procs:
            procs.write(str(os.getpid()))

    def seconds(self):
        try:
            with open(f"{self.path}/cpuacct.usage") as usage:
                return int(usage.read()) / 1e9
        except FileNotFoundError:
            with open(f"{self.path}/cpu.stat") as stat:
                return int(stat.readline().split()[1]) / 1e6

    def close(self):
        """Waits for the last process and gives the time."""
        for _ in range(100):
            with open(f"{self.path}/cgroup.procs") as procs:
                if not procs.read().strip():
                    break
            time.sleep(0.1)
        used = self.seconds() - self.before
        os.rmdir(self.path)
        return used


def words(command):
    """A command as one would type it here, wherever here is."""
    text = command if isinstance(command, str) else " ".join(command)
    for variable, place in [("VARVE_BENCH_BIN", "target/release"), ("VARVE_BENCH_DIR", "target/bench")]:
        text = text.replace(os.path.abspath(os.environ[variable]), place)
    return text.replace(os.getcwd() + "/", "")


def say(text):
    print(text, file=sys.stderr, flush=True)
