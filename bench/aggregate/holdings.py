"""Archives with different holdings, and what people ask them for."""

import json
import os
import random

ARCHIVES = ["one", "two", "three", "four", "five", "six"]
# How many of the six have a host, of those that are archived at all: most are in one alone.
IN_SO_MANY = [1, 1, 1, 1, 1, 1, 2, 2, 3, 6]
PAGES = 6  # of a host
ARCHIVED = 0.5  # of the look-ups are of hosts that somebody has


def draw(hosts):
    """For each archive the captures that it has: pairs of a URL and a year."""
    dice = random.Random(8)
    held = {name: [] for name in ARCHIVES}
    for number in range(hosts):
        for name in dice.sample(ARCHIVES, dice.choice(IN_SO_MANY)):
            for page in range(dice.randint(1, PAGES)):
                for year in dice.sample(range(2001, 2024), dice.randint(1, 3)):
                    held[name].append((url(number, page), year))
    return held


def lookups(hosts, count):
    """URLs as people ask for them: about half of hosts that nobody has."""
    dice = random.Random(9)
    known = lambda: url(dice.randrange(hosts), dice.randrange(PAGES))
    unknown = lambda: url(hosts + dice.randrange(hosts), dice.randrange(PAGES))
    return [known() if dice.random() < ARCHIVED else unknown() for _ in range(count)]


def url(host, page):
    return f"http://h{host}.s{host % 40}.example/" + (f"p/{page}.html" if page else "")


def warc(path, captures):
    """Writes captures as a WARC file."""
    with open(path, "w", newline="") as out:
        for number, (address, year) in enumerate(captures):
            body = f"<title>{address} in {year}</title>"
            answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            out.write(
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Date: {year}-06-01T00:00:00Z\r\nWARC-Target-URI: {address}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
                f"{answer}\r\n\r\n"
            )


def archives_json(path, places):
    """Writes the list that the aggregator reads."""
    entries = [
        {"id": name, "name": f"Archive {name}", "timemap": f"http://{place}/timemap/link/",
         "timegate": f"http://{place}/timegate/"}
        for name, place in places.items()
    ]
    with open(path, "w") as out:
        json.dump(entries, out)
    return os.path.abspath(path)
