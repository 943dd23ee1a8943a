"""Crawls by Scrapy from servers on loopback: which pages it fetches by which settings, and what it does after a failure."""

import collections
import http.server
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading

import pytest

from polite_robots.policy import Profile

README = pathlib.Path(__file__).parents[1] / "README.md"

RULES = b"User-agent: *\nDisallow: /private\n"
LONG = RULES + b"# and so on\n" * 50_000 + b"Disallow: /late\n"
RESET = None

OWN = {"ROBOTSTXT_PARSER": "polite_robots.scrapy.RobotParser"}


def instead(middleware):
    return {
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            f"polite_robots.scrapy.{middleware}": 100,
        }
    }


def after(retry_early):
    return OURS | {"POLITE_ROBOTS_PROFILE": Profile.rfc9309().replace(retry_early=retry_early)}


OURS = instead("PoliteRobotsTxtMiddleware")
WAITING = OWN | instead("WaitingRobotsTxtMiddleware")

# The settings, and the answers of the server to robots.txt: the last one stays.
CRAWLS = {
    "own": (OWN, [(200, {}, RULES)]),
    "waiting": (WAITING, [(200, {}, RULES)]),
    "waiting-after-reset": (WAITING | {"RETRY_ENABLED": False}, [RESET]),
    "ours": (OURS, [(200, {}, RULES)]),
    "reset": (after(0.1), [RESET, (200, {}, RULES)]),
    "busy": (after(0.1), [(503, {}, b""), (200, {}, RULES)]),
    "down": (after(0.1), [(503, {}, b"")]),
    "later": (after(0.1), [(503, {"Retry-After": "600"}, b""), (200, {}, RULES)]),
    "limited": (after(0.1), [(429, {}, b""), (200, {}, RULES)]),
    "no-retry": (after(0), [RESET, (200, {}, RULES)]),
    "patient": (after(0), [(503, {}, b""), (200, {}, RULES)]),
    "long": (OURS, [(200, {}, LONG)]),
}


@pytest.fixture(scope="module")
def crawls():
    run = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


pytestmark = pytest.mark.parallel_threads(1)


def test_scrapy_lets_waiting_pages_through(crawls):
    """As long as this holds, `WaitingRobotsTxtMiddleware` has a purpose."""
    assert "/private/2" in crawls["own"]["pages"]
    [warning] = crawls["own"]["warnings"]
    assert "PoliteRobotsTxtMiddleware" in warning and "WaitingRobotsTxtMiddleware" in warning


@pytest.mark.parametrize("name", ["waiting", "ours"])
def test_pages_that_wait_obey(crawls, name):
    crawl = crawls[name]
    assert (crawl["pages"], crawl["robots.txt"], crawl["warnings"]) == (["/public"], 1, [])
    assert crawl["stats"]["robotstxt/forbidden"] == 3


def test_waiting_changes_nothing_else(crawls):
    # After a failure Scrapy fetches everything.
    assert len(crawls["waiting-after-reset"]["pages"]) == 4


@pytest.mark.parametrize("name", ["reset", "busy"])
def test_a_failure_that_is_over_at_once_costs_no_page(crawls, name):
    crawl = crawls[name]
    assert (crawl["pages"], crawl["robots.txt"], crawl["warnings"]) == (["/public"], 2, [])
    assert crawl["stats"]["robotstxt/retry_count"] == 1


@pytest.mark.parametrize(("name", "asked"), [("down", 2), ("later", 1), ("limited", 1), ("no-retry", 1)])
def test_a_failure_that_lasts_is_a_warning(crawls, name, asked):
    crawl = crawls[name]
    assert (crawl["pages"], crawl["robots.txt"]) == ([], asked)
    [warning] = crawl["warnings"]
    assert f"({'unreachable' if name == 'no-retry' else 429 if name == 'limited' else 503})" in warning
    assert "RobotsTxtUnavailable" in warning
    assert crawl["stats"].get("robotstxt/retry_count", 0) == asked - 1


