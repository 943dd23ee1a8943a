#!/usr/bin/env python3
"""Counts a folder of robots.txt files by other means than `robots survey`, and compares.

    robots survey FOLDER --thorough --out survey.json
    python3 cli/tests/independent_count.py FOLDER survey.json

It shares no code with the command: a short reader of lines, written from RFC 9309 and its tolerance of malformed lines
(§2.2.4). It ends with 1 if a figure differs.

    robots survey FOLDER --thorough --rows rows.jsonl --out survey.json
    python3 cli/tests/independent_count.py --rows rows.jsonl survey.json

counts the figures of the report again from the rows, full or compact ones. The severities of findings are in no row.

    robots survey INPUT --thorough --rows rows.jsonl --out survey.json --report report.html
    python3 cli/tests/independent_count.py --headlines rows.jsonl survey.json report.html

writes the headlines of the report again, each from the full rows, and compares them with those on the page. The words for a
finding and its usual severity are those of a table of the page. A row has no patterns, no values of other fields, no answers
of the two dialects, and no delay outside of a group: the headlines about the first three are not compared.

    python3 cli/tests/independent_count.py --names

checks the reader on names of fields that look alike.
"""

import json
import math
import pathlib
import re
import sys
from collections import Counter
from decimal import Decimal
from html.parser import HTMLParser

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
        "by_company": crawler["operator"] if is_ai(crawler) else None,
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
    ai = {names_of_crawler(crawler)[0].lower() for crawler in known if is_ai(crawler)}
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


