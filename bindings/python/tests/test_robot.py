"""The classes of the package: what they take, what they give, and what they promise."""

import array
import copy
import importlib.metadata
import json
import mmap
import pickle
import tempfile
import weakref
from datetime import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from urllib.parse import urlparse, urlsplit

import pytest

import polite_robots
from polite_robots import InvalidToken, InvalidUrl, Robot, RobotsTxt, Verdict, product_token, robots_url
from polite_robots._agents import agent_of
from polite_robots.compat.protego import Protego
from polite_robots.compat.robotparser import RobotFileParser
from polite_robots.policy import Cache, Event, Profile

FILE = b"""User-agent: *
Disallow: /search
Allow: /search/about
Crawl-delay: 2.5
Request-rate: 1/10 0100-0200
Visit-time: 2300-0100
Content-Signal: search=yes, ai-train=no, use=reference
Sitemap: https://example.com/sitemap.xml
License: https://example.com/license.xml
Host: www.example.com
Clean-param: ref /shop

User-agent: OtherBot
Disallow: /
"""


def test_a_check_shows_its_evidence():
    robot = Robot("ExampleBot", FILE)
    verdict = robot.check("https://example.com/search/about")
    assert verdict and verdict.allowed and robot.allowed("https://example.com/search/about")
    assert (verdict.reason, verdict.line, verdict.group_line) == ("rule", 3, 1)
    assert (verdict.agent_match, verdict.cause) == ("wildcard", None)
    assert (verdict.rule.access, verdict.rule.pattern, verdict.rule.length) == ("allow", "/search/about", 13)
    assert (verdict.overruled.line, str(verdict.overruled)) == (2, "Disallow: /search")
    assert str(verdict) == (
        "allowed by line 3: Allow: /search/about in the wildcard group on line 1, over line 2: Disallow: /search"
    )
    assert repr(verdict) == f"<Verdict: {verdict}>"
    assert verdict.to_dict() == {
        "allowed": True,
        "line": 3,
        "rule": {"access": "allow", "pattern": "/search/about", "bytes": 13},
        "overruled": {"access": "disallow", "pattern": "/search", "bytes": 7, "line": 2},
        "reason": "rule",
        "explanation": str(verdict),
    }
    refused = robot.check("/search?q")
    assert not refused and refused.line == 2 and refused != verdict and len({verdict, refused, verdict}) == 2


def test_the_other_answers_of_a_robot():
    robot = Robot("ExampleBot", FILE)
    assert [str(rule) for rule in robot.rules] == ["Allow: /search/about", "Disallow: /search"]
    assert (robot.agent_match, robot.group_lines, robot.crawl_delay) == ("wildcard", [1], 2.5)
    assert robot.sitemaps == ["https://example.com/sitemap.xml"]
    assert robot.licenses == ["https://example.com/license.xml"]
    rate = robot.request_rate
    assert (rate.requests, rate.seconds, rate.interval) == (1, 10, 10.0) and robot.request_rates == [rate]
    assert (rate.start_time.hour, rate.end_time.hour) == (1, 2)
    assert (robot.visit_time.start_time.hour, robot.visit_time.end_time.hour) == (23, 1)
    assert robot.visit_times == [robot.visit_time]
    usage = robot.usage("/story")
    assert (usage.search, usage.ai_input, usage.ai_training) == ("allowed", "unstated", "disallowed")
    assert (usage.search_line, usage.ai_input_line, usage.ai_training_line) == (7, None, 7)
    assert usage.content_uses == [("reference", 7)]
    assert robot.named_only().agent_match == "none" and robot.named_only().allowed("/search")
    assert Robot("OtherBot", FILE).named_only().agent_match == "named"
    assert robot.allowed_many(iter(["/search", b"/search/about", "/x"])) == [False, True, True]
    assert robot.allowed_many(["/search", "/"] * 5000) == [False, True] * 5000
    assert robot.allowed_many([]) == []


