"""How often other parsers differ from ours on real files, and why; docs/switching.md has the figures.

    python bindings/cases/peers/switching.py [PARSER…]         # counts, on the archives beside the checkout
    python bindings/cases/peers/switching.py --page            # the examples of the page, by the parsers on this machine

Each file is asked up to 16 questions, which are drawn with a fixed seed: agents are one that no file names, those of the file and
known ones; URLs are made from the rules of the file, and a few are common. Each difference from our default dialect loses
lines of its file as long as both answers remain, and what is left is sorted by its cause. The differences are written to
`bindings/target/cases/switching-PARSER.jsonl`, to be looked at.
"""

import collections
import itertools
import json
import os
import pathlib
import random
import re
import sys
import tarfile
from urllib.parse import quote, urlsplit

from parsers import BUILT, HERE, MISSING, PARSERS, ROOT

sys.path.insert(0, str(HERE.parent))

OURS = "polite-robots, in Python"
PAGE = ROOT / "docs" / "switching.md"
CORPUS = pathlib.Path(os.environ.get("POLITE_ROBOTS_SHARED", ROOT.parent / "shared")) / "corpus"
KNOWN = ["Googlebot", "Bingbot", "GPTBot", "CCBot", "ClaudeBot", "AhrefsBot"]
COMMON = ["/", "/index.html", "/about/", "/search?q=a", "/images/logo.png", "/page/2/", "/login", "/a/b/c.html?id=1&sort=up"]
AGENT = re.compile(rb"(?im)^[ \t]*user-?agent[ \t]*:[ \t]*([a-z][\w.-]*)(?=[\s#/*,;(]|\Z)")
RULE = re.compile(rb"(?im)^[ \t]*(?:dis)?allow[ \t]*:[ \t]*([^#\r\n]*[^#\s])")
BLANK = " \t\v\f\r\n"
NAME = re.compile(r"[\w.-]*")
MISSPELLED = re.compile(r"|user.?agents?\W*|(?:dis+|des|di)?al+ow(?:ed)?s?\W*|dis\w{3,7}w")
SIGNS = str.maketrans('[]{}|\\^"<>`', "x" * 11)
LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


def files():
    for archive in sorted(CORPUS.glob("*.tar.xz")):
        with tarfile.open(archive) as members:
            found = {member.name: members.extractfile(member).read() for member in members if member.isfile()}
        yield from sorted(found.items())


# Questions.


