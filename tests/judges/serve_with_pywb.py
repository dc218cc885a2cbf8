"""Serves a WARC file with pywb and fetches URLs back unrewritten.

Usage: serve_with_pywb.py DIR WARC OUT TIMESTAMP URL [TIMESTAMP URL ...]
Makes a pywb collection in DIR, adds WARC to it, starts pywb on a free loopback port, and writes
the body of the i-th URL to OUT/i.
"""
import os
import socket
import subprocess
import sys
import time
import urllib.request

directory, warc, out, *wanted = sys.argv[1:]
tools = os.path.dirname(sys.executable)
os.makedirs(directory)
for words in (["init", "test"], ["add", "test", os.path.abspath(warc)]):
    subprocess.run([f"{tools}/wb-manager", *words], cwd=directory, check=True, capture_output=True)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
log = open(os.path.join(directory, "pywb.log"), "wb")
server = subprocess.Popen(
    [f"{tools}/wayback", "-b", "127.0.0.1", "-p", str(port)], cwd=directory, stdout=log, stderr=log
)
try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    for number in range(0, len(wanted), 2):
        timestamp, url = wanted[number : number + 2]
        address = f"http://127.0.0.1:{port}/test/{timestamp}id_/{url}"
        with urllib.request.urlopen(address, timeout=30) as answer:
            body = answer.read()
        with open(os.path.join(out, str(number // 2)), "wb") as file:
            file.write(body)
finally:
    server.terminate()
    server.wait(10)
