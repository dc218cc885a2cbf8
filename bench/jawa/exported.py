"""What pages complain about when pywb replays them from an exported WACZ, before and after pruning."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time

from fastwarc import ArchiveIterator, WarcRecordType

from sizes import layers

TOOLS = os.path.dirname(sys.executable)
VISIT = "urn:varve:visit:"


def new_complaints(varve, before, after, pages, scratch):
    """For each page what it complains about each time when it is replayed after pruning, and never did before."""
    was = complaints(varve, before, pages, scratch)
    now = complaints(varve, after, pages, scratch)
    if any(now[page] - was[page] for page in pages):
        again_was, again_now = (complaints(varve, it, pages, scratch) for it in (before, after))
        was = {page: was[page] | again_was[page] for page in pages}
        now = {page: now[page] & again_now[page] for page in pages}
    return {page: sorted(now[page] - was[page]) for page in pages}


def complaints(varve, collection, pages, scratch):
    """What each page complains about on the console when pywb replays it."""
    home = f"{scratch}/pywb"
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    run([varve, "-q", "export", collection, f"{home}/saved.wacz"])
    with serving(home) as port:
        began = f"http://127.0.0.1:{port}/saved/"
        with open(f"{home}/seeds", "w") as out:
            out.writelines(f"{began}{page}\n" for page in pages)
        command = [varve, "-q", "crawl", "-c", f"{home}/visits", "--seeds", f"{home}/seeds", "--scope", "page"]
        command += ["--tier", "browser", "--no-screenshots", "--no-filter", "--delay", "0", "--retries", "0"]
        run([*command, "--ignore-robots", "--no-sitemaps", "--allow-net", "127.0.0.0/8"], (0, 4))
    told = visits(f"{home}/visits", began)
    missing = [page for page in pages if page not in told]
    if missing:
        raise SystemExit(f"pywb did not replay {missing[0]}")
    return told


def visits(collection, began):
    """What was seen on each page: the first lines of complaints, without the numbers in them."""
    told = {}
    for name in layers(collection, "archive/*.warc.gz"):
        with open(name, "rb") as file:
            for record in ArchiveIterator(file, WarcRecordType.metadata):
                uri = record.headers.get("WARC-Target-URI", "")
                if uri.startswith(VISIT + began):
                    said = json.loads(record.reader.read())["console_errors"]
                    told[uri.removeprefix(VISIT + began)] = {in_short(it, began) for it in said}
    return told


def in_short(complaint, began):
    first = (complaint["text"].splitlines() or [""])[0].replace(began, "")
    return f"{complaint['source']}: {re.sub('[0-9]+', '0', first)[:200]}"


@contextlib.contextmanager
def serving(home):
    """pywb with the WACZ of a directory; gives its port."""
    with open(f"{home}/config.yaml", "w") as out:
        # The page by itself, not in a frame.
        out.write("framed_replay: false\n")
    for words in (["init", "saved"], ["add", "saved", "--unpack-wacz", f"{home}/saved.wacz"]):
        run([f"{TOOLS}/wb-manager", *words], cwd=home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with open(f"{home}/log", "wb") as log:
        server = subprocess.Popen([f"{TOOLS}/wayback", "-b", "127.0.0.1", "-p", str(port)], cwd=home, stdout=log, stderr=log)
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def wait_for(port):
    for _ in range(300):
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), 1).close()
        time.sleep(0.1)
    raise SystemExit("pywb does not start")


def run(command, good=(0,), cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    if done.returncode not in good:
        raise SystemExit(f"{' '.join(command[:3])} ended with {done.returncode}: {(done.stderr or done.stdout)[-500:]}")
