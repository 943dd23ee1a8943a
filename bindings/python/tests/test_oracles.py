"""The expected answers of the library, asked through Python: verdict and line, in both dialects."""

import base64
import gzip
import json
import lzma
import os
import pathlib
import tarfile
import tomllib

import pytest

from polite_robots import InvalidToken, Robot, RobotsTxt

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTDATA = ROOT / "testdata"
# Larger sets of recorded verdicts, which are not in the repository.
SHARED = pathlib.Path(os.environ.get("POLITE_ROBOTS_SHARED", ROOT.parent / "shared"))
DIALECTS = ["rfc9309", "google"]


def needs(name):
    return pytest.mark.skipif(not (SHARED / name).exists(), reason=f"{name} is not beside the checkout")


def lines_of(name):
    return (SHARED / name).read_text("utf-8").removesuffix("\n").split("\n")


def file_of(case):
    text = case["robots"]
    if "repeat" in case:
        text = text.replace("{@}", case["repeat"]["text"] * case["repeat"]["times"])
    return text.encode("latin-1" if case.get("encoding") == "latin1" else "utf-8")


def url_of(case, url):
    return url.replace("{@}", case["repeat"]["text"] * case["repeat"]["times"]) if "repeat" in case else url


def answer(robot, url):
    """`allow 2`, by every way to ask."""
    verdict = robot.check(url)
    assert robot.allowed(url) is verdict.allowed and robot.allowed_many([url]) == [verdict.allowed]
    assert (verdict.reason in ("rule", "directory_of_index")) is (verdict.line is not None)
    return f"{'allow' if verdict else 'disallow'} {verdict.line or 0}"


def cases(*folders):
    for folder in folders:
        for path in sorted((TESTDATA / folder).glob("*.toml")):
            for case in tomllib.loads(path.read_text())["case"]:
                yield pytest.param(case, id=case["name"])


@pytest.mark.parametrize("case", list(cases("rfc9309", "google", "issues", "hostile")))
def test_cases(case):
    body, agent = file_of(case), case.get("agent", "ExampleBot")
    for dialect in DIALECTS:
        document = RobotsTxt(body, dialect=dialect)
        if "invalid_agent" in case:
            for make in (lambda: Robot(agent, body, dialect=dialect), lambda: document.robot(agent)):
                with pytest.raises(InvalidToken) as raised:
                    make()
                assert case["invalid_agent"] in str(raised.value)
            continue
        robot = Robot(agent, body, dialect=dialect)
        assert document.robot(agent) == robot
        for check in case.get("checks", []):
            expected = check.get("both", check.get(dialect))
            assert answer(robot, url_of(case, check["url"])) == expected, (dialect, check["url"])
        if "agent_match" in case:
            assert robot.agent_match == case["agent_match"]
        if "crawl_delay" in case:
            delay = case["crawl_delay"]
            delay = delay[dialect] if isinstance(delay, dict) else delay
            assert robot.crawl_delay == (None if delay == "none" else float(delay))
        if "sitemaps" in case:
            assert robot.sitemaps == document.sitemaps == case["sitemaps"]


@pytest.mark.parametrize("case", list(cases("records")))
def test_records(case):
    body = file_of(case)
    for dialect in [case["dialect"]] if "dialect" in case else DIALECTS:
        document = RobotsTxt(body, dialect=dialect)
        if "records" in case:
            lines = [int(record.split()[0]) for record in case["records"]]
            assert [record.line for record in document.extensions] == lines
        if "host" in case:
            assert document.host == (None if case["host"] == "none" else case["host"])
        for clean in case.get("clean", []):
            assert document.clean_url(url_of(case, clean["url"])) == url_of(case, clean["to"])
        for asks in case.get("asks", []):
            robot = document.robot(asks["agent"])
            assert robot == Robot(asks["agent"], body, dialect=dialect)
            for usage in asks.get("usage", []):
                found = robot.usage(url_of(case, usage["url"]))
                for category in ("search", "ai_input", "ai_training"):
                    preference, line = getattr(found, category), getattr(found, f"{category}_line")
                    expected = usage.get(category, "unstated")
                    assert (preference if line is None else f"{preference} {line}") == (expected or "unstated")
                if "content_uses" in usage:
                    assert [f"{value} {line}" for value, line in found.content_uses] == usage["content_uses"]
            if "licenses" in asks:
                assert robot.licenses == asks["licenses"]
            if "crawl_delay" in asks:
                delay = asks["crawl_delay"]
                assert robot.crawl_delay == (None if delay == "none" else float(delay))
            for field in ("request_rates", "visit_times"):
                if field in asks:
                    assert len(getattr(robot, field)) == len(asks[field])


def diagnostics():
    for path in sorted((TESTDATA / "diagnostics").glob("*.toml")):
        data = tomllib.loads(path.read_text())
        for case in data.get("hit", []) + data.get("near_miss", []):
            # A document forgets the bytes beyond its limit, and is asked without its host.
            if "max_bytes" not in case and "host" not in case:
                yield pytest.param(case, id=f"{path.stem}-{case['name']}")


