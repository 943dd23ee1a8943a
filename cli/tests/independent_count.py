#!/usr/bin/env python3
"""Counts a folder of robots.txt files by other means than `robots survey`, and compares.

    robots survey FOLDER --thorough --out survey.json
    python3 cli/tests/independent_count.py FOLDER survey.json

It shares no code with the command: a short reader of lines, written from RFC 9309 and its tolerance of malformed lines
(§2.2.4). It ends with 1 if a figure differs.

    robots survey FOLDER --thorough --rows rows.jsonl --out survey.json
    python3 cli/tests/independent_count.py --rows rows.jsonl survey.json

counts the figures of the report again from the rows, full or compact ones. The severities of findings are in no row.

    python3 cli/tests/independent_count.py --names

checks the reader on names of fields that look alike.
"""

import json
import pathlib
import re
import sys
from collections import Counter
from decimal import Decimal

KNOWN_CRAWLERS = pathlib.Path(__file__).parents[2] / "crates/audit/src/known_crawlers.json"

BLANK = b" \t\r\v\f"
# RFC 9309 §2.2.4: another record must not interfere, so `DisallowAITraining` is no rule. A name counts if it is one of the
# RFC's, in any case, or one of the misspellings that Google's matcher forgives, or a form of the same word; nothing that
# continues the name may follow.
END = rb"[-_]*(?![A-Za-z0-9_-])(?![ \t\v\f\r]+[A-Za-z0-9])"
RULE_FORMS = rb"(?:s|ed)?(?:[ \t\v\f\r]+all)?" + END
FIELDS = (
    ("agent", re.compile(rb"(?:user-agent|useragent|user agent)s?" + END, re.I)),
    ("allow", re.compile(rb"allow" + RULE_FORMS, re.I)),
    ("disallow", re.compile(rb"(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)" + RULE_FORMS, re.I)),
    ("sitemap", re.compile(rb"(?:sitemap|site-map)$", re.I)),
    ("delay", re.compile(rb"(?:crawl-delay|crawldelay)$", re.I)),
)
DELAY = re.compile(rb"\+?(\d+(?:\.\d*)?|\.\d+)(?:[ \t]*(?:s|sec|secs|second|seconds))?", re.I)


def lines(content):
    """Lines end in CR, LF or both; a NUL and a # each end what counts of one."""
    mark = 0
    while mark < 3 and content[mark : mark + 1] == b"\xef\xbb\xbf"[mark : mark + 1]:
        mark += 1
    for line in re.split(rb"\r\n|\r|\n", content[mark:]):
        yield re.split(rb"[#\0]", line, maxsplit=1)[0]


def records(content):
    for line in lines(content):
        if b":" in line:
            name, value = line.split(b":", 1)
        else:
            words = re.split(rb"[ \t][ \t\v\f\r]*", line.strip(BLANK))
            if len(words) != 2:
                continue
            name, value = words
        kind = field(name.strip(BLANK))
        if kind:
            yield kind, value.strip(BLANK)


def field(name):
    return next((kind for kind, names in FIELDS if names.match(name)), None)


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
        content = path.read_bytes()
        found = list(records(content))
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
        bodies.add(content)
        counts["files"] += 1
        counts["bytes"] += len(content)
        counts["empty files"] += not content
        counts["files over 500 KiB"] += len(content) > 500 * 1024
        counts["files with a byte order mark"] += content.startswith(b"\xef\xbb\xbf")
        counts["files with a NUL"] += b"\0" in content
        counts["lines with a comment"] += sum(b"#" in line for line in re.split(rb"[\r\n]", content))
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
        "bytes": texts["bytes"]["sum"],
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


def names_of_crawler(crawler):
    """The crawler, its company if it is on the list of AI crawlers, and its purpose, as the report counts them."""
    token = re.split(r"[^A-Za-z0-9_.-]", crawler["name"])[0]
    return token, {
        "by_crawler": token,
        "by_company": crawler["operator"] if "list" in crawler else None,
        "by_purpose": crawler["purpose"],
    }


def accesses(row, tokens):
    """The access of the agents that a row names, and of each known crawler."""
    if isinstance(row["agents"], list):
        agents = {agent["agent"].lower(): agent["access"] for agent in row["agents"]}
        return agents, {token: crawler["access"] for token, crawler in row["crawlers"].items()}
    agents = {agent.lower(): access for access, names in row["agents"].items() for agent in names}
    crawlers = dict.fromkeys(tokens, agents.get("*", "all"))
    crawlers.update((token, access) for access, names in row["crawlers"].items() for token in names)
    return agents, crawlers


