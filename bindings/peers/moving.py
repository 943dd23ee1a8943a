"""Counts the answers that change for those who move to a drop-in or to `Robot`, on real files.

    python bindings/peers/moving.py [ARCHIVE…]      # .tar.xz of robots.txt files; those beside the checkout by default

Each file is asked by some crawlers and browsers, as their `User-Agent` headers have them, about paths that its rules name.
A path *opens* if the model refuses it and ours allows it, and *closes* the other way round. The table of the README has the
figures of both archives with CPython 3.11. It fails if the drop-in for Protego opens anything.
"""

import os
import pathlib
import sys
import tarfile
import urllib.robotparser
from collections import Counter

from protego import Protego

from polite_robots import Robot, RobotsTxt, product_token
from polite_robots.compat import protego, robotparser

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = pathlib.Path(os.environ.get("POLITE_ROBOTS_SHARED", ROOT.parent / "shared")) / "corpus"
HEADERS = [
    "ExampleBot/1.0 (+https://example.com/bot)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Googlebot-News",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
]
PATHS_OF_A_FILE = 5


def files_of(archive):
    """The files that the models can read: text in UTF-8."""
    with tarfile.open(archive) as files:
        for member in files:
            try:
                yield files.extractfile(member).read().decode("utf-8-sig") if member.isfile() else ""
            except UnicodeDecodeError:
                continue


def urls_of(text):
    rules = [rule.pattern for group in RobotsTxt(text).groups for rule in group.rules if rule.pattern.startswith("/")]
    some = rules[:: max(len(rules) // PATHS_OF_A_FILE, 1)][:PATHS_OF_A_FILE]
    return ["https://example.com/", *(f"https://example.com{path.replace('*', 'x').rstrip('$')}" for path in some)]


def parsed(parser, text):
    parser.parse(text.splitlines())
    return parser


def compare(counts, text):
    theirs, drop_in = Protego.parse(text), protego.Protego.parse(text)
    theirs_of_urllib = parsed(urllib.robotparser.RobotFileParser(), text)
    drop_in_of_urllib = parsed(robotparser.RobotFileParser(), text)
    for header in HEADERS:
        robot = Robot(product_token(header), text)
        for url in urls_of(text):
            refused = not theirs.can_fetch(url, header)
            answers = {
                "Protego, drop-in": (refused, drop_in.can_fetch(url, header)),
                "Protego, Robot": (refused, robot.allowed(url)),
                "urllib, drop-in": (not theirs_of_urllib.can_fetch(header, url), drop_in_of_urllib.can_fetch(header, url)),
            }
            for name, (refuses, allows) in answers.items():
                kind = "opens" if refuses and allows else "closes" if not refuses and not allows else "same"
                counts[name, "all", kind] += 1
                counts[name, header, kind] += 1


def main():
    archives = sys.argv[1:] or sorted(CORPUS.glob("*.tar.xz"))
    if not archives:
        print(f"SKIPPED: there are no archives in {CORPUS}")
        return
    counts, files = Counter(), 0
    for archive in archives:
        for text in files_of(archive):
            compare(counts, text)
            files += 1
    for name in dict.fromkeys(name for name, _, _ in counts):
        questions = sum(count for (one, header, _), count in counts.items() if one == name and header == "all")
        print(f"{name}: {files} files, {questions} questions")
        for header in ["all", *HEADERS]:
            print(f"  {counts[name, header, 'opens']:6} open, {counts[name, header, 'closes']:6} close: {header[:60]}")
    sys.exit(counts["Protego, drop-in", "all", "opens"] > 0)


if __name__ == "__main__":
    main()
