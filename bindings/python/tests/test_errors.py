"""Errors speak of Python: no name of the language beneath is in them, whatever is wrong."""

import inspect
import itertools
import re

import pytest

import polite_robots
from polite_robots import InvalidUrl, Robot, RobotsTxt, robots_url
from polite_robots.policy import Cache, Event, Fetch, HostRule, Origin, Pacer, Profile, Reply, Scheduler

WRONG = ["nope", "", -1, 2**70, 300, 70_000, 3.5, True, None, [], {}, {"nope": 1}, {1: 2}, (1,), b"x", object(), float("nan")]
WRONG += ["\ud800", "https://b\xfccher.de:x/", "mailto:a@example.com", "http://", "a" * 10_000, ["nope"], [1], [("a", 1)]]
PARTS = [{"levels": {"nope": 1}}, {"levels": {"base": "x"}}, {"doubling": {}}, {"window": {"min": "x"}}, {"window": 1}]
PARTS += [{"every_address": {}}, {"every_address": {"rounds": 300, "pause": 1}}]

# Words of Rust and of its libraries, and the names that values have there.
RUST = re.compile(
    r"::|&|\b(variant|struct|enum|unit|feature|crate|serde|trait|panick?\w*|usize|isize|[iu](8|16|32|64|128)|f64|Option|Some|None\(|Vec|Target|integral)\b"
    r"|unknown field|missing field|invalid (type|length|value)|`[A-Z][a-z]+([A-Z][a-z]+)*`"
)


def message_of(ask):
    """The message of the error, if there is one."""
    try:
        ask()
    except (ValueError, TypeError, OverflowError) as error:
        return str(error)
    return ""


def asked():
    """The messages for wrong values in each place of each call."""
    profile, cache = Profile.rfc9309(), Cache(Profile.rfc9309(), ["a"], 1 << 20)
    origin, scheduler = Origin.of("https://h"), Scheduler(profile)
    robot, document, pacer = Robot("a", b""), RobotsTxt(b""), Pacer()
    host = scheduler.insert("h")
    calls = [
        ((Robot, "a", b""), ["dialect", "max_bytes"]),
        ((RobotsTxt, b""), ["dialect", "max_bytes"]),
        ((Robot.allow_all, "configured"), []),
        ((Robot.disallow_all, 503), []),
        ((robot.allowed, "/"), ["sent", "absolute"]),
        ((robot.check, "/"), ["sent", "absolute"]),
        ((robot.allowed_many, ["/"]), ["absolute"]),
        ((robot.check_many, ["/"]), ["absolute"]),
        ((robot.usage, "/"), []),
        ((document.robot, "a"), []),
        ((document.agents, ["a"]), []),
        ((robots_url, "http://h"), []),
        ((polite_robots.product_token, "a"), []),
        ((Cache, profile, ["a"], 1), ["documents"]),
        ((cache.poll, origin, 1.0), []),
        ((cache.check, "http://h", 1.0, "alone"), ["sent"]),
        ((cache.set_site, origin, "available", 1.0), []),
        ((cache.set_obedience, "h", "obey"), []),
        ((cache.load, b"", 1.0), []),
        ((Event.response, 200, {}, b""), ["end"]),
        ((Event.failed, "dns"), []),
        ((Event.resolved, ["127.0.0.1"]), []),
        ((Fetch, origin, profile, 1.0), ["etag", "last_modified"]),
        ((Reply, 200, 1.0), ["retry_after", "rate_limit", "signal"]),
        ((Reply.of_response, 200, {}, 1.0, 2.0), []),
        ((Origin.of, "http://h"), []),
        ((HostRule,), ["min_delay", "max_in_flight", "crawl_delay", "obedience"]),
        ((pacer.handle_start, 1.0), []),
        ((pacer.handle_reply, Reply(200, 1.0), profile, 1.0), []),
        ((Scheduler, profile), []),
        ((Scheduler.load, b""), []),
        ((scheduler.insert, "h"), []),
        ((scheduler.set_rule, host, HostRule()), []),
    ]
    for (call, *right), names in calls:
        for place, wrong in itertools.product(range(len(right)), WRONG):
            arguments = [*right[:place], wrong, *right[place + 1 :]]
            yield call, wrong, message_of(lambda call=call, arguments=arguments: call(*arguments))
        for name, wrong in itertools.product(names, WRONG + PARTS):
            yield name, wrong, message_of(lambda call=call, right=right, name=name, wrong=wrong: call(*right, **{name: wrong}))


