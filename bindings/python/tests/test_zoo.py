"""`PoliteSession` and the adapters before the judge of the zoo, in short. `tests/long` has it whole."""

import asyncio
import concurrent.futures
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


KINDS = [*zoo.CLIENTS, *zoo.ADAPTERS]


def run(kind):
    """A process of its own, as an adapter's changes what names mean."""
    return subprocess.run([sys.executable, zoo.__file__, kind, "--hosts", "20"], capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def runs():
    """All of them at the same time, as a polite crawler waits for most of its time."""
    with concurrent.futures.ThreadPoolExecutor(len(KINDS)) as threads:
        yield {kind: threads.submit(run, kind) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_no_request_is_rude_and_no_page_is_missed(runs, kind):
    ended = runs[kind].result()
    assert ended.stdout, ended.stderr[-2000:]
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
