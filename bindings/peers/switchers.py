"""What do crawlers fetch from hosts whose robots.txt is in trouble, as they are, and with a `RobotsCache` in them?

    target/switchers/bin/python peers/switchers.py

It needs the packages of `switchers.txt` and the wheel of this repository. Prints the table of docs/robots-in-my-crawler.md:
each crawler is asked for two pages of each host, one of which the rules forbid, if there are any, and of one host for two pages
that redirect to these. It ends with 1 if a crawler with the change fetched a page that it must not, missed one that it may, or
asked twice for a robots.txt; or if less was checked than there is.
"""

import asyncio
import importlib.metadata
import logging
import pathlib
import sys
from urllib.parse import urljoin

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python" / "tests"))

from judge import Judge

import polite_robots.aio
from polite_robots import RobotsCache, fetchers

LEAST = 72
AGENT = "ExampleBot/1.0 (+https://example.com/bot)"

# The name in the table, the one in the judge, and the pages that may be fetched.
TROUBLES = {
    "200": ("rules", {"/page"}),
    "503": ("503", set()),
    "silence": ("silent", set()),
    "500, HTML": ("500 with a page", set()),
    "429": ("429", set()),
    "redirect": ("redirect", {"/page"}),
    "reset": ("reset", set()),
    "zip": ("zip without a word", set()),
    "page redirect": ("rules", {"/page"}),
}


def paths_of(title):
    return [f"/to?{path}" if title == "page redirect" else path for path in ("/page", "/private")]


def number_of(title, number):
    """The number of its host, as two of them have the same robots.txt."""
    return number + 10 * (title == "page redirect")


# crawlee: one method of its crawler.


def crawlee(urls, is_changed):
    import impit
    from crawlee import ConcurrencySettings
    from crawlee.configuration import Configuration
    from crawlee.crawlers import HttpCrawler
    from crawlee.http_clients import ImpitHttpClient
    from crawlee.storage_clients import MemoryStorageClient

    class PoliteCrawler(HttpCrawler):
        def __init__(self, **options):
            super().__init__(http_client=ImpitHttpClient(follow_redirects=False), **options)
            self.client = impit.AsyncClient(follow_redirects=False, timeout=5)
            self.robots = polite_robots.aio.RobotsCache("ExampleBot", self.fetch_robots)

        async def fetch_robots(self, url):
            response = await self.client.get(url)
            return response.status_code, response.headers, response.content

        async def _is_allowed_based_on_robots_txt_file(self, url):
            return await self.robots.allowed(url)

    async def main():
        crawler = (PoliteCrawler if is_changed else HttpCrawler)(
            respect_robots_txt_file=True,
            max_request_retries=0,
            configure_logging=False,
            storage_client=MemoryStorageClient(),
            configuration=Configuration(purge_on_start=True),
            concurrency_settings=ConcurrencySettings(desired_concurrency=16, max_concurrency=16),
        )

        @crawler.router.default_handler
        async def handle(context):
            if location := context.http_response.headers.get("location"):
                await context.add_requests([urljoin(context.request.url, location)])

        await crawler.run(urls)

    asyncio.run(main())


# Scrapling: its manager of robots.txt.


def scrapling(urls, is_changed):
    from curl_cffi.requests import AsyncSession
    from scrapling.fetchers import FetcherSession
    from scrapling.spiders import Spider, engine

    own = engine.RobotsTxtManager

    class PoliteManager(own):
        def __init__(self, fetch):
            super().__init__(fetch)
            self.robots = polite_robots.aio.RobotsCache("ExampleBot", self.fetch_robots)

        async def fetch_robots(self, url):
            async with AsyncSession(timeout=5) as session:
                response = await session.get(url, allow_redirects=False)
            return response.status_code, response.headers, response.content

        async def can_fetch(self, url, sid):
            return await self.robots.allowed(url)

        async def get_delay_directives(self, url, sid):
            return await self.robots.crawl_delay(url), None

        async def prefetch(self, urls, sid):
            await asyncio.gather(*map(self.robots.check, urls))

    class Pages(Spider):
        name = "pages"
        start_urls = urls
        robots_txt_obey = True
        concurrent_requests = 16

        def configure_sessions(self, manager):
            follow = {"follow_redirects": False} if is_changed else {}
            manager.add("default", FetcherSession(timeout=5, retries=1, **follow))

        async def parse(self, response):
            if location := response.headers.get("location"):
                yield response.follow(location)
            else:
                yield {"url": response.url}

    engine.RobotsTxtManager = PoliteManager if is_changed else own
    try:
        Pages().start()
    finally:
        engine.RobotsTxtManager = own


