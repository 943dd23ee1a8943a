"""Sites on loopback that are each in trouble of their own, and the judge of what was asked of them.

Every address of 127.0.0.0/8 is a host; the third number of its address is its trouble, a place in `TROUBLES`.
"""

import asyncio
import collections
import gzip
import random
import socket
import struct
import threading
import zlib

RULES = b"User-agent: *\nDisallow: /private\n"
# Nothing that a text begins with, so that nobody can take it for one.
NOISE = b"# " + random.Random(1).randbytes(600_000).replace(b"\n", b"")
BROTLI = b"\x8b\x0e\x80" + RULES + b"\x03"


def response(status, body, *fields):
    head = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Set-Cookie: id=1; Max-Age=86400", *fields, "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def elsewhere(host, port):
    _, block, trouble, last = host.split(".")
    return f"Location: http://127.{int(block) + 1}.{trouble}.{last}:{port}/robots.txt"


# The answer in each trouble, as bytes or a function of host and port, and the event after it.
TROUBLES = {
    "rules": (response(200, RULES), "close"),
    "gzip": (response(200, gzip.compress(RULES), "Content-Encoding: gzip"), "close"),
    "deflate": (response(200, zlib.compress(RULES), "Content-Encoding: deflate"), "close"),
    "text that is called gzip": (response(200, RULES, "Content-Encoding: gzip"), "close"),
    "utf-16": (response(200, RULES.decode().encode("utf-16")), "close"),
    "long": (response(200, RULES + b"# and so on\n" * 50_000), "close"),
    "gzip of noise": (response(200, gzip.compress(RULES + NOISE), "Content-Encoding: gzip"), "close"),
    "bomb": (response(200, gzip.compress(RULES + bytes(20_000_000)), "Content-Encoding: gzip"), "close"),
    "endless": (b"HTTP/1.1 200 OK\r\n\r\n" + RULES, "send on"),
    "redirect": (lambda host, port: response(301, b"", elsewhere(host, port)), "close"),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(RULES), RULES), "close"),
    # From here on nothing may be fetched.
    "503": (response(503, b"busy", "Retry-After: 600"), "close"),
    "500 with a page": (response(500, b"<html>Sorry</html>", "Content-Type: text/html"), "close"),
    "429": (response(429, b"", "Retry-After: 600"), "close"),
    "999": (response(999, b"Request denied"), "close"),
    "reset": (b"", "reset"),
    "reset in the body": (response(200, RULES)[:-5], "reset"),
    "cut short": (response(200, RULES)[:-5], "close"),
    "gzip that breaks off": (response(200, gzip.compress(RULES)[:-12], "Content-Encoding: gzip"), "close"),
    "brotli": (response(200, BROTLI, "Content-Encoding: br"), "close"),
    "zip without a word": (response(200, b"PK\x03\x04" + bytes(40)), "close"),
    "silent": (b"", "wait"),
    "drip": (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", "drip"),
    "no http": (b"SSH-2.0-OpenSSH_9.2\r\n", "close"),
    "redirect to nowhere": (response(302, b""), "close"),
}
NAMES = list(TROUBLES)
# They end by the client's limit of time alone.
SLOW = ["silent", "drip"]
OPEN = NAMES[: NAMES.index("503")]


class Judge:
    """The sites, in a thread. Of each host `asked` counts the requests for robots.txt, `most_at_once` those at a time, `heads`
    has the last one, and `pages` counts the other paths, which are always well; `/to?/page` redirects to `/page`.
    """

    def __init__(self):
        self.asked = collections.Counter()
        self.most_at_once = collections.Counter()
        self.pages = collections.Counter()
        self.heads = {}
        self.page_heads = {}
        self._at_once = collections.Counter()
        self._loop = asyncio.new_event_loop()
        self._listener = socket.create_server(("0.0.0.0", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    @staticmethod
    def host(trouble, number=1):
        """One of 8,000 hosts with the trouble."""
        block, last = divmod(number, 250)
        return f"127.{2 * block}.{NAMES.index(trouble)}.{last + 1}"

    @staticmethod
    def is_slow(url):
        return NAMES[int(url.split(".")[2])] in SLOW

    def url(self, trouble, number=1, path="/page"):
        return f"http://{self.host(trouble, number)}:{self.port}{path}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._loop.close()

    async def _serve(self):
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._answer, sock=self._listener)
        await self._end.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, reader, writer):
        host = writer.get_extra_info("sockname")[0]
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1].decode("latin-1")
            if path.startswith("/to?"):
                writer.write(response(302, b"", f"Location: {path[4:]}", "Connection: close"))
                return
            if path != "/robots.txt":
                self.pages[host, path] += 1
                self.page_heads[host, path] = head.decode("latin-1")
                writer.write(response(200, b"<html>", "Content-Type: text/html", "Connection: close"))
                return
            self.asked[host] += 1
            self._at_once[host] += 1
            self.most_at_once[host] = max(self.most_at_once[host], self._at_once[host])
            self.heads[host] = head.decode("latin-1")
            _, block, trouble, _ = map(int, host.split("."))
            # Redirects lead to the blocks with odd numbers, where everything is well.
            answer, then = TROUBLES[NAMES[trouble]] if block % 2 == 0 else TROUBLES["rules"]
            writer.write(answer(host, self.port) if callable(answer) else answer)
            try:
                await getattr(self, f"_{then.replace(' ', '_')}")(reader, writer)
            finally:
                self._at_once[host] -= 1
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _close(self, reader, writer):
        await writer.drain()

    async def _reset(self, reader, writer):
        await writer.drain()
        # Without lingering the end of a connection is a reset.
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    async def _wait(self, reader, writer):
        # Longer than any limit of the tests; some crawlers have none.
        await asyncio.wait([asyncio.ensure_future(reader.read())], timeout=15)

    async def _send_on(self, reader, writer):
        while not writer.is_closing():
            writer.write(b"Disallow: /more\n" * 1000)
            await writer.drain()

    async def _drip(self, reader, writer):
        while not writer.is_closing():
            writer.write(b"#")
            await writer.drain()
            await asyncio.sleep(0.1)
