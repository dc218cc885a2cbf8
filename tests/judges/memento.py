"""Finds mementos by other people's clients.

Usage: memento.py ORIGIN URL YEAR
Reads the TimeMap of URL at ORIGIN with pywb, and asks the TimeGate with memento_client for the middle of YEAR.
Prints how many mementos there are, and the status and URI of the nearest one.
"""
import datetime
import sys
import urllib.request

from memento_client import MementoClient
from pywb.utils.memento import MementoUtils

origin, url, year = sys.argv[1:]
with urllib.request.urlopen(f"{origin}/timemap/link/{url}") as answer:
    links = MementoUtils.parse_links(answer.read().decode(), "first memento")
print(len(links["mementos"]), links["original"]["url"], links["timegate"]["url"])
# A memento in place of the URL itself: the client would look for that on the live web.
client = MementoClient(timegate_uri=f"{origin}/timegate/", check_native_timegate=False)
found = client.get_memento_info(links["mementos"][0]["url"], datetime.datetime(int(year), 7, 1))
closest = found["mementos"]["closest"]
print(closest["http_status_code"], closest["uri"][0], found["original_uri"], sorted(found["mementos"]))
