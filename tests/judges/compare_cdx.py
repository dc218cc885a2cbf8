"""Asks pywb and Varve the same questions about the same captures.

Usage: compare_cdx.py make WARC             writes a WARC file with many captures
       compare_cdx.py ask DIR WARC ORIGIN   serves it with pywb from DIR; Varve is at ORIGIN
Prints how many questions were answered alike, and says which were not.
"""
import io
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PAGES = ["/", "/about", "/about/us", "/list?page=1", "/list?page=2", "/logo.png", "/style.css", "/gone", "/%C3%BC"]
HOSTS = ["http://example.org", "https://www.example.org:8443", "http://sub.example.org", "http://example.com", "http://example.organic"]
TYPES = {".png": "image/png", ".css": "text/css"}
# What pywb adds to each line about where it was found.
OF_PYWB = ("source", "source-coll", "access")


def make(path):
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for number, host in enumerate(HOSTS):
            for place, page in enumerate(PAGES):
                for year in range(2014, 2019):
                    kind = next((kind for end, kind in TYPES.items() if page.endswith(end)), "text/html")
                    status = "404 Not Found" if page == "/gone" and year > 2015 else "200 OK"
                    date = f"{year}-{place + 1:02}-{number * 5 + 1:02}T0{place}:00:0{number}Z"
                    head = StatusAndHeaders(status, [("Content-Type", kind)], protocol="HTTP/1.1")
                    body = f"{host}{page} {year if year % 2 else 'even'}".encode()
                    writer.write_record(writer.create_warc_record(
                        host + page, "response", payload=io.BytesIO(body), http_headers=head,
                        warc_headers_dict={"WARC-Date": date},
                    ))


def questions():
    urls = ["example.org/", "http://example.org/about", "https://www.example.org:8443/list?page=2", "example.org/none",
            "example.org/gone", "http://example.org/%C3%BC", "EXAMPLE.org/about/"]
    for url in urls:
        yield f"url={url}"
        yield f"url={url}&output=json"
        yield f"url={url}&limit=2"
        yield f"url={url}&sort=reverse"
    for more in ("limit=1&sort=reverse", "limit=3&reverse=true", "from=2015", "to=2016", "from=2015&to=2016", "from=201503&to=20160331",
                 "from=20150101000000", "to=20141231235959", "from=2019", "closest=20160101000000", "closest=20160101000000&limit=1",
                 "closest=20150615120000&limit=3", "sort=closest&closest=20170101000000", "output=text&fl=urlkey,timestamp,url",
                 "output=text&fields=timestamp,status,nothing", "output=json&fl=timestamp,digest", "output=cdxj&fl=url,mime", "limit=0", "limit=-1",
                 "filter=status:200", "filter==status:200", "filter=!status:200", "filter=~timestamp:201[56]", "filter=!~timestamp:2014",
                 "filter=mime:html&filter=~timestamp:.*00$", "filter=example", "matchType=exact", "filter==digest:URDIJ5RMM3LIBRXSTOJWWPJDUJBTE27Q",
                 "filter=!~digest:URDI.*", "filter=digest:27Q", "output=json&limit=2&from=2016"):
        yield f"url=example.org/&{more}"
    for match in ("url=example.org/*", "url=*.example.org", "url=example.org&matchType=host", "url=example.org&matchType=domain",
                  "url=example.org/about&matchType=prefix", "url=example.org/list*", "url=www.example.org:8443/*", "url=org&matchType=domain"):
        yield match
        yield f"{match}&limit=7"
        yield f"{match}&filter==mime:image/png&output=json"
        yield f"{match}&from=2015&to=2016&sort=reverse&limit=5"
        yield f"{match}&filter=!=status:200&fl=urlkey,status&output=text"


REFUSED = ["output=json", "url=example.org&output=csv", "url=example.org&matchType=nearly"]


def get(address):
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def plain(text):
    """The lines without what pywb adds and where the files are."""
    lines = []
    for line in text.splitlines():
        head, brace, rest = line.partition("{")
        if brace:
            fields = json.loads(brace + rest)
            for name in (*OF_PYWB, "filename"):
                fields.pop(name, None)
            line = head + json.dumps(fields)
        lines.append(line)
    return lines


def ask(directory, warc, origin):
    tools = os.path.dirname(sys.executable)
    os.makedirs(directory)
    for words in (["init", "test"], ["add", "test", os.path.abspath(warc)]):
        subprocess.run([f"{tools}/wb-manager", *words], cwd=directory, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = open(os.path.join(directory, "pywb.log"), "wb")
    server = subprocess.Popen([f"{tools}/wayback", "-b", "127.0.0.1", "-p", str(port)], cwd=directory, stdout=log, stderr=log)
    alike, different = 0, []
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        for question in questions():
            theirs = get(f"http://127.0.0.1:{port}/test/cdx?{question}&allowFuzzy=0")
            ours = get(f"{origin}/cdx?{question}")
            if (theirs[0], plain(theirs[1])) == (ours[0], plain(ours[1])):
                alike += 1
            else:
                different.append(f"{question}\n  pywb  {theirs[0]} {plain(theirs[1])[:3]}\n  varve {ours[0]} {plain(ours[1])[:3]}")
        for question in REFUSED:
            codes = get(f"http://127.0.0.1:{port}/test/cdx?{question}")[0], get(f"{origin}/cdx?{question}")[0]
            if codes == (400, 400):
                alike += 1
            else:
                different.append(f"{question}: {codes}")
    finally:
        server.terminate()
        server.wait(10)
    print(alike)
    if different:
        sys.exit("\n".join(different))


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    ask(*sys.argv[2:])
