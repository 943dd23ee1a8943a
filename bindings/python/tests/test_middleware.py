"""The middleware, request by request: an engine that answers as the test says, and a clock that stands still."""

import asyncio

import pytest
from scrapy import Request, signals
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotConfigured,
    StopDownload,
)
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import StatsCollector
from scrapy.utils.reactor import install_reactor

from polite_robots import InvalidToken, Robot, scrapy
from polite_robots._failures import failure_of
from polite_robots.policy import Origin, Profile

pytestmark = pytest.mark.parallel_threads(1)

# The clock of these tests stands still.
NO_EARLY_RETRY = Profile.rfc9309().replace(retry_early=0)
RULES = b"User-agent: ExampleBot\nDisallow: /private\nCrawl-delay: 5\n"


class Slot:
    delay = 1.0
    jitter = 0.5


class Engine:
    def __init__(self):
        self.answers = {}
        self.requests = []
        self.slots = {}
        self.downloader = self

    async def download_async(self, request):
        self.requests.append(request)
        await asyncio.sleep(0)
        answer = self.answers.get(request.url, 404)
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, int):
            answer = Response(request.url, status=answer)
        return answer

    def _get_slot(self, request):
        return "key", self.slots.setdefault(request.url.split("/")[2], Slot())


class Crawler:
    spider = None

    def __init__(self, **settings):
        common = {"ROBOTSTXT_OBEY": True, "ROBOTSTXT_USER_AGENT": "ExampleBot", "POLITE_ROBOTS_PROFILE": NO_EARLY_RETRY}
        self.settings = Settings(common | settings)
        self.signals = SignalManager(self)
        self.stats = StatsCollector(self)
        self.engine = Engine()


def middleware_of(answers, **settings):
    crawler = Crawler(**settings)
    crawler.engine.answers = answers
    middleware = scrapy.PoliteRobotsTxtMiddleware.from_crawler(crawler)
    middleware.now = 1_767_225_600.0
    middleware.clock = lambda: middleware.now
    return middleware


def ask(middleware, url, **request):
    """`None` if the page may be fetched, else the exception."""

    async def go():
        try:
            await middleware.process_request(Request(url, **request))
        except IgnoreRequest as forbidden:
            return forbidden

    return run(go())


def run(coroutine):
    """Twisted and asyncio share the loop of the process, as they do in Scrapy."""
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    return reactor._asyncioEventloop.run_until_complete(coroutine)


def answer(url, status=200, body=RULES, **headers):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, status=status, body=body, headers=fields)


def test_a_rule_forbids_with_its_sentence():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url)})
    assert ask(middleware, "https://a.example/open") is None
    forbidden = ask(middleware, "https://a.example/private")
    assert str(forbidden) == "disallowed by line 2: Disallow: /private in the named group on line 1"
    assert not isinstance(forbidden, scrapy.RobotsTxtUnavailable)
    stats = middleware.crawler.stats.get_stats()
    assert stats["robotstxt/forbidden"] == stats["robotstxt/forbidden/rule"] == 1
    assert stats["robotstxt/request_count"] == stats["robotstxt/response_status_count/200"] == 1
    request = middleware.crawler.engine.requests[0]
    assert request.meta["dont_obey_robotstxt"] and request.meta["dont_redirect"] and request.priority == 1000


def test_either_reading_of_dot_segments_forbids():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url)})
    # Scrapy sends them as they are.
    for path in ["/a/../private", "/a/%2e%2e/private", "/private/../a", "/./private"]:
        forbidden = ask(middleware, f"https://a.example{path}")
        assert "line 2: Disallow: /private" in str(forbidden), path
    assert ask(middleware, "https://a.example/a/../b") is None
    parser = scrapy.RobotParser.from_crawler(None, RULES)
    assert not parser.allowed("https://a.example/a/../private", "ExampleBot")
    assert not parser.allowed("https://a.example/private/../a", "ExampleBot")


def test_each_scheme_and_port_has_its_file():
    first, second, third = (f"{origin}/robots.txt" for origin in ("https://a.example", "http://a.example", "https://a.example:8443"))
    middleware = middleware_of({first: answer(first), second: 404, third: 503})
    assert ask(middleware, "https://a.example/private")
    assert ask(middleware, "http://a.example/private") is None
    assert ask(middleware, "https://a.example:8443/open")
    assert [request.url for request in middleware.crawler.engine.requests] == [first, second, third]