def url_of(pattern, draw):
    """A URL that the pattern matches, or nearly."""
    if pattern.startswith(("http://", "https://")):
        pattern = draw.choice([urlsplit(pattern)._replace(scheme="", netloc="").geturl(), pattern])
    path = pattern.rstrip("$") if draw.random() < 0.97 else pattern
    path = path.replace("*", draw.choice(["segment", "x", "a/b", ""])).partition("#")[0]
    path += draw.choice(["", "", "x", "/more.html", "?id=1"])
    if draw.random() < 0.15:
        path = path[:-1]
    # As links are sent.
    return "https://example.com/" + quote(path.removeprefix("/"), safe="!\"$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def questions(name, body):
    draw = random.Random(f"9309 {name}")
    named = list(dict.fromkeys(agent.decode() for agent in AGENT.findall(body)))
    agents = ["ExampleBot", *KNOWN, *draw.sample(named, min(5, len(named)))]
    rules = [rule.decode("utf-8", "ignore") for rule in RULE.findall(body)]
    asked = set()
    for _ in range(16):
        common = f"https://example.com{draw.choice(COMMON)}"
        asked.add((draw.choice(agents), url_of(draw.choice(rules), draw) if rules and draw.random() < 0.8 else common))
    return sorted(asked)


# Differences.


def answer(allowed, robots_txt, agent, url):
    try:
        given = allowed(robots_txt, agent, url)
    except Exception:
        given = None
    return given if isinstance(given, bool) else None


def deciding(lines, agent, url):
    """The lines that decide with us, which are often all that the difference needs."""
    from polite_robots import Robot

    verdict = Robot(agent, b"".join(lines)).check(url)
    numbers = {verdict.group_line, verdict.line, verdict.overruled and verdict.overruled.line} - {None, 0}
    return [lines[number - 1] for number in sorted(numbers) if number <= len(lines)]


def minimal(lines, few, differs):
    """The lines without those that the difference does not need; all of them where it needs the length of the file."""
    lines = few if differs(few) else lines
    size, left = max(len(lines) // 2, 1), 1_000_000 + 100 * sum(map(len, lines))
    while True:
        at, before = 0, len(lines)
        while at < len(lines):
            rest = lines[:at] + lines[at + size :]
            left -= sum(map(len, rest))
            if left < 0:
                return lines
            if differs(rest):
                lines = rest
            else:
                at += size
        if size == 1 and len(lines) == before:
            return lines
        size = max(size // 2, 1)


def read(lines):
    """Key and value of each line, by a plain reading."""
    for line in lines:
        text = line.decode("utf-8", "replace").lstrip("\ufeff").partition("#")[0].strip(BLANK)
        key, colon, value = text.partition(":")
        yield (key.strip(BLANK).lower(), value.strip(BLANK)) if colon else ("", text)


def cause(lines, agent, url, theirs, ours):
    """Why the answers differ, by a smaller file about which they differ or do not."""

    def differ(*records, url=url):
        body = "\n".join(f"{key}: {value}" for key, value in records).encode()
        return answer(theirs, body, agent, url) is not answer(ours, body, agent, url)

    if answer(theirs, b"".join(lines), agent, url) is None:
        return "refused"
    if len(lines) > 100:
        return "long file"
    if urlsplit(url).path == "/robots.txt":
        return "robots.txt itself"
    everyone = ("user-agent", "*")
    records = list(read(lines))
    if all(key for key, value in records if value) and not differ(*(record for record in records if record != ("", ""))):
        is_marked = lines[0].startswith(b"\xef\xbb\xbf")
        return "byte order mark" if is_marked else "blank line" if ("", "") in records else "form of a line"
    rules = [(key, value) for key, value in records if key in ("allow", "disallow")]
    for _, pattern in rules:
        if pattern and differ(everyone, ("disallow", pattern)):
            if url.endswith("?") or pattern.endswith("?") and "*" not in pattern:
                return "empty query"
            if not pattern.startswith(("/", "*")):
                return "no slash"
            if url.endswith("/") and "index.htm" in pattern:
                return "closed index page"
            if not differ(everyone, ("disallow", plain(pattern)), url=plain(url)) and plain(pattern) + plain(url) != pattern + url:
                without_signs = differ(everyone, ("disallow", pattern.translate(SIGNS)), url=url.translate(SIGNS))
                return "escapes" if without_signs else "sign as it stands"
            return of_pattern(pattern, url, lambda other: differ(everyone, ("disallow", other)))
    names = [(key, NAME.match(value)[0] or value) if key == "user-agent" else (key, value) for key, value in records]
    if names != records and not differ(*names):
        if re.search(r"[\d.]", agent):
            return "digits and more in a name"
        ends = {old[len(new)] for (key, old), (_, new) in zip(records, names) if old != new}
        return "version after a name" if "/" in ends else "star after a name" if "*" in ends else "words after a name"
    unrelated = [(key, "Zzz") if key == "user-agent" and related(value, agent) else (key, value) for key, value in records]
    if unrelated != records and not differ(*unrelated):
        return "part of a name"
    if differ(everyone, *rules):
        if urlsplit(url).path.endswith("/") and any("index.htm" in value for _, value in rules):
            return "index page"
        return "precedence" if all(value for _, value in rules) else "empty rule"
    others = [(key, value) for key, value in records if key not in ("allow", "disallow", "user-agent") and (key or value)]
    if any(MISSPELLED.fullmatch(key) for key, _ in others):
        return "misspelled"
    if others and not differ(*((key, "1") if key == "crawl-delay" else (key, value) for key, value in records)):
        return "long delay"
    if others:
        return "delay in list" if any(key == "crawl-delay" for key, _ in others) else "record in list"
    if rules and records[0][0] in ("allow", "disallow"):
        return "rules above agents"
    agents = [value.lower() for key, value in names if key == "user-agent"]
    if re.search(r"[^a-zA-Z_-]", agent):
        return "name with digits or dots"
    if len(agents) > len(set(agents)):
        return "group twice"
    return "group without rules" if not rules or records[-1][0] == "user-agent" else "agents"


def related(value, agent):
    """Whether one name is a part of the other."""
    name, agent = NAME.match(value)[0].lower(), agent.lower()
    return value != "*" and name != agent and (name in agent or agent in name)


def plain(text):
    """The text before the first sign that may be escaped."""
    return re.match(r"[\w/*$.?=&:-]*", text, re.ASCII)[0]


def of_pattern(pattern, url, differ):
    if pattern.startswith("*") and not differ(f"/{pattern}"):
        return "leading star"
    if "$" in pattern[:-1]:
        return "inner dollar"
    if pattern.endswith("$"):
        return "dollar in the URL" if "$" in url else "final dollar"
    return "star" if "*" in pattern else "plain pattern"


# Reports.


def count(name, readings, asked):
    version, make = PARSERS[name]()
    theirs = make("rfc9309")
    totals, kinds, found = collections.Counter(), collections.defaultdict(list), []
    for file, body in asked:
        lines = LINE.findall(body)
        differing = set()
        for agent, url in questions(file, body):
            given = answer(theirs, body, agent, url)
            expected = {reading: answer(ours, body, agent, url) for reading, ours in readings.items()}
            totals["questions"] += 1
            for reading, one in expected.items():
                if one is not given:
                    totals[reading] += 1
                    differing.add(reading)
            if given is not expected["rfc9309"]:
                answers = (given, expected["rfc9309"])
                ours = readings["rfc9309"]

                def differs(rest, agent=agent, url=url, answers=answers):
                    text = b"".join(rest)
                    return (answer(theirs, text, agent, url), answer(ours, text, agent, url)) == answers

                least = minimal(lines, deciding(lines, agent, url), differs)
                kind = cause(least, agent, url, theirs, ours)
                text = b"".join(least).decode("utf-8", "backslashreplace")
                as_google = given is expected["google"]
                found.append({"kind": kind, "file": file, "agent": agent, "url": url, "theirs": given, "as_google": as_google, "robots": text})
                kinds[kind].append(found[-1])
        for reading in differing:
            totals[f"{reading} files"] += 1
    return version, totals, kinds, found


def report(name, version, totals, kinds, number):
    print(f"\n## {name} {version}: {totals['questions']} questions, {number} files")
    for reading in ("rfc9309", "google"):
        share, of_files = totals[reading] / totals["questions"], totals[f"{reading} files"] / number
        print(f"{reading}: {totals[reading]} ({share:.2%}) in {totals[f'{reading} files']} files ({of_files:.1%})")
    for kind, all_of in sorted(kinds.items(), key=lambda item: -len(item[1])):
        opens = sum(one["theirs"] is not True for one in all_of)
        google = sum(one["as_google"] for one in all_of)
        print(f"  {len(all_of):6} in {len({one['file'] for one in all_of}):4} files, {opens} open with us, {google} as Google: {kind}")
        for one in sorted(all_of, key=lambda one: len(one["robots"]))[:2]:
            print(f"           {one['robots']!r} {one['agent']} {one['url']}: {one['theirs']}")


# The page.


def table(text, head):
    """The cells of each row of a table."""
    rows = text.partition(head)[2].split("\n")[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in itertools.takewhile(lambda row: row.startswith("|"), rows)]


def codes(cell):
    return cell.split("`")[1::2]


def check_page():
    text = PAGE.read_text()
    examples = {}
    for name, robots_txt, question, *_ in table(text, "| difference | robots.txt | agent, path | ours | by |"):
        agent, path = codes(question)
        examples[codes(name)[0]] = "\n".join(codes(robots_txt)).replace("⏎", "").encode(), agent, f"https://example.com{path}"
    passed, failed = 0, 0
    for section in text.split("\n## From ")[1:]:
        name, rows = section.partition("\n")[0], table(section, "| difference | its answer | questions | files |")
        try:
            allowed = PARSERS[name]()[1]("rfc9309")
        except MISSING as error:
            print(f"{name}: SKIPPED: {error}")
            continue
        for difference, stated, *_ in rows:
            given = {True: "yes", False: "no", None: "refused"}[answer(allowed, *examples[codes(difference)[0]])]
            passed += given == stated
            if given != stated:
                failed += 1
                print(f"{name}: {difference}: {given}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


def main():
    if "--page" in sys.argv:
        check_page()
    names = sys.argv[1:] or [name for name in PARSERS if not name.startswith("polite-robots")]
    asked = list(files())
    if not asked:
        print(f"SKIPPED: there are no archives in {CORPUS}")
        return
    make = PARSERS[OURS]()[1]
    readings = {reading: make(reading) for reading in ("rfc9309", "google")}
    BUILT.mkdir(parents=True, exist_ok=True)
    for name in names:
        try:
            version, totals, kinds, found = count(name, readings, asked)
        except MISSING as error:
            print(f"{name}: SKIPPED: {error}")
            continue
        report(name, version, totals, kinds, len(asked))
        sys.stdout.flush()
        rows = "".join(json.dumps(one) + "\n" for one in found)
        (BUILT / f"switching-{name.replace('/', '-')}.jsonl").write_text(rows)


if __name__ == "__main__":
    main()