def test_the_errback_of_the_readme_asks_again(crawls):
    assert (crawls["patient"]["pages"], crawls["patient"]["robots.txt"]) == (["/public"], 2)


def test_rules_after_the_limit_are_counted_and_logged(crawls):
    crawl = crawls["long"]
    assert crawl["pages"] == ["/public"] and crawl["stats"]["robotstxt/truncated"] == 1
    [warning] = crawl["warnings"]
    # The start of a line that is cut does not count.
    assert int(re.search(r"byte (\d+)", warning)[1]) in range(511_900, 512_001)


def test_the_parser_needs_no_new_scrapy():
    # Scrapy before 2.18 has no `sleep`, and before 2.14 no `call_later`.
    lines = ["import scrapy.downloadermiddlewares.robotstxt", "from scrapy.utils import asyncio"]
    lines += ["for name in ('sleep', 'call_later'): vars(asyncio).pop(name, None)", "import polite_robots.scrapy as ours"]
    lines += ["parser = ours.RobotParser.from_crawler(None, b'User-agent: *\\nDisallow: /')"]
    lines += ["assert not parser.allowed('https://a.example/', 'ExampleBot')"]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


@pytest.mark.parametrize("middleware", ["PoliteRobotsTxtMiddleware", "WaitingRobotsTxtMiddleware"])
def test_the_middlewares_say_which_scrapy_they_need(middleware):
    """A middleware that is left out without a word would open all sites."""
    lines = ["import scrapy", "scrapy.version_info = (2, 13, 4)", "import polite_robots.scrapy as ours"]
    lines += [f"ours.{middleware}(None)"]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert f"RuntimeError: {middleware} needs Scrapy 2.14 or later" in run.stderr


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.asked = collections.Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked[self.path] += 1
        answer = (200, {}, b"<html>")
        if self.path == "/robots.txt":
            answers = self.server.answers
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer is RESET:
            # No time to send what is left: the connection is reset.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        status, fields, body = answer
        self.send_response(status)
        for name, value in (fields | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            # The crawler has read enough.
            self.close_connection = True

    def log_message(self, *_):
        pass


def patient_spider():
    """The spider of the README."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    [block] = [block for block in blocks if "class PatientSpider" in block]
    names = {}
    exec(block, names)
    return names["PatientSpider"]


def main():
    import logging

    import scrapy
    from scrapy.crawler import CrawlerProcess

    from polite_robots.policy import Profile

    class Pages(scrapy.Spider):
        name = "pages"

        def parse(self, response):
            pass

    class Warnings(logging.Handler):
        """The warnings of a crawl: those that know the spider, and that of the parser, which knows none."""

        def emit(self, record):
            spider = getattr(record, "spider", None)
            warnings["own" if spider is None else spider.crawl].append(record.getMessage())

    common = {
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "ExampleBot",
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
    warnings = collections.defaultdict(list)
    logging.getLogger("polite_robots.scrapy").addHandler(Warnings(logging.WARNING))
    process = CrawlerProcess({"LOG_LEVEL": "CRITICAL"})
    running = {}
    for name, (settings, answers) in CRAWLS.items():
        server = Server(answers)
        site = f"http://127.0.0.1:{server.server_port}"
        spider = Pages
        if name == "patient":
            spider = patient_spider()
            settings = settings | {"POLITE_ROBOTS_PROFILE": Profile.rfc9309().replace(retry_first_503=0.2)}
        crawler = process.create_crawler(
            type(name, (spider,), {"crawl": name, "custom_settings": common | settings})
        )
        pages = [f"{site}/public", *(f"{site}/private/{number}" for number in range(3))]
        process.crawl(crawler, start_urls=pages)
        running[name] = (crawler, server)
    process.start()
    print(json.dumps({
        name: {
            "pages": sorted(server.asked.keys() - {"/robots.txt"}),
            "robots.txt": server.asked["/robots.txt"],
            "warnings": warnings[name],
            "stats": {key: value for key, value in crawler.stats.get_stats().items() if key.startswith("robotstxt/")},
        }
        for name, (crawler, server) in running.items()
    }))


if __name__ == "__main__":
    main()
