"""`PoliteSession` by a clock that goes on to the next timer, so that hours take no time."""

import asyncio
import collections
import gzip
import math

import httpx
import pytest

from polite_robots import InvalidUrl
from polite_robots.aio import Busy, Closed, Disallowed, PoliteError, PoliteSession, RedirectError, TooLarge
from polite_robots.policy import HostRule, Profile

START = 1_767_225_600.0
RULES = "User-agent: *\nDisallow: /private\n"


class PausedLoop(asyncio.SelectorEventLoop):
    """A loop whose time goes on when nothing else does."""

    now = START

    def __init__(self):
        super().__init__()
        # That of a clock of these numbers: a timer that is due must not be later than the time and this.
        self._clock_resolution = 1e-6

    def time(self):
        return self.now

    def _run_once(self):
        if not self._ready:
            timers = [timer.when() for timer in self._scheduled if not timer.cancelled()]
            self.now = max(self.now, min(timers, default=0))
        super()._run_once()


class Web:
    """Sites by their URLs: a body, or `(status, headers, body)`, or an exception, or a list of them in turn. `hits` has the begin
    and the URL of each request, and `rude` those that began while another one to their host was under way.
    """

    def __init__(self, pages, takes=0.0):
        self.pages, self.takes = pages, takes
        self.hits, self.rude, self.sent, self.open = [], [], [], collections.Counter()

    async def __call__(self, request):
        url, host = str(request.url), request.url.host
        self.hits.append((round(asyncio.get_running_loop().time() - START, 3), url))
        self.sent.append(request)
        self.open[host] += 1
        if self.open[host] > 1:
            self.rude.append(url)
        try:
            await asyncio.sleep(self.takes)
            answer = self.pages.get(url, (404, {}, ""))
            answer = (answer if len(answer) == 1 else [answer.pop(0)])[0] if isinstance(answer, list) else answer
            if isinstance(answer, Exception):
                raise answer
            status, headers, body = (200, {}, answer) if isinstance(answer, str) else answer
            return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body if isinstance(body, bytes) else body.encode()))
        finally:
            self.open[host] -= 1

    def session(self, **settings):
        client = httpx.AsyncClient(transport=httpx.MockTransport(self))
        clock = asyncio.get_running_loop().time
        return PoliteSession("ExampleBot", client=client, clock=clock, **settings)


def run(coroutine):
    with asyncio.Runner(loop_factory=PausedLoop) as runner:
        return runner.run(coroutine)


def crawl(web, *urls, **settings):
    """The ends of calls that began together."""

    async def calls():
        async with web.session(**settings) as session:
            ends = await asyncio.gather(*map(session.get, urls), return_exceptions=True)
            assert not session._turns._lines and session._turns._in_flight == 0 and not session.robots._waiting
            return ends

    ends = run(calls())
    assert not web.rude
    return ends


def test_robots_txt_comes_first_and_each_request_keeps_a_gap():
    web = Web({"https://a.example/robots.txt": RULES, "https://a.example/1": "one", "https://a.example/2": "two"})
    one, two = crawl(web, "https://a.example/1", "https://a.example/2")
    assert web.hits == [(0, "https://a.example/robots.txt"), (1, "https://a.example/1"), (2, "https://a.example/2")]
    assert (one.status, one.text(), two.body, one.check.cause) == (200, "one", b"two", None)
    assert {request.headers["User-Agent"] for request in web.sent} == {"ExampleBot"}


def test_a_crawl_delay_counts_from_the_end_of_a_request():
    web = Web({"https://a.example/robots.txt": f"{RULES}Crawl-delay: 3\n"}, takes=0.5)
    crawl(web, "https://a.example/1", "https://a.example/2")
    assert [begin for begin, _ in web.hits] == [0, 3.5, 7]


