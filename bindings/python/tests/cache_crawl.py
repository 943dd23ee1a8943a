"""A crawl of hosts in trouble by a client of one's own with `RobotsCache`, and the judge of it on the servers' side.

    python tests/cache_crawl.py threads|asyncio [--hosts N]

Several callers ask about each host at once, and a third of them is cancelled, where callers can be. Every page that is allowed is
fetched. Prints one line of JSON, and fails if a page was fetched that may not be, one that may be was missed, a robots.txt was
asked for twice, or a caller was left waiting.
"""

import argparse
import asyncio
import collections
import concurrent.futures
import http.client
import json
import resource
import sys
import time

from judge import NAMES, OPEN, SLOW, Judge

import polite_robots.aio
from polite_robots import RobotsCache, fetchers

PATHS = ["/page", "/private"] * 3
AGENT = "ExampleBot/1.0 (+https://example.com/bot)"
# Hosts at a time, as each of them has an open file.
WINDOW = 60


def hosts_of(count):
    return [(NAMES[host % len(NAMES)], host // len(NAMES)) for host in range(count)]


def patient(fetcher):
    """A fetch whose limit of time only the hosts meet that are slow on purpose, however busy the machine is."""
    quick, slow = fetcher(AGENT, seconds=0.5), fetcher(AGENT, seconds=60.0)
    return lambda url: (quick if Judge.is_slow(url) else slow)(url)


def get(judge, trouble, number, path):
    connection = http.client.HTTPConnection(judge.host(trouble, number), judge.port, timeout=30)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()


def by_threads(judge, hosts):
    cache = RobotsCache("ExampleBot", patient(fetchers.requests))

    def ask(question):
        trouble, number, path = question
        if cache.allowed(judge.url(trouble, number, path)):
            get(judge, trouble, number, path)
        return True

    with concurrent.futures.ThreadPoolExecutor(WINDOW) as pool:
        return sum(pool.map(ask, [(*host, path) for host in hosts for path in PATHS])), 0, cache


def by_asyncio(judge, hosts):
    async def crawl():
        cache = polite_robots.aio.RobotsCache("ExampleBot", patient(fetchers.aiohttp))
        places = asyncio.Semaphore(WINDOW)

        async def ask(trouble, number, path):
            if await cache.allowed(judge.url(trouble, number, path)):
                await asyncio.to_thread(get, judge, trouble, number, path)

        async def visit(place, trouble, number):
            async with places:
                callers = [asyncio.create_task(ask(trouble, number, path)) for path in PATHS]
                await asyncio.sleep(0.002)
                # The first that asked is among them for every third host.
                for caller in callers[place % 3 :: 3]:
                    caller.cancel()
                ends = await asyncio.gather(*callers, return_exceptions=True)
                return [isinstance(end, asyncio.CancelledError) for end in ends]

        visits = [visit(place, *host) for place, host in enumerate(hosts)]
        ends = collections.Counter(end for visit in await asyncio.gather(*visits) for end in visit)
        return ends.total(), ends[True], cache

    return asyncio.run(crawl())


def crawl(kind, count):
    begin, hosts = time.monotonic(), hosts_of(count)
    with Judge() as judge:
        ended, cancelled, cache = (by_threads if kind == "threads" else by_asyncio)(judge, hosts)
    wanted = {(judge.host(trouble, number), "/page") for trouble, number in hosts if trouble in OPEN}
    return {
        "kind": kind,
        "hosts": count,
        "callers": len(hosts) * len(PATHS),
        "callers_left_waiting": len(hosts) * len(PATHS) - ended,
        "callers_cancelled": cancelled,
        "pages": judge.pages.total(),
        "forbidden_pages_fetched": len(judge.pages.keys() - wanted),
        "allowed_pages_missed": len(wanted - judge.pages.keys()),
        # A slow host may give no sign within its half second.
        "hosts_not_asked": sum(judge.asked[judge.host(*host)] == 0 and host[0] not in SLOW for host in hosts),
        "hosts_asked_twice": sum(judge.asked[judge.host(*host)] > 1 for host in hosts),
        "most_at_once": max(judge.most_at_once.values()),
        "cache_bytes": cache.cache.bytes(),
        "seconds": round(time.monotonic() - begin, 1),
        "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }


def faults(answer):
    for what in (
        "callers_left_waiting",
        "forbidden_pages_fetched",
        "allowed_pages_missed",
        "hosts_not_asked",
        "hosts_asked_twice",
    ):
        if answer[what]:
            yield what
    if answer["most_at_once"] != 1:
        yield "two requests for one robots.txt at a time"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("kind", choices=["threads", "asyncio"])
    arguments.add_argument("--hosts", type=int, default=len(NAMES))
    arguments = arguments.parse_args()
    answer = crawl(arguments.kind, arguments.hosts)
    print(json.dumps(answer))
    found = list(faults(answer))
    print("\n".join(found), file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
