"""The mistakes of each known parser of robots.txt, by the cases of this package; docs/parsers.md lists them.

    python bindings/cases/peers/compare.py            # the page must say what the parsers on this machine answer
    python bindings/cases/peers/compare.py --write    # writes the page

A parser that is not here, or has another version than on the page, keeps its part. `.ci/long cases`
builds those that are compiled; the others come with `bindings/run python wasm`.
"""

import base64
import importlib.metadata
import json
import pathlib
import platform
import re
import struct
import subprocess
import sys
import textwrap
from urllib.robotparser import RobotFileParser

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs" / "parsers.md"
sys.path.insert(0, str(HERE.parent))

from polite_robots_cases import cases, wrong  # noqa: E402

BY_RFC = {case["name"] for case in cases() if case["authority"]["rfc9309"].startswith("RFC 9309")}
MATCHER = cases()[0]["authority"]["google"].split(" ")[1]
HEAD = f"""
| parser | version | wrong by the text of RFC 9309, of {len(BY_RFC)} | as Google's matcher answers |\
 by Google's matcher, of {len(cases())} |
|---|---|---|---|---|
"""


def by_function(make):
    return {reading: [name for name, _, _ in wrong(make(reading), reading)] for reading in ("rfc9309", "google")}


def ours():
    from polite_robots import Robot

    def make(reading):
        return lambda robots_txt, agent, url: Robot(agent, robots_txt, dialect=reading).allowed(url)

    return importlib.metadata.version("polite-robots"), by_function(make)


def protego():
    from protego import Protego

    # As Scrapy decodes it.
    def allowed(robots_txt, agent, url):
        return Protego.parse(robots_txt.decode("utf-8-sig", "ignore")).can_fetch(url, agent)

    return importlib.metadata.version("protego"), by_function(lambda _: allowed)


def robotparser():
    # It decodes what it fetches, so it fetches here too.
    def allowed(robots_txt, agent, url):
        parser = RobotFileParser(f"data:text/plain;base64,{base64.b64encode(robots_txt).decode()}")
        parser.read()
        return parser.can_fetch(agent, url)

    return f"Python {platform.python_version()}", by_function(lambda _: allowed)


def of_javascript(name, folder):
    version = json.loads((ROOT / "bindings/wasm" / folder / "package.json").read_text())["version"]
    found = subprocess.run(["node", HERE / "answers.mjs", name], check=True, capture_output=True, text=True)
    return version, json.loads(found.stdout)


def by_program(*command):
    """Asks a program that reads a file, an agent and a URL, each as a length of four bytes, the least
    first, and its bytes. It answers 1, 0, or `?` where the parser refuses."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def allowed(*question):
            for text in question:
                text = text if isinstance(text, bytes) else text.encode()
                process.stdin.write(struct.pack("<I", len(text)) + text)
            process.stdin.flush()
            return {b"1": True, b"0": False}.get(process.stdout.read(1))

        found = by_function(lambda _: allowed)
        process.stdin.close()
    return found


def of_rust(name):
    lock = (ROOT / "benches/Cargo.lock").read_text()
    version = re.search(f'^name = "{name}"\nversion = "(.*)"', lock, re.MULTILINE)[1]
    return version, by_program(ROOT / "benches/target/release/examples/answers", name)


PARSERS = {
    "polite-robots, in Python": ours,
    "polite-robots, in JavaScript": lambda: of_javascript("polite-robots", "js"),
    "Google's matcher": lambda: (MATCHER, by_program(ROOT / "bindings/target/cases/google")),
    "Protego": protego,
    "urllib.robotparser": robotparser,
    "robots-parser": lambda: of_javascript("robots-parser", "js/node_modules/robots-parser"),
    "robotxt": lambda: of_rust("robotxt"),
    "texting_robots": lambda: of_rust("texting_robots"),
}


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
            version, found = ask()
        except (ImportError, OSError, subprocess.CalledProcessError) as error:
            version, found = str(error), None
        if found and ("--write" in sys.argv or version == old_row[1]):
            row, section = parts(name, version, found)
            passed += 1
        else:
            print(f"{name}: SKIPPED: not {old_row[1]}, but {version}")
            row, section = old_row[0], old_section[0]
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
