"""Asks Scrapy with `PoliteRobotsTxtMiddleware` for two pages of each origin on standard input, as `wire.py` has it.

    python bindings/peers/wire_scrapy.py SECONDS
"""

import json
import re
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import IgnoreRequest

from polite_robots.scrapy import RobotsTxtUnavailable

WORDS = {"unreachable": "unreachable", "cut short": "truncated", "coding": "encoded", "too often": "too_many_redirects"}


class Pages(scrapy.Spider):
    name = "pages"
    origins: list[str] = []
    heard: dict[str, dict] = {}

    async def start(self):
        self.began = time.monotonic()
        for origin in self.origins:
            self.heard[origin] = {"access": "closed", "cause": "", "retry": None, "no_times": True, "after": 0.0, "open": {}}
            for path in ("/x", "/private/x"):
                yield scrapy.Request(origin + path, self.parse, errback=self.fail, dont_filter=True, meta={"handle_httpstatus_all": True})

    def parse(self, response):
        self.note(response.url, True)

    def fail(self, failure):
        url, error = failure.request.url, failure.value
        if isinstance(error, RobotsTxtUnavailable):
            text = str(error)
            status = re.search(r"status (\d+)", text)
            self.heard[origin_of(url)]["cause"] = status[1] if status else next((WORDS[word] for word in WORDS if word in text), text)
        elif not isinstance(error, IgnoreRequest):
            raise error
        self.note(url, False)

    def note(self, url, is_open):
        self.heard[origin_of(url)]["open"][url[len(origin_of(url)) :]] = is_open


def origin_of(url):
    return "/".join(url.split("/")[:3])


def main():
    Pages.origins = [json.loads(line) for line in sys.stdin]
    settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "polite_robots.scrapy.PoliteRobotsTxtMiddleware": 100,
        },
        "ROBOTSTXT_USER_AGENT": "ExampleBot",
        # The pages hear at once.
        "POLITE_ROBOTS_RETRY_DELAY": 0,
        "DOWNLOAD_TIMEOUT": float(sys.argv[1]),
        "RETRY_ENABLED": False,
        "LOG_LEVEL": "CRITICAL",
        "CONCURRENT_REQUESTS": 64,
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Pages)
    process.start()
    for origin in Pages.origins:
        heard = Pages.heard[origin]
        are_open = heard.pop("open")
        if are_open.get("/x"):
            heard["access"] = "open" if are_open.get("/private/x") else "rules"
        print(json.dumps(heard))


main()
