"""`PoliteSession` before the judge of the zoo, in short. `tests/long` has it whole."""

import asyncio
import json
import socketserver
import subprocess
import sys
import threading

import pytest
import zoo

from polite_robots.aio import PoliteSession
from polite_robots.policy import HostRule

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has every address of 127/8 at hand")


@pytest.mark.parametrize("kind", zoo.CLIENTS)
def test_no_request_is_rude_and_no_page_is_missed(kind):
    with zoo.Zoo(20, zoo.WORKERS) as hosts:
        verdict = zoo.crawl_here(kind, hosts)
    assert not verdict["violations"] and not verdict["unfetched"] and verdict["requests"] > 60, verdict


@pytest.mark.parametrize("kind", zoo.ADAPTERS)
def test_no_adapter_is_rude_or_misses_a_page(kind):
    # A process of its own, as it changes what names mean.
    ended = subprocess.run([sys.executable, zoo.__file__, kind, "--hosts", "20"], capture_output=True, text=True, timeout=600)
    verdict = json.loads(ended.stdout)
    assert ended.returncode == 0 and not verdict["violations"] and not verdict["unfetched"] and verdict["requests"] > 60, verdict


def test_bytes_behind_a_robots_txt_are_no_answer_to_the_next_request():
    """The length of the robots.txt is short, and its rest comes in the same packet. A client that keeps the connection reads the
    rest as the answer to the request for the page."""
    asked = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            while line := self.rfile.readline():
                fields = list(iter(self.rfile.readline, b"\r\n"))
                asked.append(line.split()[1].decode())
                is_robots_txt = asked[-1] == "/robots.txt"
                body = b"User-agent: *\nDisallow:\n" if is_robots_txt else b"page"
                behind = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged" if is_robots_txt else b""
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(body)
                self.wfile.write(head + body + behind)
                if b"connection: close\r\n" in map(bytes.lower, fields):
                    return

    async def crawl(site):
        async with PoliteSession("ExampleBot", rule=lambda _: HostRule(min_delay=0.0)) as session:
            return [(await session.get(site + path)).body for path in ("/a", "/b")]

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        pages = asyncio.run(crawl("http://127.0.0.1:%d" % server.server_address[1]))
        server.shutdown()
    assert pages == [b"page", b"page"]
    assert asked == ["/robots.txt", "/a", "/b"]
