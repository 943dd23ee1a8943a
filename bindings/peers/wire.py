"""Drives the ready fetchers and clients of Python and JavaScript, Scrapy, Go and `robots fetch` through the answers of
`testdata/wire.toml`, and prints what is wrong with what they make of them.

    python bindings/peers/wire.py [DRIVER...]

Needs `bindings/run python wasm`, and the debug builds of the command and of the zoo's `wire_server`; for Go, the C library
that pkg-config finds.
"""

import asyncio
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBUG = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
# The limit of each request, for which the table has its seconds.
SECONDS = 2.0
CROWD = 32


class Server:
    """The process that plays the answers and judges what was heard."""

    def __init__(self):
        self._process = subprocess.Popen([DEBUG / "wire_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started = json.loads(self._process.stdout.readline())
        self.port, self.names = started["port"], started["names"]

    def origins(self, client):
        return [f"http://127.{client}.{answer >> 8}.{answer & 255}:{self.port}" for answer in range(len(self.names))]

    def fault(self, library, answer, heard):
        self._process.stdin.write(json.dumps({"library": library, "answer": answer} | heard) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def heard(are_open, cause, retry_at, began):
    access = "closed" if not are_open[0] else "open" if are_open[1] else "rules"
    retry = None if retry_at is None else max(0.0, retry_at - time.time())
    return {"access": access, "cause": str(cause), "retry": retry, "after": time.monotonic() - began}


def of_checks(checks, began):
    first = checks[0]
    cause = first.cause if first.cause is not None else "" if list(first.robot.rules) else "no_rules"
    return heard([check.allowed for check in checks], cause, first.retry_at, began)


def by_threads(fetcher):
    """A driver of `RobotsCache` with threads."""

    def drive(origins):
        import polite_robots

        robots = polite_robots.RobotsCache("ExampleBot", fetcher())

        def ask(origin):
            began = time.monotonic()
            return of_checks([robots.check(origin + path) for path in ("/x", "/private/x")], began)

        with concurrent.futures.ThreadPoolExecutor(CROWD) as pool:
            return list(pool.map(ask, origins))

    return drive


async def crowd(ask, origins):
    places = asyncio.Semaphore(CROWD)

    async def one(origin):
        async with places:
            return await ask(origin, time.monotonic())

    return await asyncio.gather(*map(one, origins))


def by_tasks(fetcher):
    """A driver of `aio.RobotsCache`."""

    async def run(origins):
        from polite_robots.aio import RobotsCache

        robots = RobotsCache("ExampleBot", fetcher())

        async def ask(origin, began):
            return of_checks([await robots.check(origin + path) for path in ("/x", "/private/x")], began)

        return await crowd(ask, origins)

    return lambda origins: asyncio.run(run(origins))


def by_session(make_client):
    """A driver of `PoliteSession`."""

    async def run(origins):
        from polite_robots.aio import Closed, Disallowed, PoliteSession

        async with PoliteSession("ExampleBot", client=make_client(), max_in_flight=CROWD, robots_timeout=SECONDS) as session:

            async def ask(origin, began):
                are_open, cause, retry_at = [], "", None
                for path in ("/x", "/private/x"):
                    try:
                        are_open.append((await session.get(origin + path)).status == 200)
                    except Closed as error:
                        are_open.append(False)
                        cause, retry_at = error.check.cause, error.check.retry_at
                    except Disallowed:
                        are_open.append(False)
                    if path == "/x":
                        after = time.monotonic() - began
                return heard(are_open, cause, retry_at, began) | {"after": after}

            return await crowd(ask, origins)

    return lambda origins: asyncio.run(run(origins))


def httpx_client():
    import httpx

    return httpx.AsyncClient(timeout=SECONDS, limits=httpx.Limits(max_connections=None))


def aiohttp_client():
    import aiohttp

    limit = aiohttp.ClientTimeout(total=None)
    return aiohttp.ClientSession(auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar(), timeout=limit)


def ready(name):
    """A ready fetcher of the package."""

    def make():
        from polite_robots import fetchers

        return getattr(fetchers, name)("ExampleBot/1.0", seconds=SECONDS)

    return make


def by_lines(command):
    """A driver that is a process: it reads origins as lines of JSON, and answers each with what it has heard."""

    def drive(origins):
        lines = "".join(json.dumps(origin) + "\n" for origin in origins)
        ended = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, timeout=600)
        return [json.loads(line) for line in ended.stdout.splitlines()]

    return drive


def by_command(origins):
    """`robots fetch`: its row of RFC 9309, and what a polite crawler does otherwise."""

    def ask(origin):
        began = time.monotonic()
        command = [DEBUG / "robots", "fetch", "--json", "--timeout", str(SECONDS), origin]
        site = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout)["sites"][0]
        row = site["profiles"][0]
        access = {"rules": "rules", "rules_of_first_bytes": "rules", "everything": "open"}.get(row["access"], "closed")
        cause = row["cause"] or ""
        words = {"unreachable": "unreachable", "cut short": "truncated", "coding": "encoded", "too often": "too_many_redirects"}
        words["no rules"] = "no_rules"
        name = next((name for word, name in words.items() if cause.endswith(word) or f"{word} that" in cause), cause.rpartition(" ")[2])
        # Times are shown in whole seconds of a day, and the table is for crawlers.
        return {"access": access, "cause": name, "retry": None, "no_times": True, "after": time.monotonic() - began}

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(ask, origins))


def node(kind):
    return by_lines(["node", ROOT / "bindings/wasm/js/test/wire.mjs", kind, str(SECONDS)])


def by_go(origins):
    """The `Cache` of the package for Go."""
    command = ["env", "-C", ROOT / "bindings/c/examples/go", "go", "run", ROOT / "bindings/peers/wire_go.go", str(SECONDS)]
    return by_lines(command)(origins)


# The name of a driver, the library whose limits count for it, and what drives it.
DRIVERS = {
    "requests": ("requests", by_threads(ready("requests"))),
    "httpx": ("httpx", by_threads(ready("httpx"))),
    "httpx_async": ("httpx", by_tasks(ready("httpx_async"))),
    "aiohttp": ("aiohttp", by_tasks(ready("aiohttp"))),
    "session_httpx": ("httpx", by_session(httpx_client)),
    "session_aiohttp": ("aiohttp", by_session(aiohttp_client)),
    "scrapy": ("scrapy", by_lines([sys.executable, ROOT / "bindings/peers/wire_scrapy.py", str(SECONDS)])),
    "fetch": ("node", node("fetch")),
    "polite_fetch": ("node", node("polite_fetch")),
    "go": ("go", by_go),
    "command": ("command", by_command),
}


def main(names):
    server, wrong = Server(), 0
    for number, (name, (library, drive)) in enumerate(DRIVERS.items(), start=10):
        if names and name not in names:
            continue
        began, answers = time.monotonic(), drive(server.origins(number))
        assert len(answers) == len(server.names), f"{name}: {len(answers)} answers"
        faults = [fault for answer, one in enumerate(answers) if (fault := server.fault(library, answer, one))]
        wrong += len(faults)
        latest = max(one["after"] for one in answers)
        print(f"{name}: {len(answers)} answers, {len(faults)} wrong, the last was heard after {latest:.1f} s; {time.monotonic() - began:.0f} s")
        print("".join(f"  {fault}\n" for fault in faults), end="", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