def test_documents():
    document = RobotsTxt(FILE)
    assert document.robot("OtherBot").check("/x").line == 14
    assert document.robot_first(["ExampleBot", "OtherBot"]).agent_match == "named"
    assert len(document.robot_merged(["ExampleBot", "OtherBot"]).rules) == 1
    assert [group.user_agents for group in document.groups] == [["*"], ["OtherBot"]]
    assert [group.line for group in document.groups] == [1, 13]
    assert [group.product_token for group in document.merged_groups] == ["*", "OtherBot"]
    assert document.groups[0].product_token is None
    assert [rule.pattern for rule in document.groups[0].rules] == ["/search", "/search/about"]
    assert document.sitemaps == ["https://example.com/sitemap.xml"]
    delay = next(record for record in document.extensions if record.field == "Crawl-delay")
    assert (delay.value, delay.raw, delay.line, delay.scope, delay.agents) == ("2.5", b"2.5", 4, "agents", ["*"])
    assert document.host == "www.example.com" and document.truncated_at is None and document.dialect == "rfc9309"
    assert document.clean_url("https://h/shop?ref=1&id=2") == "https://h/shop?id=2"
    assert bytes(document) == FILE and str(document) == FILE.decode()
    assert RobotsTxt(document.to_canonical()).robot("ExampleBot").allowed("/search") is False
    assert RobotsTxt(FILE, max_bytes=20).truncated_at == 14
    assert repr(document) == f"<RobotsTxt: {len(FILE)} bytes, 2 groups>"


def test_lint():
    found = RobotsTxt("User-agent: *\nDisalow: /x\n").lint()
    assert [(one.code, one.severity, one.line) for one in found] == [("misspelled-field", "warning", 2)]
    assert found[0].span == (14, 21) and found[0].suggestion == "Disallow"
    assert found[0].url.startswith("https://docs.rs/") and str(found[0]) == f"line 2: {found[0].message}"
    assert RobotsTxt("User-agent: *\nDisallow: /x\n").lint() == []


def test_the_dialects_differ():
    file = b"User-agent: *\nDisallow: /a%7eb"
    assert not Robot("ExampleBot", file).allowed("/a~b")
    assert Robot("ExampleBot", file, dialect="google").allowed("/a~b")
    assert RobotsTxt(file, dialect="google").robot("ExampleBot").allowed("/a~b")
    with pytest.raises(ValueError, match="no dialect"):
        Robot("ExampleBot", file, dialect="bing")
    assert Robot("ExampleBot", file, max_bytes=14).allowed("/a~b")


def test_whole_sites():
    gone = Robot.allow_all(404)
    assert gone.allowed("/x") and str(gone.check("/x")) == "allowed: robots.txt answered with status 404"
    assert (gone.check("/x").reason, gone.check("/x").cause) == ("blanket", 404)
    closed = Robot.disallow_all("unreachable")
    assert not closed.allowed("/x") and closed.allowed("/robots.txt")
    assert closed.check("/x").cause == "unreachable"
    assert Robot.allow_all().check("/x").cause == "configured"
    with pytest.raises(ValueError, match="unreachable"):
        Robot.allow_all("bad weather")
    with pytest.raises(ValueError, match='^no cause "status"; there are "configured", .*, or an HTTP status$'):
        Robot.allow_all("status")
    with pytest.raises(TypeError, match="^cause must be an HTTP status or the name of a cause, not <class 'float'>"):
        Robot.allow_all(4.5)


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview", "slice", "array", "mmap", "str"])
def test_every_form_of_a_file(kind):
    robot = Robot("ExampleBot", FILE)
    if kind == "mmap":
        with tempfile.TemporaryFile() as file:
            file.write(FILE)
            file.flush()
            with mmap.mmap(file.fileno(), 0) as mapped:
                assert Robot("ExampleBot", mapped) == robot and RobotsTxt(mapped) == RobotsTxt(FILE)
        return
    form = {
        "bytes": FILE,
        "bytearray": bytearray(FILE),
        "memoryview": memoryview(FILE),
        "slice": memoryview(b"".join(bytes([byte, 0]) for byte in FILE))[::2],
        "array": array.array("b", FILE),
        "str": FILE.decode(),
    }[kind]
    assert Robot("ExampleBot", form) == robot and RobotsTxt(form) == RobotsTxt(FILE)


