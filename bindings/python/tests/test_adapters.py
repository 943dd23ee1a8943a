"""The adapters: each request passes a turn, also a hop of a redirect and a repetition of the library, and the user's code runs."""

import asyncio
import collections
import gc
import http.server
import json
import socket
import threading
import time

import aiohttp
import httpx
import pytest
import requests
from urllib3.util import Retry

import polite_robots.adapters.aiohttp
import polite_robots.adapters.httpx
import polite_robots.adapters.requests
from polite_robots import RobotsCache, aio, fetchers
from polite_robots.adapters.aiohttp import PoliteMiddleware
from polite_robots.adapters.httpx import AsyncPoliteTransport, PoliteTransport
from polite_robots.adapters.requests import PoliteAdapter
from polite_robots.policy import Profile

QUICK = Profile.rfc9309().replace(min_delay=0.05, backoff="off", retry_early=0)
AGENT = "ExampleBot/1.0 (+https://example.com/bot)"


class Site:
    """A host on loopback. `paths` are those of its pages, and `rude` those of requests that came during another one."""

    def __init__(self):
        site, self.lock, self.paths, self.rude, self.open = self, threading.Lock(), [], [], 0
        self.robots, self.counts = (200, b"User-agent: *\nDisallow: /private\n"), collections.Counter()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with site.lock:
                    if self.path != "/robots.txt":
                        site.paths.append(self.path)
                    site.counts[self.path] += 1
                    site.rude += [self.path] * (site.open > 0)
                    site.open += 1
                try:
                    self.answer(site.counts[self.path])
                finally:
                    with site.lock:
                        site.open -= 1

            do_POST = do_HEAD = do_GET

            def answer(self, count):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, fields, body = 200, {}, b"page"
                if self.path == "/robots.txt":
                    status, body = site.robots
                elif self.path.startswith("/to/"):
                    status, fields = 302, {"Location": self.path[3:]}
                elif self.path == "/busy" and count < 3:
                    status = 503
                elif self.path == "/reset" and count < 3 or self.path == "/gone":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                elif self.path == "/cut":
                    self.close_connection, fields = True, {"Content-Length": "9"}
                elif self.path == "/large":
                    body = bytes(3_000_000)
                elif self.path == "/empty":
                    status, body = 204, b""
                elif self.path == "/hints":
                    self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
                    body = b"hints"
                time.sleep(0.02 if self.path == "/hints" else 0.005)
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(body))} | fields).items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that goes away is no error."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()


@pytest.fixture
def site():
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()
    assert not site.rude


class Client:
    """One way of getting pages by all clients: `get` gives a status and a body."""

    def __init__(self, name, robots=None, **options):
        self.name, self.module, self.options = name, getattr(polite_robots.adapters, name.split("-")[0]), options
        self.robots, self.hooks = robots, []

    def __enter__(self):
        match self.name:
            case "httpx":
                self.robots = RobotsCache("ExampleBot", fetchers.httpx(AGENT), profile=QUICK)
                hooks = {"request": [lambda request: self.hooks.append(request.url.path)]}
                transport = PoliteTransport(self.robots, **self.options)
                self.client = httpx.Client(transport=transport, follow_redirects=True, event_hooks=hooks)
            case "requests":
                self.robots = RobotsCache("ExampleBot", fetchers.requests(AGENT), profile=QUICK)
                self.client = requests.Session()
                self.client.mount("http://", PoliteAdapter(self.robots, **self.options))
                self.client.hooks["response"].append(lambda response, **_: self.hooks.append(response.request.path_url))
            case _:
                self.runner = asyncio.Runner()
                self.runner.run(self.begin())
        return self

    async def begin(self):
        if self.name == "httpx-async":
            self.robots = aio.RobotsCache("ExampleBot", fetchers.httpx_async(AGENT), profile=QUICK)

            async def hook(request):
                self.hooks.append(request.url.path)

            transport = AsyncPoliteTransport(self.robots, **self.options)
            self.client = httpx.AsyncClient(transport=transport, follow_redirects=True, event_hooks={"request": [hook]})
        else:
            self.robots = aio.RobotsCache("ExampleBot", fetchers.aiohttp(AGENT), profile=QUICK)

            async def middleware(request, handler):
                self.hooks.append(request.url.path)
                return await handler(request)

            polite = PoliteMiddleware(self.robots, **self.options)
            self.client = aiohttp.ClientSession(middlewares=[middleware, polite])

    def __exit__(self, *_):
        if self.name in ("httpx", "requests"):
            self.client.close()
        else:
            self.runner.run(self.client.aclose() if self.name == "httpx-async" else self.client.close())
            self.runner.close()

    async def get_async(self, url, method="GET"):
        if self.name == "httpx-async":
            response = await self.client.request(method, url)
            return response.status_code, response.content
        async with self.client.request(method, url) as response:
            return response.status, await response.read()

    def get(self, url, method="GET"):
        if self.name in ("httpx", "requests"):
            response = self.client.request(method, url)
            return response.status_code, response.content
        return self.runner.run(self.get_async(url, method))

    def is_free(self):
        """Whether all turns were given back."""
        if self.name not in ("httpx", "requests"):
            self.runner.run(asyncio.sleep(0.01))
        return self.robots._turns._in_flight == 0 and not self.robots._turns._lines


