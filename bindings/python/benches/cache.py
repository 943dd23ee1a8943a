"""How long an answer from `RobotsCache` takes beside Protego with a dict, and the memory of 100,000 hosts.

    python benches/cache.py [ARCHIVE]      # a .tar.xz of robots.txt files; the one beside the checkout by default
    ENFORCE=1 python benches/cache.py      # misses of a figure are errors
    HOSTS=100000 python benches/cache.py   # the hosts of the second part

The dict is what crawlers write by hand: the parsed file of each `urlsplit(url).netloc`. It has no clock, no status and no
limit of memory.
"""

import asyncio
import gc
import os
import pathlib
import resource
import sys
import time
import urllib.parse

import protego
from ratios import SHARED, best, corpus, urls_of

import polite_robots.aio
from polite_robots import RobotsCache

AGENT = "ExampleBot"
FILES = 300
CAPACITY = 64 << 20
GENERATED = b"User-agent: *\n" + b"".join(b"Disallow: /folder-%d/private/\n" % number for number in range(20))


def bodies(archive):
    if not pathlib.Path(archive).exists():
        print("no archive of robots.txt files is beside the checkout, so the files are generated")
        return [GENERATED.replace(b"folder", b"folder-%d" % number) for number in range(FILES)]
    return [body for body, _ in list(corpus(archive).values())[:FILES]]


def speed(files):
    """The seconds of an answer: of Protego, of the cache for threads, and of that for asyncio."""
    by_host = {f"h{number}.example": body for number, body in enumerate(files)}
    parsed = {host: protego.Protego.parse(body.decode("utf-8")) for host, body in by_host.items()}

    def fetch(url):
        return 200, {}, by_host[urllib.parse.urlsplit(url).netloc]

    async def fetch_async(url):
        return fetch(url)

    cache = RobotsCache(AGENT, fetch)
    asynchronous = polite_robots.aio.RobotsCache(AGENT, fetch_async)
    # Pages of all hosts in turn, as a crawler asks.
    paths = [(host, url.removeprefix("https://example.com")) for host, body in by_host.items() for url in urls_of(body)[:10]]
    urls = [f"https://{host}{path}" for host, path in paths]

    def by_dict():
        for url in urls:
            parsed[urllib.parse.urlsplit(url).netloc].can_fetch(url, AGENT)

    def by_cache():
        for url in urls:
            cache.allowed(url)

    def by_checks():
        for url in urls:
            cache.check(url)

    async def one_after_the_other():
        for url in urls:
            await asynchronous.allowed(url)

    def by_asyncio():
        asyncio.run(one_after_the_other())

    gc.disable()
    ways = {"dict and Protego": by_dict, "allowed": by_cache, "check": by_checks, "aio, allowed": by_asyncio}
    for way in ways.values():
        way()
    figures = {name: best(way) / len(urls) for name, way in ways.items()}
    gc.enable()
    for name, seconds in figures.items():
        print(f"{name}: {seconds * 1e9:.0f} ns, {figures['dict and Protego'] / seconds:.1f} times as fast as the dict")
    return [name for name, seconds in figures.items() if name != "dict and Protego" and seconds >= figures["dict and Protego"]]


def file_of(host):
    """A file of 3.8 kB with rules of its own."""
    rules = [f"Disallow: /private/{host}-{number}/of-the-site\n" for number in range(92)]
    return f"User-agent: *\n{''.join(rules)}Disallow: /private\n".encode()


def memory(hosts):
    """100,000 hosts one after the other, then all of them while their servers fail: nothing may open."""
    now, is_down, asked = [1_767_225_600.0], [False], [0]

    def fetch(url):
        asked[0] += 1
        return (503, {}, b"") if is_down[0] else (200, {}, file_of(url.split(".")[0][9:]))

    cache = RobotsCache(AGENT, fetch, capacity=CAPACITY, clock=lambda: now[0])
    print(f"a file of {len(file_of(hosts - 1))} bytes")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    most = full = opened = allowed = closed = 0
    for is_down[0] in (False, True):
        for host in range(hosts):
            now[0] += 0.5
            check = cache.check(f"https://h{host}.example/private/{host}")
            opened += check.allowed
            page = cache.check(f"https://h{host}.example/page")
            allowed += page.allowed
            full += page.cause == "full"
            closed += page.closed
            most = max(most, cache.cache.bytes())
        print(
            f"{hosts} hosts, {'503' if is_down[0] else '200'}: {allowed} allowed, {closed} closed of which {full} as the cache was full,"
            f" {asked[0]} fetches, {len(cache.cache)} known, {cache.cache.forgotten()} remembered,"
            f" {most / 2**20:.1f} MiB at most, {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024:.1f} MiB resident"
        )
    print(f"opened: {opened}")
    return ["memory"] * (most > CAPACITY) + ["opened"] * (opened > 0)


def main():
    archive = sys.argv[1] if len(sys.argv) > 1 else str(SHARED / "corpus" / "top-sites-robots.tar.xz")
    missed = speed(bodies(archive)) + memory(int(os.environ.get("HOSTS", "100000")))
    if missed:
        print(f"missed: {', '.join(missed)}")
    return bool(missed) and "ENFORCE" in os.environ


if __name__ == "__main__":
    begin = time.monotonic()
    status = main()
    print(f"{time.monotonic() - begin:.0f} s")
    sys.exit(status)
