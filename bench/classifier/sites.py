#!/usr/bin/env python3
"""Installs the sites of sites.txt below a directory, and serves them on loopback.

usage: sites.py install DIR      downloads and unpacks packages, and lists pages in DIR/urls
       sites.py serve DIR PORT   serves them until it is stopped

Debian packages share one root, as on a machine where they are installed, so that their links to each
other's files work: PACKAGE.debian.example shows all of it. A package of npm is a root of its own.
Only pages with scripts are listed; others need no classifier.
"""
import http.server
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).parent
# What Debian's documentation links to.
SHARED = ["libjs-jquery", "libjs-underscore", "libjs-sphinxdoc", "libjs-mathjax", "libjs-jquery-ui",
          "libjs-bootstrap", "libjs-bootstrap4", "libjs-modernizr", "libjs-lunr", "libjs-prettify",
          "sphinx-rtd-theme-common", "fonts-mathjax", "fonts-lato", "fonts-font-awesome",
          "libreoffice-help-common"]
MAX_PAGES = 400


def main():
    match sys.argv[1:]:
        case ["install", directory]:
            install(pathlib.Path(directory).resolve())
        case ["serve", directory, port]:
            serve(pathlib.Path(directory).resolve(), int(port))
        case _:
            sys.exit(__doc__)


def wanted():
    lines = (HERE / "sites.txt").read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def install(directory):
    (directory / "urls").mkdir(parents=True, exist_ok=True)
    for package in SHARED:
        debian(directory, package)
    for kind, package in wanted():
        unpacked = debian(directory, package) if kind == "debian" else npm(directory, package)
        if unpacked:
            host = f"{plain(package)}.{kind}.example"
            lists(directory, kind, package, host)


def plain(package):
    name = package[:package.rfind("@")] if "@" in package[1:] else package
    return "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-")


def debian(directory, package):
    root, done = directory / "debian", directory / "done" / package
    if done.exists():
        return True
    with tempfile.TemporaryDirectory() as scratch:
        if subprocess.run(["apt-get", "download", package], cwd=scratch,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return False
        root.mkdir(exist_ok=True)
        files = pathlib.Path(scratch).glob("*.deb")
        subprocess.run(["dpkg", "-x", next(files), root], check=True)
    done.parent.mkdir(exist_ok=True)
    done.touch()
    return True


def npm(directory, package):
    root = directory / "npm" / plain(package)
    if root.exists():
        return True
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["npm", "pack", "--silent", package], cwd=scratch,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        archive = next(pathlib.Path(scratch).glob("*.tgz"), None)
        if archive is None:
            return False
        root.mkdir(parents=True)
        subprocess.run(["tar", "xzf", archive, "-C", root, "--strip-components=1"], check=False)
    return True


def lists(directory, kind, package, host):
    root = directory / "debian" if kind == "debian" else directory / "npm" / plain(package)
    below = root / "usr/share" if kind == "debian" else root
    owned = owned_by(directory, package) if kind == "debian" else below.rglob("*")
    pages = [path for path in owned if path.suffix in (".html", ".htm", ".xhtml")
             and path.is_file() and b"<script" in path.read_bytes().lower()]
    pages.sort()
    random.Random(package).shuffle(pages)
    urls = [f"http://{host}/{urllib.parse.quote(str(path.relative_to(root)))}"
            for path in pages[:MAX_PAGES]]
    if urls:
        (directory / "urls" / f"{host}.txt").write_text("".join(f"{url}\n" for url in sorted(urls)))


def owned_by(directory, package):
    """The files of a Debian package, by the places where documentation is."""
    names = {package, package.removesuffix("-doc"), package.removesuffix("-docs"),
             package.removesuffix("-doc-html")}
    share = directory / "debian/usr/share"
    places = [place for top in ("doc", "gtk-doc/html", "qt5/doc", "help", "javascript")
              for place in (share / top).glob("*") if place.name in names]
    places += {"libreoffice-help-en-us": [directory / "debian/usr/lib/libreoffice/help"],
               "qtdeclarative5-doc-html": [share / "qt5/doc"],
               "openjdk-17-doc": [share / "doc/openjdk-17-doc", share / "doc/openjdk-17-jre-headless"],
               "libglib2.0-doc": [share / "gtk-doc/html", share / "doc/libglib2.0-doc"],
               "libghc-lens-doc": [directory / "debian/usr/lib/ghc-doc/haddock"],
               "r-doc-html": [share / "R/doc"], "ruby3.1-doc": [share / "ri", share / "doc/ruby3.1"],
               }.get(package, [])
    for place in places:
        yield from place.rglob("*")


class Sites(http.server.SimpleHTTPRequestHandler):
    """Files by host name. Absolute links lead to the site's root, as if it was a machine's."""
    protocol_version = "HTTP/1.1"
    directory_of_all = None

    def translate_path(self, path):
        host = (self.headers.get("Host") or "").split(":")[0]
        path = urllib.parse.urlsplit(path).path
        name, _, kind = host.removesuffix(".example").rpartition(".")
        root = self.directory_of_all / kind
        root = root if kind == "debian" else root / name
        place = root
        for part in urllib.parse.unquote(path).split("/"):
            if part in ("", ".", ".."):
                continue
            place = place / part
            for _ in range(8):
                if not place.is_symlink():
                    break
                target = place.readlink()
                place = root / str(target).lstrip("/") if target.is_absolute() else place.parent / target
        return str(place) + ("/" if path.endswith("/") else "")

    def log_message(self, *_):
        pass


def serve(directory, port):
    Sites.directory_of_all = directory
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Sites).serve_forever()


if __name__ == "__main__":
    main()
