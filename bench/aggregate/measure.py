"""Measures the aggregator; `run.sh` says how to start it and what can be set."""

import asyncio
import json
import os
import re
import resource
import shutil
import socket
import threading
import time

import holdings
import report
import servers
from contest import run, say
from report import Row, yes

BIN = os.path.abspath(os.environ["VARVE_BENCH_BIN"])
DIR = os.path.abspath(os.environ["VARVE_BENCH_DIR"])
HOSTS = int(os.environ.get("VARVE_BENCH_HOSTS", "3000"))
LOOKUPS = int(os.environ.get("VARVE_BENCH_LOOKUPS", "5000"))
AT_ONCE = int(os.environ.get("VARVE_BENCH_AT_ONCE", "1000"))
SCRATCH = f"{DIR}/aggregate"
RESULTS = "bench/results/aggregate"
VARVE = f"{BIN}/varve"
FEWER = 0.6  # requests that maps are to spare
DEADLINE = 10  # seconds, while two archives hang
PATIENCE = 60  # seconds, for six maps to be made and fetched
MEMORY = 256  # MB

WITHOUT_MAPS = ("--no-fetched-maps",)

rows, inputs, raw = [], [], {}


def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    facts = report.conditions([])
    facts["versions"] = {"varve": run([VARVE, "--version"])[1].split()[1], **facts["versions"]}
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    archives = start_archives()
    measure_maps(archives)
    measure_hanging(archives)
    for server in archives.values():
        server.stop()
    inputs.append(f"load over the last 15 minutes when it ended: {os.getloadavg()[2]:.1f}")
    how = "Requests are those that the aggregator counts itself, in `/metrics`."
    report.write(RESULTS, "The aggregator, measured", rows, inputs, facts, raw, how)
    shutil.rmtree(SCRATCH, ignore_errors=True)


def start_archives():
    """Six archives, each served by varve, which publishes a map of it."""
    archives, captures = {}, 0
    for name, held in holdings.draw(HOSTS).items():
        say(f"archive {name}: {len(held):,} captures")
        warc, home = f"{SCRATCH}/{name}.warc", f"{SCRATCH}/{name}"
        holdings.warc(warc, held)
        run([VARVE, "-q", "import", "-c", home, warc])
        captures += len(held)
        archives[name] = servers.varve(VARVE, home, SCRATCH)
    inputs.append(f"{HOSTS:,} hosts in six archives, most of them in one alone: {captures:,} captures")
    return archives


def aggregator(places, *more):
    """`varve aggregate` over these archives."""
    port = servers.free_port()
    listed = holdings.archives_json(f"{SCRATCH}/archives-{port}.json", places)
    command = [VARVE, "-q", "aggregate", "--listen", f"127.0.0.1:{port}", "--allow-net", "127.0.0.0/8",
               "--archives", listed, "--cache", "0", *more]
    return servers.Server("aggregator", command, port, SCRATCH)


def measure_maps(archives):
    places = {name: f"127.0.0.1:{server.port}" for name, server in archives.items()}
    urls = holdings.lookups(HOSTS, LOOKUPS)
    seen = {}
    for what, more in {"without": WITHOUT_MAPS, "with": ()}.items():
        say(f"{LOOKUPS:,} look-ups {what} maps")
        server = aggregator(places, *more)
        if what == "with":
            lines = wait_for_maps(server, len(places))
            inputs.append(f"maps fetched from `/.well-known/mementomap` of each archive: {lines:,} lines in all")
        before, began = server.cpu(), time.monotonic()
        answers = asyncio.run(ask_all(server.port, urls, 16))
        wall, cpu = time.monotonic() - began, server.cpu() - before
        seen[what] = {
            "found": [mementos for _, mementos, _ in answers],
            "missing": sum(missing for _, _, missing in answers),
            "asked": asked(server),
            "cpu_ms": cpu * 1000 / len(urls),
            "seconds": wall,
        }
        server.stop()
    without, with_maps = seen["without"], seen["with"]
    same = without["found"] == with_maps["found"] and not without["missing"] + with_maps["missing"]
    spared = 1 - with_maps["asked"] / without["asked"]
    mementos = sum(map(len, without["found"]))
    hits = sum(map(bool, without["found"]))
    inputs.append(f"{LOOKUPS:,} look-ups, {hits:,} of them of URLs that somebody has: {mementos:,} mementos")
    rows.append(Row("requests to archives", f"{with_maps['asked']:,} with maps", f"without: {without['asked']:,}",
                    f"{spared:.1%} fewer", f"{FEWER:.0%} fewer", yes(spared >= FEWER)))
    rows.append(Row("the same mementos, nobody missing", yes(same), goal="yes", met=yes(same)))
    rows.append(Row("CPU of the aggregator for a look-up", f"{with_maps['cpu_ms']:.2f} ms with maps",
                    f"without: {without['cpu_ms']:.2f} ms", f"{without['cpu_ms'] / max(with_maps['cpu_ms'], 1e-3):.1f}x"))
    raw["maps"] = {what: {key: value for key, value in one.items() if key != "found"} for what, one in seen.items()}