# PyScrappy: the method that fetches.


def pyscrappy(urls, is_changed):
    from pyscrappy.core.config import ScraperConfig
    from pyscrappy.core.exceptions import RobotsDisallowedError
    from pyscrappy.core.http import HttpClient

    robots = RobotsCache("ExampleBot", fetchers.httpx(AGENT, seconds=5))

    class PoliteClient(HttpClient):
        def _build_client(self):
            client = super()._build_client()
            client.event_hooks = {"request": [self.ask]}
            return client

        def ask(self, request):
            check = robots.check(str(request.url), sent=request.url)
            if not check:
                raise RobotsDisallowedError(str(check))

        def get(self, url, **options):
            return super().get(url, skip_robots_check=True, **options)

    client = (PoliteClient if is_changed else HttpClient)(
        config=ScraperConfig(obey_robots=True, timeout=5, max_retries=1, rate_limit=0)
    )
    for url in urls:
        try:
            client.get(url)
        except Exception as error:
            logging.debug("%s: %r", url, error)


# mcp-server-fetch: the function that asks robots.txt.


def mcp_server_fetch(urls, is_changed):
    from mcp_server_fetch import server

    own = server.check_may_autonomously_fetch_url
    robots = polite_robots.aio.RobotsCache("ModelContextProtocol", fetchers.httpx_async(AGENT, seconds=5))
    # On loopback its guard of private addresses stays off; elsewhere `event_hooks` of the fetcher keep it.

    async def check_may_autonomously_fetch_url(url, *_):
        check = await robots.check(url)
        if not check:
            raise server.ToolError(str(check))

    async def main():
        check = check_may_autonomously_fetch_url if is_changed else own
        server.check_may_autonomously_fetch_url = check
        for url in urls:
            try:
                await check(url, AGENT, None, True)
                await server.fetch_url(url, AGENT, allow_private_ips=True, check_robots_txt=True)
            except server.ToolError as error:
                logging.debug("%s: %r", url, error)

    asyncio.run(main())
    server.check_may_autonomously_fetch_url = own


CRAWLERS = {"crawlee": crawlee, "scrapling": scrapling, "pyscrappy": pyscrappy, "mcp-server-fetch": mcp_server_fetch}


def pages_of(crawl, is_changed, number):
    """The pages that were fetched in each trouble, and the most requests for one robots.txt."""
    with Judge() as judge:
        places = [(trouble, number_of(title, number), paths_of(title)) for title, (trouble, _) in TROUBLES.items()]
        crawl([judge.url(trouble, place, path) for trouble, place, paths in places for path in paths], is_changed)
        hosts = [judge.host(trouble, place) for trouble, place, _ in places]
        pages = [{path for asked, path in judge.pages if asked == host} for host in hosts]
        return dict(zip(TROUBLES, pages, strict=True)), max(judge.asked[host] for host in hosts)


def cell(pages, allowed):
    if pages - allowed:
        return "**open**"
    return "missed" if allowed - pages else "read" if allowed else "closed"


def main():
    checks, faults = 0, []
    print("|", " | ".join(["crawler", *TROUBLES, "asked"]), "|")
    print("|---|" + "---|" * (len(TROUBLES) + 1))
    for name, crawl in CRAWLERS.items():
        for is_changed in (False, True):
            found, asked = pages_of(crawl, is_changed, 1 + is_changed)
            row = "with the change" if is_changed else f"{name} {importlib.metadata.version(name)}"
            cells = [cell(found[title], allowed) for title, (_, allowed) in TROUBLES.items()]
            print("|", " | ".join([row, *cells, str(asked)]), "|", flush=True)
            checks += len(found)
            if is_changed:
                faults += [f"{name}, {title}" for title in TROUBLES if found[title] != TROUBLES[title][1]]
                faults += [f"{name} asked {asked} times"] * (asked != 1)
    if faults or checks < LEAST:
        sys.exit(f"{checks} hosts were checked, and the change failed for: {faults}")
    print(f"{checks} passed, 0 failed")


if __name__ == "__main__":
    main()
