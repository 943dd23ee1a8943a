"""`RobotsCache`: nothing opens by a failure, one fetch serves everybody, and nobody is left waiting."""

import asyncio
import collections
import inspect
import sys
import threading
import time
import zlib

import pytest

import polite_robots.aio
from polite_robots import InvalidToken, InvalidUrl, RobotsCache
from polite_robots._failures import failure_of
from polite_robots.policy import Profile

START = 1_767_225_600.0
HOUR, DAY = 3600.0, 86_400.0
RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 3\nSitemap: https://a.example/map.xml\n"
PAGE, PRIVATE = "https://a.example/page", "https://a.example/private"
BUSY = (503, {"Retry-After": "120"}, b"busy")


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


class Web:
    """Answers to URLs, which may be exceptions; the last of several goes on. `asked` are the URLs in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, url):
        self.asked.append(url)
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        answer = answer[url] if isinstance(answer, dict) else answer
        if isinstance(answer, BaseException):
            raise answer
        return answer


class OneLoopEach:
    """The cache for asyncio with methods that run a loop of their own: it is bound to none."""

    def __init__(self, agent, fetch, **settings):
        async def asynchronous(url):
            await asyncio.sleep(0)
            return fetch(url)

        self.inner = polite_robots.aio.RobotsCache(agent, asynchronous, **settings)

    def __getattr__(self, name):
        value = getattr(self.inner, name)
        return (lambda *arguments: asyncio.run(value(*arguments))) if inspect.iscoroutinefunction(value) else value


@pytest.fixture(params=[RobotsCache, OneLoopEach], ids=["threads", "asyncio"])
def make(request):
    def make(*answers, **settings):
        web, clock = Web(*answers), Clock()
        return request.param("ExampleBot", web, clock=clock, **settings), web, clock

    return make


def test_the_rules_of_a_file(make):
    cache, web, clock = make((200, {}, RULES))
    check = cache.check(PRIVATE)
    assert (check.allowed, check.closed, check.cause, check.retry_at, check.line) == (False, False, None, None, 2)
    assert str(check) == "disallowed by line 2: Disallow: /private in the wildcard group on line 1" and not check
    assert cache.check(PAGE) and cache.allowed(PAGE) is True and cache.allowed(PRIVATE) is False
    assert cache.crawl_delay(PAGE) == 3.0 and cache.sitemaps(PAGE) == ["https://a.example/map.xml"]
    assert cache.explain(PAGE).startswith("the rules of robots.txt as of 2026-01-01T00:00:00Z")
    assert web.asked == ["https://a.example/robots.txt"]
    with pytest.raises(InvalidUrl):
        cache.check("ftp://a.example/")


def test_no_file(make):
    cache, _, _ = make((404, {}, b"<html>"))
    check = cache.check(PAGE)
    assert (check.allowed, check.closed, check.cause, check.line) == (True, False, 404, None)
    assert str(check) == "allowed: robots.txt answered with status 404"


def test_an_outage(make):
    cache, web, clock = make(BUSY)
    check = cache.check(PAGE)
    assert (check.allowed, check.closed, check.cause, check.retry_at) == (False, True, 503, START + 120)
    assert str(check) == "disallowed: robots.txt answered with status 503; next fetch: 2026-01-01T00:02:00Z"
    # A site that wants to be left alone is not asked for its robots.txt by the caller either.
    assert cache.allowed("https://a.example/robots.txt") is False
    assert cache.crawl_delay(PAGE) is None and cache.sitemaps(PAGE) == [] and "503" in cache.explain(PAGE)
    clock.now += 119
    assert cache.allowed(PAGE) is False and len(web.asked) == 1
    web.answers = [(200, {}, RULES)]
    clock.now += 1
    assert cache.allowed(PAGE) is True and len(web.asked) == 2


FAILURES = [
    BUSY,
    (500, {}, b"<html>Sorry</html>"),
    (429, {}, b""),
    (999, {}, b""),
    (302, {}, b""),
    (301, {"Location": "ftp://b.example/robots.txt"}, b""),
    (200, {"Content-Encoding": "br"}, b"\x8b\x0e\x80User-agent: *\x03"),
    (200, {}, zlib.compress(RULES, wbits=31)),
    TimeoutError("read"),
    ConnectionResetError(104, "reset"),
    OSError(24, "too many open files"),
    ValueError("the client cannot read this URL"),
    RuntimeError("closed"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_failures_close_the_site_and_are_not_asked_for_again(make, failure):
    # An early retry, after two seconds, is one of the policy.
    cache, web, clock = make(failure, profile=Profile.rfc9309().replace(retry_early=0))
    for second in range(10):
        clock.now = START + second
        check = cache.check(PAGE)
        assert check.closed and not check.allowed and check.retry_at >= START + 10
    assert len(web.asked) == 1


def test_days_of_an_outage(make):
    cache, web, clock = make((200, {}, RULES), TimeoutError())
    assert cache.allowed(PAGE)
    opened = [hour for hour in range(29 * 24) if (setattr(clock, "now", START + hour * HOUR), cache.allowed(PAGE))[1]]
    # The last answer counts for its lifetime and no longer.
    assert opened == list(range(24))
    assert not cache.allowed(PRIVATE) and len(web.asked) < 29 * 24
    web.answers = [(200, {}, RULES)]
    clock.now += DAY
    assert cache.allowed(PAGE) and not cache.allowed(PRIVATE)


def test_redirects_are_followed_hop_by_hop(make):
    moved = {
        "https://a.example/robots.txt": (301, [(b"location", "//b.example/robots.txt")], b""),
        "https://b.example/robots.txt": (307, {"Location": "/here"}, b""),
        "https://b.example/here": (200, {}, RULES),
    }
    cache, web, _ = make(moved)
    assert not cache.allowed(PRIVATE) and cache.allowed(PAGE) and web.asked == list(moved)


def test_a_body_that_its_client_has_decoded_keeps_its_header(make):
    # As from `return response.status_code, response.headers, response.content` of requests.
    for coding, body in [("gzip", RULES), ("br", bytearray(RULES)), ("deflate", memoryview(RULES))]:
        cache, _, _ = make((200, {"Content-Encoding": coding}, body))
        assert cache.allowed(PAGE) and not cache.allowed(PRIVATE)


def test_a_long_body_is_cut(make):
    cache, _, _ = make((200, {}, RULES + b"#" * 600_000 + b"\nDisallow: /page"))
    assert cache.allowed(PAGE) and not cache.allowed(PRIVATE)
    # In UTF-8 it would be short enough to be all of the file.
    text = "User-agent: *\nDisallow: /private\n" + "#" * 255_948 + "\nAllow: /private/not"
    cache, _, _ = make((200, {}, text.encode("utf-16")[:512_001]))
    assert not cache.allowed("https://a.example/private/n")


NONSENSE = [
    None,
    200,
    (200, {}),
    (200, {}, "text in a charset that was guessed"),
    (200, {}, 100),
    (200, {}, None),
    ("200", {}, b""),
    (True, {}, b""),
    (0, {}, b""),
    (1000, {}, b""),
    (200, 7, b""),
    (200, {"Location": ["/a"]}, b""),
    (200, [("Location",)], b""),
]


@pytest.mark.parametrize("nonsense", NONSENSE, ids=repr)
def test_nonsense_is_the_crawlers_fault(make, nonsense):
    cache, web, clock = make(nonsense, (200, {}, RULES))
    with pytest.raises((TypeError, ValueError), match="`fetch` must return"):
        cache.allowed(PAGE)
    # It says nothing about the site, which is not asked in a loop either.
    check = cache.check(PAGE)
    assert (check.closed, check.cause, check.retry_at) == (True, "not_fetched", START + 10)
    clock.now += 10
    assert cache.allowed(PAGE) and len(web.asked) == 2


@pytest.mark.parametrize("clock", [time.time_ns, lambda: time.time() * 1000, lambda: -1.0, lambda: float("nan")])
@pytest.mark.parametrize("kind", [RobotsCache, polite_robots.aio.RobotsCache, polite_robots.aio.PoliteSession])
def test_a_clock_in_another_unit(kind, clock):
    fetch = {} if kind is polite_robots.aio.PoliteSession else {"fetch": lambda url: BUSY}
    with pytest.raises(ValueError, match="seconds since 1970"):
        kind("ExampleBot", **fetch, clock=clock)


def misspelled(url):
    return reqests.get(url)  # noqa: F821


def not_imported(url):
    import reqests  # noqa: F401


def not_written(url):
    raise NotImplementedError


BUGS = [
    (misspelled, NameError),
    (not_imported, ImportError),
    (not_written, NotImplementedError),
    (lambda url: url.content, AttributeError),
    (lambda url: url + 1, TypeError),
    (lambda url: compile("(", "", "eval"), SyntaxError),
]


@pytest.mark.parametrize(("fetch", "kind"), BUGS)
def test_a_bug_of_fetch_is_raised(make, fetch, kind):
    other, web, clock = make((200, {}, RULES))
    cache = type(other)("ExampleBot", lambda url: web(url) if clock.now > START else fetch(url), clock=clock)
    with pytest.raises(kind):
        cache.check(PAGE)
    # It says nothing about the site, which is closed meanwhile.
    check = cache.check(PAGE)
    assert (check.closed, check.cause, check.retry_at, check.error) == (True, "not_fetched", START + 10, None)
    clock.now += 10
    assert cache.allowed(PAGE)


def test_an_async_cache_with_a_function_that_is_not_async():
    with pytest.raises(TypeError, match="await"):
        asyncio.run(polite_robots.aio.RobotsCache("ExampleBot", lambda url: BUSY).check(PAGE))


def test_a_bug_of_a_library_is_no_bug_of_fetch(make, caplog):
    """As where a hostile server brings one to light: it must not end the crawl."""
    import json

    import requests

    for fetch in (lambda url: json.loads(7), lambda url: requests.utils.get_encoding_from_headers(None)):
        caplog.clear()
        other, _, clock = make()
        cache = type(other)("ExampleBot", fetch, clock=clock)
        check = cache.check(PAGE)
        assert check.closed and isinstance(check.error, AttributeError | TypeError)
        assert cache.check(PAGE).error is None
        [record] = caplog.records
        assert record.levelname == "WARNING" and PAGE.replace("page", "robots.txt") in record.getMessage()


def test_an_error_is_kept_and_logged_once_as_a_warning(make, caplog):
    error = ConnectionResetError(104, "reset")
    with caplog.at_level("INFO"):
        cache, _, _ = make(error)
        checks = [cache.check(f"https://h{number}.example/") for number in range(3)]
    assert all(check.error is error and check.cause == "unreachable" for check in checks)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO", "INFO"]
    assert "error" not in checks[0].to_dict()
    cache, _, _ = make(BUSY)
    assert cache.check(PAGE).error is None


@pytest.mark.parametrize("cache", [RobotsCache, polite_robots.aio.RobotsCache])
def test_wrong_arguments(cache):
    for wrong in (lambda: None, lambda url, headers: None, "https://a.example/"):
        with pytest.raises(TypeError):
            cache("ExampleBot", wrong)
    with pytest.raises(InvalidToken):
        cache("ExampleBot/1.0", lambda url: None)
    with pytest.raises(TypeError):
        cache("ExampleBot", lambda url: None, colour=1)


def test_several_agents():
    cache = RobotsCache(["ExampleBot-Images", "ExampleBot"], Web((200, {}, b"User-agent: ExampleBot\nDisallow: /")))
    assert not cache.allowed(PAGE)


def test_a_pause_of_a_round(make):
    # IBM asks again after two seconds, in the same round.
    cache, web, clock = make((503, {}, b""), (200, {}, RULES), profile=Profile.ibm())
    for clock.now in (START, START + 1):
        check = cache.check(PAGE)
        assert (check.closed, check.cause, check.retry_at) == (True, "not_fetched", START + 2)
        assert cache.explain(PAGE) == str(check)
    assert len(web.asked) == 1
    clock.now = START + 2
    assert cache.allowed(PAGE) and not cache.allowed(PRIVATE) and len(web.asked) == 2


@pytest.mark.parametrize("later", [3.0, 700.0])
def test_a_pause_that_nobody_came_back_for(make, later):
    cache, web, clock = make((503, {}, b""), profile=Profile.ibm())
    cache.check(PAGE)
    # Also after the lease of its ticket.
    clock.now += later
    check = cache.check(PAGE)
    assert (check.cause, check.retry_at, len(web.asked)) == (503, clock.now + HOUR, 2)


def test_pauses_are_bounded(make):
    cache, web, clock = make((503, {}, b""), profile=Profile.ibm(), capacity=30_000)
    # A round that is forgotten has failed.
    for _ in range(2):
        checks = [cache.check(f"https://h{host}.example/") for host in range(40)]
        assert all(check.closed for check in checks) and cache.cache.bytes() <= 30_000
    assert {(check.cause, check.retry_at - START) for check in checks} == {("not_fetched", 2), ("unreachable", HOUR)}
    assert len(web.asked) == 40


def test_a_full_cache(make):
    # It cannot keep as many promises of a day.
    cache, web, clock = make((503, {"Retry-After": "86400"}, b""), capacity=10_000)
    checks = [cache.check(f"https://h{host}.example/") for host in range(100)]
    assert all(check.closed and not check.allowed for check in checks)
    full = [check for check in checks if check.cause == "full"]
    assert full and len(web.asked) == 100 - len(full)
    assert full[0].retry_at == START + 10
    assert str(full[0]) == "disallowed: no room for another robots.txt; next fetch: 2026-01-01T00:00:10Z"
    assert cache.explain("https://h99.example/") == str(full[0])
    clock.now += 2 * DAY
    web.answers = [(200, {}, RULES)]
    assert cache.allowed("https://h99.example/")


def test_the_site_that_was_asked_about_longest_ago_makes_room(make):
    cache, web, clock = make((200, {}, RULES), capacity=30_000)
    for host in range(1000):
        clock.now += 30
        assert cache.allowed(f"https://h{host}.example/") and not cache.allowed(f"https://h{host}.example/private")
    assert cache.cache.bytes() <= 30_000 and len(cache.cache) < 1000 and len(web.asked) == 1000


def test_a_saved_cache_opens_nothing(make):
    cache, web, clock = make({
        "https://a.example/robots.txt": (200, {}, RULES),
        "https://b.example/robots.txt": BUSY,
    })
    assert cache.allowed(PAGE) and not cache.allowed("https://b.example/")
    again, never, clock = make((200, {}, b""))
    again.load(cache.save())
    clock.now += 119
    assert again.allowed(PAGE) and not again.allowed(PRIVATE) and again.check(PRIVATE).line == 2
    assert again.check("https://b.example/").retry_at == START + 120 and never.asked == []
    # Rules for another crawler are not its own.
    other = RobotsCache("OtherBot", Web(BUSY), clock=clock)
    other.load(cache.save())
    assert other.check(PAGE).cause == 503
    for wrong in (b"", b"\x01\x02", cache.save()[:-1], cache.save() + b"\x00"):
        with pytest.raises(ValueError, match="no pickle"):
            again.load(wrong)


def test_what_the_memory_forgets_stays_closed(make):
    closed = {f"https://h{host}.example/robots.txt": BUSY for host in range(200)}
    cache, web, clock = make(closed, capacity=30_000)
    for host in range(200):
        clock.now = START + host * HOUR
        assert not cache.allowed(f"https://h{host}.example/")
    assert cache.cache.forgotten() > 0 and cache.cache.bytes() <= 30_000
    saved, clock.now = cache.save(), START + 199 * HOUR
    again, _, _ = make(BUSY, capacity=30_000)
    again.load(saved)
    assert again.cache.forgotten() == cache.cache.forgotten()


def test_an_answer_is_used_while_another_thread_fetches_it_anew():
    clock, began, goes_on = Clock(), threading.Event(), threading.Event()
    asked = []

    def fetch(url):
        asked.append(url)
        if len(asked) == 2:
            began.set()
            assert goes_on.wait(30)
        return 200, {}, RULES

    cache = RobotsCache("ExampleBot", fetch, clock=clock)
    cache.allowed(PAGE)
    # The answer is used up by a page that comes after the gap of the file's Crawl-delay.
    clock.now += 10
    cache.allowed(PAGE)
    clock.now += 23 * HOUR
    refresher = threading.Thread(target=cache.allowed, args=(PAGE,))
    refresher.start()
    assert began.wait(30)
    assert cache.allowed(PAGE) and not cache.allowed(PRIVATE)
    goes_on.set()
    refresher.join()
    assert len(asked) == 2


@pytest.fixture
def restless():
    """Threads that take turns all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_a_hundred_threads_get_one_fetch(restless):
    asked, barrier, clock = [], threading.Barrier(100), collections.Counter()

    def fetch(url):
        asked.append(url)
        time.sleep(0.05)
        return 200, {}, RULES

    def now():
        clock["calls"] += 1
        return START

    cache, answers = RobotsCache("ExampleBot", fetch, clock=now), []

    def ask(path):
        # Several hosts, as threads meet in a narrow place now and then only.
        for host in range(8):
            barrier.wait()
            answers.append((path, cache.allowed(f"https://h{host}.example{path}")))

    threads = [threading.Thread(target=ask, args=(path,)) for path in ["/page", "/private"] * 50]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert collections.Counter(answers) == {("/page", True): 400, ("/private", False): 400} and len(asked) == 8
    # Threads that wait are asleep.
    assert clock["calls"] < 8 * 100 * 4


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit(), (200, {}, None)], ids=repr)
def test_another_thread_takes_over(end):
    asked, waits = [], threading.Event()

    def fetch(url):
        asked.append(url)
        if len(asked) == 1:
            assert waits.wait(30)
            time.sleep(0.1)
            if isinstance(end, BaseException):
                raise end
            return end
        return 200, {}, RULES

    cache, raised, answers = RobotsCache("ExampleBot", fetch), [], []

    def first():
        try:
            cache.check(PAGE)
        except BaseException as error:
            raised.append(error)

    def second():
        waits.set()
        answers.append(cache.check(PAGE))

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    while not asked:
        time.sleep(0.001)
    threads[1].start()
    for thread in threads:
        thread.join(30)
    assert len(raised) == 1
    if isinstance(end, BaseException):
        assert raised == [end] and answers[0].allowed and len(asked) == 2
    else:
        assert isinstance(raised[0], TypeError) and answers[0].closed and len(asked) == 1