def test_lone_surrogates_are_bytes_again():
    file = b"User-agent: *\nDisallow: /\xff\xe9"
    text = file.decode("utf-8", "surrogateescape")
    assert RobotsTxt(text) == RobotsTxt(file)
    assert not Robot("ExampleBot", text).allowed(b"/\xff\xe9")
    assert not Robot("ExampleBot", text).allowed("/\udcff\udce9")
    # They come from nowhere, and so stand for no bytes.
    assert Robot("ExampleBot", "User-agent: *\nDisallow: /\ud800").allowed("/x")
    assert robots_url("https://example.com/\ud800") == "https://example.com/robots.txt"
    with pytest.raises(InvalidToken):
        Robot("Example\ud800Bot", "")


@pytest.mark.parametrize("one", ["/x", b"/x", bytearray(b"/x"), memoryview(b"/x")])
def test_one_url_is_not_several(one):
    with pytest.raises(TypeError, match=r"expected an iterable of URLs, not one .*; write allowed_many\(\[url\]\)"):
        Robot("ExampleBot", b"User-agent: *\nDisallow: /x").allowed_many(one)
    document = RobotsTxt(b"")
    for names in (one, [b"A"]):
        with pytest.raises(TypeError):
            document.robot_first(names)


@pytest.mark.parametrize("one", [array.array("u", "/x"), array.array("B", b"/x"), mmap.mmap(-1, 2)])
def test_letters_in_a_buffer_are_not_several(one):
    with pytest.raises(TypeError, match="expected an iterable of URLs, not one"):
        Robot("ExampleBot", b"User-agent: *\nDisallow: /x").allowed_many(one)


@pytest.mark.parametrize(
    "other", [array.array("i", [47, 120]), array.array("d", [4.7]), memoryview(b"/x/y").cast("B", (2, 2)), memoryview(b"/x").cast("H")]
)
def test_a_buffer_of_other_items_is_refused(other):
    with pytest.raises(TypeError, match="buffer of bytes, not .* with other items"):
        Robot("ExampleBot", b"User-agent: *\nDisallow: /x").allowed(other)
    with pytest.raises(TypeError, match="buffer of bytes, not .* with other items"):
        RobotsTxt(other)


@pytest.mark.parametrize("wrong", [None, 3, 4.5, ["a"]])
def test_wrong_types_are_refused(wrong):
    with pytest.raises(TypeError, match="expected str, bytes or a buffer of bytes"):
        Robot("ExampleBot", wrong)
    with pytest.raises(TypeError, match="expected str, bytes or a buffer of bytes"):
        Robot("ExampleBot", b"").allowed(wrong)
    with pytest.raises(TypeError):
        Robot(wrong, b"")
    with pytest.raises(TypeError):
        Robot("ExampleBot", b"").allowed_many([wrong])


def test_invalid_names_are_explained():
    with pytest.raises(InvalidToken, match="ExampleBot") as raised:
        Robot("ExampleBot/1.0 (+https://example.com/bot)", b"")
    error = raised.value
    assert isinstance(error, ValueError)
    assert (error.token, error.probably_meant) == ("ExampleBot/1.0 (+https://example.com/bot)", "ExampleBot")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.token, again.probably_meant) == (str(error), error.token, error.probably_meant)
    for ask in (lambda: RobotsTxt(b"").robot(""), lambda: RobotsTxt(b"").robot_first(["a", "b c"])):
        with pytest.raises(InvalidToken):
            ask()


def test_errors_are_short_and_readable():
    long = "x" * 10_000_000
    for ask in (
        lambda: Robot(f"{long} ", b""),
        lambda: robots_url(f"ftp://{long}"),
        lambda: Robot("ExampleBot", b"", dialect=long),
        lambda: Robot.disallow_all(long),
    ):
        with pytest.raises(ValueError) as raised:
            ask()
        assert len(str(raised.value)) < 1000
    with pytest.raises(InvalidToken, match=r"holds ` ` \(letters") as raised:
        Robot(f"{long} ", b"")
    assert raised.value.token == f"{long} "
    # One character for a lone surrogate, and not one for each of its bytes.
    with pytest.raises(InvalidToken, match="^`A\ufffdB` is not"):
        Robot("A\ud800B", b"")


class Url:
    """A URL as yarl, httpx and pydantic have it."""

    scheme, host = "https", "h"

    def __str__(self):
        return "https://h/search?q"


