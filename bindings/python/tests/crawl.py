"""A crawl of a site on loopback, by Scrapy's middleware or by ours; the server counts the pages that its robots.txt forbids.

    python tests/crawl.py own|ours [--hosts N] [--cache-bytes N]

The site has three days: its robots.txt answers with 200, then with 503, then with 200 and other rules. Each host speaks http
and https on one port, with other rules for each. Prints one line of JSON.
"""

import argparse
import asyncio
import datetime
import json
import pathlib
import resource
import ssl
import tempfile
import threading

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer

import polite_robots
from polite_robots.scrapy import PoliteRobotsTxtMiddleware

DAY = 86_400.0
RULES = {
    ("http", 0): "User-agent: *\nDisallow: /private\n",
    ("https", 0): "User-agent: *\nDisallow: /open\n",
    ("http", 1): None,
    ("https", 1): None,
    ("http", 2): "User-agent: *\nDisallow: /secret\n",
    ("https", 2): "User-agent: *\nDisallow: /secret\n",
}
PAGES = ["/open", "/private", "/secret"]


def may_fetch(scheme, day, path):
    rules = RULES[scheme, day]
    robot = polite_robots.Robot.disallow_all(503) if rules is None else polite_robots.Robot("ExampleBot", rules)
    return robot.allowed(path)


class Site:
    """Every host of the crawl, on one port for http and https."""

    def __init__(self, folder):
        self.day = 0
        self.log = []
        self.port = None
        self._started = threading.Event()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate(folder))
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._started.wait()

    async def _serve(self):
        plain = await asyncio.start_server(lambda r, w: self._answer("http", r, w), "127.0.0.1", 0)
        tls = await asyncio.start_server(
            lambda r, w: self._answer("https", r, w), "127.0.0.1", 0, ssl=self._context
        )
        ports = [server.sockets[0].getsockname()[1] for server in (plain, tls)]

        async def front(reader, writer):
            # The first byte of TLS is 22, which begins no request in plain text.
            first = await reader.read(1)
            backend = await asyncio.open_connection("127.0.0.1", ports[first == b"\x16"])
            backend[1].write(first)
            await asyncio.gather(pipe(reader, backend[1]), pipe(backend[0], writer))

        server = await asyncio.start_server(front, "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await server.serve_forever()

    async def _answer(self, scheme, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split()[1]
            day = self.day
            if path == "/robots.txt":
                self.log.append((scheme, day, path, True))
                rules = RULES[scheme, day]
                status, body = ("200 OK", rules) if rules else ("503 Service Unavailable", "busy")
            else:
                self.log.append((scheme, day, path, may_fetch(scheme, day, path)))
                status, body = "200 OK", "<html>"
            # Ten thousand hosts with a connection each are more than a process may have.
            fields = f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close"
            writer.write(f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n{body}".encode())
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def pipe(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


def certificate(folder):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "site.example")])
    now = datetime.datetime.now(datetime.UTC)
    signed = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=now - datetime.timedelta(days=1),
        not_valid_after=now + datetime.timedelta(days=1),
    ).sign(key, hashes.SHA256())
    path = pathlib.Path(folder) / "site.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


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
        for request in self.requests_of_day():
            yield request

    def requests_of_day(self):
        for host in range(self.hosts):
            for scheme in ("http", "https"):
                # On some hosts the first page is asked for in the outage.
                if self.site.day == 0 and host % 2:
                    continue
                for path in PAGES:
                    url = f"{scheme}://h{host}.example:{self.site.port}{path}"
                    self.open += 1
                    yield scrapy.Request(url, callback=self.end, errback=self.end, dont_filter=True)

    def end(self, _):
        self.open -= 1
        if self.open == 0 and self.site.day < 2:
            self.site.day += 1
            NOW[0] += DAY * 1.1
            yield from self.requests_of_day()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("middleware", choices=["own", "ours"])
    arguments.add_argument("--hosts", type=int, default=20)
    arguments.add_argument("--cache-bytes", type=int, default=64 << 20)
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(folder)
        settings = {
            "ROBOTSTXT_OBEY": True,
            "ROBOTSTXT_USER_AGENT": "ExampleBot",
            "POLITE_ROBOTS_CACHE_BYTES": arguments.cache_bytes,
            "DNS_RESOLVER": f"{__name__}.Loopback",
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "DOWNLOAD_DELAY": 0,
            "RETRY_ENABLED": False,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
        if arguments.middleware == "ours":
            settings["DOWNLOADER_MIDDLEWARES"] = {
                "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
                OursAtATime: 100,
            }
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(Spider)
        process.crawl(crawler, hosts=arguments.hosts, site=site, open=0)
        process.start()
        stats = crawler.stats.get_stats()
        pages = [entry for entry in site.log if entry[2] != "/robots.txt"]
        answer = {
            "middleware": arguments.middleware,
            "hosts": arguments.hosts,
            "pages": len(pages),
            "forbidden_pages_fetched": sum(not allowed for *_, allowed in pages),
            "allowed_pages_fetched": sum(allowed for *_, allowed in pages),
            "allowed_pages": sum(
                may_fetch(scheme, day, path)
                for day in range(3)
                for host in range(arguments.hosts)
                if day or host % 2 == 0
                for scheme in ("http", "https")
                for path in PAGES
            ),
            "robots_txt_requests": len(site.log) - len(pages),
            "finish_reason": stats["finish_reason"],
            "forbidden": {key: value for key, value in stats.items() if key.startswith("robotstxt/forbidden")},
            "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        }
        if arguments.middleware == "ours":
            cache = crawler.polite_robots.cache
            answer |= {"origins": len(cache), "cache_bytes": cache.bytes(), "remembered": cache.forgotten()}
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
