"""A `PoliteSession`, or a client with an adapter, in the zoo of `crates/zoo`, whose judge sees the requests. One call of three is
cut off.

    python tests/zoo.py httpx|aiohttp|KIND [--hosts N] [--kill]

The other kinds are `adapter-httpx`, `adapter-httpx-async`, `adapter-requests`, `adapter-aiohttp` and `adapter-crawlee`.

`--kill` kills the crawl in the middle, and another process goes on with its file. Prints the verdict as JSON, and fails if a request
was rude or a page was missed. `cargo test -p polite-robots-zoo --features tests --no-run` makes the server.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import logging
import math
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from polite_robots import RobotsCache, aio, fetchers
from polite_robots.aio import Closed, PoliteError, PoliteSession
from polite_robots.policy import Profile

TARGET = pathlib.Path(__file__).resolve().parents[3] / "target"
SERVER = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", TARGET)) / "debug" / "zoo_server"
WORKERS = 32
# Hosts that never answer must not take long, and hosts that do must not seem to be such.
PATIENCE = 5.0


class Zoo:
    """The process of the hosts and of their judge."""

    def __init__(self, hosts, workers, *more):
        command = [SERVER, str(hosts), str(workers), *more]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()
        self.map = json.loads(self.process.stdout.readline())

    def ask(self, command):
        with self.lock:
            self.process.stdin.write(f"{command}\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def httpx_client(addresses):
    import httpx

    class Names(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request):
            # The header `Host` is there already.
            request.url = request.url.copy_with(host=addresses[request.url.host])
            return await super().handle_async_request(request)

    return httpx.AsyncClient(transport=Names(verify=False), timeout=PATIENCE)


def aiohttp_client(addresses):
    import aiohttp
    from aiohttp.abc import AbstractResolver

    class Names(AbstractResolver):
        async def resolve(self, host, port=0, family=0):
            return [{"hostname": host, "host": addresses[host], "port": port, "family": family, "proto": 0, "flags": 0}]

        async def close(self):
            pass

    return aiohttp.ClientSession(
        auto_decompress=False,
        connector=aiohttp.TCPConnector(resolver=Names(), ssl=False, limit=0),
        timeout=aiohttp.ClientTimeout(sock_connect=PATIENCE, sock_read=PATIENCE),
    )


CLIENTS = {"httpx": httpx_client, "aiohttp": aiohttp_client}


async def crawl(kind, zoo, cut, state=None):
    """Fetches all pages, and calls `cut` with the host of each call that is cut off."""
    queue = collections.deque((url, 0, 0) for url in zoo["urls"])
    # A page that never ends is broken off.
    profile = Profile.rfc9309().replace(**zoo["settings"], request_lease=4 * PATIENCE)

    async def work(session, worker):
        dice = random.Random(worker)
        while queue:
            url, attempts, closed = queue.popleft()
            is_patient = attempts >= 5 or dice.randrange(3) > 0
            again = False
            try:
                async with asyncio.timeout(120 if is_patient else dice.uniform(0, 3)) as limit:
                    await session.get(url)
            except Closed as error:
                # Counted apart from calls that were cut off, and tried when the site says: on a busy machine more calls are cut
                # off, and a round takes longer.
                closed += 1
                wait = math.inf if error.retry_at is None else error.retry_at - time.time()
                if again := wait <= PATIENCE and closed < 6:
                    await asyncio.sleep(wait)
            except PoliteError:
                pass
            except Exception:
                if again := limit.expired():
                    cut(urllib.parse.urlsplit(url).hostname)
            if again:
                queue.append((url, attempts + 1, closed))

    client = CLIENTS[kind](zoo["addresses"])
    session = PoliteSession(
        "ExampleBot", contact=("https://example.com/bot", "bot@example.com"), client=client, profile=profile, state=state,
        max_in_flight=WORKERS, page_limit=1 << 20, robots_timeout=PATIENCE,
    )  # fmt: skip
    async with client, session:
        await asyncio.gather(*(work(session, worker) for worker in range(WORKERS)))
        assert not session._turns._lines, "callers are left in line"


def crawl_here(kind, zoo):
    asyncio.run(crawl(kind, zoo.map, lambda host: zoo.ask(f"cut {host}")))
    return zoo.ask("verdict")


class Child:
    """A crawl in a process of its own, whose cuts are passed on to the judge."""

    def __init__(self, kind, zoo, folder):
        given = pathlib.Path(folder) / "zoo.json"
        given.write_text(json.dumps(zoo.map))
        self.state = pathlib.Path(folder) / "crawl.state"
        command = [sys.executable, __file__, kind, "--child", given, self.state]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.cuts = threading.Thread(target=lambda: [zoo.ask(line.strip()) for line in self.process.stdout])
        self.cuts.start()

    def wait(self):
        self.process.wait()
        self.cuts.join()
        self.process.stdout.close()
        return self.process.returncode


def crawl_and_kill(kind, zoo, hits):
    """The verdict without the requests that a rule forbids which the saved state did not hold yet."""
    with tempfile.TemporaryDirectory() as folder:
        child, saves, seen = Child(kind, zoo, folder), [], None
        # Some hosts are known then, some are not, and requests are under way.
        while len(saves) < 3 or zoo.ask("hits") < hits:
            assert child.process.poll() is None, "it ended too early"
            time.sleep(0.01)
            written = child.state.stat().st_mtime_ns if child.state.exists() else None
            if written != seen:
                seen = written
                saves.append(zoo.ask("now"))
            elif saves and zoo.ask("now") - saves[-1] > 200:
                # Only right after a save.
                continue
        child.process.kill()
        child.wait()
        zoo.ask("cut")
        assert Child(kind, zoo, folder).wait() == 0
    verdict = zoo.ask("verdict")

    def was_lost(found):
        # The last save began after the one before it had ended.
        return found["law"] in ("Lifetime", "RetryAfter") and found["first"] > saves[-2]

    verdict["violations"] = [found for found in verdict["violations"] if not was_lost(found)]
    return verdict


def child(kind, given, state):
    zoo = json.loads(pathlib.Path(given).read_text())
    asyncio.run(crawl(kind, zoo, lambda host: print("cut", host, flush=True), state))


AGENT = "ExampleBot (+https://example.com/bot; bot@example.com)"
FROM = {"From": "bot@example.com"}
# A closed site that opens again is waited for.
WAITS = {"max_wait": 30.0, "timeout": 4 * PATIENCE}


@contextlib.contextmanager
def names(addresses):
    """The hosts of the zoo for all clients of this process."""
    own = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *rest, **named: own(addresses.get(host.decode() if isinstance(host, bytes) else host, host), *rest, **named)
    try:
        yield
    finally:
        socket.getaddrinfo = own


class Adapter:
    """A client with an adapter: `get` fetches a page within a time, if one is given. The user has hooks, which count."""

    def __init__(self, kind, profile):
        self.kind, self.profile, self.hooked = kind.removeprefix("adapter-"), profile, collections.Counter()

    def requests(self):
        import requests
        import urllib3
        from polite_robots.adapters.requests import PoliteAdapter

        urllib3.disable_warnings()
        robots = RobotsCache("ExampleBot", fetchers.requests(AGENT, headers=FROM, seconds=PATIENCE, verify=False), profile=self.profile)
        retries = urllib3.util.Retry(1, read=0, status_forcelist=[500], backoff_factor=0, raise_on_status=False)
        session, adapter = requests.Session(), PoliteAdapter(robots, max_retries=retries, pool_maxsize=WORKERS, **WAITS)
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        session.verify, session.headers["User-Agent"] = False, AGENT
        session.headers.update(FROM)
        session.hooks["response"].append(lambda *_, **__: self.hooked.update(["response"]))
        return robots, session, lambda url, seconds: session.get(url, timeout=seconds or PATIENCE)

    def httpx(self):
        import httpx
        from polite_robots.adapters.httpx import PoliteTransport

        robots = RobotsCache("ExampleBot", fetchers.httpx(AGENT, headers=FROM, seconds=PATIENCE, verify=False), profile=self.profile)
        hooks = {"response": [lambda _: self.hooked.update(["response"])]}
        client = httpx.Client(
            transport=PoliteTransport(robots, httpx.HTTPTransport(verify=False), **WAITS), headers={"User-Agent": AGENT} | FROM,
            follow_redirects=True, event_hooks=hooks, timeout=PATIENCE,
        )  # fmt: skip
        return robots, client, lambda url, seconds: client.get(url, timeout=seconds or PATIENCE)

    def asynchronous(self):
        if self.kind == "aiohttp":
            import aiohttp
            from polite_robots.adapters.aiohttp import PoliteMiddleware

            robots = aio.RobotsCache("ExampleBot", fetchers.aiohttp(AGENT, headers=FROM, seconds=PATIENCE, ssl=False), profile=self.profile)

            async def middleware(request, handler):
                self.hooked.update(["response"])
                return await handler(request)

            client = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(ssl=False, limit=0, resolver=aiohttp.ThreadedResolver()), headers={"User-Agent": AGENT} | FROM,
                middlewares=[middleware, PoliteMiddleware(robots, **WAITS)],
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=PATIENCE, sock_read=PATIENCE),
            )  # fmt: skip

            async def get(url):
                async with client.get(url) as response:
                    await response.read()

            return robots, client, get
        import httpx
        from polite_robots.adapters.httpx import AsyncPoliteTransport

        robots = aio.RobotsCache("ExampleBot", fetchers.httpx_async(AGENT, headers=FROM, seconds=PATIENCE, verify=False), profile=self.profile)

        async def hook(_):
            self.hooked.update(["response"])

        client = httpx.AsyncClient(
            transport=AsyncPoliteTransport(robots, httpx.AsyncHTTPTransport(verify=False), **WAITS), headers={"User-Agent": AGENT} | FROM,
            follow_redirects=True, event_hooks={"response": [hook]}, timeout=PATIENCE,
        )  # fmt: skip
        return robots, client, client.get


def again(error, closed):
    """The pause before another try, or `None`."""
    if not isinstance(error, PoliteError) or error.retry_at is None or closed > 5:
        return None
    return max(0.0, wait) if (wait := error.retry_at - time.time()) <= PATIENCE else None


def crawl_by_threads(adapter, queue, cut):
    robots, client, get = getattr(adapter, adapter.kind)()

    def work(worker):
        dice = random.Random(worker)
        while True:
            try:
                url, attempts, closed = queue.popleft()
            except IndexError:
                return
            is_patient = attempts >= 5 or dice.randrange(3) > 0
            try:
                get(url, None if is_patient else dice.uniform(0.001, 0.5))
            except Exception as error:
                if "Timeout" in repr(error) and not is_patient:
                    cut(urllib.parse.urlsplit(url).hostname)
                    queue.append((url, attempts + 1, closed))
                elif (wait := again(error, closed)) is not None:
                    time.sleep(wait)
                    queue.append((url, attempts + 1, closed + 1))

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    client.close()
    return robots


async def crawl_by_tasks(adapter, queue, cut):
    robots, client, get = adapter.asynchronous()

    async def work(worker):
        dice = random.Random(worker)
        while queue:
            url, attempts, closed = queue.popleft()
            is_patient = attempts >= 5 or dice.randrange(3) > 0
            try:
                async with asyncio.timeout(120 if is_patient else dice.uniform(0, 3)) as limit:
                    await get(url)
            except Exception as error:
                if limit.expired():
                    cut(urllib.parse.urlsplit(url).hostname)
                    queue.append((url, attempts + 1, closed))
                elif (wait := again(error, closed)) is not None:
                    await asyncio.sleep(wait)
                    queue.append((url, attempts + 1, closed + 1))

    await asyncio.gather(*(work(worker) for worker in range(WORKERS)))
    await (client.close() if adapter.kind == "aiohttp" else client.aclose())
    return robots


async def crawl_by_crawlee(adapter, urls, addresses):
    """Its handlers are the user's; calls are not cut off."""
    from crawlee import ConcurrencySettings
    from crawlee.configuration import Configuration
    from crawlee.crawlers import HttpCrawler
    from crawlee.http_clients import HttpClient, HttpCrawlingResult
    from crawlee.storage_clients import MemoryStorageClient
    from polite_robots.adapters.crawlee import polite

    class Response:
        def __init__(self, response):
            self.http_version, self.status_code = response.http_version, response.status_code
            self.headers, self.body = dict(response.headers), response.content

        async def read(self):
            return self.body

    class Client(HttpClient):
        """No client of Crawlee can be given the addresses."""

        def __init__(self):
            super().__init__()
            self.client = httpx_client(addresses)

        async def crawl(self, request, **_):
            response = await self.client.get(request.url, headers={"User-Agent": AGENT} | FROM)
            request.loaded_url = request.url
            return HttpCrawlingResult(Response(response))

        send_request = stream = None

        async def cleanup(self):
            await self.client.aclose()

    robots = aio.RobotsCache("ExampleBot", fetchers.httpx_async(AGENT, headers=FROM, seconds=PATIENCE, verify=False), profile=adapter.profile)
    crawler = polite(
        HttpCrawler, robots, http_client=Client(), configure_logging=False, storage_client=MemoryStorageClient(),
        configuration=Configuration(purge_on_start=True), max_request_retries=1,
        concurrency_settings=ConcurrencySettings(min_concurrency=WORKERS, desired_concurrency=WORKERS, max_concurrency=WORKERS), **WAITS,
    )  # fmt: skip
    kept = []

    @crawler.router.default_handler
    async def handle(context):
        adapter.hooked.update(["response"])

    @crawler.failed_request_handler
    async def failed(context, error):
        if (wait := again(error, 0)) is not None:
            kept.append(wait)

    @crawler.error_handler
    async def retried(context, error):
        adapter.hooked.update(["error"])

    logging.getLogger("crawlee").setLevel(logging.CRITICAL)
    await crawler.run(urls)
    return robots


