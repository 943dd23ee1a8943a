"""The ready fetchers with hosts on loopback that are in every kind of trouble: nothing opens, and every rule is read."""

import asyncio
import concurrent.futures
import gc

import cache_crawl
import pytest
import requests as client
from judge import NAMES, OPEN, SLOW, TROUBLES, Judge

import polite_robots.aio
from polite_robots import RobotsCache, fetchers

AGENT = cache_crawl.AGENT
SYNC = ["requests", "httpx"]
ASYNC = ["httpx_async", "aiohttp"]




@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.0/8,127.0.0.1")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield
    gc.collect()


@pytest.fixture(scope="module")
def judge():
    with Judge() as judge:
        yield judge


def checks_of(name, urls):
    fetch = cache_crawl.patient(getattr(fetchers, name))
    if name in SYNC:
        cache = RobotsCache("ExampleBot", fetch)
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            return list(pool.map(cache.check, urls))

    async def check_all():
        cache = polite_robots.aio.RobotsCache("ExampleBot", fetch)
        return await asyncio.gather(*map(cache.check, urls))

    return asyncio.run(check_all())


@pytest.mark.parametrize("name", SYNC + ASYNC)
def test_every_trouble(judge, name):
    number = 1 + (SYNC + ASYNC).index(name)
    urls = [judge.url(trouble, number, path) for trouble in NAMES for path in ("/private", "/page")]
    checks = checks_of(name, urls)
    assert not any(checks[0::2])
    found = {trouble: (check.allowed, check.closed) for trouble, check in zip(NAMES, checks[1::2], strict=True)}
    assert found == {trouble: (trouble in OPEN, trouble not in OPEN) for trouble in NAMES}
    causes = {trouble: check.cause for trouble, check in zip(NAMES, checks[1::2], strict=True)}
    assert causes["brotli"] == causes["zip without a word"] == "encoded"
    assert (causes["503"], causes["429"], causes["999"], causes["reset"]) == (503, 429, 999, "unreachable")
    hosts = [judge.host(trouble, number) for trouble in NAMES]
    assert [judge.asked[host] for host in hosts] == [1] * len(TROUBLES)
    assert checks_of(name, [judge.url("redirect", number, "/private")])[0].line == 2


def test_the_shortest_fetch(judge):
    """Its client undoes codings, and leaves their header in place. It has no limits, and sees no end of a packed body."""

    def fetch(url):
        response = client.get(url, allow_redirects=False, timeout=60)
        return response.status_code, response.headers, response.content

    cache = RobotsCache("ExampleBot", fetch)
    names = [name for name in NAMES if name not in (*SLOW, "endless", "bomb", "gzip that breaks off")]
    checks = {name: cache.check(judge.url(name, 7)) for name in names}
    # It takes the header's word for a text, and a file of noise has bytes that no text has. Brotli it undoes if it can.
    expected = set(OPEN) & set(names) - {"text that is called gzip", "gzip of noise"}
    assert {name for name, check in checks.items() if check.allowed} - {"brotli"} == expected
    assert not any(cache.allowed(judge.url(name, 7, "/private")) for name in names)


@pytest.mark.parametrize("kind", ["threads", "asyncio"])
def test_a_crawl(kind):
    answer = cache_crawl.crawl(kind, 2 * len(NAMES))
    assert list(cache_crawl.faults(answer)) == []
    assert answer["pages"] > 0 and (kind == "threads") == (answer["callers_cancelled"] == 0)


@pytest.mark.parametrize("name", SYNC + ASYNC)
def test_the_request(judge, name):
    number = 10 + 2 * (SYNC + ASYNC).index(name)
    checks_of(name, [judge.url("redirect", number)])
    host = judge.host("redirect", number)
    for asked in (host, host.replace("127.0.", "127.1.")):
        head = judge.heads[asked].lower()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
        assert fields["user-agent"] == AGENT.lower() and fields["accept"] == "text/plain, */*;q=0.1"
        assert fields["accept-encoding"] == "gzip, deflate" and "cookie" not in fields


@pytest.mark.parametrize("name", SYNC + ASYNC)
def test_nobody_is_there(name):
    fetch = getattr(fetchers, name)(AGENT)
    cache = RobotsCache("ExampleBot", fetch) if name in SYNC else polite_robots.aio.RobotsCache("ExampleBot", fetch)
    for url in ("http://127.0.0.1:9/", "http://name.invalid/"):
        check = cache.check(url)
        assert (check if name in SYNC else asyncio.run(check)).closed
