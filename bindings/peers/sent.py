"""Which request do HTTP clients send for an odd URL, and did the answer about the URL hold for that request?

    python peers/sent.py [random | list] [--seed N] [--count N] [--record FILE]

It needs the packages of `python/requirements.txt` and of `wasm/js`, curl and Chromium. Prints the tables of
crates/client/docs/sent_urls.md: those of `random` for random URLs, those of `list` for the URLs of testdata/sent_urls.json.
A server on loopback keeps the target of each request byte for byte. The judge compares those bytes with the rules, and reads
no URL. It ends with 1 if a request arrived that the file closes although the line of code for its client allowed the URL, or
if fewer questions were asked than there are. `--record` writes requests for the tests of the core.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import urllib.request

import aiohttp
import httpx
import requests
import scrapy
import yarl
from scrapy.crawler import AsyncCrawlerProcess

import odd_urls
from polite_robots import Robot
from sent_clients import CLIENTS, Curl

# The server of a test of the package keeps targets too.
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python" / "tests"))
from recorder import Server, decoded  # noqa: E402

RULES = b"User-agent: *\nDisallow: /search\nDisallow: /a/closed\n"
CLOSED = (b"/search", b"/a/closed")

SHAPES = json.loads(pathlib.Path(__file__).parents[2].joinpath("testdata/sent_urls.json").read_text("utf-8"))
LEAST = 80

# The line of code for each client that asks about the request which it sends. Those of JavaScript read a URL as Python does.
LINES = {
    "requests": "robot.allowed(requests.Request('GET', url).prepare().path_url, sent=True)",
    "httpx": "robot.allowed(httpx.URL(url).raw_path, sent=True)",
    "aiohttp": "robot.allowed(yarl.URL(url).raw_path_qs, sent=True)",
    "urllib": "robot.allowed(urllib.request.Request(url).selector, sent=True)",
    "libcurl": "robot.allowed(path_and_query_of_curl(url), sent=True)",
    "axios": "robot.allowed(url)",
    "Chromium by Playwright": "robot.allowed(url)",
    "fetch": "robot.allowed(url)",
}


def is_closed(target):
    return decoded(target).startswith(CLOSED)


def path_and_query_of_curl(url):
    return Curl().path_and_query(url)


def one_by_one(name):
    """A client of the random URLs, asked for a single one."""
    return lambda url: CLIENTS[name]([(0, url)])


def of_node(client):
    script = pathlib.Path(__file__).parents[1] / "wasm/js/test/sent.mjs"
    node = subprocess.Popen(["node", script, client], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def get(url):
        node.stdin.write(json.dumps(url) + "\n")
        node.stdin.flush()
        refusal = json.loads(node.stdout.readline())
        if refusal is not None:
            raise ValueError(refusal)

    return get


def ask(server, get, url):
    """The target that arrived, or `None` if the client sent nothing."""
    server.targets.clear()
    try:
        get(url)
    except Exception:
        pass
    return server.targets[0] if server.targets else None


class Spider(scrapy.Spider):
    """Asks for one URL after the other, so that each target is that of its URL."""

    name = "sent"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "ExampleBot",
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": 1,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "polite_robots.scrapy.PoliteRobotsTxtMiddleware": 100,
        },
    }

    def __init__(self, server, urls, sent, **arguments):
        super().__init__(**arguments)
        self.server, self.urls, self.sent = server, urls, sent

    async def start(self):
        for url in self.urls:
            self.server.targets.clear()
            try:
                await self.crawler.engine.download_async(scrapy.Request(url, dont_filter=True))
            except Exception:
                pass
            self.sent[url] = self.server.targets[0] if self.server.targets else None
        return
        yield


# A segment of dots, between the bytes that some reader takes for slashes.
DOTS = re.compile(rb"(/|%5c|\\)(\.|%2e){1,2}(/|%5c|\\|$)", re.I)


def kind(url, target):
    """The reason why a request is another one than the text that it was sent for; the first that fits."""
    path, _, query = target.partition(b"?")
    if "\\@" in url and b"@" not in path:
        return "takes the text before `\\@` for a user"
    if DOTS.search(path):
        return "sends dots"
    if re.match(rb"/[A-Za-z][:|](/|$)", path):
        return "keeps a drive letter before dots"
    if not query and re.search(r"\?\s*(#|$)", url):
        return "drops an empty query"
    if re.search(rb"%0[9AD]|%20", target, re.I):
        return "sends a blank, a tab or a line end"
    if not path.endswith(b"/") and re.search(r"(\.|%2e)\s*([?#]|$)", url, re.I):
        return "drops the slash of last dots"
    if b"//" not in path and re.search(r"[/\\]{2}", url.partition("//")[2]):
        return "drops an empty segment"
    if "%2e" in url.lower():
        return "takes `%2e` for a name"
    return "other"


def ask_at_random(seed, count, record):
    """Asks all clients for random URLs; the number of requests that a client's own question opened."""
    recorder = odd_urls.Recorder()
    shapes = list(odd_urls.urls(seed, count))
    urls = [shape.replace("{host}", recorder.host).replace("{port}", str(recorder.port)) for shape in shapes]
    robots = [(rules, Robot("ExampleBot", odd_urls.robots_txt(rules))) for rules in odd_urls.FILES]
    print(f"{count} random URLs of seed {seed}, {len(robots)} files")
    print("| client | requests | opened by its own question and the text | by the text alone, kinds |")
    print("|---|---|---|---|")
    opened, records, asked = 0, [], {}
    for name, ask in CLIENTS.items():
        known = ask(list(enumerate(urls)))
        arrived = recorder.take()
        asked[name] = len(arrived)
        by_both, by_text, examples = [], collections.Counter(), {}
        # The requests that the text alone opens, and those that only a reading of every part as clients send it closes.
        opening, refused = set(), set()
        for number, target in arrived.items():
            url, own = urls[number], known[number]
            for rules, robot in robots:
                if not odd_urls.is_closed(target, rules):
                    continue
                if not robot.allowed(url):
                    if HARD.search(url):
                        refused.add(number)
                    continue
                opening.add(number)
                by_text[kind(url, target)] += 1
                examples.setdefault(kind(url, target), (url, target, rules))
                if own is not None and robot.allowed(own, sent=True):
                    by_both.append((url, own, target, rules))
        for case in by_both[:9]:
            print(name, "OPENED", *case, file=sys.stderr)
        for name_of_kind, example in examples.items():
            print(f"{name} {name_of_kind}:", *example, file=sys.stderr)
        opened += len(by_both)
        kinds = ", ".join(f"{kind}: {number}" for kind, number in by_text.most_common())
        print(f"| {name} | {len(arrived)} | {len(by_both)} | {sum(by_text.values())}{' (' + kinds + ')' if kinds else ''} |", flush=True)
        kept = sorted(opening)[: RECORDED // 3] + sorted(refused)[: RECORDED // 3] + sorted(arrived.keys() - opening - refused)
        here = recorder.host.encode()
        for number in kept[:RECORDED]:
            # The question of its own, where it is not the request.
            texts = [arrived[number], *({known[number] or b""} - {arrived[number]})]
            records.append([name, shapes[number], *(text.replace(here, b"{host}").decode("latin-1") for text in texts)])
    print()
    if record:
        lines = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in records)
        pathlib.Path(record).write_text(lines, "utf-8")
    if count < LEAST_RANDOM or min(asked.values()) < count // 3:
        print("fewer questions were asked than there are:", asked, file=sys.stderr)
        return opened + 1
    return opened