def crawl_by_adapter(kind, hosts):
    # A round for a robots.txt goes on without its callers.
    with Zoo(hosts, 2 * WORKERS) as zoo, names(zoo.map["addresses"]):
        adapter = Adapter(kind, Profile.rfc9309().replace(**zoo.map["settings"], request_lease=4 * PATIENCE))
        queue = collections.deque((url, 0, 0) for url in zoo.map["urls"])

        def cut(host):
            zoo.ask(f"cut {host}")

        if kind in ("adapter-requests", "adapter-httpx"):
            robots = crawl_by_threads(adapter, queue, cut)
        elif kind == "adapter-crawlee":
            robots = asyncio.run(crawl_by_crawlee(adapter, zoo.map["urls"], zoo.map["addresses"]))
        else:
            robots = asyncio.run(crawl_by_tasks(adapter, queue, cut))
        assert not robots._turns._lines and not robots._waiting, "callers are left in line"
        assert adapter.hooked["response"], "the hooks of the user do not run"
        return zoo.ask("verdict")


ADAPTERS = [f"adapter-{kind}" for kind in ("httpx", "httpx-async", "requests", "aiohttp", "crawlee")]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("kind", choices=[*CLIENTS, *ADAPTERS])
    arguments.add_argument("--hosts", type=int, default=306)
    arguments.add_argument("--kill", action="store_true")
    arguments.add_argument("--child", nargs=2)
    arguments = arguments.parse_args()
    if arguments.child:
        return child(arguments.kind, *arguments.child)
    began = time.monotonic()
    if arguments.kind in ADAPTERS:
        crawl = crawl_by_adapter(arguments.kind, arguments.hosts)
        print(json.dumps(crawl | {"seconds": round(time.monotonic() - began, 1)}))
        return bool(crawl["violations"] or crawl["unfetched"])
    with Zoo(arguments.hosts, WORKERS) as zoo:
        crawl = crawl_and_kill(arguments.kind, zoo, arguments.hosts) if arguments.kill else crawl_here(arguments.kind, zoo)
    print(json.dumps(crawl | {"seconds": round(time.monotonic() - began, 1)}))
    return bool(crawl["violations"] or crawl["unfetched"])


if __name__ == "__main__":
    sys.exit(main())
