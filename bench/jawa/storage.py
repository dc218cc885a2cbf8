"""What is stored of a site, technique by technique."""

import json
import os
import shutil
import subprocess
import time

import looks
from contest import ControlGroup, run
from sizes import measure, scripts_at

# What crawls leave out, and what becomes of the layers after that.
CRAWLS = (("plain", ["--no-filter"]), ("filtered", []), ("lists", None))
PRUNED = (
    ("pruned", []),
    ("packed", ["--compress", "zstd"]),
    ("smallest", ["--compress", "smallest"]),
    ("dropped", ["--compress", "smallest", "--cold", "drop"]),
)


def crawl(varve, server, ca, collection, seeds, more, tier="browser"):
    """Crawls pages: seconds as the crawl says, and CPU seconds of all processes."""
    shutil.rmtree(collection, ignore_errors=True)
    command = [varve, "-q", "--json", "crawl", "-c", collection, "--seeds", seeds, "--scope", "page"]
    command += ["--tier", tier, "--delay", "0", "--retries", "0", "--ignore-robots", "--no-sitemaps"]
    command += ["--map-host", f"*={server}", "--allow-net", "127.0.0.0/8", *more]
    if ca:
        command += ["--ca-file", ca]
    group = ControlGroup()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=group.join)
    cpu = group.close()
    if done.returncode not in (0, 4):
        raise SystemExit(f"the crawl ended with {done.returncode}: {done.stderr[-500:]}")
    said = json.loads(done.stdout)
    return {
        "seconds": said["seconds"],
        "cpu": cpu,
        "pages": said["saved"],
        "handlers": said["account"].get("handlers", {}),
    }


def prune(varve, collection, words, verified):
    """What pruning says of itself."""
    began = time.monotonic()
    command = [varve, "-q", "--json", "prune", collection, "--verify", verified, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 5:
        return {"failed": done.stderr.strip()}
    if done.returncode != 0:
        raise SystemExit(f"pruning ended with {done.returncode}: {done.stderr[-500:]}")
    return {**json.loads(done.stdout), "seconds": time.monotonic() - began}


def lists(scratch):
    """EasyList and EasyPrivacy, as Debian's package of uBlock Origin has them."""
    place = f"{scratch}/easylist"
    os.makedirs(place)
    run("apt-get -qq download webext-ublock-origin-chromium && dpkg -x *.deb .", cwd=place)
    found = f"{place}/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist"
    return [word for name in ("easylist", "easyprivacy") for word in ("--filter", f"{found}/{name}.txt")]


def one_site(site, scratch, pages, crawling, pruning, easylist):
    """All sizes of a site; the collections `plain` and `pruned` stay in the scratch directory."""
    seeds = f"{scratch}/seeds"
    with open(seeds, "w") as out:
        out.write("\n".join(pages) + "\n")
    found = {"pages": len(pages), "sizes": {}, "crawls": {}, "pruned": {}}
    for name, words in CRAWLS:
        words = easylist if words is None else words
        # What handlers ask for is stored, too; so they are run in all crawls.
        found["crawls"][name] = crawling(f"{scratch}/{name}", seeds, [*words, "--learn"])
        found["sizes"][name] = measure(f"{scratch}/{name}", site)
    found["looks"] = looks.compared(scratch)
    remade(site, scratch, PRUNED, pruning, found)
    data = set(found["pruned"]["pruned"].get("scripts", {}).get("data", []))
    found["data"] = {name: scripts_at(f"{scratch}/{name}", data) for name in ("lists", "pruned")}
    unseen(scratch, pages, crawling, pruning, easylist, found)
    return found


def unseen(scratch, pages, crawling, pruning, easylist, found):
    """What pruning says of a crawl that learned nothing, if it visits a third of the pages itself."""
    found["crawls"]["unseen"] = crawling(f"{scratch}/unseen", f"{scratch}/seeds", easylist)
    lessons = str(max(1, len(pages) // 3))
    found["pruned"]["unseen"] = pruning(f"{scratch}/unseen", ["--learn", lessons])


def large_site(site, scratch, pages, crawling, pruning, easylist):
    """Sizes of many pages of a site: everything, and all techniques together. Crawls choose tiers, as they do for
    whole sites; nothing is replayed but a page."""
    seeds = f"{scratch}/seeds"
    with open(seeds, "w") as out:
        out.write("\n".join(pages) + "\n")
    found = {"pages": len(pages), "sizes": {}, "crawls": {}, "pruned": {}}
    for name, words in (("plain", ["--no-filter"]), ("lists", easylist)):
        found["crawls"][name] = crawling(f"{scratch}/{name}", seeds, [*words, "--learn"], "auto")
        found["sizes"][name] = measure(f"{scratch}/{name}", site)
    remade(site, scratch, [it for it in PRUNED if it[0] in ("packed", "smallest")], pruning, found)
    return found


def remade(site, scratch, ways, pruning, found):
    """Sizes of the crawl with all lists, made anew in several ways."""
    for name, words in ways:
        directory = f"{scratch}/{name}"
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(f"{scratch}/lists", directory)
        # Packing changes no script, so that one page is enough to see that it works.
        verified = {} if name == "pruned" else {"verified": "1"}
        found["pruned"][name] = pruning(directory, words, **verified)
        found["sizes"][name] = measure(directory, site)