@pytest.mark.parametrize("case", list(diagnostics()))
def test_diagnostics(case):
    body = file_of(case)
    opinions = any(one["code"] in OPINIONS for one in case["findings"])
    found = RobotsTxt(body, dialect=case.get("dialect", "rfc9309")).lint(opinions=opinions)
    seen = [(one.line, one.code, body[slice(*one.span)]) for one in found]
    encoding = "latin-1" if case.get("encoding") == "latin1" else "utf-8"
    expected = [
        (one["line"], one["code"], url_of(case, one["text"]).encode(encoding)) for one in case["findings"]
    ]
    if any(code == "no-record" for _, code, _ in expected):
        # One cause is said once: where no line is a record, single lines have no findings.
        expected = [one for one in expected if one in seen]
        assert any(code == "no-record" for _, code, _ in expected)
    # The table of known crawlers finds more than the core does; what the core finds is all there.
    for one in expected:
        assert one in seen
    for one, finding in zip(seen, found, strict=True):
        assert one in expected or finding.code in NEEDS_KNOWN_CRAWLERS | OPINIONS, one


NEEDS_KNOWN_CRAWLERS = {
    "misspelled-crawler",
    "retired-crawler",
    "crawl-delay-ignored",
    "digit-in-product-token",
    "preferences-against-rules",
}
# Reported to those who ask for them.
OPINIONS = {"no-sitemap", "query-disallowed", "revealing-path"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_recorded_verdicts(dialect):
    with lzma.open(TESTDATA / "recorded" / "verdicts.jsonl.xz", "rt") as lines:
        count = 0
        for line in lines:
            body, agent, url, google, rfc9309 = json.loads(line)
            robot = Robot(agent, body.encode("latin-1"), dialect=dialect)
            assert answer(robot, url) == (google if dialect == "google" else rfc9309), line
            count += 1
    assert count == 20_000


@needs("oracle/cases.jsonl")
def test_known_suites():
    known = set()
    for line in (TESTDATA / "expected_failures.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            known.add(line.partition(": ")[0])
    wrong = set()
    for line in lines_of("oracle/cases.jsonl"):
        case = json.loads(line)
        body = case["robots"].encode("latin-1" if case["encoding"] == "latin1" else "utf-8")
        if not case["agent_valid"]:
            with pytest.raises(InvalidToken):
                Robot(case["agent"], body)
            continue
        for dialect, name in (("rfc9309", "Rfc9309"), ("google", "Google")):
            expected = f"{'allow' if case[dialect] else 'disallow'} {case[f'{dialect}_line']}"
            if answer(Robot(case["agent"], body, dialect=dialect), case["url"]) != expected:
                wrong.add(f"{case['id']} {name}")
    assert wrong == known


@needs("oracle/crawl-delay-cases.jsonl")
def test_crawl_delays():
    for line in lines_of("oracle/crawl-delay-cases.jsonl"):
        case = json.loads(line)
        seconds = case["delay_secs"]
        expected = None if seconds is None else seconds + (case["delay_nanos"] or 0) / 1e9
        assert Robot(case["agent"], case["robots"]).crawl_delay == expected, case["id"]


@needs("oracle/peer-issue-cases.jsonl")
def test_cases_of_peers():
    for line in lines_of("oracle/peer-issue-cases.jsonl"):
        case = json.loads(line)
        for dialect, expected in (("rfc9309", case["expect_rfc"]), ("google", case["expect_google"])):
            if expected is not None:
                try:
                    robot = Robot(case["agent"], case["body"], dialect=dialect)
                except InvalidToken:
                    continue
                assert robot.allowed(case["url"]) is expected, (dialect, case["id"])


@needs("oracle/google-fuzz-cases.jsonl.gz")
def test_generated_files():
    with gzip.open(SHARED / "oracle" / "google-fuzz-cases.jsonl.gz", "rt") as lines:
        for line in lines:
            case = json.loads(line)
            body = base64.b64decode(case["body"])
            google = f"{'allow' if case['allowed'] else 'disallow'} {case['line']}"
            rfc9309 = f"{'allow' if case['rfc9309'] else 'disallow'} {case['rfc9309_line']}"
            for dialect, expected in (("google", google), ("rfc9309", rfc9309)):
                assert answer(Robot(case["agent"], body, dialect=dialect), case["url"]) == expected, case["id"]


@needs("oracle/google-corpus-verdicts.tsv.gz")
def test_real_files():
    files = {}
    with tarfile.open(SHARED / "corpus" / "top-sites-robots.tar.xz") as archive:
        for member in archive:
            if member.isfile():
                files[member.name.rpartition("/")[2]] = archive.extractfile(member).read()
    robots = {}
    with gzip.open(SHARED / "oracle" / "google-corpus-verdicts.tsv.gz", "rt") as rows:
        for row in rows:
            name, agent, url, *verdicts = row.rstrip("\n").split("\t")
            for dialect, allowed, line in zip(["google", "rfc9309"], verdicts[::2], verdicts[1::2], strict=True):
                key = name, agent, dialect
                if key not in robots:
                    robots[key] = Robot(agent, files[name], dialect=dialect)
                verdict = robots[key].check(url)
                assert (verdict.allowed, verdict.line or 0) == (allowed == "1", int(line)), row