def test_nobody_waits_for_another_site():
    hangs = threading.Event()
    cache = RobotsCache("ExampleBot", lambda url: hangs.wait(30) and BUSY if "slow" in url else (200, {}, RULES))
    thread = threading.Thread(target=cache.check, args=("https://slow.example/",))
    thread.start()
    assert cache.allowed(PAGE)
    hangs.set()
    thread.join()


HASTY = Profile.rfc9309().replace(ticket_lease=0.05)


def test_a_fetch_that_never_returns():
    """The callers that wait hear that the site is closed, and so does one that comes when the lease of the ticket is over."""
    clock, hangs, asked, checks = Clock(), threading.Event(), [], []

    def fetch(url):
        asked.append(url)
        hangs.wait(30)
        return 404, {}, b""

    cache = RobotsCache("ExampleBot", fetch, profile=HASTY, clock=clock)
    threads = [threading.Thread(target=lambda: checks.append(cache.check(PAGE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    while len(checks) < 3:
        time.sleep(0.001)
    assert len(asked) == 1 and all(check.closed and check.cause == "unreachable" for check in checks)
    assert all(isinstance(check.error, TimeoutError) for check in checks[:1])
    clock.now += 1
    assert cache.check(PAGE).closed and len(asked) == 1
    hangs.set()
    for thread in threads:
        thread.join()
    # The answer that came too late counts no more.
    assert cache.check(PAGE).cause == "unreachable" and len(asked) == 1


def test_a_caller_that_comes_after_the_limit_does_not_hang_too():
    clock, hangs, asked = Clock(), threading.Event(), []

    def fetch(url):
        asked.append(url)
        hangs.wait(30)
        return 404, {}, b""

    cache = RobotsCache("ExampleBot", fetch, profile=HASTY, clock=clock)
    thread = threading.Thread(target=cache.check, args=(PAGE,))
    thread.start()
    while not asked:
        time.sleep(0.001)
    time.sleep(0.1)
    clock.now += 1
    check = cache.check(PAGE)
    assert check.closed and check.cause == "unreachable" and len(asked) == 1
    hangs.set()
    thread.join()


def test_an_async_fetch_that_never_returns():
    async def main():
        asked, cancelled = [], []

        async def fetch(url):
            asked.append(url)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(url)
                raise

        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch, profile=HASTY)
        checks = await asyncio.wait_for(asyncio.gather(*(cache.check(PAGE) for _ in range(3))), 10)
        assert all(check.closed and check.cause == "unreachable" for check in checks)
        assert len(asked) == 1 and isinstance(checks[0].error, TimeoutError)
        await all_tasks_ended()
        assert len(cancelled) == 1

    asyncio.run(main())


def test_a_fetch_that_asks_about_its_own_site(make):
    # It cannot wait for itself.
    cache = RobotsCache("ExampleBot", lambda url: (200, {}, RULES) if cache.allowed(url) else BUSY)
    assert cache.check(PAGE).cause == "unreachable"

    async def fetch(url):
        return (200, {}, RULES) if await asynchronous.allowed(url) else BUSY

    asynchronous = polite_robots.aio.RobotsCache("ExampleBot", fetch)
    assert asyncio.run(asynchronous.check(PAGE)).cause == "unreachable"


class Slow:
    """An async fetch that takes some turns of the loop."""

    def __init__(self, answer=(200, {}, RULES)):
        self.asked, self.ended, self.answer = 0, 0, answer

    async def __call__(self, url):
        self.asked += 1
        try:
            await asyncio.sleep(0.05)
        finally:
            self.ended += 1
        return self.answer


async def all_tasks_ended():
    await asyncio.sleep(0)
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)


def test_a_third_of_a_hundred_callers_is_cancelled():
    async def main():
        fetch = Slow()
        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
        callers = [asyncio.create_task(cache.allowed(url)) for url in [PAGE, PRIVATE] * 50]
        await asyncio.sleep(0.01)
        for caller in callers[::3]:
            caller.cancel()
        answers = await asyncio.wait_for(asyncio.gather(*callers, return_exceptions=True), 30)
        for number, answer in enumerate(answers):
            if number % 3 == 0:
                assert isinstance(answer, asyncio.CancelledError)
            else:
                assert answer is (number % 2 == 0)
        assert fetch.asked == fetch.ended == 1

    asyncio.run(main())


# The turns of the loop before the cancellation.
@pytest.mark.parametrize("turns", range(6))
def test_the_last_caller_is_cancelled(turns):
    async def main():
        fetch = Slow()
        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
        callers = [asyncio.create_task(cache.allowed(PAGE)) for _ in range(3)]
        for _ in range(turns):
            await asyncio.sleep(0)
        for caller in callers:
            caller.cancel()
        # One comes while the fetch is being cancelled.
        late = asyncio.create_task(cache.allowed(PAGE))
        assert await asyncio.wait_for(late, 30) is True
        await all_tasks_ended()
        assert fetch.asked == fetch.ended <= 2 and cache._rounds == {}
        assert await cache.allowed(PRIVATE) is False

    asyncio.run(main())


def test_a_fetch_ends_with_its_last_caller():
    async def main():
        began, ended = asyncio.Event(), asyncio.Event()

        async def fetch(url):
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
        callers = [asyncio.create_task(cache.allowed(PAGE)) for _ in range(2)]
        await began.wait()
        callers[0].cancel()
        await asyncio.gather(callers[0], return_exceptions=True)
        assert not ended.is_set()
        callers[1].cancel()
        await asyncio.wait_for(ended.wait(), 10)

    asyncio.run(main())


def test_a_fetch_is_cancelled_before_it_begins():
    async def main():
        cache = polite_robots.aio.RobotsCache("ExampleBot", Slow())
        caller = asyncio.create_task(cache.allowed(PAGE))
        await asyncio.sleep(0)
        # As by whoever cancels all tasks of the loop.
        (round,) = cache._rounds.values()
        round.end.cancel()
        assert await asyncio.wait_for(caller, 30) is True

    asyncio.run(main())


def test_a_loop_that_ends_in_a_round():
    fetch = Slow()
    cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)

    async def begin():
        asyncio.create_task(cache.allowed(PAGE))
        await asyncio.sleep(0.01)

    asyncio.run(begin())
    assert asyncio.run(asyncio.wait_for(cache.allowed(PAGE), 30)) is True and fetch.asked == 2


def test_a_loop_that_is_closed_in_a_round():
    fetch = Slow()
    cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
    loop = asyncio.new_event_loop()
    caller = loop.create_task(cache.allowed(PAGE))
    loop.run_until_complete(asyncio.sleep(0.01))
    left = asyncio.all_tasks(loop)
    loop.close()
    assert asyncio.run(asyncio.wait_for(cache.allowed(PAGE), 30)) is True
    for task in left | {caller}:
        # Nobody runs them any more, and asyncio would say so.
        task._log_destroy_pending = False
        task.get_coro().close()


def test_a_loop_that_begins_tasks_at_once():
    async def main():
        # As `asyncio.eager_task_factory` does, which Python 3.11 has not.
        loop = asyncio.get_running_loop()
        loop.set_task_factory(lambda loop, coroutine, **_: pytest.fail("it ran by the factory"))
        answer = await polite_robots.aio.RobotsCache("ExampleBot", Slow()).allowed(PAGE)
        loop.set_task_factory(None)
        return answer

    assert asyncio.run(main()) is True


def test_one_loop_at_a_time():
    cache = polite_robots.aio.RobotsCache("ExampleBot", Slow())
    raised = []

    async def main():
        caller = asyncio.create_task(cache.allowed(PAGE))
        await asyncio.sleep(0.01)

        def other():
            with pytest.raises(RuntimeError, match="another event loop"):
                asyncio.run(cache.allowed(PAGE))
            raised.append(True)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        return await caller

    assert asyncio.run(main()) is True and raised


def test_all_callers_hear_of_nonsense():
    async def main():
        fetch = Slow((200, {}, "text"))
        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
        answers = await asyncio.gather(*(cache.allowed(PAGE) for _ in range(3)), return_exceptions=True)
        assert all(isinstance(answer, TypeError) for answer in answers) and fetch.asked == 1

    asyncio.run(main())


def test_a_client_that_cancels_its_requests_is_not_asked_in_a_loop():
    web = Web(asyncio.CancelledError())
    cache = OneLoopEach("ExampleBot", web)
    assert cache.check(PAGE).closed and cache.check(PAGE).cause == "unreachable" and len(web.asked) == 1


def raised_from(cause, error):
    try:
        try:
            raise cause
        except Exception:
            raise error
    except Exception as caught:
        return caught


def named(name, *bases):
    return type(name, bases or (Exception,), {})()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError(), "read"),
        (ConnectionRefusedError(111, "refused"), "connect"),
        (ConnectionResetError(104, "reset"), "reset"),
        (OSError(24, "too many open files"), "local"),
        (raised_from(OSError(24, "too many open files"), RuntimeError()), "local"),
        (named("ContentDecodingError"), "encoded"),
        (raised_from(named("ContentEncodingError"), named("ClientPayloadError")), "encoded"),
        (named("ChunkedEncodingError"), "cut_short"),
        (raised_from(named("ContentLengthError"), named("ClientPayloadError")), "cut_short"),
        (named("ConnectTimeout", named("Timeout").__class__), "connect"),
        (named("SSLError", ConnectionError), "tls"),
        (named("NameResolutionError"), "dns"),
        (KeyError(), "other"),
    ],
    ids=repr,
)
def test_kinds_of_failures(error, kind):
    assert failure_of(error) == kind


def test_a_machine_without_a_network_blames_no_site(monkeypatch):
    import socket

    lost = [socket.gaierror(-3, "Temporary failure in name resolution"), OSError(101, "Network is unreachable")]
    monkeypatch.setattr("polite_robots._failures._has_route", lambda: False)
    assert [failure_of(error) for error in lost] == ["local", "local"]
    monkeypatch.setattr("polite_robots._failures._has_route", lambda: True)
    assert [failure_of(error) for error in lost] == ["dns", "other"]
