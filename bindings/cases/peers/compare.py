"""The mistakes of each known parser of robots.txt, by the cases of this package; docs/parsers.md lists them.

    python bindings/cases/peers/compare.py            # the page must say what the parsers on this machine answer
    python bindings/cases/peers/compare.py --write    # writes the page

A parser that is not here, or has another version than on the page, keeps its part. `.ci/long cases`
builds those that are compiled; the others come with `bindings/run python wasm`.
"""

import re
import sys
import textwrap

from parsers import HERE, MISSING, PARSERS, ROOT

PAGE = ROOT / "docs" / "parsers.md"
sys.path.insert(0, str(HERE.parent))

from polite_robots_cases import cases, wrong  # noqa: E402

BY_RFC = {case["name"] for case in cases() if case["authority"]["rfc9309"].startswith("RFC 9309")}
HEAD = f"""
| parser | version | wrong by the text of RFC 9309, of {len(BY_RFC)} | as Google's matcher answers |\
 by Google's matcher, of {len(cases())} |
|---|---|---|---|---|
"""


def by_function(make):
    return {reading: [name for name, _, _ in wrong(make(reading), reading)] for reading in ("rfc9309", "google")}


def parts(name, version, found):
    """The row and the section of a parser."""
    by_rfc, by_google = ([one for one in found["rfc9309"] if one in BY_RFC], set(found["google"]))
    as_google = [one for one in by_rfc if one not in by_google]
    row = f"| {name} | {version} | {len(by_rfc)} | {len(as_google)} | {len(by_google)} |\n"
    lists = {"Other answers": [one for one in by_rfc if one in by_google], "As Google's matcher": as_google}
    texts = [f"{title}: {', '.join(f'`{one}`' for one in names)}." for title, names in lists.items() if names]
    lines = [textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False) for text in texts]
    return row, f"### {name}\n\n" + "\n\n".join(lines or ["None is wrong."]) + "\n"


def main():
    before = PAGE.read_text()
    prose, _, results = before.partition("\n| parser | version |")
    rows, sections, passed = [], [], 0
    for name, ask in PARSERS.items():
        old_row = re.search(f"^\\| {re.escape(name)} \\| (.*?) \\|.*\n", results, re.MULTILINE)
        old_section = re.search(f"^### {re.escape(name)}\n.*?(?=\n### |\\Z)", results, re.MULTILINE | re.DOTALL)
        try:
            version, make = ask()
            found = by_function(make)
        except MISSING as error:
            version, found = str(error), None
        if found and ("--write" in sys.argv or old_row and version == old_row[1]):
            row, section = parts(name, version, found)
            passed += 1
        elif old_row:
            print(f"{name}: SKIPPED: not {old_row[1]}, but {version}")
            row, section = old_row[0], old_section[0]
        else:
            print(f"{name}: SKIPPED: not on the page: {version}")
            continue
        rows.append(row)
        sections.append(section)
    after = prose + HEAD + "".join(rows) + "\n" + "\n".join(sections)
    if "--write" in sys.argv:
        PAGE.write_text(after)
    elif after != before:
        sys.exit(f"{PAGE} would be\n{after}\nwrite it with --write, and look at what changed")
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main()
