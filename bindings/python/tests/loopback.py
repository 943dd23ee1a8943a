"""A site on loopback that is every host of a crawl, and the judge of what was fetched from it. Runs as a process of its own.

The site has three days: its robots.txt answers with 200, then with 503, then with 200 and other rules. Some hosts speak http
and https on one port, with other rules for each. Lines on stdin control it, and each is answered by one line of JSON:

    day 1           begins a day
    report 10000    the pages that were fetched, for a crawl of this many hosts
"""

import asyncio
import collections
import datetime
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile

import polite_robots

DAYS = range(3)
PAGES = ["/open", "/private", "/secret"]
RULES = {
    ("http", 0): "User-agent: *\nDisallow: /private\n",
    ("https", 0): "User-agent: *\nDisallow: /open\n",
    ("http", 1): None,
    ("https", 1): None,
    ("http", 2): "User-agent: *\nDisallow: /secret\n",
    ("https", 2): "User-agent: *\nDisallow: /secret\n",
}
ROBOTS = {
    when: polite_robots.Robot.disallow_all(503) if rules is None else polite_robots.Robot("ExampleBot", rules)
    for when, rules in RULES.items()
}


def schemes_of(host):
    """Every eighth host has https too, whose connections cost the most."""
    return ["http", "https"] if host % 8 == 0 else ["http"]


def hosts_of_day(hosts, day):
    """On the odd hosts the first page is asked for in the outage."""
    return range(0, hosts, 2 if day == 0 else 1)


def allowed_pages(hosts):
    return {
        (f"h{host}.example", scheme, day, path)
        for day in DAYS
        for host in hosts_of_day(hosts, day)
        for scheme in schemes_of(host)
        for path in PAGES
        if ROBOTS[scheme, day].allowed(path)
    }


class Judge:
    """Counts requests by scheme, day, path and host."""

    def __init__(self):
        self.day = 0
        self.robots_txt_requests = 0
        self.pages = collections.Counter()

    def answer(self, scheme, host, path):
        if path != "/robots.txt":
            self.pages[host, scheme, self.day, path] += 1
            return "200 OK", "<html>"
        self.robots_txt_requests += 1
        rules = RULES[scheme, self.day]
        return ("503 Service Unavailable", "busy") if rules is None else ("200 OK", rules)

    def report(self, hosts):
        forbidden = sum(
            count
            for (_, scheme, day, path), count in self.pages.items()
            if not ROBOTS[scheme, day].allowed(path)
        )
        wanted = allowed_pages(hosts)
        return {
            "pages": self.pages.total(),
            "forbidden_pages_fetched": forbidden,
            "allowed_pages": len(wanted),
            "allowed_pages_missed": len(wanted - self.pages.keys()),
            "pages_fetched_twice": sum(count > 1 for count in self.pages.values()),
            "robots_txt_requests": self.robots_txt_requests,
        }


class Connection(asyncio.Protocol):
    """One request and its response. Ten thousand hosts with an open connection each are more than a process may have."""

    def __init__(self, judge, scheme):
        self.judge = judge
        self.scheme = scheme
        self.head = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.head += data
        if not self.head.endswith(b"\r\n\r\n"):
            return
        lines = self.head.decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        path, host = lines[0].split()[1], fields["host"].partition(":")[0]
        status, body = self.judge.answer(self.scheme, host, path)
        fields = f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close"
        self.transport.write(f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n{body}".encode())
        self.transport.close()


async def serve(listener, judge, context):
    loop = asyncio.get_running_loop()

    async def handle(connection):
        try:
            scheme = await scheme_of(connection)
            tls = context if scheme == "https" else None
            await loop.connect_accepted_socket(lambda: Connection(judge, scheme), connection, ssl=tls)
        except OSError:
            connection.close()

    handlers = set()
    while True:
        connection, _ = await loop.sock_accept(listener)
        connection.setblocking(False)
        handler = loop.create_task(handle(connection))
        handlers.add(handler)
        handler.add_done_callback(handlers.discard)


async def scheme_of(connection):
    """The first byte of TLS is 22, which begins no request in plain text."""
    loop = asyncio.get_running_loop()
    readable = loop.create_future()
    loop.add_reader(connection, lambda: readable.done() or readable.set_result(None))
    try:
        await readable
    finally:
        loop.remove_reader(connection)
    return "https" if connection.recv(1, socket.MSG_PEEK) == b"\x16" else "http"


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


async def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listener.setblocking(False)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        context.load_cert_chain(certificate(folder))
    judge = Judge()
    loop = asyncio.get_running_loop()
    server = loop.create_task(serve(listener, judge, context))
    commands = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    print(json.dumps(listener.getsockname()[1]), flush=True)
    while command := await commands.readline():
        verb, number = command.decode().split()
        if verb == "day":
            judge.day = int(number)
        print(json.dumps(judge.day if verb == "day" else judge.report(int(number))), flush=True)
    server.cancel()


class Site:
    """The site for the process of the crawl, which starts it and ends it."""

    def __init__(self):
        command = [sys.executable, __file__]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())

    def ask(self, command):
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    asyncio.run(main())
