"""The policy through Python: the scenarios of `testdata/policy`, and what the classes promise."""

import itertools
import pathlib
import pickle
import re
import tomllib

import pytest
from paces import START, Paces, seconds

from polite_robots import InvalidToken, InvalidUrl, RobotsCache
from polite_robots.policy import Cache, Entry, Event, Fetch, Origin, Outcome, Profile

TESTDATA = pathlib.Path(__file__).resolve().parents[3] / "testdata" / "policy"
ACTIONS = {"fetch", "addresses", "reset", "reload", "lost", "retry_until"}
EXPECTATIONS = {"at", "gets", "urls", "waits", "access", "denies", "allows", "site", "next", "fresh_until", "robots_date", "failures", "explains"}
REQUESTS = {"start", "reply", "replies", "run", "hour_of_starts", "day_of_starts", "crawl_delay"}
HOSTS = {"hosts", "start_ready", "host_replies", "host_crawl_delay", "drive"}
PACE = {"turn", "level", "long_crawl_delay", "host_turns", "wakeup"}


def files():
    return [tomllib.loads(path.read_text()) for path in sorted(TESTDATA.glob("*.toml"))]


def cases():
    for case in itertools.chain.from_iterable(file.get("case", []) for file in files()):
        used = {key for step in case["steps"] for key in step}
        assert used <= ACTIONS | EXPECTATIONS | REQUESTS | HOSTS | PACE, case["name"]
        for profile in case.get("profiles", ["rfc9309", "google", "ibm"]):
            yield pytest.param(case, profile, id=f"{case['name']}-{profile}")


def bodies():
    for table in itertools.chain.from_iterable(file.get("bodies", []) for file in files()):
        for body in table["bodies"]:
            yield table, body["text"].encode() if "text" in body else bytes.fromhex(body["hex"]), body


def setting(value):
    """A value of Rust's in the form that it has in Python."""
    if isinstance(value, dict):
        return {snake_case(name): setting(part) for name, part in value.items()}
    if isinstance(value, str) and re.fullmatch(r"(\d+(\.\d+)?(ms|s|m|h|d) ?)+", value):
        return seconds(value)
    return snake_case(value) if isinstance(value, str) else value