@pytest.mark.parametrize(
    ("status", "reason"),
    [(500, "500"), (503, "503"), (429, "429"), (304, "304"), (200, None), (404, None), (403, None), (410, None)],
)
def test_status_classes(status, reason):
    middleware = middleware_of({"https://a.example/robots.txt": status})
    forbidden = ask(middleware, "https://a.example/x")
    if reason is None:
        assert forbidden is None
    else:
        assert isinstance(forbidden, scrapy.RobotsTxtUnavailable) and forbidden.retry > middleware.now
        assert middleware.crawler.stats.get_value(f"robotstxt/forbidden/{reason}") == 1


@pytest.mark.parametrize(
    "error", [CannotResolveHostError(), DownloadConnectionRefusedError(), DownloadTimeoutError(), OSError(), IgnoreRequest()]
)
def test_no_answer_closes_the_site(error):
    middleware = middleware_of({"https://a.example/robots.txt": error})
    forbidden = ask(middleware, "https://a.example/x")
    assert str(forbidden) == "disallowed: robots.txt unreachable"
    assert middleware.crawler.stats.get_value("robotstxt/forbidden/unreachable") == 1


def test_errors_have_names():
    names = {CannotResolveHostError: "dns", DownloadConnectionRefusedError: "connect", DownloadTimeoutError: "read",
             ConnectionResetError: "reset", ValueError: "other"}
    assert {kind: failure_of(kind()) for kind in names} == names


def test_redirects_are_followed_and_counted():
    first, second = "https://a.example/robots.txt", "https://www.a.example/robots.txt"
    middleware = middleware_of({first: answer(first, 301, b"", Location=second), second: answer(second)})
    assert ask(middleware, "https://a.example/private") and ask(middleware, "https://a.example/open") is None
    assert len(middleware.crawler.engine.requests) == 2
    loop = middleware_of({first: answer(first, 301, b"", Location=first)})
    assert ask(loop, "https://a.example/private") is None


def test_an_answer_expires_and_is_revalidated():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: [answer(url, ETag='"1"', Cache_Control="max-age=600"), 304, answer(url, 200, b"")]})
    assert ask(middleware, "https://a.example/private")
    middleware.now += 599 * 0.5
    assert ask(middleware, "https://a.example/private")
    assert len(middleware.crawler.engine.requests) == 1
    middleware.now += 600
    assert ask(middleware, "https://a.example/private")
    assert middleware.crawler.engine.requests[1].headers["If-None-Match"] == b'"1"'
    middleware.now += 2 * 86_400
    assert ask(middleware, "https://a.example/private") is None


def test_retry_after_is_kept():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: [answer(url, 503, b"", Retry_After="3600"), answer(url)]})
    assert ask(middleware, "https://a.example/x").retry == middleware.now + 3600
    middleware.now += 3599
    assert ask(middleware, "https://a.example/x")
    assert len(middleware.crawler.engine.requests) == 1
    middleware.now += 2
    assert ask(middleware, "https://a.example/x") is None


def test_a_long_outage_opens_by_the_profile_of_google():
    url = "https://a.example/robots.txt"
    google = middleware_of({url: 503}, POLITE_ROBOTS_PROFILE=Profile.google().replace(retry_early=0))
    rfc9309 = middleware_of({url: 503})
    for hour in range(13):
        assert ask(rfc9309, "https://a.example/x")
        verdict = ask(google, "https://a.example/x")
        assert verdict or hour >= 12
        google.now += 3600
        rfc9309.now += 3600
    assert ask(google, "https://a.example/x") is None and ask(rfc9309, "https://a.example/x")


def test_pages_wait_for_one_fetch():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url)})

    async def page(path):
        try:
            await middleware.process_request(Request(f"https://a.example{path}"))
            return True
        except IgnoreRequest:
            return False

    async def go():
        return await asyncio.gather(*(page(path) for path in ["/open", "/private"] * 5))

    assert run(go()) == [True, False] * 5
    assert len(middleware.crawler.engine.requests) == 1 and middleware._waiting == {}