# A drive letter, or a backslash, and dots after it.
HARD = re.compile(r"([A-Za-z][:|]|\\).*\.\.")
# The least number of random URLs, and the requests of each client that are recorded.
LEAST_RANDOM = 60_000
RECORDED = 230


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("part", nargs="?", choices=["random", "list"])
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--count", type=int, default=LEAST_RANDOM)
    parser.add_argument("--record")
    arguments = parser.parse_args()
    if arguments.part != "list" and ask_at_random(arguments.seed, arguments.count, arguments.record):
        sys.exit(1)
    if arguments.part != "random":
        ask_for_the_list()


def ask_for_the_list():
    server = Server(RULES)
    urls = [shape.replace("{host}", server.host) for shape in SHAPES]
    robot = Robot("ExampleBot", RULES)
    clients = {
        **{name: one_by_one(name) for name in ["requests", "httpx", "aiohttp", "urllib", "libcurl"]},
        "axios": of_node("axios"),
        "Chromium by Playwright": of_node("playwright"),
        "fetch": of_node("fetch"),
    }
    sent = {name: {url: ask(server, get, url) for url in urls} for name, get in clients.items()}
    sent["Scrapy, our middleware"] = {}
    process = AsyncCrawlerProcess()
    process.crawl(Spider, server=server, urls=urls, sent=sent["Scrapy, our middleware"])
    process.start()

    def cell(name, url):
        target = sent[name][url]
        if target is None:
            return "–"
        is_opened = is_closed(target) and (name.startswith("Scrapy") or robot.allowed(url))
        text = target.decode("latin-1").replace("|", "\\|").encode("unicode_escape").decode()
        return f"**OPENED** `{text}`" if is_opened else f"`{text}`"

    print("| URL | answer |", " | ".join(sent), "|")
    print("|---|---|", "|".join("---" for _ in sent), "|", sep="")
    opened = {name: set() for name in sent}
    for url in urls:
        shown = url.replace(server.host, "h").encode("unicode_escape").decode().replace("|", "\\|").replace("`", "&#96;")
        cells = [cell(name, url) for name in sent]
        for name, text in zip(sent, cells, strict=True):
            opened[name] |= {url.replace(server.host, "{host}")} if "OPENED" in text else set()
        print(f"| <code>{shown}</code> | {'allowed' if robot.allowed(url) else 'disallowed'} | {' | '.join(cells)} |")
    print()
    print("| client | requests | other than asked | opened | the line that asks about the request | other than asked |")
    print("|---|---|---|---|---|---|")
    missed = 0
    for name, line in LINES.items():
        arrived = {url: target for url, target in sent[name].items() if target is not None}
        by_line = [url for url, target in arrived.items() if eval(line, globals() | {"robot": robot, "url": url}) == is_closed(target)]
        other = sum(robot.allowed(url) == is_closed(target) for url, target in arrived.items())
        print(f"| {name} | {len(arrived)} | {other} | {len(opened[name])} | `{line}` | {len(by_line)} |")
        # The answer about a text with a `\\` is that of two requests, so it may be less open than the one that arrived.
        wrong = by_line if "sent=True" in line else [url for url in by_line if is_closed(arrived[url])]
        missed += len(wrong)
        if wrong:
            print(f"{name}: {wrong}", file=sys.stderr)
    print()
    versions = {"requests": requests, "httpx": httpx, "aiohttp": aiohttp, "scrapy": scrapy, "yarl": yarl}
    print(", ".join(f"{name} {module.__version__}" for name, module in versions.items()))
    asked = {name: sum(target is not None for target in targets.values()) for name, targets in sent.items()}
    print("requests that arrived:", asked)
    print("opened:", opened)
    if len(urls) < LEAST or any(len(targets) != len(urls) for targets in sent.values()) or min(asked.values()) < 10:
        sys.exit("fewer questions were asked than there are")
    if missed or any(urls - COVERED_BY_LINES.get(name, set()) for name, urls in opened.items()):
        sys.exit(1)


# URLs that the text alone opens. urllib sends a URL as it is written, and requests drops an empty segment.
COVERED_BY_LINES = {
    "urllib": {"http://{host}/search/..", "http://{host}/search/../open"},
    "requests": {"http://{host}/..//search"},
}


if __name__ == "__main__":
    main()
