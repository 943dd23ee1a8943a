"""A `PoliteSession` in the zoo of `crates/zoo`, whose judge sees the requests. One call of three is cut off.

    python tests/zoo.py httpx|aiohttp [--hosts N] [--kill]

`--kill` kills the crawl in the middle, and another process goes on with its file. Prints the verdict as JSON, and fails if a request
was rude or a page was missed. `cargo test -p polite-robots-zoo --features tests --no-run` makes the server.
"""

import argparse
import asyncio
import collections
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

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
    """The verdict without requests that an answer forbids which was not in the file yet."""
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


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("kind", choices=CLIENTS)
    arguments.add_argument("--hosts", type=int, default=306)
    arguments.add_argument("--kill", action="store_true")
    arguments.add_argument("--child", nargs=2)
    arguments = arguments.parse_args()
    if arguments.child:
        return child(arguments.kind, *arguments.child)
    began = time.monotonic()
    with Zoo(arguments.hosts, WORKERS) as zoo:
        crawl = crawl_and_kill(arguments.kind, zoo, arguments.hosts) if arguments.kill else crawl_here(arguments.kind, zoo)
    print(json.dumps(crawl | {"seconds": round(time.monotonic() - began, 1)}))
    return bool(crawl["violations"] or crawl["unfetched"])


if __name__ == "__main__":
    sys.exit(main())