def test_what_is_not_asked():
    middleware = middleware_of({})
    for url in ("data:,x", "file:///etc/hosts", "ftp://a.example/x"):
        assert ask(middleware, url) is None
    assert ask(middleware, "https://a.example/x", meta={"dont_obey_robotstxt": True}) is None
    assert middleware.crawler.engine.requests == []


def test_a_long_body_is_stopped():
    url = "https://a.example/robots.txt"
    long = Response(url, body=RULES + b"Disal", flags=["download_stopped"])
    middleware = middleware_of({url: long})
    assert ask(middleware, "https://a.example/private") and ask(middleware, "https://a.example/open") is None
    request = middleware.crawler.engine.requests[0]
    assert request.headers["Accept-Encoding"] == b"gzip, deflate"
    # Twice the limit, as it may be packed, and as a HEAD, whose body Scrapy leaves as it is.
    middleware._bytes_received(b"x" * 1_000_000, request)
    with pytest.raises(StopDownload) as stopped:
        middleware._bytes_received(b"x" * 25_000, request)
    assert stopped.value.fail is False and request.method == "HEAD"
    middleware.process_response(request, Response(url))
    assert request.method == "GET"
    page = Request("https://a.example/page")
    middleware._bytes_received(b"x", page)
    assert page.method == "GET"


def test_a_body_that_the_connection_ends():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: Response(url, body=RULES, flags=["partial"])})
    assert ask(middleware, "https://a.example/private") and ask(middleware, "https://a.example/open") is None
    middleware = middleware_of({url: Response(url, body=RULES, flags=["dataloss"])})
    assert ask(middleware, "https://a.example/open")


def test_pages_wait_for_the_early_retry(monkeypatch):
    url, waits = "https://a.example/robots.txt", []

    async def sleep(seconds):
        waits.append(seconds)
        middleware.now += seconds

    monkeypatch.setattr("polite_robots.scrapy._middleware._sleep", sleep)
    middleware = middleware_of({url: [500, answer(url)]}, POLITE_ROBOTS_PROFILE="rfc9309")
    assert ask(middleware, "https://a.example/private").args[0].startswith("disallowed by line 2")
    assert len(waits) == 1 and 2 <= waits[0] <= 3
    stats = middleware.crawler.stats
    assert stats.get_value("robotstxt/retry_count") == 1 and stats.get_value("robotstxt/request_count") == 2
    # Once in an outage, and never after a 429.
    middleware = middleware_of({url: 500}, POLITE_ROBOTS_PROFILE="rfc9309")
    assert ask(middleware, "https://a.example/x").retry - middleware.now > 200 and len(waits) == 2
    middleware = middleware_of({url: 429}, POLITE_ROBOTS_PROFILE="rfc9309")
    assert ask(middleware, "https://a.example/x") and len(waits) == 2
    # A clock that stands still keeps no page waiting.
    monkeypatch.setattr("polite_robots.scrapy._middleware._sleep", lambda seconds: asyncio.sleep(0))
    middleware = middleware_of({url: 500}, POLITE_ROBOTS_PROFILE="rfc9309")
    assert ask(middleware, "https://a.example/x").retry - middleware.now < 4


def test_a_stop_without_a_response_is_a_failure():
    middleware = middleware_of({"https://a.example/robots.txt": StopDownload()})
    assert isinstance(ask(middleware, "https://a.example/x"), scrapy.RobotsTxtUnavailable)


AGENTS = b"User-agent: FirstBot\nDisallow: /first\n\nUser-agent: SecondBot\nDisallow: /second\nCrawl-delay: 7\n"


def named(header):
    return {"headers": {"User-Agent": header}}


def test_each_request_is_asked_about_by_its_own_agent():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url, body=AGENTS)}, ROBOTSTXT_USER_AGENT=None, USER_AGENT="FirstBot/1.0")
    for header, first, second in [
        (None, False, True),
        ("FirstBot/2.0", False, True),
        ("SecondBot/1.0 (+https://example.com)", True, False),
        (b"Mozilla/5.0 (compatible; secondbot/1.0; \xff)", True, False),
        ("ThirdBot", True, True),
        ("", True, True),
    ]:
        about = {} if header is None else named(header)
        assert (ask(middleware, "https://a.example/first", **about) is None) is first, header
        assert (ask(middleware, "https://a.example/second", **about) is None) is second, header
    # One file serves all of them.
    assert len(middleware.crawler.engine.requests) == 1