def test_hosts_do_not_wait_for_each_other():
    hosts = [f"https://h{number}.example/1" for number in range(40)]
    web = Web({}, takes=0.1)
    crawl(web, *hosts, max_in_flight=50)
    assert [begin for begin, _ in web.hits] == [0] * 40 + [1.1] * 40
    web = Web({}, takes=0.1)
    crawl(web, *hosts, max_in_flight=10)
    assert max(collections.Counter(begin for begin, _ in web.hits).values()) == 10


def test_retry_after_is_kept_with_every_call():
    busy = (429, {"Retry-After": "100"}, "busy")
    web = Web({"https://a.example/1": busy, "https://a.example/2": "two"})
    one, two = crawl(web, "https://a.example/1", "https://a.example/2")
    assert (one.status, two.status) == (429, 200)
    assert web.hits[-1] == (101, "https://a.example/2")


def test_an_error_names_the_line_or_the_time():
    closed = (503, {"Retry-After": "600"}, "busy")
    web = Web({"https://a.example/robots.txt": RULES, "https://b.example/robots.txt": closed})
    disallowed, outage, invalid = crawl(web, "https://a.example/private/1", "https://b.example/1", "mailto:a@b.example")
    assert isinstance(disallowed, Disallowed) and disallowed.check.line == 2 and disallowed.retry_at is None
    assert "disallowed by line 2: Disallow: /private" in str(disallowed)
    assert isinstance(outage, Closed) and outage.retry_at == START + 600 and "503" in str(outage)
    assert isinstance(invalid, InvalidUrl)
    assert sorted(url for _, url in web.hits) == ["https://a.example/robots.txt", "https://b.example/robots.txt"]


def test_each_hop_of_a_redirect_is_a_page_of_its_own():
    web = Web({
        "https://a.example/1": (302, {"Location": "https://b.example/2#here"}, "gone"),
        "https://b.example/robots.txt": RULES,
        "https://b.example/2": (301, {"Location": "/3"}, ""),
        "https://b.example/3": "three",
        "https://a.example/4": (307, {"Location": "//b.example/private"}, ""),
    })  # fmt: skip
    page, refused = crawl(web, "https://a.example/1", "https://a.example/4")
    assert (page.url, page.text()) == ("https://b.example/3", "three")
    assert page.hops == ("https://a.example/1", "https://b.example/2")
    assert isinstance(refused, Disallowed) and refused.hops == ("https://a.example/4",) and "a.example/4 leads" in str(refused)
    times = [begin for begin, url in web.hits if "b.example" in url]
    assert all(later - earlier >= 1 for earlier, later in zip(times, times[1:], strict=False))


@pytest.mark.parametrize(
    ("location", "why"),
    [("/1", "loop"), ("ftp://a.example/", "no URL of http"), ("http://[", "no URL of http"), ("https://u:p@a.example/1", "loop")],
)
def test_a_redirect_that_cannot_be_followed(location, why):
    [error] = crawl(Web({"https://a.example/1": (301, {"Location": location}, "")}), "https://a.example/1")
    assert isinstance(error, RedirectError) and why in str(error) and error.chain == ("https://a.example/1",)


def test_a_long_chain_of_redirects_ends():
    web = Web({f"https://a.example/{hop}": (302, {"Location": f"/{hop + 1}"}, "") for hop in range(9)})
    [error] = crawl(web, "https://a.example/0")
    assert isinstance(error, RedirectError) and len(error.chain) == 6 and web.hits[-1][1] == "https://a.example/5"


def test_credentials_stay_with_their_site():
    web = Web({"https://a.example/1": (302, {"Location": "/2"}, ""), "https://a.example/2": (302, {"Location": "https://b.example/"}, "")})

    async def call():
        async with web.session() as session:
            await session.get("https://a.example/1", headers={"Authorization": "Basic x", "Accept-Language": "en"})

    run(call())
    pages = [request for request in web.sent if request.url.path != "/robots.txt"]
    assert [request.headers.get("Authorization") for request in pages] == ["Basic x", "Basic x", None]
    assert {request.headers.get("Accept-Language") for request in pages} == {"en"}
    assert all("Authorization" not in request.headers for request in web.sent if request.url.path == "/robots.txt")