class Page(HTMLParser):
    """The headlines of a report by section, and the severity and the description of each finding about a line."""

    def __init__(self, html):
        super().__init__()
        self.headlines, self.findings = {}, {}
        self.section, self.title, self.row, self.text = None, "", [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "section":
            self.section = dict(attributes).get("id")
        if tag == "tr":
            self.row = []
        if tag in ("strong", "td", "h3"):
            self.text = ""

    def handle_data(self, data):
        if self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if tag == "strong":
            self.headlines.setdefault(self.section, []).append(self.text.replace("\xa0", " "))
        if tag == "h3":
            self.title = self.text
        if tag == "td":
            self.row.append(self.text)
        if tag == "tr" and self.title == "What lines show" and self.row:
            code, description, severity = self.row[:3]
            self.findings[code] = (severity, description)
        if tag in ("strong", "td", "h3"):
            self.text = None


def is_ai(crawler):
    """A crawler on the list of AI crawlers whose token is not that of another operator too."""
    return "list" in crawler and "shared_with" not in crawler


def share(part, whole):
    percent = 100 * part / whole
    if percent == 0 or percent >= 100:
        places = 0
    else:
        places = 1 + sum(percent < limit for limit in (1, 0.1, 0.01, 0.001))
    return f"{percent:.{places}f} %"


def counted(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Rows:
    """The full rows of a survey, and sentences about them."""

    def __init__(self, path, summary, page):
        self.all = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
        self.files = [row for row in self.all if row["bytes"] is not None]
        self.summary, self.page = summary, page
        self.known = json.loads(KNOWN_CRAWLERS.read_text())["crawlers"]
        self.tokens = {crawler["name"]: names_of_crawler(crawler)[0] for crawler in self.known}
        for row in self.files:
            row["by name"] = {agent["agent"].lower(): agent["access"] for agent in row["agents"]}
            row["codes"] = {finding["code"] for finding in row["findings"]}
            row["has rules"] = row["rules"] > 0 and "html-document" not in row["codes"]
        self.domains = {}
        for row in self.files:
            self.domains.setdefault(".".join(row["host"].split(".")[-2:]), []).append(row)

    def count(self, has):
        return sum(map(has, self.files))

    def share(self, has):
        return share(self.count(has), len(self.files))

    def of_files(self, has):
        return f"{self.share(has)} of {counted(len(self.files), 'file')}"

    def once(self, has, of=lambda row: True):
        """The share of the domains, where one domain or template is large. All files of a domain are alike here."""
        largest = max(map(len, self.domains.values()))
        family = self.summary["copies"]["largest_family"]
        if len(self.files) < 1000 or max(100 * largest / len(self.files), family["percent"]) < 5:
            return ""
        for rows in self.domains.values():
            assert len({has(row) for row in rows}) == 1
        domains = [rows[0] for rows in self.domains.values() if of(rows[0])]
        return f" ({share(sum(map(has, domains)), len(domains))} of {counted(len(domains), 'domain')})"

    def named(self, crawler):
        token = self.tokens[crawler["name"]].lower()
        return lambda row: token in row["by name"]

    def blocked_by_name(self, crawlers):
        tokens = [self.tokens[crawler["name"]].lower() for crawler in crawlers]
        return lambda row: any(row["by name"].get(token) == "none" for token in tokens)

    def headlines(self):
        return {
            "outcome": self.outcome(),
            "ai-crawlers": self.ai_crawlers(),
            "co-restriction": [self.co_restriction(kind) for kind in ("by_crawler", "by_company")],
            "agents": self.agents(),
            "crawl-delay": self.crawl_delay(),
            "sitemaps": self.sitemaps(),
            "size": self.size(),
            "findings": self.findings(),
        }

    def outcome(self):
        if len(self.all) == len(self.files):
            return []
        of = lambda has: share(sum(map(has, self.all)), len(self.all))
        status = lambda first: of(lambda row: row["status"] // 100 == first)
        outcome = lambda name: of(lambda row: row["outcome"] == name)
        return [
            f"{status(2)} of {counted(len(self.all), 'request')} were answered with a file; {status(4)} found none (4xx), and "
            f"{status(5)} met a server error (5xx).",
            f"Rules decide for {outcome('rules')} of {counted(len(self.all), 'response')}; {outcome('full-allow')} open the whole "
            f"site, and {outcome('full-disallow')} close it with an error of the server.",
        ]

    def ai_crawlers(self):
        if not self.files:
            return []
        by_named = lambda crawler: (-self.count(self.named(crawler)), crawler["name"])
        crawlers = sorted((crawler for crawler in self.known if self.count(self.named(crawler))), key=by_named)
        ai = [crawler for crawler in crawlers if is_ai(crawler)]
        headlines = []
        if ai:
            names_ai = lambda row: any(self.named(crawler)(row) for crawler in ai)
            most, named, blocked = ai[0]["name"], self.named(ai[0]), self.blocked_by_name(ai[:1])
            headlines.append(
                f"{self.of_files(names_ai)}{self.once(names_ai)} name an AI crawler, and {self.share(self.blocked_by_name(ai))}"
                f"{self.once(self.blocked_by_name(ai))} block one from the whole site. {most} is named most often, by "
                f"{self.share(named)}; it is blocked by {self.share(blocked)}."
            )
        others = [crawler for crawler in crawlers if not is_ai(crawler) and not crawler.get("ignores_wildcard")]
        access = lambda token: lambda row: row["crawlers"][token]["access"]
        rows = [("ai", crawler["name"], access(self.tokens[crawler["name"]])) for crawler in ai[:10]]
        rows += [("other", crawler["name"], access(self.tokens[crawler["name"]])) for crawler in others[:5]]
        if rows:
            rows.append(("anyone", None, lambda row: row["by name"].get("*", "all")))
            counts = lambda of: Counter(map(of, self.files))
            rows.sort(key=lambda row: (-counts(row[2])["none"], -counts(row[2])["part"]))
            none = lambda row: self.share(lambda file: row[2](file) == "none")
            first = next((row for row in rows if row[0] == "ai"), next(row for row in rows if row[0] != "anyone"))
            anyone = next(row for row in rows if row[0] == "anyone")
            last = next((row for row in reversed(rows) if row[0] == "other"), None)
            headlines.append(
                f"{none(first)} of {counted(len(self.files), 'file')} let {first[1]} fetch none of the site; {none(anyone)} do so "
                f"with a crawler that they do not name{f', and {none(last)} with {last[1]}' if last else ''}."
            )
        return headlines + ([self.purposes()] if ai else [])

    def purposes(self):
        kinds = {}
        for purpose in PURPOSES:
            of = [crawler for crawler in self.known if crawler["purpose"] == purpose]
            named = self.count(lambda row: any(self.named(crawler)(row) for crawler in of))
            kinds[purpose] = (named, self.blocked_by_name(of))
        most = max(self.count(blocked) for _, blocked in kinds.values())
        if most == 0:
            return f"None of {counted(len(self.files), 'file')} disallows a crawler of a known purpose everything by name."
        ordered = sorted(PURPOSES, key=lambda purpose: -kinds[purpose][0])
        purpose = [purpose for purpose in ordered if self.count(kinds[purpose][1]) == most][-1]
        name = {"ai-search": "AI search", "seo": "SEO"}.get(purpose, purpose)
        return (
            f"Crawlers of the purpose “{name}” are blocked most: {self.of_files(kinds[purpose][1])} disallow one of them "
            f"everything by name."
        )

    def co_restriction(self, kind):
        names = self.summary["co_restriction"][kind]["names"]
        of_token = {token: of[kind] for token, of in map(names_of_crawler, self.known)}
        blocks = [
            {of_token[token] for token, crawler in row["crawlers"].items() if crawler["access"] == "none"} for row in self.files
        ]
        but_not = lambda one, other: sum(one in blocked and other not in blocked for blocked in blocks)
        pairs = [(one, other) for one in names for other in names]
        one, other = max(pairs, key=lambda pair: but_not(*pair))
        most, back = but_not(one, other), but_not(other, one)
        if most == 0:
            return None
        return (
            f"{share(most, len(blocks))} of {counted(len(blocks), 'file')} block {one} and not {other}; {share(back, len(blocks))} "
            f"do the reverse."
        )

    def agents(self):
        if not self.files:
            return []
        everyone = lambda access: lambda row: row["by name"].get("*", "all") == access
        headlines = [
            f"{self.of_files(everyone('part'))} keep everyone out of some paths, and {self.share(everyone('none'))}"
            f"{self.once(everyone('none'))} out of the whole site."
        ]
        names = Counter(name for row in self.files for name in row["by name"] if name != "*")
        if names:
            most = min(names, key=lambda name: (-names[name], name))
            names_of_known = {token.lower(): name for name, token in self.tokens.items()}
            blocked = self.share(lambda row: row["by name"].get(most) == "none")
            headlines.append(
                f"{names_of_known.get(most, most)} is named most often, by {self.of_files(lambda row: most in row['by name'])}; "
                f"{blocked} block it from the whole site."
            )
        return headlines

    def crawl_delay(self):
        delays = [{agent["crawl_delay"] for agent in row["agents"]} - {None} for row in self.files]
        files = Counter(f"{delay:g}" for of_file in delays for delay in of_file)
        if not files:
            return []
        most = min(files, key=lambda delay: (-files[delay], delay))
        asks = lambda row: any(agent["crawl_delay"] is not None for agent in row["agents"])
        over = sum(any(delay > 30 for delay in of_file) for of_file in delays)
        return [
            f"{self.of_files(asks)}{self.once(asks)} ask for a delay, most often for {most} seconds "
            f"({share(files[most], len(delays))}); {share(over, len(delays))} for more than 30 seconds."
        ]

    def sitemaps(self):
        has = lambda row: row["sitemaps"] > 0
        return self.files and [
            f"{self.of_files(has)}{self.once(has)} name a sitemap, and {self.share(lambda row: row['sitemaps'] > 1)} more than one."
        ]

    def size(self):
        """Files of less than 1 KiB, in which nothing but an empty one is blank."""
        sizes = sorted(row["bytes"] for row in self.files)
        return sizes and [
            f"Half of {counted(len(sizes), 'file')} have at most {sizes[math.ceil(len(sizes) / 2) - 1]} B; "
            f"{self.share(lambda row: row['bytes'] == 0)} are empty, and "
            f"{self.share(lambda row: 'html-document' in row['codes'])} are a web page (HTML or XML)."
        ]

    def findings(self):
        of_lines = self.page.findings
        errors = {code for code, (severity, _) in of_lines.items() if severity == "error"}
        counts = Counter(code for row in self.files for code in row["codes"] if code in of_lines)
        if not counts:
            return []
        sentences, with_rules = [], [row for row in self.files if row["has rules"]]
        if with_rules:
            base = f"of {counted(len(with_rules), 'file')} with rules"
            is_error = lambda row: row["has rules"] and not errors.isdisjoint(row["codes"])
            once = self.once(is_error, lambda row: row["has rules"])
            odd = share(sum(map(is_error, with_rules)), len(with_rules))
            nothing = share(sum(not row["codes"] for row in with_rules), len(with_rules))
            sentences.append(f"{odd} {base}{once} have a line that very likely does not do what its author meant.")
            sentences.append(f"Nothing is odd in {nothing} {base}.")
        most = min(counts, key=lambda code: (-counts[code], list(of_lines).index(code)))
        sentences.append(
            f"The most frequent finding is {most}, in {self.of_files(lambda row: most in row['codes'])}: {of_lines[most][1]}"
        )
        return [" ".join(sentences)]


# The order in which the report has the purposes.
PURPOSES = "training ai-search assistant agent data search seo advertising preview archive".split()

# The sections with headlines that no row can show.
NOT_IN_ROWS = {"use", "rules", "fields", "dialects"}


def compare_headlines(rows, survey, report):
    page = Page(pathlib.Path(report).read_text())
    summary = json.loads(pathlib.Path(survey).read_text())["summary"]
    ours = Rows(rows, summary, page).headlines()
    theirs = {section: lines for section, lines in page.headlines.items() if section not in NOT_IN_ROWS}
    differ = False
    for section in sorted(ours.keys() | theirs.keys()):
        own = [headline for headline in ours.get(section, []) if headline]
        for one in own if own == theirs.get(section, []) else [*own, "   differs from", *theirs.get(section, [])]:
            print(one)
        differ |= own != theirs.get(section, [])
    sys.exit(differ)


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
    if len(sys.argv) == 5 and sys.argv[1] == "--headlines":
        compare_headlines(*sys.argv[2:])
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    compare(count(sys.argv[1]), of_survey(sys.argv[2]))


if __name__ == "__main__":
    main()

# Types of ours: none.
