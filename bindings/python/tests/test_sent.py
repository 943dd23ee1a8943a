"""No adapter sends a request that a file forbids, however odd the URL is: a server on loopback keeps the bytes of each target, and
the judge compares them with the rules and reads no URL.
"""

import asyncio
import json
import random
import subprocess
import sys
import urllib.parse

import aiohttp
import httpx
import pytest
import requests
import yarl

import polite_robots.aio
from polite_robots import InvalidUrl, RobotsCache, fetchers
from polite_robots.aio import Disallowed, PoliteError, PoliteSession
from polite_robots.policy import Profile
from recorder import Server, decoded

RULES = b"User-agent: *\nDisallow: /private\nDisallow: /closed$\n"
OPEN = b"User-agent: *\nDisallow:\n"
# The first two lead httpx, requests and curl to `/private`, and the first browsers too.
KNOWN = ["http://{host}/C:/../private", "http://{host}/c|/../private", "http://{host}/\\/../private"]

pytestmark = pytest.mark.parallel_threads(1)


def is_closed(target):
    """Whether a rule closes a target."""
    text = decoded(target)
    return text.startswith(b"/private") or text == b"/closed"


SEGMENTS = ["C:", "c|", "C|x", "\\", "%5c", "..", ".", "%2e%2e", ".%2E", "", "", "a", "open", "private", "%70rivate", " ", "é", "a\tb", "..;", "?", "#"]


def odd_urls(seed, count, host, other):
    """URLs of hostile parts, most of which end in a closed path by one reading or another."""
    choose = random.Random(seed)
    begins = ["http://"] * 40 + ["HTTP://", " http://", "http:/", "ht\ttp://", "http:\\\\"]
    users = [""] * 40 + ["u@", "u:p@", "@", f"{other}\\@", f"{other}/@", f"{other}%5c@", f"{other}#@", f"{other}?@"]
    yield from (url.format(host=host) for url in KNOWN)
    for _ in range(count - len(KNOWN)):
        segments = choose.choices(SEGMENTS, k=choose.randint(0, 4)) + ["..", "private"] * choose.randint(0, 1)
        path = "".join(choose.choice("//////\\") + segment for segment in segments)
        path += choose.choice(["", "", "", "/private", "\\private", "/open", "?private", "\t", " "])
        if choose.random() < 0.1:
            # Clients drop empty parts at the end, which a rule with an end sees.
            path = choose.choice(["/", "//", "/../"]) + "closed" + "".join(choose.choices(["?", ";", "#", "%20", "\t", "&"], k=2))
        yield choose.choice(begins) + choose.choice(users) + choose.choice([host] * 15 + [f"{host}\\.{other}"]) + path


def judged(name, asked):
    """Checks pairs of a URL and the targets that arrived for it."""
    closed = [(url, target) for url, targets in asked for target in targets if is_closed(target)]
    assert closed == [], (name, len(closed))
    fetched = sum(bool(targets) for _, targets in asked)
    # Neither nothing nor everything: the question was asked.
    assert len(asked) // 10 < fetched < len(asked) * 9 // 10, (name, fetched, len(asked))


@pytest.fixture(scope="module")
def servers():
    return Server(RULES), Server(RULES), Server(OPEN)


def taken(servers):
    """The targets that arrived at servers whose file closes something, since the last call."""
    targets = [target for server in servers[:2] for target in server.targets]
    for server in servers:
        server.targets.clear()
    return targets


FAST = Profile.rfc9309().replace(
    min_delay=0, backoff={"doubling": {"first": 0, "max": 0, "forget_after": 0, "jitter_percent": 0}}
)
CLIENTS = {
    "httpx": lambda: httpx.AsyncClient(trust_env=False),
    "aiohttp": lambda: aiohttp.ClientSession(auto_decompress=False),
}
# httpx reads the target of a redirect that it does not follow, and may refuse it.
ENDS = (PoliteError, InvalidUrl, httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError, TimeoutError)


async def ends_of(session, urls, servers):
    asked = []
    for url in urls:
        try:
            end = await session.get(url)
        except ENDS as error:
            end = error
        asked.append((url, taken(servers), end))
    return asked


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("way", ["direct", "redirect"])
def test_a_session(servers, name, way):
    rude, other, lax = servers

    async def crawl():
        urls = list(odd_urls(f"{name} {way}", 1000, rude.host, choice))
        if way == "redirect":
            urls = [f"http://{lax.host}/hop?{urllib.parse.quote(url)}" for url in urls if not {"\r", "\n"} & set(url)]
        async with CLIENTS[name]() as client, PoliteSession("ExampleBot", client=client, profile=FAST) as session:
            return await ends_of(session, urls, servers)

    for choice in (other.host, lax.host):
        asked = asyncio.run(crawl())
        judged(name, [(url, targets) for url, targets, _ in asked])
        for url, targets, end in asked[: len(KNOWN)]:
            assert not targets and isinstance(end, Disallowed) and end.check.line == 2, (url, end)


def test_a_client_that_adds_to_a_url():
    server = Server(b"User-agent: *\nDisallow: /*?*key=\n")
    url = f"http://{server.host}/open"

    async def ask():
        client = httpx.AsyncClient(trust_env=False, base_url="http://127.0.0.1:9/", params={"key": "1"})
        async with client, PoliteSession("ExampleBot", client=client) as session:
            assert not await session.check(url)
            with pytest.raises(Disallowed, match="as the client sends http://.*/open[?]key=1$"):
                await session.get(url)

    asyncio.run(ask())
    assert server.targets == []


