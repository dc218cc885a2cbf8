"""Draws what a terminal showed as SVG: `terminal_svg.py TYPESCRIPT OUT.svg`.

Reads what a program wrote to a terminal (as `script` keeps it), follows the few orders that
`varve crawl` gives to the cursor, and draws the picture that stood there in the middle of the run.
"""

import re
import sys
import unicodedata
from html import escape

COLOURS = {"1": "strong", "2": "faint", "31": "bad", "32": "good", "33": "odd"}
ORDER = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
WIDTH, HEIGHT, MARGIN, COLUMNS = 8.43, 19, 16, 92
STYLE = """
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #e6ebe7 }
.strong { font-weight: 700 } .faint { fill: #9fada7 } .bad { fill: #ff938b } .good { fill: #7fd08f } .odd { fill: #e8b75a }
"""


def screens(text):
    """Every picture just before it is replaced: lists of lines of (style, text)."""
    lines, row, style, at = [[]], 0, "", 0
    while at < len(text):
        order = ORDER.match(text, at)
        if order:
            number, what = order.groups()
            if what == "A":
                yield [list(line) for line in lines]
                row = max(0, row - int(number or 1))
            elif what == "J":
                lines = lines[:row] + [[]]
            elif what == "m":
                style = COLOURS.get(number.split(";")[-1], "")
            at = order.end()
            continue
        char = text[at]
        at += 1
        if char == "\n":
            row += 1
            if row == len(lines):
                lines.append([])
        elif char != "\r":
            lines[row].append((style, char))


def columns(char):
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def spans(line):
    """Neighbours of one style together, each with its column."""
    column, made = 0, []
    for style, char in line:
        if made and made[-1][0] == style:
            made[-1][1] += char
        else:
            made.append([style, char, column])
        column += columns(char)
    return made


def draw(lines):
    width, height = COLUMNS * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">'
    yield "<title>varve crawl on a terminal</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#131917"/>'
    for row, line in enumerate(lines):
        y = MARGIN + row * HEIGHT + 14
        for style, text, column in spans(line):
            if not text.strip():
                continue
            lead = len(text) - len(text.lstrip())
            text, column = text.strip(), column + lead
            length = sum(map(columns, text)) * WIDTH
            named = f' class="{style}"' if style else ""
            place = f'x="{MARGIN + column * WIDTH:.1f}" y="{y}"'
            yield f'<text {place}{named} textLength="{length:.1f}">{escape(text)}</text>'
    yield "</svg>"


def main():
    source, target = sys.argv[1:]
    text = open(source, encoding="utf-8", errors="replace", newline="").read()
    text = re.sub(r"^Script started[^\n]*\n", "", text)
    shown = [lines for lines in screens(text) if len(lines) > 5]
    picture = shown[len(shown) * 2 // 3]
    while picture and not picture[-1]:
        picture.pop()
    # The first line has a port that is another one every time.
    at_all = [line for line in picture if "dashboard at" not in "".join(char for _, char in line)]
    with open(target, "w", encoding="utf-8") as out:
        out.write("\n".join(draw(at_all)) + "\n")


main()
