"""Makes a screenshot small: `small_png.py IN.png OUT.png`.

Reads an 8-bit RGB or RGBA PNG as Chromium writes it, reduces it to a palette of its most frequent
colours and packs it as tightly as zlib can. Only the standard library is needed.
"""

import struct
import sys
import zlib
from collections import Counter

COLOURS = 160
CHANNELS = {2: 3, 6: 4}


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length


def unfiltered(raw, height, stride, step):
    """The lines of a picture, without what PNG does to make them compress well."""
    before = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for at in range(stride):
            left = line[at - step] if at >= step else 0
            up, corner = before[at], before[at - step] if at >= step else 0
            line[at] = (line[at] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind]) & 255
        before = line
        yield line


def paeth(left, up, corner):
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


def palette(counts):
    """Frequent colours first; others join the nearest. Coarse steps keep the search short."""
    coarse = Counter()
    for colour, count in counts.items():
        coarse[tuple(part & 0xF8 for part in colour)] += count
    exact = [colour for colour, count in counts.most_common(24)]
    spread = [tuple(min(255, part + 4) for part in colour) for colour, _ in coarse.most_common(COLOURS - len(exact))]
    return list(dict.fromkeys(exact + spread))[:COLOURS]


def nearest(colour, chosen):
    return min(range(len(chosen)), key=lambda n: sum((a - b) ** 2 for a, b in zip(colour, chosen[n])))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    source, target = sys.argv[1:]
    parts = list(chunks(open(source, "rb").read()))
    width, height, depth, colour_type = struct.unpack(">IIBB", parts[0][1][:10])
    assert depth == 8 and colour_type in CHANNELS, "not a screenshot of Chromium's"
    step = CHANNELS[colour_type]
    raw = zlib.decompress(b"".join(data for kind, data in parts if kind == b"IDAT"))
    rows = [bytes(line) for line in unfiltered(raw, height, width * step, step)]
    pixels = [[tuple(row[at : at + 3]) for at in range(0, len(row), step)] for row in rows]
    counts = Counter(pixel for row in pixels for pixel in row)
    chosen = palette(counts)
    index = {colour: nearest(colour, chosen) for colour in counts}
    packed = b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    table = b"".join(bytes(colour) for colour in chosen)
    with open(target, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", table))
        out.write(chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))


main()