def test_a_call_waits_no_longer_than_it_may():
    busy = (503, {"Retry-After": "1000"}, "busy")
    web = Web({"https://a.example/1": busy, "https://b.example/robots.txt": f"{RULES}Crawl-delay: 500\n"})
    one, two, late = crawl(web, "https://a.example/1", "https://a.example/2", "https://b.example/1")
    assert one.status == 503
    assert isinstance(two, Busy) and two.host == "a.example" and two.retry_at == START + 1001
    assert str(two).endswith("; retry at 2026-01-01T00:16:41Z") and "retry" not in str(Busy("a.example", math.inf, "blocked"))
    assert isinstance(late, Busy) and late.retry_at == START + 500


def test_a_clock_that_jumps_ends_no_waits():
    web, jump = Web({}, takes=0.1), [0.0]

    async def calls():
        loop = asyncio.get_running_loop()
        client = httpx.AsyncClient(transport=httpx.MockTransport(web))
        async with PoliteSession("ExampleBot", client=client, clock=lambda: loop.time() + jump[0]) as session:
            loop.call_later(2.5, jump.__setitem__, 0, 25 * 3600.0)
            return await asyncio.gather(*(session.get(f"https://a.example/{page}") for page in range(10)), return_exceptions=True)

    ends = run(calls())
    assert [getattr(end, "status", end) for end in ends] == [404] * 10


def test_a_line_has_an_end():
    web = Web({})
    ends = crawl(web, *(f"https://a.example/{number}" for number in range(9)), max_line=5)
    assert sum(isinstance(end, Busy) for end in ends) == 4 and "5 calls wait" in str(ends[-1])


def test_a_body_has_a_limit_after_its_coding():
    bomb = gzip.compress(bytes(5_000_000))
    web = Web({"https://a.example/1": "x" * 101, "https://a.example/2": (200, {"Content-Encoding": "gzip"}, bomb),
               "https://a.example/3": (404, {"Content-Encoding": "gzip"}, gzip.compress(b"none"))})  # fmt: skip
    long, packed, none = crawl(web, *(f"https://a.example/{number}" for number in (1, 2, 3)), page_limit=100)
    assert isinstance(long, TooLarge) and isinstance(packed, TooLarge) and long.limit == 100
    assert (none.status, none.text(), none.header("content-encoding")) == (404, "none", None)


def test_failures_of_the_client_are_raised_and_slow_the_host_down():
    web = Web({"https://a.example/x": httpx.ConnectError("refused")})
    ends = crawl(web, *["https://a.example/x"] * 8, max_wait=10_000)
    assert all(isinstance(end, httpx.ConnectError) for end in ends)
    times = [begin for begin, _ in web.hits]
    assert times[2] - times[1] == 1 and times[-1] - times[-2] > 4


def test_an_answer_that_hangs_is_broken_off():
    web = Web({}, takes=10_000)
    robots, *_ = crawl(web, "https://a.example/1")
    assert isinstance(robots, Closed)
    web = Web({"https://a.example/robots.txt": RULES})

    async def calls():
        async with web.session() as session:
            await session.check("https://a.example/1")
            web.takes = 10_000
            with pytest.raises(TimeoutError):
                await session.get("https://a.example/1")
            assert session._turns._in_flight == 0

    run(calls())
    assert not web.rude


def test_the_exceptions_of_an_operator():
    rules = {"fast.example": HostRule(min_delay=0.25), "friend.example": HostRule(obedience="ignore")}
    web = Web({"https://friend.example/robots.txt": "User-agent: *\nDisallow: /"})
    urls = ["https://fast.example/1", "https://fast.example/2", "https://friend.example/1"]
    assert all(end.status == 404 for end in crawl(web, *urls, rule=rules.get))
    assert [begin for begin, url in web.hits if "fast" in url] == [0, 0.25, 0.5]
    assert [url for _, url in web.hits if "friend" in url] == ["https://friend.example/1"]


