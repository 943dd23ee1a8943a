#!/usr/bin/env python3
"""Counts a folder of robots.txt files by other means than `robots survey`, and compares.

    robots survey FOLDER --thorough --out survey.json
    python3 cli/tests/independent_count.py FOLDER survey.json

It shares no code with the command: a short reader of lines, written from RFC 9309 and the documentation of Google's
matcher. It ends with 1 if a figure differs.
"""

import json
import pathlib
import re
import sys
from collections import Counter
from decimal import Decimal

BLANK = b" \t\r\v\f"
USER_AGENT = (b"user-agent", b"useragent", b"user agent")
DISALLOW = (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw")
DELAY = re.compile(rb"\+?(\d+(?:\.\d*)?|\.\d+)(?:[ \t]*(?:s|sec|secs|second|seconds))?", re.I)


def lines(octets):
    """Lines end in CR, LF or both; a NUL and a # each end what counts of one."""
    mark = 0
    while mark < 3 and octets[mark : mark + 1] == b"\xef\xbb\xbf"[mark : mark + 1]:
        mark += 1
    for line in re.split(rb"\r\n|\r|\n", octets[mark:]):
        yield re.split(rb"[#\0]", line, maxsplit=1)[0]


def records(octets):
    for line in lines(octets):
        if b":" in line:
            name, value = line.split(b":", 1)
        else:
            words = re.split(rb"[ \t][ \t\v\f\r]*", line.strip(BLANK))
            if len(words) != 2:
                continue
            name, value = words
        name, value = name.strip(BLANK).lower(), value.strip(BLANK)
        if not name:
            continue
        if name.startswith(USER_AGENT):
            yield "agent", value
        elif name.startswith(b"allow"):
            yield "allow", value
        elif name.startswith(DISALLOW):
            yield "disallow", value
        elif name in (b"sitemap", b"site-map"):
            yield "sitemap", value
        elif name in (b"crawl-delay", b"crawldelay"):
            yield "delay", value


def groups(all_records):
    """Agents and the rules below them; a rule ends the list of agents, and nothing else does."""
    agents, rules, ended = [], [], False
    for kind, value in all_records:
        if kind == "agent":
            if ended:
                yield agents, rules
                agents, rules, ended = [], [], False
            agents.append(value)
        elif kind in ("allow", "disallow") and agents:
            rules.append((kind, value))
            ended = True
    if agents:
        yield agents, rules


def token(value):
    if value == b"*" or re.match(rb"\*\s", value):
        return "*"
    return re.match(rb"[A-Za-z0-9_.-]*", value).group().decode().lower()


def disallows_everything(rules):
    can_match = [(kind, value) for kind, value in rules if value[:1] in (b"/", b"*")]
    everything = re.compile(rb"\*+\$?|\**/\**|\**/\**\*\$|\*+/?\*\$")
    return all(kind == "disallow" for kind, _ in can_match) and any(
        everything.fullmatch(value) for _, value in can_match
    )


def count(folder):
    counts, bodies = Counter(), set()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if not path.is_file():
            continue
        octets = path.read_bytes()
        found = list(records(octets))
        kinds = Counter(kind for kind, _ in found)
        merged = {}
        for agents, rules in groups(found):
            counts["groups"] += 1
            counts["user-agent records"] += len(agents)
            counts["allow rules"] += sum(kind == "allow" for kind, _ in rules)
            counts["disallow rules"] += sum(kind == "disallow" for kind, _ in rules)
            counts["rules with a wildcard"] += sum(b"*" in value for _, value in rules)
            for agent in {token(value) for value in agents}:
                merged.setdefault(agent, []).extend(rules)
        bodies.add(octets)
        counts["files"] += 1
        counts["octets"] += len(octets)
        counts["empty files"] += not octets
        counts["files over 500 KiB"] += len(octets) > 500 * 1024
        counts["files with a byte order mark"] += octets.startswith(b"\xef\xbb\xbf")
        counts["files with a NUL"] += b"\0" in octets
        counts["lines with a comment"] += sum(b"#" in line for line in re.split(rb"[\r\n]", octets))
        counts["files with a sitemap"] += any(kind == "sitemap" and value for kind, value in found)
        counts["sitemaps"] += sum(kind == "sitemap" and value != b"" for kind, value in found)
        delays = [DELAY.fullmatch(value) for kind, value in found if kind == "delay"]
        counts["crawl delays"] += sum(delay is not None for delay in delays)
        counts["crawl delays that are no number"] += sum(delay is None for delay in delays)
        counts["crawl delays over 30 s"] += sum(
            delay is not None and Decimal(delay.group(1).decode()) > 30 for delay in delays
        )
        counts["files with a group for everyone"] += "*" in merged
        counts["files that disallow everyone everything"] += disallows_everything(merged.get("*", []))
        for agent in ("gptbot", "googlebot", "ahrefsbot"):
            counts[f"files that name {agent}"] += agent in merged
            counts[f"files that disallow {agent} everything"] += disallows_everything(merged.get(agent, []))
    counts["different files"] = len(bodies)
    return counts


def of_survey(path):
    summary = json.loads(pathlib.Path(path).read_text())["summary"]
    texts, agents, delays = summary["texts"], summary["agents"], summary["crawl_delays"]
    everyone = agents["everyone"]
    counts = {
        "groups": agents["groups_per_file"]["sum"],
        "user-agent records": summary["records"]["known"]["User-agent"]["times"],
        "allow rules": summary["rules"]["allow"]["times"],
        "disallow rules": summary["rules"]["disallow"]["times"],
        "rules with a wildcard": summary["rules"]["wildcards"]["count"],
        "files": summary["files"],
        "octets": texts["octets"]["sum"],
        "empty files": texts["empty"],
        "files over 500 KiB": texts["over_500_kib"],
        "files with a byte order mark": texts["byte_order_mark"],
        "files with a NUL": texts["with_nul"],
        "lines with a comment": texts["comments"],
        "files with a sitemap": summary["sitemaps"]["files"],
        "sitemaps": summary["sitemaps"]["per_file"]["sum"],
        "crawl delays": delays["valid"]["times"],
        "crawl delays that are no number": delays["not_a_number"]["times"],
        "crawl delays over 30 s": delays["over_30"]["times"],
        "files with a group for everyone": summary["files"] - everyone.get("no-group", 0),
        "files that disallow everyone everything": everyone.get("disallow-all", 0),
        "different files": summary["distinct_bodies"]["estimate"],
    }
    for agent in ("gptbot", "googlebot", "ahrefsbot"):
        of_agent = agents["by_token"]["names"].get(agent, {"named": 0, "disallowed": 0})
        counts[f"files that name {agent}"] = of_agent["named"]
        counts[f"files that disallow {agent} everything"] = of_agent["disallowed"]
    return counts


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours, theirs = count(sys.argv[1]), of_survey(sys.argv[2])
    for name, survey in theirs.items():
        mark = "" if ours[name] == survey else "   differs"
        print(f"{name:<42} {ours[name]:>12,} {survey:>12,}{mark}")
    sys.exit(any(ours[name] != survey for name, survey in theirs.items()))


if __name__ == "__main__":
    main()