def test_a_setting_for_robots_txt_counts_for_all_requests():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url, body=AGENTS)}, ROBOTSTXT_USER_AGENT="FirstBot")
    assert ask(middleware, "https://a.example/first", **named("SecondBot/1.0"))
    assert ask(middleware, "https://a.example/second", **named("SecondBot/1.0")) is None
    # And so the files need not be kept.
    document = middleware.cache.document(Origin.of(url))
    assert document is None


def test_an_agent_of_a_request_does_not_open_a_closed_site():
    url = "https://a.example/robots.txt"
    settings = {"ROBOTSTXT_USER_AGENT": None, "USER_AGENT": "FirstBot/1.0"}
    middleware = middleware_of({url: [answer(url, body=AGENTS), 503]}, **settings)
    assert ask(middleware, "https://a.example/x", **named("SecondBot")) is None
    middleware.now += 40 * 86_400
    closed = ask(middleware, "https://a.example/x", **named("SecondBot"))
    assert isinstance(closed, scrapy.RobotsTxtUnavailable)
    # After a 404 the file of before is no more in force for any agent.
    gone = middleware_of({url: [answer(url, body=AGENTS), 404]}, **settings)
    assert ask(gone, "https://a.example/second", **named("SecondBot"))
    gone.now += 40 * 86_400
    assert ask(gone, "https://a.example/second", **named("SecondBot")) is None


def test_the_delay_is_that_of_the_agent_of_the_request():
    url = "https://a.example/robots.txt"
    settings = {"ROBOTSTXT_USER_AGENT": None, "USER_AGENT": "FirstBot/1.0"}
    slot = middleware_of({url: answer(url, body=AGENTS)}, POLITE_ROBOTS_CRAWL_DELAY="slot", **settings)
    ask(slot, "https://a.example/x")
    assert slot.crawler.engine.slots == {}
    ask(slot, "https://a.example/x", **named("SecondBot"))
    assert slot.crawler.engine.slots["a.example"].delay == 7
    heard = []
    signal = middleware_of({url: answer(url, body=AGENTS)}, POLITE_ROBOTS_CRAWL_DELAY="signal", **settings)

    def hear(delay):
        heard.append(delay)

    signal.crawler.signals.connect(hear, signal=scrapy.crawl_delay)
    ask(signal, "https://a.example/x", **named("SecondBot"))
    assert heard == [7.0]


def test_a_round_that_outlives_its_lease(monkeypatch):
    """Its ticket is given out again, and both rounds end: each page that waits is woken once and gets an answer."""

    async def no_time(seconds):
        await asyncio.sleep(0)

    monkeypatch.setattr("polite_robots.scrapy._middleware._sleep", no_time)
    url = "https://a.example/robots.txt"
    middleware = middleware_of({})
    ends = []

    async def slow(request):
        middleware.crawler.engine.requests.append(request)
        ends.append(asyncio.get_running_loop().create_future())
        return await ends[-1]

    middleware.crawler.engine.download_async = slow

    async def until(happened):
        while not happened():
            await asyncio.sleep(0)

    async def page(path):
        try:
            await middleware.process_request(Request(f"https://a.example{path}"))
            return True
        except IgnoreRequest:
            return False

    async def go():
        loop = asyncio.get_running_loop()
        pages = [loop.create_task(page("/open"))]
        await until(lambda: len(ends) == 1)
        pages.append(loop.create_task(page("/private")))
        await until(lambda: any(middleware._waiting.values()))
        middleware.now += middleware.profile.access["ticket_lease"] + 1
        pages.append(loop.create_task(page("/private")))
        await until(lambda: len(ends) == 2)
        pages.append(loop.create_task(page("/open")))
        await until(lambda: len(next(iter(middleware._waiting.values()))) == 2)
        # The first answer comes too late to count.
        ends[0].set_result(answer(url, 404, b""))
        await until(lambda: middleware._waiting == {})
        assert not any(task.done() for task in pages)
        ends[1].set_result(answer(url))
        return await asyncio.gather(*pages)

    assert run(go()) == [True, False, False, True]
    assert middleware._waiting == {} and len(middleware.crawler.engine.requests) == 2