def measure_hanging(archives):
    say(f"{AT_ONCE:,} look-ups at once while two archives hang")
    places = {name: f"127.0.0.1:{server.port}" for name, server in archives.items()}
    for name in holdings.ARCHIVES[:2]:
        places[name] = f"127.0.0.1:{hang()}"
    # Without maps all six are asked about everything.
    server = aggregator(places, *WITHOUT_MAPS, "--deadline", f"{DEADLINE}s")
    before = server.memory()
    urls = holdings.lookups(HOSTS, AT_ONCE)
    answers = asyncio.run(ask_all(server.port, urls, AT_ONCE))
    slowest = max(seconds for seconds, _, _ in answers)
    partial = sum(missing for _, _, missing in answers)
    peak = high_water(server.process.pid)
    # Those that answer have what they have, whoever hangs.
    alone = aggregator({name: places[name] for name in holdings.ARCHIVES[2:]}, *WITHOUT_MAPS)
    expected = [mementos for _, mementos, _ in asyncio.run(ask_all(alone.port, urls, 16))]
    same = expected == [mementos for _, mementos, _ in answers]
    server.stop()
    alone.stop()
    rows.append(Row(f"{AT_ONCE:,} look-ups at once, two of six archives hang: the slowest", f"{slowest:.2f} s",
                    goal=f"< {DEADLINE} s", met=yes(slowest < DEADLINE)))
    rows.append(Row("all mementos of the four others", yes(same), goal="yes", met=yes(same)))
    rows.append(Row("memory at its highest", f"{peak:.0f} MB", goal=f"< {MEMORY} MB", met=yes(peak < MEMORY)))
    inputs.append(f"the deadline is {DEADLINE} s; {partial:,} of {AT_ONCE:,} answers say who is missing; memory before: {before:.0f} MB")
    raw["hanging"] = {"seconds": sorted(seconds for seconds, _, _ in answers), "peak_mb": peak, "before_mb": before}


async def ask_all(port, urls, at_once):
    """TimeMaps of all these, so many at a time: for each the seconds, the mementos, and whether
    somebody is missing."""
    places = asyncio.Semaphore(at_once)

    async def ask(url):
        async with places:
            began = time.monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /timemap/cdxj/{url} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
            answer = (await reader.read()).decode()
            took = time.monotonic() - began
            writer.close()
            head, _, body = answer.partition("\r\n\r\n")
            status = int(head.split(" ")[1])
            if status not in (200, 404):
                raise SystemExit(f"{status} for {url}: {body[:300]}")
            # Archives are served at other ports each time: what counts is who has it, and from when.
            lines = [line.split(" ", 1) for line in body.splitlines() if line[:1].isdigit()]
            mementos = [(stamp, json.loads(rest)["archive"]) for stamp, rest in lines if status == 200]
            return took, mementos, "\r\nx-archives-missing:" in head.lower()

    return await asyncio.gather(*map(ask, urls))


def asked(server):
    """How often archives were asked."""
    return sum(counted(server, "asked_total"))


def wait_for_maps(server, count):
    """Waits until the aggregator has the maps of all archives; gives their lines."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        lines = counted(server, "map_lines")
        if len(lines) == count:
            return sum(lines)
        time.sleep(0.1)
    raise SystemExit(f"only {len(lines)} of {count} maps came")


def counted(server, name):
    """What the aggregator counts under this name, for each archive."""
    found = []
    server.get(["/metrics"], lambda body: found.append(body.decode()) or True)
    return [int(value) for value in re.findall(rf"^varve_aggregate_{name}\{{.*\}} (\d+)$", found[0], re.MULTILINE)]


def hang():
    """A server that accepts everything and says nothing; gives its port."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    held = []

    def accept():
        while True:
            held.append(listener.accept())

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def high_water(pid):
    """The largest resident set that a process had, in MB."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024


main()