def test_no_error_has_words_of_rust():
    found = [(call, wrong, message) for call, wrong, message in asked() if RUST.search(message)]
    assert found == []
    assert sum(bool(message) for *_, message in asked()) > 1000


SETTINGS = Profile.rfc9309().access | Profile.rfc9309().pace


@pytest.mark.parametrize("name", SETTINGS)
def test_an_error_of_a_setting_names_it_and_a_way_out(name):
    refused = 0
    for wrong in WRONG + PARTS:
        try:
            Profile.rfc9309().replace(**{name: wrong})
        except ValueError as error:
            message = str(error)
            assert message.startswith(f"{name} cannot be ") and not RUST.search(message) and len(message) < 1500, message
            reason = message.removeprefix(f"{name} cannot be ").split(": ", 1)[1]
            assert re.search(r"there are \"|it may be |it is a |is missing$", reason), message
            refused += 1
    assert refused > 10


def test_the_names_in_errors_are_those_that_work():
    def names_in(ask):
        return re.findall(r'"(\w+)"', message_of(ask).partition("there are ")[2])

    profile, origin, cache = Profile.rfc9309(), Origin.of("https://h"), Cache(Profile.rfc9309(), ["a"], 1 << 20)
    asks = [
        lambda name: Event.failed(name),
        lambda name: Event.response(200, {}, b"", end=name),
        lambda name: Reply(name, 1.0),
        lambda name: Reply(200, 1.0, signal=name),
        lambda name: HostRule(obedience=name),
        lambda name: cache.set_site(origin, name, 1.0),
        lambda name: cache.set_obedience("h", name),
        lambda name: cache.check("https://h", 1.0, name),
        lambda name: Robot("a", b"", dialect=name),
        lambda name: Robot.allow_all(name),
        lambda name: profile.replace(forbidden=name),
        lambda name: profile.replace(dialect=name),
        lambda name: profile.replace(group_pace=name),
    ]
    for ask in asks:
        names = names_in(lambda ask=ask: ask("nope"))
        assert len(names) > 1, inspect.getsource(ask)
        for name in names:
            ask(name)
    assert message_of(lambda: profile.replace(forbidden="nope")) == 'forbidden cannot be \'nope\': there are "allow", "disallow", "outage"'
    assert message_of(lambda: cache.set_site(origin, "nope", 1.0)) == 'no site "nope"; there are "available", "unavailable", "unknown"'


def test_names_stand_in_values_too():
    assert repr(Event.failed("invalid_response")) == "<Event failed: invalid_response>"
    assert repr(Reply("reset", 1.0)) == "<Reply without a response: reset>"


def test_a_host_outside_of_ascii():
    for url in ("https://b\xfccher.de/x", "https://B\xdcCHER.de:443/", "https://xn--bcher-kva.de"):
        assert robots_url(url) == Origin.of(url).robots_url() == "https://xn--bcher-kva.de/robots.txt"
    with pytest.raises(InvalidUrl):
        robots_url("https://b\xfccher.de:x/")


@pytest.mark.parametrize("agent", ["ExampleBot ", " ExampleBot", "ExampleBot\n", "ExampleBot\r\n", "ExampleBot 1.0"])
def test_an_agent_with_a_blank_names_the_token(agent):
    with pytest.raises(polite_robots.InvalidToken, match="; `ExampleBot` was probably meant$") as raised:
        Robot(agent, b"")
    assert raised.value.probably_meant == "ExampleBot"