def snake_case(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Scenario:
    def __init__(self, case, name):
        self.name = name
        profile = getattr(Profile, name)()
        settings = {key: setting(value) for key, value in case.get("set", {}).items()}
        levels = profile.pace["backoff"]["levels"]
        of_levels = {key: settings.pop(key) for key in levels.keys() & settings}
        if of_levels:
            settings["backoff"] = {"levels": levels | of_levels}
        self.profile = profile.replace(**settings)
        self.origin = Origin.of("https://example.com/")
        self.entry = Entry()
        self.now = START
        self.site = "unknown"

    def round(self, answers, addresses):
        etag, last_modified = self.entry.validators()
        fetch = Fetch(self.origin, self.profile, self.now, etag=etag, last_modified=last_modified)
        urls, waits, asked = [], 0.0, 0
        while True:
            step = fetch.poll(self.now)
            if step.kind == "done":
                break
            if step.kind == "wait":
                waits += step.until - self.now
                self.now = step.until
            elif step.kind == "resolve":
                event = Event.resolved(addresses) if addresses else Event.failed("dns")
                fetch.handle(event, self.now)
            else:
                urls.append(step.url)
                fetch.handle(self.event(answers[min(asked, len(answers) - 1)]), self.now)
                asked += 1
        self.entry.handle(fetch.into_outcome(), self.profile, self.now)
        return urls, waits

    def event(self, answer):
        if "error" in answer:
            return Event.failed(re.sub(r"(?<!^)(?=[A-Z])", "_", answer["error"]).lower())
        if answer.get("refused"):
            return Event.refused()
        body = answer.get("body", "").encode() * answer.get("repeat", 1)
        end = answer.get("end", "complete").replace(" ", "_")
        return Event.response(answer["status"], self.headers(answer), body, end=end)

    def headers(self, answer):
        headers = []
        for name, value in answer.get("headers", {}).items():
            for one in value if isinstance(value, list) else [value]:
                headers.append((name, re.sub(r"date (-?)([\dhmsd ]+)", self.date, one)))
        return headers

    @staticmethod
    def date(match):
        from email.utils import formatdate

        return formatdate(START + seconds(match[2]) * (-1 if match[1] else 1), usegmt=True)

    def time(self, text):
        if text in ("now", "never"):
            return text
        if text.startswith("+"):
            return self.now + seconds(text[1:].strip())
        return START + seconds(text)


@pytest.mark.parametrize(("case", "name"), list(cases()))
def test_scenarios(case, name):
    scenario = Scenario(case, name)
    paces = Paces(scenario)
    profile, gets, urls, waits = scenario.profile, None, None, None
    for step in case["steps"]:
        if "at" in step:
            scenario.now = START + seconds(step["at"])
        if step.get("reset"):
            scenario.entry.reset()
        if step.get("reload"):
            scenario.entry = pickle.loads(pickle.dumps(scenario.entry))
        if step.get("lost"):
            scenario.entry = Entry()
        if "fetch" in step:
            addresses = step.get("addresses", ["192.0.2.1"])
            urls, waits = scenario.round(step["fetch"], addresses)
            gets = len(urls)
            if "retry_until" in step:
                end = START + seconds(step["retry_until"])
                while True:
                    due = scenario.entry.next_fetch(profile, scenario.now)
                    due = scenario.now if due == "now" else due
                    if due == "never" or due > end:
                        break
                    scenario.now = due
                    scenario.round(step["fetch"], addresses)
                scenario.now = end
        paces.run(step)
        site = step.get("site", "unknown")
        for key in EXPECTATIONS & set(step):
            expected = step[key]
            if isinstance(expected, dict):
                if name not in expected:
                    continue
                expected = expected[name]
            check(scenario, key, expected, site, gets, urls, waits)


def check(scenario, key, expected, site, gets, urls, waits):
    entry, profile, now = scenario.entry, scenario.profile, scenario.now
    robot = entry.robots_txt(profile, site, now).robot("ExampleBot")
    if key == "gets":
        assert gets == expected
    elif key == "urls":
        assert urls == expected
    elif key == "waits":
        assert waits == pytest.approx(seconds(expected) if expected not in (0, "", "0") else 0.0)
    elif key == "access":
        cause = robot.check("/never-in-a-rule").cause
        if expected == "rules":
            assert cause is None
        else:
            access, _, name = expected.partition(" ")
            status = re.fullmatch(r"Status\((\d+)\)", name)
            name = int(status[1]) if status else re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
            assert (robot.allowed("/never-in-a-rule"), cause) == (access == "allow", name)
    elif key in ("denies", "allows"):
        paths = expected if isinstance(expected, list) else [expected]
        assert robot.allowed_many(paths) == [key == "allows"] * len(paths)
    elif key == "next":
        assert entry.next_fetch(profile, now) == scenario.time(expected)
    elif key in ("fresh_until", "robots_date"):
        assert getattr(entry, key)() == (None if expected == "never" else scenario.time(expected))
    elif key == "failures":
        assert entry.failures() == expected
    elif key == "explains":
        assert expected in entry.explain(profile, site, now)


def test_enough_scenarios_are_replayed():
    assert len(list(cases())) >= 212 and len(list(first_rounds())) >= 189 and len(list(bodies())) >= 30


@pytest.mark.parametrize("make", [Profile.rfc9309, Profile.google, Profile.ibm])
def test_bodies(make):
    for table, body, named in bodies():
        if make.__name__ not in table.get("profiles", [make.__name__]):
            continue
        fetch = Fetch(Origin.of("https://example.com/"), make(), START)
        fetch.handle(Event.resolved(["192.0.2.1"]), START)
        headers = {"Content-Encoding": named["content_encoding"]} if "content_encoding" in named else {}
        fetch.handle(Event.response(200, headers, body), START)
        outcome = fetch.into_outcome()
        assert (outcome.kind != "unreachable", outcome.cause not in ("encoded", "truncated")) == (table["is_file"],) * 2, named
        if table.get("closes"):
            assert not outcome.robots_txt.robot("ExampleBot").allowed("/x"), named


def first_rounds():
    """Rounds that a client can have that connects by name, to whatever address, and reads any status of three digits."""
    for parameters in cases():
        step = parameters.values[0]["steps"][0]
        statuses = [answer.get("status", 100) for answer in step.get("fetch", [])]
        if statuses and "retry_until" not in step and "addresses" not in step and 100 <= min(statuses) <= max(statuses) <= 999:
            yield parameters


@pytest.mark.parametrize(("case", "name"), list(first_rounds()))
def test_first_rounds_by_a_cache(case, name):
    step, scenario = case["steps"][0], Scenario(case, name)
    answers, asked = step["fetch"], []

    def fetch(url):
        answer = answers[min(len(asked), len(answers) - 1)]
        asked.append(url)
        if "status" not in answer:
            raise OSError(answer)
        body = answer.get("body", "").encode() * answer.get("repeat", 1)
        if answer.get("end") == "cut short":
            raise EOFError
        return answer["status"], scenario.headers(answer), body

    cache = RobotsCache("ExampleBot", fetch, profile=scenario.profile, clock=lambda: scenario.now)
    check = cache.check("https://example.com/never-in-a-rule")
    while check.cause == "not_fetched":
        # A pause of the round.
        scenario.now = check.retry_at
        check = cache.check("https://example.com/never-in-a-rule")
    for path in step.get("denies", []):
        assert not cache.allowed(f"https://example.com{path}")
    for path in step.get("allows", []):
        assert cache.allowed(f"https://example.com{path}")
    expected = step.get("access", "")
    expected = expected.get(name, "") if isinstance(expected, dict) else expected
    if expected:
        assert check.allowed == (not expected.startswith("disallow"))
        if expected.startswith("disallow Status"):
            assert check.cause == int(re.search(r"\d+", expected)[0])
    if isinstance(step.get("gets"), int):
        assert len(asked) == step["gets"]


@pytest.mark.parametrize("urls", tomllib.loads((TESTDATA / "origins.toml").read_text())["origins"], ids=str)
def test_origins(urls):
    classes = [{Origin.of(url) for url in urls_of_class} for urls_of_class in urls["classes"]]
    assert all(len(one) == 1 for one in classes)
    assert len(set.union(*classes)) == len(classes)
    for origin in set.union(*classes):
        assert pickle.loads(pickle.dumps(origin)) == origin and Origin.of(origin.robots_url()) == origin
        assert "host" not in urls or origin.host() == urls["host"]


def test_a_cache_gives_out_one_ticket():
    cache = Cache(Profile.rfc9309(), ["ExampleBot"], 1 << 20)
    origin = Origin.of("https://example.com/a")
    lookup = cache.poll(origin, START)
    assert lookup.kind == "fetch" and lookup.ticket.origin == origin and lookup.ticket.etag is None
    assert cache.poll(origin, START).kind == "pending"
    fetch = Fetch(origin, Profile.rfc9309(), START)
    assert fetch.poll(START).url == "https://example.com/robots.txt"
    fetch.handle(Event.response(200, [(b"ETag", '"1"')], b"User-agent: *\nDisallow: /x"), START)
    outcome = fetch.into_outcome()
    assert outcome.kind == "parsed" and bytes(outcome.robots_txt).startswith(b"User-agent")
    cache.handle(lookup.ticket, outcome, START)
    with pytest.raises(ValueError, match="used already"):
        cache.handle(lookup.ticket, outcome, START)
    ready = cache.poll(origin, START)
    assert ready.kind == "ready" and not ready.robot.allowed("/x") and ready.cause is None
    assert len(cache) == 1 and cache.contains(origin) and cache.bytes() > 0 and cache.forgotten() == 0
    assert cache.next_wakeup() > START and cache.due(START) == [] and cache.due(START + 90_000) == [origin]
    assert "robots.txt" in cache.explain(origin, START) and cache.explain(Origin.of("http://a/"), START) is None
    again = Cache(Profile.rfc9309(), ["ExampleBot"], 1 << 20)
    for known, entry in cache.entries():
        again.insert(known, pickle.loads(pickle.dumps(entry)), START)
    assert not again.poll(origin, START).robot.allowed("/x")
    assert cache.entry(origin).validators() == ('"1"', None)


def test_a_closed_origin():
    cache = Cache(Profile.rfc9309(), ["ExampleBot"], 1 << 20)
    origin = Origin.of("https://example.com/")
    ticket = cache.poll_ahead(origin, START).ticket
    fetch = Fetch(origin, Profile.rfc9309(), START)
    fetch.handle(Event.response(503, [("Retry-After", "120")], b""), START)
    assert fetch.into_outcome().retry_after(START) == START + 120 and fetch.into_outcome().cause == 503
    cache.handle(ticket, fetch.into_outcome(), START)
    closed = cache.poll(origin, START)
    assert (closed.kind, closed.cause, closed.since, closed.retry) == ("closed", 503, START, START + 120)
    assert not closed.robot.allowed("/x")
    cache.set_site(origin, "available", START)
    cache.reset(origin)
    ticket = cache.poll(origin, START).ticket
    cache.give_back(ticket, START)
    assert cache.poll(origin, START).kind == "fetch"
    cache.hold(origin)
    cache.release(origin)
    cache.set_obedience("example.com", "ignore")
    assert cache.poll(origin, START).kind == "ready"
    full = Cache(Profile.rfc9309(), ["ExampleBot"], 1)
    assert full.poll(origin, START).kind == "fetch" and full.poll(Origin.of("http://b/"), START).kind == "full"


def filled(documents, body=b"User-agent: ExampleBot\nDisallow: /a\n\nUser-agent: OtherBot\nDisallow: /b\n"):
    profile, origin = Profile.rfc9309(), Origin.of("https://example.com/")
    cache = Cache(profile, ["ExampleBot"], 1 << 20, documents=documents)
    ticket = cache.poll(origin, START).ticket
    fetch = Fetch(origin, profile, START)
    fetch.handle(Event.response(200, [], body), START)
    cache.handle(ticket, fetch.into_outcome(), START)
    return profile, origin, cache


@pytest.mark.parametrize("documents", [False, True])
def test_a_cache_keeps_files_if_it_is_asked_to(documents):
    profile, origin, cache = filled(documents)
    assert not cache.poll(origin, START).robot.allowed("/a")
    document = cache.document(origin)
    entry = pickle.loads(pickle.dumps(cache.entry(origin)))
    saved = entry.robots_txt(profile, "unknown", START)
    other = Cache(profile, ["OtherBot"], 1 << 20)
    other.insert(origin, entry, START)
    if documents:
        assert document.robot("OtherBot").allowed("/b") is False
        # Another crawler reads the saved entry by its own name.
        assert saved.robot("OtherBot").allowed("/b") is False and saved == document
        assert other.poll(origin, START).robot.allowed("/b") is False
    else:
        assert document is None
        assert saved.robot("OtherBot").check("/x").cause == "not_fetched"
        assert other.poll(origin, START).kind == "fetch"
    assert cache.document(Origin.of("https://other.example/")) is None


def test_files_count_against_the_capacity():
    body = b"User-agent: *\nDisallow: /a\n" + b"# and so on\n" * 10_000
    (*_, without), (*_, kept) = filled(False, body), filled(True, body)
    assert kept.bytes() - without.bytes() >= len(body)


def test_profiles():
    profile = Profile.rfc9309()
    assert profile.access["max_bytes"] == 512_000 and profile.access["default_ttl"] == 86_400.0
    assert profile.replace() == profile and profile.replace(**profile.access) == profile
    for preset in (Profile.google(), Profile.ibm()):
        assert profile.replace(**preset.access).access == preset.access
        assert pickle.loads(pickle.dumps(preset)) == preset and hash(preset) != hash(profile)
    assert profile.ignore_robots().access["obedience"] == "ignore"
    for wrong, error in [({"colour": 1}, TypeError), ({"forbidden": "maybe"}, ValueError), ({"min_ttl": -1.0}, ValueError),
                         ({"max_bytes": "many"}, ValueError), ({"attempts": {"some": 1}}, ValueError)]:
        with pytest.raises(error):
            profile.replace(**wrong)


def test_wrong_arguments():
    with pytest.raises(InvalidUrl):
        Origin.of("ftp://example.com/")
    with pytest.raises(InvalidToken):
        Cache(Profile.rfc9309(), ["Example Bot"], 1)
    for wrong in (lambda: Event.failed("weather"), lambda: Event.response(200, [], b"", end="soon"),
                  lambda: Event.resolved(["example.com"]), lambda: Entry().set_site("open", Profile.ibm(), 0.0)):
        with pytest.raises(ValueError):
            wrong()
    # Times out of range are the first and the last.
    entry = Entry()
    for time in (float("nan"), float("-inf"), float("inf"), -1.0, 1e300):
        assert entry.next_fetch(Profile.rfc9309(), time) == "now"


def test_the_addresses_of_ibm_and_an_end_before_time():
    origin = Origin.of("https://example.com/")
    fetch = Fetch(origin, Profile.ibm(), START)
    assert fetch.poll(START).kind == "resolve" and fetch.poll(START).host == "example.com"
    fetch.handle(Event.resolved(["192.0.2.1", "2001:db8::1"]), START)
    assert fetch.poll(START).address == "192.0.2.1"
    fetch.handle(Event.failed("connect"), START)
    assert fetch.poll(START).address == "2001:db8::1"
    assert isinstance(fetch.into_outcome(), Outcome) and fetch.into_outcome().kind == "unreachable"
