"""Random URLs from parts that clients read in different ways, a server that keeps the requests, and a judge that reads no URL."""

import asyncio
import multiprocessing
import random
import socket

# The starts of URLs, where `{host}` is a loopback address with its port and `{port}` the port alone.
STARTS = ["http://{host}"] * 24 + [
    "http://u:p@{host}",
    "http://u@{host}",
    "HTTP://{host}",
    "http:/{host}",
    "http:{host}",
    "http:///{host}",
    "http:\\\\{host}",
    " http://{host}",
    "\thttp://{host}",
    "ht\ttp://{host}",
    "http://localhost:{port}",
    "http://LOCALHOST:{port}",
    "http://127.1:{port}",
    "http://\uff11\uff12\uff17.0.0.1:{port}",
    "http://\u24dbocalhost:{port}",
]
# The path begins with one of these, so that no part becomes a host.
FIRST = ["/"] * 12 + ["//", "\\", "/\\", "?", "#", "\\\\"]
SEPARATORS = ["/"] * 8 + ["//", "\\", "\\/", "/\\"]
SEGMENTS = ["private"] * 6 + ["a", "closed", "..", "..", "..", ".", "C:", "c|", "C:x", "c%7C", "%2e", "%2E%2e", ".%2e", "..%2f", "%5c", "%5C..", "...", ".x"] + [
    "\u00e9", "%C3%A9", "*", "$", ";x", "..;", "=", "%20", "%2F", "%", "%zz", "{", "'", "", "", "%70rivate", "Private", "b", "^", "`", "<x>", "[", '"', "&",
]
ENDS = [""] * 10 + ["?", "?", "?x=1", "?a=/../private", "?\\..\\private", "#f", "#/../x", "?#", "/", "\\", "$", " ", "\t", "\n", "?\u00e9", "?%2F", "?%26="]
# A character that some clients drop, and the share of URLs that have one.
DROPPED, SHARE = ["\t", "\n", "\r", " ", "\r\n"], 0.06


def urls(seed, count):
    """That many URLs, the same ones for a seed. They have `{host}` and `{port}` in place of those of the server."""
    draw = random.Random(seed)
    for _ in range(count):
        path = draw.choice(FIRST)
        for number in range(draw.randint(0, 4)):
            path += (draw.choice(SEPARATORS) if number else "") + draw.choice(SEGMENTS)
        path += draw.choice(ENDS)
        if draw.random() < SHARE:
            place = draw.randint(0, len(path))
            path = path[:place] + draw.choice(DROPPED) + path[place:]
        yield draw.choice(STARTS) + path


# Each file closes what these paths in compared form begin with, or with `$` what they are.
FILES = [["/private", "/a/closed"], ["//private", "/%5Cprivate", "/%5C/"], ["/C:/", "/c%7C", "/a/b"], ["/private$", "/a/$", "/.x", "/%5C.."]]


def robots_txt(rules):
    return ("User-agent: *\n" + "".join(f"Disallow: {rule}\n" for rule in rules)).encode()


def is_closed(target, rules):
    """Whether a file closes the bytes that stood in a request line."""
    path = compared(target)
    return any(path == rule[:-1].encode() if rule.endswith("$") else path.startswith(rule.encode()) for rule in rules)


KEPT = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:@!'()+,;[]"


def compared(target):
    """The form in which RFC 9309 §2.2.2 compares a path: one spelling of each byte."""
    out, at, in_query = b"", 0, False
    while at < len(target):
        byte, escape = target[at : at + 1], target[at + 1 : at + 3]
        is_escape = byte == b"%" and len(escape) == 2 and all(digit in b"0123456789abcdefABCDEF" for digit in escape)
        data = bytes([int(escape, 16)]) if is_escape else byte
        at += 3 if is_escape else 1
        if is_escape:
            is_kept = data in KEPT or data in (b"/?" if in_query else b"&=")
        else:
            in_query |= data == b"?"
            is_kept = data in KEPT or data in b"/?&="
        out += data if is_kept else b"%%%02X" % data[0]
    return out


class Recorder:
    """A server in a process of its own. It keeps the target of each request by the number in the header `X-Number`."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self._questions, questions = multiprocessing.Pipe()
        multiprocessing.Process(target=serve, args=(listener, questions), daemon=True).start()

    def take(self):
        """The targets since the last call, by their numbers."""
        self._questions.send("take")
        return self._questions.recv()


def serve(listener, questions):
    targets = {}

    class Connection(asyncio.Protocol):
        def connection_made(self, transport):
            self.transport, self.received = transport, b""

        def data_received(self, data):
            self.received += data
            while b"\r\n\r\n" in self.received:
                head, _, self.received = self.received.partition(b"\r\n\r\n")
                line, *fields = head.split(b"\r\n")
                target = line.split(b" ", 1)[-1].rsplit(b" HTTP/", 1)[0]
                for field in fields:
                    name, _, value = field.partition(b":")
                    if name.lower() == b"x-number":
                        targets[int(value)] = target
                self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok")

    def answer():
        questions.recv()
        questions.send(dict(targets))
        targets.clear()

    async def run():
        loop = asyncio.get_running_loop()
        loop.add_reader(questions.fileno(), answer)
        async with await loop.create_server(Connection, sock=listener) as server:
            await server.serve_forever()

    asyncio.run(run())