def test_a_crawl_delay_that_is_longer_than_robots_txt_lives():
    file = (200, {"Cache-Control": "max-age=0"}, f"{RULES}Crawl-delay: 900\n")
    web = Web({"https://a.example/robots.txt": file})
    ends = crawl(web, *(f"https://a.example/{number}" for number in range(3)), max_wait=1e6)
    assert all(end.status == 404 for end in ends)
    assert sum(url.endswith("robots.txt") for _, url in web.hits) <= 3


def test_a_round_that_waits_for_long_stays_the_only_one():
    away = (301, {"Location": "https://b.example/robots.txt"}, "")
    busy = (429, {"Retry-After": "7200"}, "")
    web = Web({"https://a.example/robots.txt": away, "https://b.example/robots.txt": RULES, "https://b.example/1": busy})

    async def calls():
        async with web.session(max_wait=1e5) as session:
            assert (await session.get("https://b.example/1")).status == 429
            pages = [asyncio.create_task(session.get("https://a.example/1"))]
            for _ in range(6):
                await asyncio.sleep(1000)
                pages.append(asyncio.create_task(session.get("https://a.example/1")))
            assert {page.status for page in await asyncio.gather(*pages)} == {404}

    run(calls())
    assert [url for _, url in web.hits].count("https://a.example/robots.txt") == 1


@pytest.mark.parametrize("is_moved", [False, True], ids=["page", "redirect"])
def test_a_call_may_be_cancelled_at_any_await(is_moved):
    pages = {"https://a.example/robots.txt": (301, {"Location": "https://b.example/robots.txt"}, ""), "https://b.example/robots.txt": RULES}
    if is_moved:
        pages["https://a.example/1"] = (302, {"Location": "https://b.example/2"}, "")
    cancelled = 0

    async def calls(steps):
        nonlocal cancelled
        async with web.session() as session:
            first = asyncio.create_task(session.get("https://a.example/1"))
            others = [asyncio.create_task(session.get(f"https://{host}.example/3")) for host in "ab"]
            for _ in range(steps):
                if first.done():
                    break
                await asyncio.sleep(0 if steps % 2 else 0.02)
            cancelled += first.cancel()
            ends = await asyncio.gather(first, *others, return_exceptions=True)
            assert [getattr(end, "status", None) for end in ends[1:]] == [404, 404], ends
            assert not session._turns._lines and session._turns._in_flight == 0 and not session.robots._waiting

    for steps in range(60):
        web = Web(dict(pages), takes=0.1)
        run(calls(steps))
        assert not web.rude, steps
        for host in "ab":
            times = [begin for begin, url in web.hits if f"{host}.example" in url]
            assert all(later - earlier >= 1 for earlier, later in zip(times, times[1:], strict=False)), (steps, web.hits)
        assert [url for _, url in web.hits].count("https://b.example/robots.txt") <= 2, (steps, web.hits)
    assert cancelled > 30


def test_a_permit_is_a_turn_for_another_client():
    web = Web({"https://a.example/robots.txt": RULES})

    async def calls():
        loop = asyncio.get_running_loop()
        async with web.session() as session:
            begins = []
            for end in ("finish", "drop", "fail", "none"):
                async with session.permit("https://a.example/1") as permit:
                    begins.append(loop.time() - START)
                    assert permit.check.allowed and permit.url == "https://a.example/1"
                    await asyncio.sleep(2)
                    if end == "finish":
                        permit.finish(429, {"Retry-After": "60"})
                    elif end == "fail":
                        permit.fail(ConnectionRefusedError())
            with pytest.raises(Disallowed):
                async with session.permit("https://a.example/private"):
                    pass
            with pytest.raises(ZeroDivisionError):
                async with session.permit("https://a.example/1"):
                    1 / 0
            assert session._turns._in_flight == 0
            return begins

    begins = run(calls())
    assert begins[0] == 1 and begins[1] == 63 and begins[2] - begins[1] >= 3 and begins[3] - begins[2] >= 3


