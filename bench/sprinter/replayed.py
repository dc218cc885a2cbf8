"""Pages replayed from two archives: what one lacks that the other has."""

import json
import subprocess

ABSENT = ("missing", "failed")


def worse(one, other):
    """Pages whose replay asks in vain for more in another archive than in one, and how many there are in both."""
    pages = one.keys() & other.keys()
    return {"pages": len(pages), "worse": {page: sorted(other[page] - one[page]) for page in pages if other[page] - one[page]}}


def absent(varve, collection, scratch, site, most):
    """Of each page the URLs that its replay asked for in vain."""
    command = [varve, "-q", "--json", "qa", collection, "--pages", str(most), "--url", f"*://{site}/*"]
    done = subprocess.run([*command, "--report", f"{scratch}/qa"], capture_output=True, text=True)
    if done.returncode not in (0, 5):
        raise SystemExit(f"qa ended with {done.returncode}: {done.stderr[-500:]}")
    with open(f"{scratch}/qa/report.json") as report:
        pages = json.load(report)["pages"]
    return {
        page["url"]: {finding.get("url") or finding["what"] for finding in page["findings"] if finding["kind"] in ABSENT}
        for page in pages
    }
