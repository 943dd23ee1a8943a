"""The slots of Scrapy's downloader with the pace of the policy, by a crawl on loopback. Times are bounded from below only."""

import http.server
import json
import subprocess
import sys
import threading
import time

import pytest

pytestmark = pytest.mark.parallel_threads(1)

ANSWERS = {
    "/robots.txt": (200, {}, b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.5\n"),
    "/busy": (429, {"Retry-After": "2"}, b""),
}


@pytest.fixture(scope="module")
def crawl():
    run = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_the_requests_of_a_host_keep_their_gap_and_never_meet(crawl):
    hits = crawl["hits"]
    assert sorted(path for path, _, _ in hits) == ["/1", "/2", "/busy", "/robots.txt"]
    assert hits[0][0] == "/robots.txt"
    for (_, _, end), (path, begin, _) in zip(hits, hits[1:], strict=False):
        # The clock of the policy has milliseconds.
        assert begin - end >= 0.49, path


def test_retry_after_is_kept(crawl):
    paths = [path for path, _, _ in crawl["hits"]]
    busy = paths.index("/busy")
    assert busy < len(paths) - 1, "it came last, which shows nothing"
    assert crawl["hits"][busy + 1][1] - crawl["hits"][busy][2] >= 1.99


def test_it_is_off_by_default(crawl):
    assert crawl["default"] == "scrapy.core.downloader.Downloader"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        begin = time.monotonic()
        status, fields, body = ANSWERS.get(self.path, (200, {}, b"<html>"))
        time.sleep(0.05)
        self.send_response(status)
        for name, value in (fields | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.server.hits.append((self.path, begin, time.monotonic()))
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.settings import Settings

    from polite_robots.policy import Profile

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.hits, server.daemon_threads = [], True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"

    class Pages(scrapy.Spider):
        name = "pages"
        custom_settings = {
            "DOWNLOADER": "polite_robots.scrapy.PoliteDownloader",
            "DOWNLOADER_MIDDLEWARES": {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                "polite_robots.scrapy.PoliteRobotsTxtMiddleware": 100,
            },
            "POLITE_ROBOTS_PROFILE": Profile.rfc9309().replace(min_delay=0.2, backoff="off"),
            "ROBOTSTXT_OBEY": True,
            "ROBOTSTXT_USER_AGENT": "ExampleBot",
            "RETRY_ENABLED": False,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "ERROR",
        }

        async def start(self):
            for place, path in enumerate(["/1", "/private", "/busy", "/2"]):
                yield scrapy.Request(f"{site}{path}", priority=-place)

        def parse(self, response):
            pass

    process = CrawlerProcess({"LOG_LEVEL": "ERROR"})
    process.crawl(Pages)
    process.start()
    hits = sorted(server.hits, key=lambda hit: hit[1])
    print(json.dumps({"hits": hits, "default": Settings()["DOWNLOADER"]}))


if __name__ == "__main__":
    main()