@pytest.mark.parametrize("url", [Url(), urlsplit("https://h/search?q"), urlparse("https://h/search?q"), urlsplit(b"//h/search?q")])
def test_url_objects_are_urls(url):
    robot = Robot("ExampleBot", FILE)
    assert not robot.allowed(url) and robot.check(url).line == 2 and robot.allowed_many([url, "/"]) == [False, True]
    for ask in (robot.allowed_many, robot.check_many):
        with pytest.raises(TypeError, match="not one"):
            ask(url)


@pytest.mark.parametrize("url", [object(), Path("/search"), {"scheme": "https", "host": "h"}, SimpleNamespace(host="h")])
def test_other_objects_are_no_urls(url):
    with pytest.raises(TypeError, match="expected str, bytes or a buffer of bytes"):
        Robot("ExampleBot", FILE).allowed(url)


def test_clients_urls_are_urls():
    httpx, yarl = pytest.importorskip("httpx"), pytest.importorskip("yarl")
    robot = Robot("ExampleBot", "User-agent: *\nDisallow: /caf%C3%A9")
    assert robot.allowed_many([httpx.URL("https://h/café"), yarl.URL("https://h/café"), httpx.URL("https://h/")]) == [
        False,
        False,
        True,
    ]


def test_a_relative_link_is_refused_on_request():
    robot = Robot("ExampleBot", b"User-agent: *\nDisallow: /private/")
    asks = [
        lambda url: robot.allowed(url, absolute=True),
        lambda url: robot.check(url, absolute=True).allowed,
        lambda url: robot.allowed_many([url], absolute=True)[0],
        lambda url: robot.check_many([url], absolute=True)[0].allowed,
    ]
    for ask in asks:
        for closed in ("https://h/private/x", "/private/x", b"/private/\xff", urlsplit("http://h/private/"), " https://h/private/"):
            assert not ask(closed)
        for opened in ("https://h/", "/x", "mailto:a@h", "//h/private"):
            assert ask(opened)
        for link in ("private/x.html", "private", "", "?a", "#a", "../private/", b"private/", "h/private/"):
            with pytest.raises(InvalidUrl, match="resolve the link against the URL of its page") as raised:
                ask(link)
            assert raised.value.url == (link if isinstance(link, str) else link.decode())
        for odd in ("/\tprivate/", "\t/private/", " /private/", "/ private/", "\n"):
            with pytest.raises(InvalidUrl, match="begins with a blank or a control character"):
                ask(odd)
    # Else these are questions about `/x.html` and `/`.
    assert robot.allowed("private/x.html") and robot.allowed("private")


def test_many_checks():
    robot = Robot("ExampleBot", FILE)
    urls = ["/search", b"/search/about", "/x"]
    assert robot.check_many(iter(urls)) == [robot.check(url) for url in urls]
    with pytest.raises(TypeError, match=r"write check_many\(\[url\]\)"):
        robot.check_many("/search")


def test_a_robot_knows_its_agent():
    document = RobotsTxt(FILE)
    robots = [Robot("ExampleBot", FILE), document.robot("ExampleBot"), document.robot("ExampleBot").named_only()]
    assert [robot.agent for robot in robots] == ["ExampleBot"] * 3
    assert repr(robots[0]) == "<Robot ExampleBot: wildcard group, 2 rules>"
    assert pickle.loads(pickle.dumps(robots[0])).agent == "ExampleBot"
    for several in (document.robot_merged(["ExampleBot", "OtherBot"]), document.robot_first(["ExampleBot"]), Robot.allow_all()):
        assert several.agent is None
    assert repr(Robot.allow_all(404)) == "<Robot: allowed: robots.txt answered with status 404>"


def test_robots_and_documents_take_weak_references():
    for value in (Robot("ExampleBot", FILE), RobotsTxt(FILE)):
        assert weakref.ref(value)() is value


def test_groups_are_made_once():
    document = RobotsTxt(FILE)
    for groups in (lambda: document.groups, lambda: document.merged_groups):
        assert all(one is other for one, other in zip(groups(), groups(), strict=True))
        assert all(one is other for one, other in zip(groups()[0].rules, groups()[0].rules, strict=True))
    # A list is the caller's own.
    document.groups.clear(), document.groups[0].rules.clear()
    assert len(document.groups) == 2 and len(document.groups[0].rules) == 2


def test_the_version_is_that_of_the_package():
    assert polite_robots.__version__ == importlib.metadata.version("polite-robots")


