"""The processor time of a page of each adapter beside its bare client, over hosts on loopback whose
delays are zero and whose robots.txt is known.

    ENFORCE=1 python benches/adapters.py

Prints the microseconds of the bare client and of the adapter in the best of alternating rounds, and the median of the ratios of two
rounds that follow each other. With `ENFORCE` it fails above the ratio of 1.5. The wheel must be optimized.
"""

import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import sys
import time

import aiohttp
import httpx
import requests
from session import profile, serve

from polite_robots import RobotsCache, aio
from polite_robots.adapters.aiohttp import PoliteMiddleware
from polite_robots.adapters.httpx import AsyncPoliteTransport, PoliteTransport
from polite_robots.adapters.requests import PoliteAdapter

HOSTS, PAGES, ROUNDS = 20, 20, int(os.environ.get("ROUNDS", "5"))


def no_file(url):
    return 404, {}, b""


async def no_file_async(url):
    return 404, {}, b""


async def known(urls):
    """A cache for one event loop. The bare client asks for no robots.txt, which serves many pages."""
    robots = aio.RobotsCache("ExampleBot", no_file_async, profile=profile())
    for url in urls[:HOSTS]:
        await robots.check(url)
    return robots


ROBOTS = RobotsCache("ExampleBot", no_file, profile=profile())


def by_httpx(urls, is_polite):
    with httpx.Client(transport=PoliteTransport(ROBOTS) if is_polite else None) as client:
        return timed(lambda: [client.get(url) for url in urls])


def by_requests(urls, is_polite):
    with requests.Session() as session:
        if is_polite:
            session.mount("http://", PoliteAdapter(ROBOTS, pool_connections=HOSTS))
        else:
            session.mount("http://", requests.adapters.HTTPAdapter(pool_connections=HOSTS))
        return timed(lambda: [session.get(url) for url in urls])


def by_httpx_async(urls, is_polite):
    async def main():
        robots = await known(urls)
        async with httpx.AsyncClient(transport=AsyncPoliteTransport(robots) if is_polite else None) as client:
            began = time.process_time()
            for url in urls:
                await client.get(url)
            return time.process_time() - began

    return asyncio.run(main())


def by_aiohttp(urls, is_polite):
    async def main():
        robots = await known(urls)
        async with aiohttp.ClientSession(middlewares=[PoliteMiddleware(robots)] if is_polite else []) as session:
            began = time.process_time()
            for url in urls:
                async with session.get(url) as response:
                    await response.read()
            return time.process_time() - began

    return asyncio.run(main())


def timed(work):
    began = time.process_time()
    work()
    return time.process_time() - began


def main():
    listener = socket.create_server(("0.0.0.0", 0), backlog=1024)
    server = multiprocessing.get_context("fork").Process(target=serve, args=(listener,), daemon=True)
    server.start()
    port = listener.getsockname()[1]
    urls = [f"http://127.1.1.{host + 1}:{port}/{page}" for page in range(PAGES) for host in range(HOSTS)]
    for url in urls[:HOSTS]:
        ROBOTS.check(url)
    found = {}
    for by in (by_httpx, by_httpx_async, by_requests, by_aiohttp):
        rounds = [[by(urls, is_polite) / len(urls) * 1e6 for is_polite in (False, True)] for _ in range(ROUNDS)]
        bare, polite = map(min, zip(*rounds, strict=True))
        ratio = statistics.median(polite / bare for bare, polite in rounds)
        found[by.__name__[3:]] = {"bare": round(bare), "polite": round(polite), "ratio": round(ratio, 2)}
    server.terminate()
    print(json.dumps(found))
    return bool(os.environ.get("ENFORCE") and max(each["ratio"] for each in found.values()) > 1.5)


if __name__ == "__main__":
    sys.exit(main())
