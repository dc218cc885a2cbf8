"""Measures replay; `run.sh` says how to start it and what can be set."""

import json
import os
import re
import shutil
import subprocess

import documents
import report
import servers
from contest import run, say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
DOCUMENTS = int(os.environ.get("VARVE_BENCH_DOCUMENTS", "300"))
REQUESTS = int(os.environ.get("VARVE_BENCH_REQUESTS", "100000"))
SCRATCH = f"{DIR}/replay"
RESULTS = "bench/results/replay"
VARVE = f"{BIN}/varve"
TIME = "20260101000000"
MODIFIERS = {"html": "mp_", "js": "js_", "png": "im_"}
NAMES = {"html": "page of 31 KB", "js": "script of 44 KB", "png": "image of 24 KB"}
GOALS = {("html", "first"): 20, ("html", "again"): 100, ("js", "first"): 50, ("png", "first"): 30}
MEMORY = 70  # MB
ROUNDS = 3

rows, inputs, raw = [], [], {"cpu_ms": {}, "load": {}, "rewriting": {}}


def main():
    facts = report.conditions(["pywb", "warcio"])
    wrk = subprocess.run(["wrk", "-v"], capture_output=True, text=True).stdout.split()
    facts["versions"] = {"varve": run([VARVE, "--version"])[1].split()[1], "wrk": wrk[1], **facts["versions"]}
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    prepare()
    inputs.append(f"{DOCUMENTS} pages, scripts and images each, made up, in one WARC that both have")
    inputs.append(f"CPU per request: the server's own, all its processes; the least of {ROUNDS} rounds, in turn")
    inputs.append("first: every document once, by a server that was just started; again: one document many times")
    measure_cpu()
    measure_load()
    measure_memory()
    measure_rewriting()
    inputs.append(f"load over the last 15 minutes when it ended: {os.getloadavg()[2]:.1f}")
    report.write(RESULTS, "Replay, measured", rows, inputs, facts, raw)
    shutil.rmtree(SCRATCH, ignore_errors=True)


def prepare():
    warc = f"{SCRATCH}/documents.warc.gz"
    documents.write(warc, DOCUMENTS)
    run([VARVE, "-q", "import", "-c", f"{SCRATCH}/collection", warc])
    os.makedirs(f"{SCRATCH}/pywb")
    manager = os.path.abspath(".venv/bin/wb-manager")
    run([manager, "init", "bench"], cwd=f"{SCRATCH}/pywb")
    run([manager, "add", "bench", warc], cwd=f"{SCRATCH}/pywb")


class Server:
    """A replay server, and where the documents are on it."""

    def __init__(self, name):
        self.name = name
        if name == "varve":
            replay = servers.free_port()
            layout = ["--layout", "path", "--replay-listen", f"127.0.0.1:{replay}"]
            self.server = servers.varve(VARVE, f"{SCRATCH}/collection", SCRATCH, *layout)
            # What is measured is what archived content costs.
            self.server.port = replay
            self.prefix = "/web/"
        else:
            self.server = servers.pywb(f"{SCRATCH}/pywb")
            self.prefix = "/bench/"

    def path(self, kind, number):
        name = documents.KINDS[kind][0].format(number)
        return f"{self.prefix}{TIME}{MODIFIERS[kind]}/{documents.HOST}/{name}"

    def url(self, kind, number):
        return f"http://127.0.0.1:{self.server.port}{self.path(kind, number)}"

    def get(self, kind, numbers):
        """CPU milliseconds of each of these requests, one after the other on one connection."""
        paths = [self.path(kind, number) for number in numbers]
        cpu, _ = self.server.get(paths, lambda body: len(body) >= 20_000)
        return cpu * 1000

    def memory(self):
        return self.server.memory()

    def stop(self):
        self.server.stop()


def measure_cpu():
    found = {}
    for number in range(ROUNDS):
        for name in ("varve", "pywb"):
            say(f"  round {number + 1} of {ROUNDS}: {name}")
            server = Server(name)
            # What a server does once, at its first request, is not a request's.
            server.get("png", [0])
            for kind in NAMES:
                found.setdefault((kind, "first", name), []).append(server.get(kind, range(1, DOCUMENTS)))
                again = 2000 if name == "varve" else 200
                found.setdefault((kind, "again", name), []).append(server.get(kind, [1] * again))
            server.stop()
    raw["cpu_ms"] = {" ".join(key): values for key, values in found.items()}
    for kind in NAMES:
        for when in ("first", "again"):
            varve, pywb = (max(min(found[kind, when, name]), 1e-3) for name in ("varve", "pywb"))
            goal = GOALS.get((kind, when))
            rows.append(Row(
                f"{NAMES[kind]}, {when}: CPU per request", f"{varve:.3f} ms", f"pywb: {pywb:.2f} ms",
                f"{pywb / varve:.0f}x", f"{goal}x" if goal else "-", yes(pywb / varve >= goal) if goal else "-",
            ))


def wrk(server, kind, seconds):
    command = ["wrk", "-t1", "-c8", f"-d{seconds}s", "--latency", server.url(kind, 1)]
    said = run(command)[1]
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1])
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", said)
    scale = {"us": 1e-3, "ms": 1, "s": 1e3}[p99[2]]
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return rate, float(p99[1]) * scale, int(refused[1]) if refused else 0


def measure_load():
    found = {}
    for name in ("varve", "pywb"):
        server = Server(name)
        for kind in NAMES:
            say(f"  {name}: {NAMES[kind]} under load")
            found[kind, name] = wrk(server, kind, 8)
        server.stop()
    raw["load"] = {" ".join(key): values for key, values in found.items()}
    for kind in NAMES:
        (rate, p99, refused), (other, other_p99, _) = found[kind, "varve"], found[kind, "pywb"]
        rows.append(Row(f"{NAMES[kind]}: requests per second, 8 at once", f"{rate:,.0f} ({refused} refused)",
                        f"pywb: {other:,.0f}", f"{rate / other:.0f}x"))
        rows.append(Row(f"{NAMES[kind]}: slowest hundredth, 8 at once", f"{p99:.2f} ms",
                        f"pywb: {other_p99:.1f} ms", f"{other_p99 / p99:.0f}x"))


def measure_memory():
    server = Server("varve")
    say(f"  {REQUESTS} requests")
    server.get("html", range(DOCUMENTS))
    server.get("js", range(DOCUMENTS))
    server.get("png", range(DOCUMENTS))
    done = 3 * DOCUMENTS
    while done < REQUESTS:
        for kind in NAMES:
            rate, _, _ = wrk(server, kind, 3)
            done += int(rate * 3)
    memory = server.memory()
    server.stop()
    raw["memory_mb"] = memory
    rows.append(Row(f"memory after {done:,} requests", f"{memory:.0f} MB", goal=f"< {MEMORY} MB", met=yes(memory < MEMORY)))


def measure_rewriting():
    makers = {"html": documents.page, "css": documents.style, "js": documents.script}
    for kind, make in makers.items():
        path = f"{SCRATCH}/document.{kind}"
        with open(path, "wb") as out:
            out.write(make(1))
        told = json.loads(run([f"{BIN}/varve-bench-replay", kind, path])[1])
        raw["rewriting"][kind] = told
        rows.append(Row(f"rewriting {kind}", f"{told['mb_per_second']:.0f} MB/s ({told['ms']:.2f} ms for {told['bytes'] // 1000} KB)"))


main()
