"""Laws that hold for every file and URL, memory that is given back, and threads that share everything."""

import gc
import pickle
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polite_robots import Robot, RobotsTxt, product_token, robots_url
from polite_robots.compat.protego import Protego
from polite_robots.compat.robotparser import RobotFileParser

fields = st.sampled_from(
    ["User-agent", "Disallow", "Allow", "Crawl-delay", "Sitemap", "Host", "disalow", "Request-rate", "Content-Signal"]
)
values = st.one_of(
    st.sampled_from(["*", "ExampleBot", "MJ12bot/1.4", "/", "/a", "/*b$", "", "2.5", "1/10 0100-0200"]),
    st.just("ai-train=no, use=reference"),
    st.text(max_size=8),
)
records = st.builds("{}: {}".format, fields, values)
files = st.one_of(st.binary(max_size=200), st.lists(st.one_of(records, st.text(max_size=12)), max_size=12).map("\n".join))
urls = st.one_of(st.text(max_size=20), st.binary(max_size=20), st.sampled_from(["/a", "/ab", "https://h/a?b#c", "//", "/robots.txt"]))
agents = st.sampled_from(["ExampleBot", "*", "Other-Bot", "Example", "MJ12bot", "MJ"])
dialects = st.sampled_from(["rfc9309", "google"])


@settings(deadline=None)
@given(files, agents, dialects, st.lists(urls, max_size=4))
def test_every_way_to_ask_gives_the_same(file, agent, dialect, asked):
    robot = Robot(agent, file, dialect=dialect)
    document = RobotsTxt(file, dialect=dialect)
    assert document.robot(agent) == robot and hash(document.robot(agent)) == hash(robot)
    answers = [robot.check(url).allowed for url in asked]
    assert [robot.allowed(url) for url in asked] == answers == robot.allowed_many(asked)
    # Text is its bytes, and so is a text with surrogates that stand for bytes.
    as_bytes = file if isinstance(file, bytes) else file.encode("utf-8", "surrogateescape")
    assert Robot(agent, as_bytes, dialect=dialect) == robot
    assert Robot(agent, as_bytes.decode("utf-8", "surrogateescape"), dialect=dialect) == robot
    assert Robot(agent, bytearray(as_bytes), dialect=dialect) == robot
    for value in (robot, document, *map(robot.check, asked)):
        again = pickle.loads(pickle.dumps(value))
        assert again == value and hash(again) == hash(value) and str(again) == str(value)
    # Google's matcher may refuse even `/robots.txt`.
    canonical = RobotsTxt(document.to_canonical().encode(), dialect=dialect).robot(agent)
    assert canonical.allowed("/robots.txt") == robot.allowed("/robots.txt")
    for finding in document.lint():
        assert 0 <= finding.span[0] <= finding.span[1] <= len(as_bytes) and finding.message
    assert document._repr_html_() and all(robot.check(url)._repr_html_() for url in asked)


@settings(deadline=None)
@given(files, st.lists(agents, max_size=6), dialects)
def test_an_agent_has_the_same_summary_among_others(file, asked, dialect):
    document = RobotsTxt(file, dialect=dialect)
    assert document.agents(asked) == [document.agents([agent])[0] for agent in asked]


@settings(deadline=None)
@given(files, st.text(max_size=20), urls)
def test_nothing_raises_for_what_a_file_or_a_header_holds(file, header, url):
    text = file.decode("utf-8", "surrogateescape") if isinstance(file, bytes) else file
    parsed, parser = Protego.parse(text), RobotFileParser()
    parser.parse(text.split("\n"))
    for found in (parsed.can_fetch(url, header), parser.can_fetch(header, url)):
        assert isinstance(found, bool)
    for ask in (parsed.crawl_delay, parsed.request_rate, parsed.visit_time, parser.crawl_delay, parser.request_rate):
        ask(header)
    list(parsed.sitemaps), parsed.preferred_host, parser.site_maps(), str(parser), product_token(header)
    try:
        assert robots_url(header).endswith("/robots.txt")
    except ValueError:
        pass


def everything(count):
    file = b"User-agent: ExampleBot\nDisallow: /a\nCrawl-delay: 2\nSitemap: https://h/s\n" * 20
    for _ in range(count):
        document = RobotsTxt(file)
        robot = document.robot("ExampleBot")
        pickle.loads(pickle.dumps(robot.check("/a")))
        robot.allowed_many(["/a", b"/b"] * 20)
        document.groups, document.lint(), document.extensions, robot.rules, document._repr_html_()
        Robot("ExampleBot", file.decode() + "\udc80").usage("/a\udc80")
        for wrong in (lambda: Robot("a b", file), lambda: Robot("a", 3), lambda: robot.allowed_many(["/a", 3])):
            with pytest.raises((ValueError, TypeError)):
                wrong()


def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.parallel_threads(1)
def test_memory_is_given_back():
    pytest.importorskip("resource")
    everything(100)
    before = resident()
    everything(400)
    # One document that stays of each round would be 4 MB.
    assert resident() - before < 2 << 20


@pytest.mark.parallel_threads(1)
def test_threads_share_everything():
    """A long document lets other threads run, and all of them get the same answers."""
    long = b"User-agent: *\n" + b"".join(b"Disallow: /%d\n" % number for number in range(20_000))
    document, wrong = RobotsTxt(long), []

    def work(number):
        robot = document.robot("ExampleBot")
        asked = [f"/{number}", "/x"] * 5000
        if robot.allowed_many(asked) != [False, True] * 5000 or RobotsTxt(long) != document:
            wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("call", ["lint", "to_canonical", "agents", "allowed_many"])
@pytest.mark.parallel_threads(1)
def test_long_work_lets_other_threads_run(call):
    document = RobotsTxt("User-agent: *\n" + "".join(f"Disallow: /{number}\n" for number in range(1000)))
    work = getattr(document, call, lambda: document.robot("*").allowed_many(["/x"] * 1000))
    interval, may_run, ran = sys.getswitchinterval(), threading.Lock(), []
    may_run.acquire()
    other = threading.Thread(target=lambda: ran.append(may_run.acquire()))
    other.start()
    # Nobody is made to give the interpreter up, so the other thread runs only where the work does so by itself.
    sys.setswitchinterval(1000)
    try:
        may_run.release()
        for _ in range(2000):
            work()
            if ran:
                break
        assert ran
    finally:
        sys.setswitchinterval(interval)
        other.join()
