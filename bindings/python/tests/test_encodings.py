"""A robots.txt in an encoding, by Scrapy's own downloader from a server on loopback."""

import gzip
import http.server
import json
import pathlib
import random
import subprocess
import sys
import threading
import zlib

import pytest

RULES = b"User-agent: *\nDisallow: /private\n"
BY_RULE = "disallowed by line 2: Disallow: /private in the wildcard group on line 1"
ENCODED = "disallowed: robots.txt is in a coding that cannot be read"
CUT = "disallowed: robots.txt was cut short"

# Rules, and then comments up to 10 MB, more than Scrapy would be let unpack.
LONG = RULES + b"# and so on, and so on, and so on\n" * 300_000
NOISE = RULES + b"# %s\n" % random.Random(1).randbytes(2_000_000).replace(b"\n", b" ")


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def brotli(data):
    try:
        import brotli
    except ImportError:
        import brotlicffi as brotli
    return brotli.compress(data)


# The status, the field Content-Encoding, the body, and the fates of /private and /open.
CASES = {
    "none": (200, None, RULES, BY_RULE, None),
    "identity": (200, "identity", RULES, BY_RULE, None),
    "gzip": (200, "gzip", gzip.compress(RULES), BY_RULE, None),
    "upper-case": (200, "GZip", gzip.compress(RULES), BY_RULE, None),
    "x-gzip": (200, "x-gzip", gzip.compress(RULES), BY_RULE, None),
    "deflate": (200, "deflate", zlib.compress(RULES), BY_RULE, None),
    "raw-deflate": (200, "deflate", raw_deflate(RULES), BY_RULE, None),
    "two-members": (200, "gzip", gzip.compress(RULES[:20]) + gzip.compress(RULES[20:]), BY_RULE, None),
    "bytes-after-it": (200, "gzip", gzip.compress(RULES) + b"\0" * 20, BY_RULE, None),
    "empty": (200, "gzip", b"", None, None),
    # The rules within the limit count, however much follows.
    "long": (200, None, LONG, BY_RULE, None),
    "gzip-of-long": (200, "gzip", gzip.compress(LONG), BY_RULE, None),
    "deflate-of-long": (200, "deflate", raw_deflate(LONG), BY_RULE, None),
    "gzip-of-noise": (200, "gzip", gzip.compress(NOISE), BY_RULE, None),
    # A body that breaks off may have lost rules.
    "cut-gzip": (200, "gzip", gzip.compress(RULES)[:-9], CUT, CUT),
    "wrong-checksum": (200, "gzip", gzip.compress(RULES)[:-8] + b"\0" * 8, ENCODED, ENCODED),
    "no-gzip": (200, "gzip", RULES, BY_RULE, None),
    "one-byte": (200, "gzip", b"\x1f", CUT, CUT),
    "twice": (200, "gzip, gzip", gzip.compress(gzip.compress(RULES)), BY_RULE, None),
    # Nobody has asked for these. The file in them is one that nobody can read.
    "compress": (200, "compress", b"\x1f\x9d" + RULES, ENCODED, ENCODED),
    "brotli": (200, "br", brotli(RULES), ENCODED, ENCODED),
    "text-as-compress": (200, "compress", RULES, BY_RULE, None),
    "gzip-within-compress": (200, "gzip, compress", gzip.compress(RULES), ENCODED, ENCODED),
    # Servers that do not say so.
    "gzip-without-name": (200, None, gzip.compress(RULES), ENCODED, ENCODED),
    "utf-16": (200, None, RULES.decode().encode("utf-16"), BY_RULE, None),
    "utf-16-without-mark": (200, None, RULES.decode().encode("utf-16-le"), ENCODED, ENCODED),
    # A name that is not a coding, from servers that mean the charset.
    "charset": (200, "utf-8", RULES, BY_RULE, None),
    "gzip-and-charset": (200, "gzip, utf-8", gzip.compress(RULES), BY_RULE, None),
    # The status counts, whatever the body is.
    "missing": (404, "gzip", RULES, None, None),
    "missing-compressed": (404, "compress", RULES, None, None),
}


@pytest.fixture(scope="module")
def fates():
    run = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parallel_threads(1)
@pytest.mark.parametrize("case", CASES)
def test_an_encoding(fates, case):
    *_, private, open_page = CASES[case]
    assert (fates[f"{case}/private"], fates[f"{case}/open"]) == (private, open_page)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, encoding, body, *_ = CASES[self.headers["Host"].partition(".")[0]]
        if self.path != "/robots.txt":
            status, encoding, body = 200, None, b"<html>"
        self.send_response(status)
        if encoding is not None:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            # The crawler has read enough.
            self.close_connection = True

    def log_message(self, *_):
        pass


def main():
    from crawl import Loopback
    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcess

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    fates = {}

    class Pages(Spider):
        name = "pages"

        async def start(self):
            for case in CASES:
                for page in ("private", "open"):
                    url = f"http://{case}.example:{server.server_port}/{page}"
                    about = {"fate": f"{case}/{page}"}
                    yield Request(url, callback=self.fetched, errback=self.refused, cb_kwargs=about)

        def fetched(self, response, fate):
            fates[fate] = None

        def refused(self, failure):
            fates[failure.request.cb_kwargs["fate"]] = str(failure.value)

    settings = {
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_USER_AGENT": "ExampleBot",
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "polite_robots.scrapy.PoliteRobotsTxtMiddleware": 100,
        },
        "DNS_RESOLVER": f"{Loopback.__module__}.{Loopback.__name__}",
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Pages)
    process.start()
    print(json.dumps(fates))


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main()
