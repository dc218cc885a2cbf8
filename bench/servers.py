"""The servers that are measured (varve and pywb, each with its own copy of the same captures), and the
one that is crawled."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import time


class Server:
    """A server, for as long as it is measured."""

    def __init__(self, name, command, port, cwd):
        self.name, self.port = name, port
        self.process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{name} does not answer")

    def cpu(self):
        """Seconds of CPU time of its process and the children that it waited for."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Its resident memory in MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def get(self, paths, check):
        """Asks for all these, one after the other on one connection: seconds of CPU and of waiting
        for each. `check` is given every answer and says whether it is right."""
        before, waited = self.cpu(), []
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for path in paths:
            began = time.monotonic()
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            waited.append(time.monotonic() - began)
            if answer.status != 200 or not check(body):
                raise SystemExit(f"{self.name}: {answer.status} for {path}: {body[:300]!r}")
        connection.close()
        return (self.cpu() - before) / len(waited), waited

    def stop(self):
        self.process.terminate()
        self.process.wait()


def varve(program, collection, scratch, *more):
    """`varve serve` of a collection."""
    port = free_port()
    command = [program, "-q", "serve", collection, "--listen", f"127.0.0.1:{port}", *more]
    return Server("varve", command, port, scratch)


def pywb(home):
    """pywb with all collections below a directory."""
    port = free_port()
    command = [os.path.abspath(".venv/bin/wayback"), "-p", str(port), "-b", "127.0.0.1"]
    return Server("pywb", command, port, home)


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def to_crawl(program, scratch, demo):
    """The server to crawl and, if it is ours, its process. The authority of its certificates is then
    in `ca.pem` of the scratch directory."""
    server = os.environ.get("VARVE_BENCH_SERVER")
    if server:
        if "VARVE_BENCH_CA" in os.environ:
            shutil.copy(os.environ["VARVE_BENCH_CA"], f"{scratch}/ca.pem")
        return server, None
    return demo, example(program, demo, f"{scratch}/ca.pem")


def example(program, address, ca):
    """The example web on an address; the authority of its certificates is written to a file."""
    command = [program, "-q", "demo-site", "--listen", address, "--ca-file", ca]
    web = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    time.sleep(1)
    return web