CLIENTS = ["httpx", "httpx-async", "requests", "aiohttp"]
ERRORS = {"httpx": httpx.HTTPError, "httpx-async": httpx.HTTPError, "requests": requests.RequestException, "aiohttp": aiohttp.ClientError}


@pytest.mark.parametrize("name", CLIENTS)
def test_each_hop_is_a_page_of_its_own(site, name):
    with Client(name) as client:
        assert client.get(site.url + "/page") == (200, b"page")
        assert client.get(site.url + "/to/page") == (200, b"page")
        assert client.get(site.url + "/page", "POST") == (200, b"page")
        assert client.get(site.url + "/page", "HEAD") == (200, b"")
        assert client.get(site.url + "/empty") == (204, b"")
        assert len(client.get(site.url + "/large")[1]) == 3_000_000
        for path in ("/private/1", "/to/private/2"):
            with pytest.raises(client.module.Disallowed, match="disallowed by line 2") as caught:
                client.get(site.url + path)
            # The handlers of users go on.
            assert isinstance(caught.value, ERRORS[name]) and caught.value.check.line == 2 and caught.value.retry_at is None
        assert client.is_free() and site.paths == ["/page", "/to/page", "/page", "/page", "/page", "/empty", "/large", "/to/private/2"]
        assert client.hooks[:3] == ["/page", "/to/page", "/page"] and site.counts["/robots.txt"] == 1


@pytest.mark.parametrize("name", CLIENTS)
def test_an_interim_response_is_no_answer(site, name):
    """It comes before the answer, which would be taken for that to the next request."""
    with Client(name) as client:
        assert [client.get(site.url + path) for path in ("/hints", "/page", "/hints")] == [(200, b"hints"), (200, b"page"), (200, b"hints")]


@pytest.mark.parametrize("name", CLIENTS)
def test_a_refusal_has_the_time_of_a_retry(site, name):
    site.robots = 503, b""
    with Client(name, max_wait=1) as client:
        with pytest.raises(client.module.Closed) as caught:
            client.get(site.url + "/page")
        assert isinstance(caught.value, ERRORS[name]) and caught.value.retry_at > time.time() + 20 and not site.paths
        # Nobody listens there.
        with pytest.raises(client.module.Closed):
            client.get("http://127.0.0.1:9/")


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("path", ["/gone", "/cut"])
def test_a_failure_gives_the_turn_back(site, name, path):
    with Client(name) as client:
        for _ in range(2):
            with pytest.raises((ERRORS[name], requests.exceptions.ChunkedEncodingError)):
                client.get(site.url + path)
            assert client.is_free()
        assert client.get(site.url + "/page") == (200, b"page")
        # aiohttp repeats a request by itself, in a turn of its own.
        assert site.counts[path] == (4 if (name, path) == ("aiohttp", "/gone") else 2)


@pytest.mark.parametrize("name", ["httpx-async", "aiohttp"])
def test_a_call_that_is_cancelled_gives_its_turn_back(site, name):
    async def calls(client):
        tasks = [asyncio.create_task(client.get_async(f"{site.url}/page?{number}")) for number in range(30)]
        for number, task in enumerate(tasks[::2]):
            await asyncio.sleep(0.02 * (number % 4))
            task.cancel()
        return [end for end in await asyncio.gather(*tasks, return_exceptions=True) if not isinstance(end, BaseException)]

    with Client(name) as client:
        assert len(client.runner.run(calls(client))) >= 15 and client.is_free() and site.counts["/robots.txt"] == 1
    # A server goes on for a while.
    site.rude.clear()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_body_that_nobody_reads_holds_its_host_for_a_time(site, name):
    def open_body(client):
        match name:
            case "httpx":
                return client.client.send(client.client.build_request("GET", site.url + "/large"), stream=True)
            case "requests":
                return client.client.get(site.url + "/large", stream=True)
            case "httpx-async":
                return client.runner.run(client.client.send(client.client.build_request("GET", site.url + "/large"), stream=True))
            case "aiohttp":
                return client.runner.run(client.client.get(site.url + "/large").__aenter__())

    with Client(name, timeout=0.5) as client:
        response, began = open_body(client), time.monotonic()
        assert not client.is_free()
        client.get(site.url + "/page")
        assert 0.4 < time.monotonic() - began < 3
        match name:
            case "httpx" | "requests":
                response.close()
            case "httpx-async":
                client.runner.run(response.aclose())
            case "aiohttp":
                response.close()
        assert client.is_free()
        # One that is closed early gives its turn back at once.
        if name in ("httpx", "requests"):
            open_body(client).close()
            began = time.monotonic()
            client.get(site.url + "/page")
            assert time.monotonic() - began < 0.4
            del response
            gc.collect()
    site.rude.clear()