def test_the_sentence_of_a_second_reading(servers):
    """The text is about `//private`, which is open, and the request of a client may not be."""
    rude, other, _ = servers
    robots = RobotsCache("ExampleBot", fetchers.requests("ExampleBot/1.0"))
    url = f"http://{rude.host}/..//private"
    assert robots.allowed(url) and robots.allowed(url, sent=httpx.URL(url)) and robots.allowed(url, sent=yarl.URL(url))
    check = robots.check(url, sent=requests.Request("GET", url).prepare().path_url)
    assert not check and check.line == 2 and not check.closed
    assert str(check) == "disallowed by line 2: Disallow: /private in the wildcard group on line 1, as the client sends /private"
    check = robots.check(url, sent=requests.Request("GET", url).prepare().url)
    assert str(check).endswith(f"as the client sends http://{rude.host}/private")
    assert str(Disallowed(url, check)).startswith(f"{url} is disallowed by line 2: ")
    # The text decides first.
    assert not str(robots.check(f"http://{rude.host}/private", sent="/private")).endswith("/private")
    # A request that is sent to another origin is asked about there.
    for sent in (f"http://{other.host}/", yarl.URL(f"http://{other.host}/"), "https://127.0.0.1/"):
        with pytest.raises(InvalidUrl, match=f'^"{url}" is a URL of http://{rude.host}, and the client sends it to http'):
            robots.check(url, sent=sent)
    url_of_two = f"http://{rude.host}\\@{other.host}/"
    with pytest.raises(InvalidUrl, match=f"and the client sends it to http://{other.host}$"):
        robots.check(url_of_two, sent=httpx.URL(url_of_two))
    with pytest.raises(TypeError, match="sent is the URL as the client sends it"):
        robots.allowed(url, sent=True)


def test_a_permit_asks_with_what_another_client_sends(servers):
    rude = servers[0]
    url = f"http://{rude.host}/..//private"

    async def ask():
        async with PoliteSession("ExampleBot", profile=FAST) as session:
            async with session.permit(url) as permit:
                permit.finish(200, {})
            with pytest.raises(Disallowed, match="as the client sends /private$"):
                async with session.permit(url, sent="/private"):
                    pass

    asyncio.run(ask())


def by_requests(session, url):
    session.trust_env = False
    request = session.prepare_request(requests.Request("GET", url))
    return request.url, lambda: session.send(request, allow_redirects=False, timeout=5)


def by_httpx(session, url):
    return httpx.URL(url), lambda: session.get(url)


@pytest.mark.parametrize(("make", "read"), [(requests.Session, by_requests), (lambda: httpx.Client(trust_env=False), by_httpx)])
def test_a_cache_asks_with_what_the_client_sends(servers, make, read):
    """The line of the README for clients of one's own."""
    rude, other, lax = servers
    robots = RobotsCache("ExampleBot", fetchers.httpx("ExampleBot/1.0", trust_env=False))
    with make() as session:
        for second in (other.host, lax.host):
            asked = []
            for url in odd_urls(read.__name__, 700, rude.host, second):
                try:
                    sent, fetch = read(session, url)
                    if robots.allowed(url, sent=sent):
                        fetch()
                except (InvalidUrl, httpx.InvalidURL, httpx.HTTPError, requests.RequestException):
                    pass
                asked.append((url, taken(servers)))
            judged(read.__name__, asked)


def test_scrapy():
    run = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    asked = json.loads(run.stdout.splitlines()[-1])
    assert len(asked) == 8
    for name, pages in asked.items():
        judged(name, [(url, [target.encode("latin-1") for target in targets]) for url, targets in pages])
        assert not any(targets for _, targets in pages[: len(KNOWN)]), name


def crawl_by_scrapy():
    """Prints what arrived for odd URLs, directly and by redirects, with our middleware and with our parser in Scrapy's own."""
    import scrapy
    from scrapy.crawler import CrawlerProcess

    class Odd(scrapy.Spider):
        name = "odd"

        async def start(self):
            for url in self.urls:
                try:
                    await self.crawler.engine.download_async(scrapy.Request(url, dont_filter=True))
                except Exception as error:
                    self.logger.debug("%s: %r", url, error)
                asked[self.crawl].append((url, [target.decode("latin-1") for target in taken(self.servers)]))
            return
            yield

    asked = {}
    process = CrawlerProcess({"LOG_LEVEL": "CRITICAL"})
    for middleware in ("PoliteRobotsTxtMiddleware", "WaitingRobotsTxtMiddleware"):
        for way in ("direct", "redirect"):
            for second in (1, 2):
                crawl = f"{middleware} {way} {second}"
                servers = Server(RULES), Server(RULES), Server(OPEN)
                urls = list(odd_urls(crawl, 300, servers[0].host, servers[second].host))
                if way == "redirect":
                    urls = [f"http://{servers[2].host}/hop?{urllib.parse.quote(url)}" for url in urls]
                settings = {
                    "ROBOTSTXT_OBEY": True,
                    "ROBOTSTXT_USER_AGENT": "ExampleBot",
                    "ROBOTSTXT_PARSER": "polite_robots.scrapy.RobotParser",
                    "RETRY_ENABLED": False,
                    "TELNETCONSOLE_ENABLED": False,
                    "LOG_LEVEL": "CRITICAL",
                    "DOWNLOADER_MIDDLEWARES": {
                        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                        f"polite_robots.scrapy.{middleware}": 100,
                    },
                }
                asked[crawl] = []
                process.crawl(type("Odd", (Odd,), {"crawl": crawl, "urls": urls, "servers": servers, "custom_settings": settings}))
    process.start()
    print(json.dumps(asked))


if __name__ == "__main__":
    crawl_by_scrapy()
