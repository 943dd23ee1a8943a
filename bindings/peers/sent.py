"""Which request do HTTP clients send for an odd URL, and did the answer about the URL hold for that request?

    python peers/sent.py

It needs the packages of `python/requirements.txt` and of `wasm/js`, curl and Chromium. Prints the table of
crates/client/docs/sent_urls.md. A server on loopback keeps the target of each request byte for byte. The judge compares those
bytes with the rules, and reads no URL. It ends with 1 if a request arrived that the file closes although the line of code for
its client allowed the URL, or if fewer questions were asked than there are.
"""

import asyncio
import ctypes
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import urllib.request

import aiohttp
import httpx
import requests
import scrapy
import yarl
from scrapy.crawler import AsyncCrawlerProcess

from polite_robots import Robot

RULES = b"User-agent: *\nDisallow: /search\nDisallow: /a/closed\n"
CLOSED = [b"/search", b"/a/closed"]

SHAPES = json.loads(pathlib.Path(__file__).parents[2].joinpath("testdata/sent_urls.json").read_text("utf-8"))
LEAST = 60

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


class Server:
    """Keeps the targets of requests."""

    def __init__(self):
        self.targets = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            connection.settimeout(10)
            head = b""
            while b"\r\n\r\n" not in head:
                chunk = connection.recv(65536)
                if not chunk:
                    return
                head += chunk
            line = head.split(b"\r\n", 1)[0]
            target = line.split(b" ", 1)[1].rsplit(b" HTTP/", 1)[0]
            self.targets.append(target)
            body = RULES if target == b"/robots.txt" else b"ok"
            connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


def is_closed(target):
    """Compares bytes with the rules after escapes of letters and digits are decoded (RFC 9309 §2.2.2); reads no URL."""
    text = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: decoded if (decoded := bytes([int(found[1], 16)])).isalnum() else found[0], target)
    return any(text.startswith(rule) for rule in CLOSED)


def of_requests(url):
    requests.get(url, timeout=5, allow_redirects=False)


def of_httpx(url):
    httpx.get(url, timeout=5, trust_env=False)


def of_aiohttp(url):
    async def get():
        async with aiohttp.ClientSession() as session, session.get(url, timeout=aiohttp.ClientTimeout(5)) as response:
            await response.read()

    asyncio.run(get())


def of_urllib(url):
    urllib.request.urlopen(url, timeout=5).read()


def of_curl(url):
    subprocess.run(["curl", "--silent", "--globoff", "--noproxy", "*", "--max-time", "5", "--", url], check=True, capture_output=True)


def path_and_query_of_curl(url):
    """By curl_url_set and curl_url_get, whose parts CURLUPART_URL, _PATH and _QUERY are 0, 7 and 8."""
    curl = ctypes.CDLL("libcurl.so.4")
    curl.curl_url.restype = ctypes.c_void_p
    handle, part = ctypes.c_void_p(curl.curl_url()), ctypes.c_char_p()
    if curl.curl_url_set(handle, 0, url.encode(), 0) != 0:
        raise ValueError("curl refuses the URL")
    curl.curl_url_get(handle, 7, ctypes.byref(part), 0)
    path = part.value
    has_query = curl.curl_url_get(handle, 8, ctypes.byref(part), 0) == 0
    return path + b"?" + part.value if has_query else path


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
    targets = [target for target in server.targets if target not in (b"/robots.txt", b"/favicon.ico")]
    return targets[0] if targets else None


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
            targets = [target for target in self.server.targets if target != b"/robots.txt"]
            self.sent[url] = targets[0] if targets else None
        return
        yield


def main():
    server = Server()
    urls = [shape.replace("{host}", server.host) for shape in SHAPES]
    robot = Robot("ExampleBot", RULES)
    clients = {
        "requests": of_requests,
        "httpx": of_httpx,
        "aiohttp": of_aiohttp,
        "urllib": of_urllib,
        "libcurl": of_curl,
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
    opened = dict.fromkeys(sent, 0)
    for url in urls:
        shown = url.replace(server.host, "h").encode("unicode_escape").decode().replace("|", "\\|").replace("`", "&#96;")
        cells = [cell(name, url) for name in sent]
        for name, text in zip(sent, cells, strict=True):
            opened[name] += "OPENED" in text
        print(f"| <code>{shown}</code> | {'allowed' if robot.allowed(url) else 'disallowed'} | {' | '.join(cells)} |")
    print()
    print("| client | requests | other than asked | opened | the line that asks about the request | other than asked |")
    print("|---|---|---|---|---|---|")
    missed = 0
    for name, line in LINES.items():
        arrived = {url: target for url, target in sent[name].items() if target is not None}
        by_line = [url for url, target in arrived.items() if eval(line, globals() | {"robot": robot, "url": url}) == is_closed(target)]
        other = sum(robot.allowed(url) == is_closed(target) for url, target in arrived.items())
        print(f"| {name} | {len(arrived)} | {other} | {opened[name]} | `{line}` | {len(by_line)} |")
        missed += len(by_line)
        if by_line:
            print(f"{name}: {by_line}", file=sys.stderr)
    print()
    versions = {"requests": requests, "httpx": httpx, "aiohttp": aiohttp, "scrapy": scrapy, "yarl": yarl}
    print(", ".join(f"{name} {module.__version__}" for name, module in versions.items()))
    asked = {name: sum(target is not None for target in targets.values()) for name, targets in sent.items()}
    print("requests that arrived:", asked)
    print("opened:", opened)
    if len(urls) < LEAST or any(len(targets) != len(urls) for targets in sent.values()) or min(asked.values()) < 10:
        sys.exit("fewer questions were asked than there are")
    # urllib sends a URL as it is written, which only its line covers.
    sys.exit(1 if missed or any(count for name, count in opened.items() if name != "urllib") else 0)


main()
