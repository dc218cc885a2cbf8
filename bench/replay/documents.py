"""Documents to be replayed: pages, scripts, style sheets and images that are made up, each its own."""

import io
import random

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HOST = "https://www.example.org"
DATE = "2026-01-01T00:00:00Z"
PAGE, SCRIPT, IMAGE = 31_000, 44_000, 24_000
WORDS = (
    "lake sediment layer winter summer clay silt core sample year record glacier melt water pollen "
    "season archive page stone river delta shore light dark thin thick count age method field"
).split()


def sentence(dice):
    return " ".join(dice.choices(WORDS, k=dice.randint(8, 20))).capitalize() + "."


def page(number):
    """An article with links, pictures, styles and scripts inside, about as long as a median page."""
    dice = random.Random(f"page {number}")
    parts = [
        f"<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>Page {number}</title>\n"
        f'<link rel=stylesheet href="/style.css"><link rel=icon href="{HOST}/icon.png">\n'
        f'<script src="{HOST}/script-{number}.js" async></script>\n'
        "<style>body { background: url(/image-1.png) } .x { color: red }</style>\n"
        f"<script>window.page = {{ id: {number}, path: location.pathname, top: top === self }};"
        "document.documentElement.className = 'js';</script></head><body>\n<nav><ul>\n"
    ]
    for link in range(60):
        parts.append(f'<li><a href="{HOST}/page-{link}.html?from={number}" class="nav item">{sentence(dice)[:30]}</a></li>\n')
    parts.append("</ul></nav><main>\n")
    while sum(map(len, parts)) < PAGE - 400:
        parts.append(
            f'<section id="s{len(parts)}"><h2>{sentence(dice)[:40]}</h2><p>{sentence(dice)} '
            f'<a href="/page-{dice.randint(0, 299)}.html">{sentence(dice)[:20]}</a> {sentence(dice)} {sentence(dice)}</p>'
            f'<img src="//static.example.org/image-{dice.randint(0, 299)}.png" srcset="/image-2.png 1x, /image-3.png 2x" '
            f'alt="" loading=lazy onclick="go(location.href)"></section>\n'
        )
    parts.append("</main></body></html>\n")
    return "".join(parts).encode()


def script(number):
    """A bundle of small functions, of which some use what replay must change."""
    dice = random.Random(f"script {number}")
    parts = [f"(function (window, document) {{\n'use strict';\nvar version = '{number}';\n"]
    while sum(map(len, parts)) < SCRIPT - 200:
        name = f"f{len(parts)}"
        kind = dice.random()
        if kind < 0.06:
            body = "return window.location.href.split('?')[0] + document.location.hash;"
        elif kind < 0.1:
            body = "if (top !== self) { parent.postMessage({ name: a }, location.origin); }"
        else:
            body = (
                f"var total = 0, list = [{', '.join(str(dice.randint(0, 999)) for _ in range(8))}];\n"
                "  for (var i = 0; i < list.length; i += 1) { total += list[i] * (a || 1); }\n"
                f"  return total > {dice.randint(10, 999)} ? '{sentence(dice)[:30]}' : b && b.value || null;"
            )
        parts.append(f"function {name}(a, b) {{\n  {body}\n}}\nwindow.{name} = {name};\n")
    parts.append("})(window, document);\n")
    return "".join(parts).encode()


def style(number):
    dice = random.Random(f"style {number}")
    parts = ['@import "/base.css";\n']
    while sum(map(len, parts)) < 60_000:
        parts.append(
            f".c{len(parts)} > a:hover, .d{len(parts)}::after {{ color: #{dice.randint(0, 0xffffff):06x}; margin: 0 {dice.randint(0, 9)}px; "
            + (f"background: url({HOST}/image-{dice.randint(0, 299)}.png) no-repeat; " if dice.random() < 0.2 else "")
            + "}\n"
        )
    return "".join(parts).encode()


def image(number):
    dice = random.Random(f"image {number}")
    return b"\x89PNG\r\n\x1a\n" + dice.randbytes(IMAGE)


KINDS = {
    "html": ("page-{}.html", "text/html; charset=utf-8", page),
    "js": ("script-{}.js", "text/javascript", script),
    "png": ("image-{}.png", "image/png", image),
}


def write(path, count):
    """A WARC with so many documents of each kind."""
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for name, kind, make in KINDS.values():
            for number in range(count):
                headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
                record = writer.create_warc_record(
                    f"{HOST}/{name.format(number)}", "response", payload=io.BytesIO(make(number)),
                    http_headers=headers, warc_headers_dict={"WARC-Date": DATE},
                )
                writer.write_record(record)
