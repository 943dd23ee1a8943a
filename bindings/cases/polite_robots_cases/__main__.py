"""Prints the cases that a function gets wrong: python -m polite_robots_cases MODULE:FUNCTION [READING [AUTHORITY]]"""

import importlib
import sys

from polite_robots_cases import wrong

sys.path.insert(0, "")
module, _, function = sys.argv[1].partition(":")
found = wrong(getattr(importlib.import_module(module), function), *sys.argv[2:])
for name, url, answer in found:
    print(f"{name}: {answer!r} for {url[:200]}")
print(f"{len(found)} cases are wrong")
sys.exit(bool(found))