def test_the_memory_of_a_crawl_is_saved_and_loaded(tmp_path):
    state = tmp_path / "crawl.state"
    web = Web({"https://a.example/robots.txt": f"{RULES}Crawl-delay: 5\n", "https://b.example/1": (429, {"Retry-After": "300"}, "")})

    async def calls(*urls):
        async with web.session(state=state, max_wait=1000) as session:
            for url in urls:
                await session.get(url)
            return asyncio.get_running_loop().time() - START

    ended = run(calls("https://a.example/1", "https://b.example/1"))
    assert state.exists() and not list(tmp_path.glob("*.new"))
    PausedLoop.now, web.hits = START + ended, []
    try:
        run(calls("https://a.example/2", "https://b.example/2", "https://c.example/1"))
    finally:
        PausedLoop.now = START
    times = {url: begin - ended for begin, url in web.hits}
    assert not {"https://a.example/robots.txt", "https://b.example/robots.txt"} & times.keys()
    assert times["https://a.example/2"] == 5 and times["https://b.example/2"] >= 299
    with pytest.raises(ValueError, match="no pickle of this release"):
        run(broken(web))


async def broken(web):
    async with web.session() as session:
        session.load(b"")


def test_the_file_is_written_in_the_middle_of_a_crawl(tmp_path):
    state = tmp_path / "crawl.state"
    web = Web({})

    async def calls():
        async with web.session(state=state) as session:
            await session.get("https://a.example/1")
            await asyncio.sleep(2)
            assert state.exists()
            written = state.stat().st_mtime_ns
            await asyncio.sleep(60)
            assert state.stat().st_mtime_ns == written, "nothing has changed"
            state.unlink()
            state.mkdir()
            await session.get("https://a.example/2")
            await asyncio.sleep(2)
            assert (await session.get("https://a.example/3")).status == 404, "a disk that is full ends no crawl"
            state.rmdir()

    run(calls())


def test_hosts_of_long_ago_are_forgotten():
    web = Web({})

    async def calls():
        async with web.session(max_in_flight=100) as session:
            for first in range(0, 400, 50):
                await asyncio.gather(*(session.get(f"https://h{first + number}.example/") for number in range(50)))
                await asyncio.sleep(100)
            return len(session._turns.scheduler)

    assert run(calls()) < 200


def test_an_end_of_the_session_ends_its_rounds():
    web = Web({}, takes=20)

    async def calls():
        async with web.session() as session:
            call = asyncio.create_task(session.get("https://a.example/1"))
            await asyncio.sleep(5)
            call.cancel()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run(calls())
    assert len(web.hits) == 1


def test_a_client_of_another_kind():
    async def calls(client):
        async with PoliteSession("ExampleBot", client=client):
            pass

    with pytest.raises(TypeError, match="httpx.AsyncClient"):
        asyncio.run(calls(object()))


def call(web, coroutine, **settings):
    """The result of a function of a session."""

    async def calls():
        async with web.session(**settings) as session:
            return await coroutine(session)

    return run(calls())


def bodies(web):
    return [(request.method, str(request.url), request.content) for request in web.sent if request.url.path != "/robots.txt"]