def test_crawl_delay():
    url = "https://a.example/robots.txt"
    off = middleware_of({url: answer(url)})
    ask(off, "https://a.example/x")
    assert off.crawler.engine.slots == {}
    slot = middleware_of({url: answer(url)}, POLITE_ROBOTS_CRAWL_DELAY="slot")
    ask(slot, "https://a.example/x")
    assert slot.crawler.engine.slots["a.example"].delay == 5
    assert slot.crawler.engine.slots["a.example"].jitter == 0
    short = middleware_of({url: answer(url)}, POLITE_ROBOTS_CRAWL_DELAY="slot", POLITE_ROBOTS_MAX_CRAWL_DELAY=2)
    ask(short, "https://a.example/x")
    assert short.crawler.engine.slots["a.example"].delay == 2
    heard = []
    signal = middleware_of({url: answer(url)}, POLITE_ROBOTS_CRAWL_DELAY="signal")

    def hear(origin, delay, request):
        heard.append((str(origin), delay, request.url))

    signal.crawler.signals.connect(hear, signal=scrapy.crawl_delay)
    ask(signal, "https://a.example/x")
    ask(signal, "https://a.example/y")
    assert heard == [("https://a.example", 5.0, "https://a.example/x")]


def test_the_signal_of_scrapy():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: answer(url)})
    heard = []

    def hear(robotparser, request):
        heard.append(robotparser.allowed("https://a.example/private", "ExampleBot"))

    middleware.crawler.signals.connect(hear, signal=signals.robots_parsed)
    ask(middleware, "https://a.example/x")
    assert heard == [False]


def test_a_page_ends_an_outage():
    url = "https://a.example/robots.txt"
    middleware = middleware_of({url: [500, answer(url)]})
    assert ask(middleware, "https://a.example/x")
    middleware.now += 301
    page = Request("https://a.example/other", meta={})
    response = Response(page.url)
    assert middleware.process_response(page, response) is response
    assert ask(middleware, "https://a.example/x") is None


def test_settings(caplog):
    with pytest.raises(NotConfigured, match="ROBOTSTXT_OBEY is off"):
        middleware_of({}, ROBOTSTXT_OBEY=False)
    with pytest.raises(ValueError, match="POLITE_ROBOTS_PROFILE"):
        middleware_of({}, POLITE_ROBOTS_PROFILE="bing")
    with pytest.raises(ValueError, match="POLITE_ROBOTS_CRAWL_DELAY"):
        middleware_of({}, POLITE_ROBOTS_CRAWL_DELAY="on")
    own = Profile.rfc9309().replace(forbidden="disallow")
    middleware = middleware_of({"https://a.example/robots.txt": 403}, POLITE_ROBOTS_PROFILE=own)
    assert ask(middleware, "https://a.example/x")
    assert caplog.records == []
    header = middleware_of({}, ROBOTSTXT_USER_AGENT=None, USER_AGENT="OtherBot/2.0 (+https://example.com)")
    assert header.agent == "OtherBot"
    [warning] = caplog.records
    assert warning.levelname == "WARNING" and "read for 'OtherBot'" in warning.getMessage()


def test_memory_is_bounded():
    answers = {f"https://h{number}.example/robots.txt": 404 for number in range(2000)}
    middleware = middleware_of(answers, POLITE_ROBOTS_CACHE_BYTES=100_000)
    for url in answers:
        assert ask(middleware, url.replace("robots.txt", "x")) is None
        middleware.now += 301
    assert middleware.cache.bytes() <= 100_000 and len(middleware.cache) < 500


def test_the_parser_reads_headers():
    parser = scrapy.RobotParser.from_crawler(None, RULES)
    assert not parser.allowed(b"https://a.example/private", b"ExampleBot")
    assert not parser.allowed("https://a.example/private", "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com)")
    assert parser.allowed("https://a.example/private", "42") and parser.allowed("https://a.example/private", "")
    assert parser.crawl_delay("ExampleBot") == 5.0 and parser.crawl_delay("OtherBot") is None
    with pytest.raises(InvalidToken):
        Robot("", b"")