def test_functions():
    assert robots_url("HTTPS://user@Example.com:443/a?b") == "https://example.com/robots.txt"
    with pytest.raises(InvalidUrl, match="scheme") as raised:
        robots_url("ftp://example.com/")
    assert raised.value.url == "ftp://example.com/" and pickle.loads(pickle.dumps(raised.value)).url == raised.value.url
    assert product_token("ExampleBot/1.0 (+https://example.com/bot)") == "ExampleBot"
    assert product_token("") is None


def test_a_robot_of_a_whole_header():
    document = RobotsTxt("User-agent: ExampleBot\nDisallow: /named\n\nUser-agent: *\nDisallow: /wild")
    for header, agent in [
        ("ExampleBot/1.0 (+https://example.com/bot)", "ExampleBot"),
        ("Mozilla/5.0 (compatible; examplebot/2.1; +https://example.com/bot)", "examplebot"),
        ("ExampleBot!", "ExampleBot"),
        ("", "*"),
        ("42", "*"),
        ("(no name)", "*"),
    ]:
        robot = document.robot_of_header_or_wildcard(header)
        assert (robot.agent, robot.allowed_many(["/named", "/wild"])) == (agent, [agent == "*", agent != "*"]), header


@pytest.mark.parametrize(
    ("statuses", "private", "open"),
    [
        ([*range(200, 206), *range(207, 300)], False, True),
        ([*range(400, 429), *range(430, 500)], True, True),
        ([0, 100, 199, 206, 301, 302, 304, 399, 429, 500, 503, 599, 600, 999, 65_535], False, False),
    ],
)
def test_the_file_of_a_status(statuses, private, open):
    for status in statuses:
        for dialect in ("rfc9309", "google"):
            document = RobotsTxt.from_status(status, b"User-agent: *\nDisallow: /private", dialect=dialect)
            robot = document.robot("ExampleBot")
            assert (robot.allowed("/private"), robot.allowed("/open"), document.dialect) == (private, open, dialect), status
            assert robot.check("/open").cause == (None if status // 100 == 2 and open else status)
            assert pickle.loads(pickle.dumps(document)) == document


def test_arguments_of_the_file_of_a_status():
    assert RobotsTxt.from_status(200, b"#\n" * 100, max_bytes=10).truncated_at == 10
    for status in (-1, 65_536):
        with pytest.raises(ValueError, match="three digits"):
            RobotsTxt.from_status(status, b"")
    for wrong in (None, "200"):
        with pytest.raises(TypeError):
            RobotsTxt.from_status(wrong, b"")


def test_documents_without_a_file():
    for make, allowed in [(RobotsTxt.allow_all, True), (RobotsTxt.disallow_all, False)]:
        robot = make("unreachable").robot("ExampleBot")
        assert (robot.allowed("/x"), robot.allowed("/robots.txt"), robot.check("/x").cause) == (allowed, True, "unreachable")
        assert make().robot("*").check("/x").cause == "configured" and make(404) == make(404) != make(410)
        with pytest.raises(ValueError, match="no cause"):
            make("bad weather")


def values():
    robot, document = Robot("ExampleBot", FILE), RobotsTxt(FILE)
    lint = RobotsTxt("User-agent: *\nDisalow: /x").lint()
    verdict = robot.check("/search/about")
    return [
        robot,
        document,
        verdict,
        Robot.disallow_all(503).check("/x"),
        verdict.rule,
        document.groups[0],
        document.merged_groups[0],
        *document.extensions,
        robot.request_rate,
        robot.visit_time,
        robot.usage("/"),
        *lint,
        *document.agents(),
        RobotsTxt(b"\xff\xfe\x00", max_bytes=2),
        Robot.allow_all(404),
        RobotsTxt(FILE, dialect="google"),
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("protocol", [2, 5])
def test_values_are_pickled_compared_and_hashed(value, protocol):
    again = pickle.loads(pickle.dumps(value, protocol))
    assert again == value and hash(again) == hash(value) and str(again) == str(value)
    assert repr(again) == repr(value) and not (again != value) and value != object()
    assert copy.deepcopy(value) == value and {value: 1}[again] == 1
    with pytest.raises((AttributeError, TypeError)):
        value.allowed = True


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_values_are_dictionaries_of_their_attributes(value):
    found = value.to_dict()
    assert json.loads(json.dumps(found)).keys() == found.keys()
    if not isinstance(value, Verdict):
        properties = {name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))}
        # The bytes of an extension, and what another attribute has too.
        assert properties - found.keys() <= {"raw", "merged_groups", "request_rate", "visit_time"}
        for name, inner in found.items():
            if inner is None or isinstance(inner, str | int | float):
                expected = getattr(value, name)
                assert inner == (expected.isoformat() if isinstance(expected, time) else expected)


