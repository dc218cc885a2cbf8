"""Writes the key that the package surt gives for each URL on standard input.

As cdxj-indexer does, the URL itself is the key where the package raises. The two rules that
docs/surt.md lists as differences 1 and 2 are applied to such keys: one word, valid UTF-8.
With an argument, the URLs come from that .xz file.
"""
import lzma
import re
import sys

import surt


def one_word(key: bytes) -> bytes:
    escape = lambda match: b"".join(b"%%%02x" % byte for byte in match.group(0))
    key = re.sub(rb"[\x00-\x20\x7f]", escape, key)
    return re.sub(
        r"[\udc80-\udcff]+",
        lambda match: "".join("%%%02x" % (ord(c) & 0xFF) for c in match.group(0)),
        key.decode("utf-8", "surrogateescape"),
    ).encode()


def key_of(url: bytes) -> bytes:
    try:
        key = surt.surt(url)
    except Exception:
        key = url
    return one_word(key)


source = lzma.open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin.buffer
for line in source.read().split(b"\n"):
    sys.stdout.buffer.write(key_of(line) + b"\n")
