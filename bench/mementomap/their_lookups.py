"""Asks the Python package about keys, one after the other, as `mementomap lookup` would.

Its own `batchlookup` ends at the first key that comes near the end of the map; here the file is
rewound and such keys count as not found.
"""

import sys

from mementomap.cli import lookup

found = 0
with open(sys.argv[1], "rb") as map, open(sys.argv[2]) as keys:
    for key in keys:
        map.seek(0)
        try:
            found += lookup(map, key.strip()) is not None
        except ValueError:
            pass
print(found)