def test_dictionaries_within_dictionaries():
    document = RobotsTxt(FILE)
    assert document.groups[1].to_dict() == {
        "line": 13,
        "product_token": None,
        "user_agents": ["OtherBot"],
        "rules": [{"access": "disallow", "pattern": "/", "line": 14, "length": 1}],
    }
    assert document.to_dict()["groups"][1] == document.groups[1].to_dict()
    assert document.agents()[1].to_dict()["access"] == "nothing"
    rate = {"requests": 1, "seconds": 10, "interval": 10.0, "start_time": "01:00:00", "end_time": "02:00:00"}
    assert document.robot("*").to_dict()["request_rates"] == [rate]


def test_a_use_is_no_agent():
    document = RobotsTxt(b"User-agent: a\nDisallow: /x\n\nUser-agent: __usage_ai-training\nDisallow: /\n")
    assert [agent.agent for agent in document.agents()] == ["a"]


def state_of(value):
    restore, (state,) = value.__reduce__()
    return restore, state


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_pickles_of_another_release_are_refused(value):
    restore, state = state_of(value)
    assert restore(state) == value
    for other in (b"", b"\xff", state[:-1], state + b"\0", b"\0" + state[1:], b"\1" + state[1:], state[1:]):
        with pytest.raises(ValueError, match="no pickle of this release"):
            restore(other)


# It shares nothing between threads.
@pytest.mark.parallel_threads(1)
@pytest.mark.iterations(1)
def test_a_damaged_pickle_is_refused_or_a_value():
    """Whatever the bytes are, nothing but `ValueError` is raised, and what comes out of them can be used."""
    random = Random(1)
    for value in values():
        restore, state = state_of(value)
        for _ in range(200):
            damaged = bytearray(state)
            for _ in range(random.randint(1, 3)):
                damaged[random.randrange(1, len(damaged))] = random.choice([0, 1, 127, 128, 255, random.randrange(256)])
            try:
                again = restore(bytes(damaged))
            except ValueError:
                continue
            assert again == again and isinstance(hash(again), int) and repr(again) and isinstance(str(again), str)
            for name in dir(again):
                if not name.startswith("_") and name not in ("replace", "clean_url"):
                    getattr(again, name)
            if isinstance(again, Robot):
                assert again.allowed("/search/about") == again.check("/search/about").allowed
                again.usage("/x"), again.named_only()
            elif isinstance(again, RobotsTxt):
                again.lint(), again.to_canonical(), again.robot("OtherBot").check("/x")


def test_notebooks_show_the_deciding_line():
    document = RobotsTxt(b"User-agent: *\n# <b>\nDisallow: /<script>\x1b")
    verdict = document.robot("ExampleBot").check("/<script>%1B")
    page = verdict._repr_html_()
    assert "<mark>Disallow: /&lt;script&gt;" in page and "\x1b" not in page and "&lt;b&gt;" in page
    assert "<mark>" not in document._repr_html_() and "&lt;script&gt;" in document._repr_html_()
    del document
    # The verdict keeps no document alive.
    assert "<mark>" not in verdict._repr_html_() and "disallowed by line 3" in verdict._repr_html_()


def test_the_public_names_are_those_of_the_stub():
    for name in polite_robots.__all__:
        if name == "__version__":
            continue
        assert getattr(polite_robots, name).__module__ in ("polite_robots", "polite_robots._native")


