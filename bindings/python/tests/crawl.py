"""A crawl of the site in `loopback.py`, by Scrapy's middleware or by ours.

    python tests/crawl.py own|ours [--hosts N] [--cache-bytes N]

Prints one line of JSON, and fails if it is not what the middleware is known for: Scrapy's fetches pages that robots.txt
forbids; ours fetches none of these, all that it allows, and keeps within its memory.
"""

import argparse
import json
import resource
import sys
import time

import scrapy
from loopback import DAYS, PAGES, Site, hosts_of_day, schemes_of
from scrapy.crawler import CrawlerProcess
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

from polite_robots.policy import Profile
from polite_robots.scrapy import PoliteRobotsTxtMiddleware

DAY = 86_400.0

# Hosts that are crawled at a time. Scrapy's scheduler looks at the queue of each host for each request, so that the time
# for ten thousand queues would be all that is measured.
WINDOW = 100


class Loopback(CachingThreadedResolver):
    """Every host is this machine."""

    def getHostByName(self, name, timeout=()):
        return defer.succeed("127.0.0.1")


NOW = [1_767_225_600.0]


class OursAtATime(PoliteRobotsTxtMiddleware):
    """Our middleware, by the clock of the test."""

    def clock(self):
        return NOW[0]

    @classmethod
    def from_crawler(cls, crawler):
        crawler.polite_robots = super().from_crawler(crawler)
        return crawler.polite_robots


class Spider(scrapy.Spider):
    name = "crawl"

    async def start(self):
        for request in self.requests_of_day(0):
            yield request

    def requests_of_day(self, day):
        self.day = day
        self.site.ask(f"day {day}")
        self.hosts_left = iter(hosts_of_day(self.hosts, day))
        self.open = {}
        return [request for _ in range(WINDOW) for request in self.requests_of_host()]

    def requests_of_host(self):
        """The pages of the next host of the day, all schemes at once, as they come from a frontier."""
        host = next(self.hosts_left, None)
        if host is None:
            return
        urls = [
            f"{scheme}://h{host}.example:{self.site.port}{path}" for scheme in schemes_of(host) for path in PAGES
        ]
        self.open[host] = len(urls)
        for url in urls:
            yield scrapy.Request(
                url, callback=self.end, errback=self.fail, dont_filter=True, cb_kwargs={"host": host}
            )

    def fail(self, failure):
        yield from self.end(failure, failure.request.cb_kwargs["host"])

    def end(self, _, host):
        self.open[host] -= 1
        if self.open[host]:
            return
        del self.open[host]
        yield from self.requests_of_host()
        if not self.open and self.day + 1 in DAYS:
            NOW[0] += DAY * 1.1
            yield from self.requests_of_day(self.day + 1)


def faults(answer, arguments):
    if answer["finish_reason"] != "finished":
        yield "the crawl did not come to its end"
    if arguments.middleware == "own":
        if not answer["forbidden_pages_fetched"]:
            yield "Scrapy's own middleware fetched no forbidden page: the judge sees nothing"
        return
    if answer["forbidden_pages_fetched"]:
        yield "forbidden pages were fetched"
    if answer["allowed_pages_missed"]:
        yield "allowed pages were missed"
    if answer["cache_bytes"] > arguments.cache_bytes:
        yield "the cache is larger than it may be"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("middleware", choices=["own", "ours"])
    arguments.add_argument("--hosts", type=int, default=20)
    arguments.add_argument("--cache-bytes", type=int, default=64 << 20)
    arguments = arguments.parse_args()
    settings = {
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "ExampleBot",
        "POLITE_ROBOTS_CACHE_BYTES": arguments.cache_bytes,
        "DNS_RESOLVER": f"{__name__}.Loopback",
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        # Scrapy starts as many tasks for each response.
        "CONCURRENT_ITEMS": 1,
        "DOWNLOAD_DELAY": 0,
        "RETRY_ENABLED": False,
        "POLITE_ROBOTS_PROFILE": Profile.rfc9309().replace(retry_early=0),
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
    if arguments.middleware == "ours":
        settings["DOWNLOADER_MIDDLEWARES"] = {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            OursAtATime: 100,
        }
    begin = time.monotonic()
    with Site() as site:
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(Spider)
        process.crawl(crawler, hosts=arguments.hosts, site=site)
        process.start()
        report = site.ask(f"report {arguments.hosts}")
    stats = crawler.stats.get_stats()
    answer = {
        "middleware": arguments.middleware,
        "hosts": arguments.hosts,
        **report,
        "finish_reason": stats["finish_reason"],
        "forbidden": {key: value for key, value in stats.items() if key.startswith("robotstxt/forbidden")},
        "seconds": round(time.monotonic() - begin, 1),
        "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }
    if arguments.middleware == "ours":
        cache = crawler.polite_robots.cache
        answer |= {"origins": len(cache), "cache_bytes": cache.bytes(), "remembered": cache.forgotten()}
    print(json.dumps(answer))
    found = list(faults(answer, arguments))
    print("\n".join(found), file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