@pytest.mark.parametrize("path", ["/busy", "/reset"])
def test_each_repetition_of_requests_has_a_turn(site, path):
    retries = Retry(5, status_forcelist=[503], backoff_factor=0)
    with Client("requests", max_retries=retries) as client:
        began = time.monotonic()
        assert client.get(site.url + path) == (200, b"page") and site.counts[path] == 3 and time.monotonic() - began > 0.15
        with pytest.raises(requests.exceptions.RetryError if path == "/busy" else requests.ConnectionError):
            site.counts[path] = -20
            client.get(site.url + path)
        assert client.is_free()
    with Client("requests") as client, pytest.raises(requests.ConnectionError):
        client.get(site.url + "/gone")
    assert site.counts["/gone"] == 1


def test_the_auth_of_httpx_has_a_turn_for_each_request(site):
    class Twice(httpx.Auth):
        def auth_flow(self, request):
            yield request
            yield request

    with Client("httpx") as client:
        began = time.monotonic()
        client.client.get(site.url + "/page", auth=Twice())
        assert site.counts["/page"] == 2 and time.monotonic() - began > 0.1


def test_a_transport_that_reads_the_body_ends_the_turn():
    robots = RobotsCache("ExampleBot", lambda url: (404, {}, b""), profile=QUICK)
    transport = PoliteTransport(robots, httpx.MockTransport(lambda request: httpx.Response(200, text="cached")))
    with httpx.Client(transport=transport) as client:
        assert [client.get("https://a.example/").text for _ in range(3)] == ["cached"] * 3
    assert robots._turns._in_flight == 0


def crawl(site, urls, **options):
    from crawlee import ConcurrencySettings
    from crawlee.configuration import Configuration
    from crawlee.crawlers import HttpCrawler
    from crawlee.storage_clients import MemoryStorageClient

    from polite_robots.adapters.crawlee import polite

    found = collections.defaultdict(list)

    async def main():
        robots = aio.RobotsCache("ExampleBot", fetchers.httpx_async(AGENT), profile=QUICK)
        crawler = polite(
            HttpCrawler, robots, configure_logging=False, storage_client=MemoryStorageClient(),
            configuration=Configuration(purge_on_start=True), concurrency_settings=ConcurrencySettings(desired_concurrency=8), **options,
        )  # fmt: skip

        @crawler.router.default_handler
        async def handle(context):
            found["pages"].append((context.request.url, context.request.loaded_url))

        @crawler.pre_navigation_hook
        async def before(context):
            found["hook"].append(context.request.url)

        @crawler.error_handler
        async def retried(context, error):
            found["retried"].append((context.request.url, type(error)))

        @crawler.failed_request_handler
        async def failed(context, error):
            found["failed"].append((context.request.url, error))

        @crawler.on_skipped_request
        async def skipped(url, reason):
            found["skipped"].append((url, reason))

        await crawler.run([site.url + url for url in urls])
        assert robots._turns._in_flight == 0 and not robots._turns._lines and not robots._waiting

    asyncio.run(main())
    return found


@pytest.mark.filterwarnings("ignore")
def test_a_crawler_of_crawlee(site):
    found = crawl(site, ["/1", "/2", "/to/3", "/private/4", "/to/private/5", "/reset", "/6"], max_request_retries=2)
    pages = {url.removeprefix(site.url): loaded.removeprefix(site.url) for url, loaded in found["pages"]}
    assert pages == {"/1": "/1", "/2": "/2", "/to/3": "/3", "/reset": "/reset", "/6": "/6"}
    assert sorted(found["skipped"]) == [(site.url + path, "robots_txt") for path in ("/private/4", "/to/private/5")]
    assert [url for url, _ in found["retried"]] == [site.url + "/reset"] * 2 and not found["failed"]
    assert not any("private" in path and not path.startswith("/to") for path in site.paths) and site.counts["/robots.txt"] == 1
    assert site.url + "/1" in found["hook"]


@pytest.mark.filterwarnings("ignore")
def test_a_closed_site_keeps_its_urls_with_crawlee(site):
    site.robots = 503, b""
    found = crawl(site, ["/1", "/2"], max_wait=0.5)
    assert sorted(url for url, _ in found["failed"]) == [site.url + "/1", site.url + "/2"] and not site.paths
    assert all(error.retry_at > time.time() for _, error in found["failed"]) and not found["retried"] and not found["skipped"]


def test_a_browser_is_no_crawler_by_http():
    from polite_robots.adapters.crawlee import polite

    with pytest.raises(TypeError, match="browser"):
        polite(object, None)


def test_json_is_as_ever(site):
    # The response is the client's own.
    with Client("requests") as client:
        response = client.client.get(site.url + "/to/page")
        assert response.text == "page" and [each.status_code for each in response.history] == [302]
        with pytest.raises(json.JSONDecodeError):
            response.json()