def test_agents_of_one_group_share_its_rules():
    # 289 million pairs of an agent and a rule, and of a record and an agent: 4 GB and more if they were copied.
    agents = "".join(f"User-agent: a{number}\n" for number in range(17_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(17_000))
    groups = RobotsTxt(agents + rules).merged_groups
    assert (len(groups), len(groups[0].rules), len(groups[-1].rules)) == (17_000, 17_000, 17_000)
    records = RobotsTxt(agents + "Crawl-delay: 1\n" * 17_000).extensions
    assert (len(records), len(records[-1].agents)) == (17_000, 17_000)


class Boastful:
    """A sequence that says that it is longer than any memory."""

    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return 2**62

    def __length_hint__(self):
        return 2**62

    def __getitem__(self, index):
        return self.items[index]


class Raising(list):
    def __iter__(self):
        yield from list.__iter__(self)
        raise ZeroDivisionError


SEQUENCES_TAKE = [
    (Robot("ExampleBot", FILE).allowed_many, "/x"),
    (RobotsTxt(FILE).robot_first, "ExampleBot"),
    (RobotsTxt(FILE).robot_merged, "ExampleBot"),
    (lambda agents: Cache(Profile.rfc9309(), agents, 1 << 20), "ExampleBot"),
    (Event.resolved, "192.0.2.1"),
]


@pytest.mark.parametrize(("take", "item"), SEQUENCES_TAKE)
def test_sequences_that_lie_or_raise(take, item):
    assert take(Boastful(item, item)) is not None
    with pytest.raises(ZeroDivisionError):
        take(Raising([item]))
    with pytest.raises(ZeroDivisionError):
        take(item for item in [item, 1 / 0])
    for wrong in (3, None, [item, 3], [item, None]):
        with pytest.raises(TypeError):
            take(wrong)


@pytest.mark.parametrize(("take", "item"), SEQUENCES_TAKE[1:])
def test_one_string_is_no_sequence(take, item):
    with pytest.raises(TypeError, match="sequence"):
        take(item)


def test_a_list_that_overstates_its_length():
    robot = Robot("ExampleBot", "")
    with pytest.raises(TypeError):
        robot.allowed_many(range(2**40))


def test_a_class_of_its_own_is_read_by_its_bytes():
    class Text(str):
        def __str__(self):
            raise ZeroDivisionError

        encode = __hash__ = __eq__ = __len__ = __str__

    class Data(bytes):
        def __bytes__(self):
            raise ZeroDivisionError

        __len__ = __iter__ = __bytes__

    robot = Robot(Text("ExampleBot"), Data(FILE))
    assert robot == Robot("ExampleBot", Text(FILE.decode())) == Robot("ExampleBot", FILE)
    assert robot.allowed_many([Text("/search"), Data(b"/search/about")]) == [False, True]


def test_a_view_that_was_released():
    view = memoryview(bytearray(FILE))
    view.release()
    for ask in (RobotsTxt, Robot("ExampleBot", FILE).allowed, lambda view: Robot("ExampleBot", view)):
        with pytest.raises(ValueError, match="released"):
            ask(view)


def test_numbers_out_of_range():
    for make in (lambda number: Robot("ExampleBot", FILE, max_bytes=number), lambda number: RobotsTxt(FILE, max_bytes=number)):
        with pytest.raises(ValueError, match="max_bytes must not be negative"):
            make(-1)
        with pytest.raises(TypeError, match="max_bytes must be an int or None, not <class 'float'>"):
            make(1.5)
        # No file is as long.
        for huge in (2**64, 10**400):
            assert make(huge) == make(None)
    for wrong in (-1, 65_536, 2**64, 10**400):
        with pytest.raises(ValueError, match="cause must be an HTTP status, or the name of a cause"):
            Robot.allow_all(wrong)


def test_text_for_people_has_no_control_characters():
    group = RobotsTxt(b"User-agent: \x1b[31mX\nDisallow: /\xe2\x80\xae\n").groups[0]
    assert "\x1b" not in repr(group)
    assert "\u202e" not in repr(group.rules[0])


def test_the_drop_ins_keep_few_robots():
    parsed = Protego.parse("User-agent: *\nDisallow: /a")
    parser = RobotFileParser()
    parser.parse(["User-agent: *", "Disallow: /a"])
    for number in range(1_000):
        assert not parsed.can_fetch("/a", f"Mozilla/5.0 (session {number})")
        assert not parser.can_fetch(f"session{number}x", "/a")
    assert len(parsed._by_header._robots) <= 256
    assert len(parsed._by_name) == 1
    assert len(parser._robots._robots) <= 256


@pytest.mark.parametrize("header", ["42", "1.0", "_", "-", "", "()"])
def test_names_that_no_file_has_are_everyone(header):
    assert agent_of(header) == "*"
