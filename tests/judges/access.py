"""What pywb's access checker says about URLs.

Usage: access.py LIST TIMESTAMP URL [TIMESTAMP URL ...]
Prints a word for each: allow, block or exclude.
"""
import sys

from pywb.warcserver.access_checker import AccessChecker

checker = AccessChecker(sys.argv[1])
wanted = sys.argv[2:]
for timestamp, url in zip(wanted[::2], wanted[1::2]):
    rule = checker.find_access_rule(url, timestamp)
    print(checker.check_date_access(timestamp, rule["access"], "allow", rule))
