"""The ready fetchers with hosts on loopback that are in every kind of trouble: nothing opens, and every rule is read."""

import asyncio
import concurrent.futures
import contextlib
import gc
import socket
import ssl
import threading
import time
import urllib.request

import cache_crawl
import loopback
import pytest
import requests as client
from judge import NAMES, OPEN, SLOW, TROUBLES, Judge

import polite_robots.aio
from polite_robots import RobotsCache, fetchers
from polite_robots._failures import failure_of

AGENT = cache_crawl.AGENT
SYNC = ["requests", "httpx"]
ASYNC = ["httpx_async", "aiohttp"]


def by_requests(url):
    response = client.get(url, allow_redirects=False, timeout=60)
    return response.status_code, response.headers, response.content


def by_urllib(url):
    with urllib.request.urlopen(url, timeout=60) as response:
        return response.status, response.headers, response.read()


# The functions of the documentation for clients that have no fetcher.
PLAIN = {"by_requests": by_requests, "by_urllib": by_urllib}


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
    fetch = PLAIN[name] if name in PLAIN else cache_crawl.patient(getattr(fetchers, name))
    if name not in ASYNC:
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
    cache = RobotsCache("ExampleBot", by_requests)
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


LENGTH = b"HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/plain\r\nContent-Length: 34\r\nServer: x\r\n\r\n"
CHUNKED = LENGTH.replace(b"Content-Length: 34", b"Transfer-Encoding: chunked")
RULES = b"User-agent: *\nDisallow: /private\n\n"
assert len(RULES) == 34
LAST_CHUNK = b"0\r\n\r\n"
WHOLE = [LENGTH + RULES, CHUNKED + b"22\r\n" + RULES + b"\r\n" + LAST_CHUNK]
# Files without a line, which are files all the same, and responses that may have lost all of theirs.
EMPTY = [
    LENGTH.replace(b"34", b"0"),
    CHUNKED + LAST_CHUNK,
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.0 200 OK\r\nContent-Length: 000\r\n\r\n",
]
# To a file without a line, which is at each half of the path too. A length after a `Location` says that this is whole.
REDIRECT = b"HTTP/1.1 301 Moved\r\nServer: x\r\nLocation: /else/where\r\nContent-Length: 0\r\n\r\n"
CUT_REDIRECTS = [REDIRECT[:end] for end in range(REDIRECT.index(b"0\r\n"))]
LOST = [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: many\r\nContent-Type: text/plain\r\n\r\n"]


@pytest.fixture(scope="module")
def answers():
    """A server whose answers are bytes after which the connection ends: those of the last two numbers of its address."""
    answers = [whole[:end] for whole in WHOLE for end in range(len(whole.removesuffix(LAST_CHUNK)))] + LOST + EMPTY + WHOLE
    answers += [*CUT_REDIRECTS, REDIRECT]
    listener = socket.create_server(("0.0.0.0", 0), backlog=1024)
    port = listener.getsockname()[1]

    def answer(connection, host):
        with connection:
            is_target = b"/robots.txt" not in connection.recv(65536)
            _, _, high, low = map(int, host.split("."))
            connection.sendall(EMPTY[0] if is_target else answers[250 * high + low - 1])

    def serve():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection, connection.getsockname()[0]), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    urls = [f"http://127.0.{number // 250}.{number % 250 + 1}:{port}" for number in range(len(answers))]
    return dict(zip(urls, answers, strict=True))


@pytest.mark.parametrize("name", SYNC + ASYNC + list(PLAIN))
def test_a_connection_that_ends_early_opens_nothing(answers, name):
    """`http.client` takes the end of a connection for the end of a header, and for that of a file."""
    # urllib follows redirects itself.
    sites = {site: answer for site, answer in answers.items() if name != "by_urllib" or answer not in [*CUT_REDIRECTS, REDIRECT]}
    checks = dict(zip(sites.values(), checks_of(name, [f"{site}/open" for site in sites]), strict=True))
    clients = ["requests", "by_requests", "by_urllib"]
    # The others can distinguish a whole header from the start of one, so the end of a connection ends a file.
    opened = [*EMPTY, *WHOLE, REDIRECT] + ([] if name in clients else LOST[: 2 if name.startswith("httpx") else 1])
    assert [answer for answer, check in checks.items() if check.allowed and answer not in opened] == []
    assert all(checks[answer].allowed for answer in [*EMPTY, *WHOLE])
    assert all(check.closed for answer, check in checks.items() if answer not in opened)
    private = [f"{site}/private" for site, answer in answers.items() if answer in WHOLE]
    assert [check.line for check in checks_of(name, private)] == [2, 2]


HEADER, BODY = b"HTTP/1.1 200 OK\r\nX-A: ", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n"


@pytest.fixture(scope="module")
def drip(tmp_path_factory):
    """A server that goes on with one byte now and then for ever, in plain or by TLS, and notes when its connections end."""
    ended, listener = threading.Semaphore(0), socket.create_server(("127.0.0.1", 0))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(loopback.certificate(tmp_path_factory.mktemp("tls")))

    def answer(connection):
        is_tls = connection.recv(1, socket.MSG_PEEK) == b"\x16"
        with tls.wrap_socket(connection, server_side=True) if is_tls else connection as stream:
            asked = stream.recv(65536)
            if b" /ragged" in asked or b" /whole" in asked:
                stream.sendall(BODY)
                if b" /whole" in asked:
                    # It waits for the close_notify of the client, which sends none.
                    with contextlib.suppress(OSError):
                        stream.unwrap()
                return
            stream.sendall(HEADER if b" /header" in asked else BODY)
            try:
                while stream.send(b"a"):
                    time.sleep(0.1)
            except OSError:
                ended.release()

    def serve():
        while True:
            threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return f"127.0.0.1:{listener.getsockname()[1]}", ended


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
@pytest.mark.parametrize("name", SYNC)
def test_an_end_without_a_close_notify_is_no_end(drip, name):
    fetch = getattr(fetchers, name)(AGENT, verify=False)
    assert fetch(f"https://{drip[0]}/whole")[2] == b"User-agent: *\n"
    with pytest.raises(Exception) as raised:
        fetch(f"https://{drip[0]}/ragged")
    assert failure_of(raised.value) == "cut_short"


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
@pytest.mark.parametrize("part", ["http header", "http body", "https header", "https body"])
@pytest.mark.parametrize("name", SYNC + ASYNC)
def test_a_fetch_ends_in_time(drip, name, part):
    (host, ended), (scheme, path) = drip, part.split()
    unverified = {"ssl": False} if name == "aiohttp" else {"verify": False}
    fetch, url, began = getattr(fetchers, name)(AGENT, seconds=1, **unverified), f"{scheme}://{host}/{path}", time.monotonic()

    async def main():
        with pytest.raises(TimeoutError):
            await fetch(url)
        assert 1 <= time.monotonic() - began < 20
        # aiohttp closes a connection of TLS a little later.
        await asyncio.sleep(0.3)

    if name in ASYNC:
        asyncio.run(main())
    else:
        with pytest.raises(TimeoutError):
            fetch(url)
        assert 1 <= time.monotonic() - began < 20
        assert not any(isinstance(thread, threading.Timer) for thread in threading.enumerate())
    assert ended.acquire(timeout=5)