def count_rows(path, matrices):
    known = json.loads(KNOWN_CRAWLERS.read_text())["crawlers"]
    crawlers = dict(map(names_of_crawler, known))
    ai = {names_of_crawler(crawler)[0].lower() for crawler in known if "list" in crawler}
    counts, bodies = Counter(), set()
    for row in map(json.loads, pathlib.Path(path).read_text().splitlines()):
        counts["responses"] += 1
        counts[f"status {row['status']}"] += 1
        counts[f"outcome {row['outcome']}"] += 1
        if row["bytes"] is None:
            continue
        agents, access = accesses(row, crawlers)
        findings = row["findings"]
        codes = {finding["code"] for finding in findings} if isinstance(findings, list) else set(findings)
        has_rules = row["rules"] > 0 and "html-document" not in codes
        bodies.add(row["digest"])
        counts["files"] += 1
        counts["bytes"] += row["bytes"]
        counts["groups"] += row["groups"]
        counts["files with a sitemap"] += row["sitemaps"] > 0
        counts["files with rules"] += has_rules
        counts["files with rules and without a finding"] += has_rules and not codes
        counts["files that name an AI crawler"] += not ai.isdisjoint(agents)
        counts["files that block an AI crawler by name"] += any(agents.get(token) == "none" for token in ai)
        counts[f"files that let everyone fetch {agents.get('*', 'all')}"] += 1
        for token in crawlers:
            counts[f"files that let {token} fetch {access[token]}"] += 1
        for kind, matrix in matrices.items():
            blocked = {names[kind] for token, names in crawlers.items() if access[token] == "none"}
            for one in blocked.intersection(matrix["names"]):
                counts[f"{kind}: {one} blocked"] += 1
                counts.update(f"{kind}: {one} and not {other}" for other in matrix["names"] if other not in blocked)
    counts["different files"] = len(bodies)
    return counts


def of_survey_for_rows(summary):
    agents, with_rules = summary["agents"], summary["findings"]["with_rules"]
    counts = {
        "responses": summary["responses"],
        "files": summary["files"],
        "different files": summary["distinct_bodies"]["estimate"],
        "bytes": summary["texts"]["bytes"]["sum"],
        "groups": agents["groups_per_file"]["sum"],
        "files with a sitemap": summary["sitemaps"]["files"],
        "files with rules": with_rules["files"],
        "files that name an AI crawler": agents["ai"]["named"],
        "files that block an AI crawler by name": agents["ai"]["disallowed"],
    }
    if with_rules["linted"] == with_rules["files"]:
        counts["files with rules and without a finding"] = with_rules["without_finding"]
    counts.update((f"status {status}", count) for status, count in summary["statuses"]["by_status"].items())
    counts.update((f"outcome {outcome}", count) for outcome, count in summary["outcomes"]["direct"].items())
    for access, count in agents["everyone_access"].items():
        counts[f"files that let everyone fetch {access}"] = count
    for token, ways in agents["known_access"].items():
        for access in ("all", "part", "none"):
            counts[f"files that let {token} fetch {access}"] = sum(way[access] for way in ways.values())
    for kind, matrix in summary["co_restriction"].items():
        for one, blocked, row in zip(matrix["names"], matrix["blocked"], matrix["but_not"]):
            counts[f"{kind}: {one} blocked"] = blocked
            counts.update((f"{kind}: {one} and not {other}", count) for other, count in zip(matrix["names"], row))
    return counts


def compare(ours, theirs):
    for name, survey in theirs.items():
        mark = "" if ours[name] == survey else "   differs"
        print(f"{name:<48} {ours[name]:>12,} {survey:>12,}{mark}")
    sys.exit(any(ours[name] != survey for name, survey in theirs.items()))


def check_names():
    """Names that the reading of RFC 9309 takes for a field, and their neighbours, which are other records."""
    for kind, names in {
        "agent": b"User-agent USER-AGENTS useragent User-agent- User-agent\xa0",
        "allow": b"Allow allows ALLOWED Allow_ allow.",
        "disallow": b"Disallow Dissallow disallowed Disallows- Disallow\xc2\xa0 Disallow.",
        None: b"DisallowAITraining Disallow-AI-Training AllowAITraining User-agent-purpose allow_resize Allowx Sitemaps",
    }.items():
        for name in names.split(b" "):
            assert field(name) == kind, (name, field(name), kind)
    assert field(b"user agent") == field(b"User Agents") == "agent"
    assert field(b"Disallow all") == field(b"Disallow \"x\"") == "disallow"
    assert field(b"Disallow AI training") is field(b"Disallow https") is field(b"Disallow alls") is None


def main():
    if sys.argv[1:] == ["--names"]:
        return check_names()
    if len(sys.argv) == 4 and sys.argv[1] == "--rows":
        summary = json.loads(pathlib.Path(sys.argv[3]).read_text())["summary"]
        compare(count_rows(sys.argv[2], summary["co_restriction"]), of_survey_for_rows(summary))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    compare(count(sys.argv[1]), of_survey(sys.argv[2]))


if __name__ == "__main__":
    main()

# Types of ours: none.