def test_a_request_has_a_body_and_a_query():
    web = Web({})

    async def calls(session):
        await session.post("https://a.example/1?a=b#c", params={"q": "é", "n": [1, 2]}, data={"k": "v w"})
        await session.post("https://a.example/2", json={"k": [1, "é"]}, headers={"content-type": "application/ld+json"})
        await session.request("put", "https://a.example/3", content="text")
        await session.get("https://a.example/4", params=[("q", 1)])
        assert (await session.head("https://a.example/5")).status == 404
        for wrong in ({"content": b"", "data": {}}, {"content": iter([b""])}):
            with pytest.raises(TypeError):
                await session.post("https://a.example/1", **wrong)

    call(web, calls)
    assert bodies(web) == [
        ("POST", "https://a.example/1?a=b&q=%C3%A9&n=1&n=2#c", b"k=v+w"),
        ("POST", "https://a.example/2", '{"k":[1,"é"]}'.encode()),
        ("PUT", "https://a.example/3", b"text"),
        ("GET", "https://a.example/4?q=1", b""),
        ("HEAD", "https://a.example/5", b""),
    ]
    kinds = [request.headers.get("content-type") for request in web.sent if request.url.path != "/robots.txt"]
    assert kinds == ["application/x-www-form-urlencoded", "application/ld+json", None, None, None]


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [(301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (302, "PUT", "PUT"),
     (307, "POST", "POST"), (308, "POST", "POST")],
)  # fmt: skip
def test_a_redirect_keeps_the_method_or_makes_it_a_get(status, method, then):
    web = Web({"https://a.example/1": (status, {"Location": "https://b.example/2"}, "")})
    body = {} if method == "HEAD" else {"json": 1}
    page = call(web, lambda session: session.request(method, "https://a.example/1", headers={"Cookie": "a=b"}, **body))
    first, second = [request for request in web.sent if request.url.path != "/robots.txt"]
    assert (first.method, second.method, page.hops) == (method, then, ("https://a.example/1",))
    assert (second.content, second.headers.get("content-type")) == (first.content, first.headers.get("content-type")) if then != "GET" \
        else (b"", None)  # fmt: skip
    assert "cookie" in first.headers and "cookie" not in second.headers


def test_a_page_may_follow_the_form_of_its_own_url():
    web = Web({"https://a.example/1": [(303, {"Location": "/1"}, ""), "page"]})
    assert call(web, lambda session: session.post("https://a.example/1", data={})).text() == "page"


def test_a_stream_holds_the_turn_until_its_end():
    web = Web({"https://a.example/0": (302, {"Location": "/1"}, ""), "https://a.example/1": "x" * 100})

    async def calls(session):
        async with session.stream("GET", "https://a.example/0") as stream:
            other = asyncio.create_task(session.get("https://a.example/2"))
            await asyncio.sleep(10)
            assert (stream.status, stream.hops, stream.check.allowed) == (200, ("https://a.example/0",), True)
            assert b"".join([chunk async for chunk in stream]) == b"x" * 100 and not other.done()
        ended = asyncio.get_running_loop().time() - START
        await other
        assert web.hits[-1][0] >= ended + 1 and web.hits[-1][1] == "https://a.example/2"
        with pytest.raises(TooLarge):
            async with session.stream("GET", "https://a.example/1", page_limit=99) as stream:
                [chunk async for chunk in stream]
        with pytest.raises(ZeroDivisionError):
            async with session.stream("GET", "https://a.example/1") as stream:
                1 / 0
        with pytest.raises(TimeoutError):
            async with session.stream("GET", "https://a.example/1") as stream:
                await asyncio.sleep(601)
        assert session._turns._in_flight == 0
        assert web.sent[-1].headers["accept-encoding"] == "identity"

    call(web, calls)
    assert not web.rude


def test_a_permit_that_nobody_ends_frees_its_host():
    web = Web({})

    async def calls(session):
        loop = asyncio.get_running_loop()
        async with session.permit("https://a.example/1"):
            began = loop.time()
            await session.get("https://a.example/2")
            assert 600 <= loop.time() - began <= 602
        assert session._turns._in_flight == 0

    call(web, calls, max_wait=1000, max_in_flight=1)


def test_the_session_makes_a_client_of_its_own():
    async def calls():
        async with PoliteSession("ExampleBot", max_wait=5, profile=Profile.rfc9309()) as session:
            # Nobody listens there.
            with pytest.raises(PoliteError):
                await session.get("http://127.0.0.1:9/")

    asyncio.run(calls())
