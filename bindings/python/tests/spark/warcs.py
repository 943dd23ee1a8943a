"""WARC archives in the layout of Common Crawl's robotstxt files, with everything that a crawl meets."""

import gzip
import json
import pathlib
import subprocess
import sys
import zlib

import brotli

ROBOTS = str(pathlib.Path(sys.executable).with_name("robots"))

ROBOTS_TXT = b"""User-agent: *
Disallow: /search
Crawl-delay: 2
Content-Signal: search=yes, ai-train=no

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: ExampleBot
Disallow: /
Allow: /$
Allow: /about

Sitemap: https://example.com/sitemap.xml
"""


def response(body, status="200 OK", **fields):
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def record(url, content, *, kind="response", content_type="application/http; msgtype=response"):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\nWARC-Payload-Digest: sha1:DIGEST\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def capture(host, content, path="/robots.txt", **named):
    return record(f"https://{host}{path}", content, **named)


def chunked(body):
    half = len(body) // 2
    chunks = [f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in (body[:half], body[half:])]
    return b"".join(chunks) + b"0\r\n\r\n"


def broken(member):
    """A gzip member with a hole, which begins well."""
    return member[:40] + b"\xff" * 40 + member[80:]


def members(number):
    """One of each kind; the hosts differ between archives."""
    text = ROBOTS_TXT + b"Disallow: /%d\n" % number

    def name(kind):
        return f"{kind}-{number}.example"

    plain = [
        record("", b"software: test\r\n", kind="warcinfo", content_type="application/warc-fields"),
        capture(name("sent"), b"GET /robots.txt HTTP/1.1\r\n\r\n", kind="request"),
        capture(name("ok"), response(text, Content_Type="text/plain")),
        capture(name("missing"), response(b"<h1>Not found</h1>", "404 Not Found", Content_Type="text/html")),
        capture(name("busy"), response(b"", "503 Service Unavailable", Retry_After="120")),
        capture(name("moved"), response(b"", "301 Moved", Location="https://elsewhere.example/robots.txt")),
        capture(name("target"), response(b"<html>", Content_Type="text/html"), "/login?to=/robots.txt"),
        capture(name("page"), response(b"\xef\xbb\xbf \n<!DOCTYPE html>\n<p>" + text, Content_Type="text/html")),
        capture(name("gzip"), response(gzip.compress(text, mtime=0), Content_Encoding="gzip")),
        capture(name("br"), response(brotli.compress(text), Content_Encoding="br")),
        capture(name("zlib"), response(zlib.compress(text), Content_Encoding="deflate")),
        capture(name("chunks"), response(chunked(gzip.compress(text, mtime=0)), Transfer_Encoding="chunked", content_encoding="GZIP")),
        capture(name("decoded"), response(text, Content_Encoding="gzip", Transfer_Encoding="chunked")),
        capture(name("never"), response(text, Content_Encoding="br")),
        capture(name("open"), response(b"")),
        capture(name("http2"), response(text).replace(b"HTTP/1.1", b"HTTP/2")),
        capture(name("dns"), b"20260101000000\r\n", content_type="text/dns"),
        capture(name("bad"), b"not http at all\r\n\r\n"),
        capture(name("long"), response(text + b"# " + b"x" * 9_000)),
        capture(name("query"), response(text), "/robots.txt?from=x"),
        record(f"<https://{name('brackets')}/robots.txt>", response(text)),
    ]
    compressed = [gzip.compress(member, mtime=0) for member in plain]
    return [*compressed[:5], broken(gzip.compress(capture(name("broken"), response(text * 9)), mtime=0)), *compressed[5:]]


def write(folder, number, ending=".warc.gz"):
    """Writes one of each kind to an archive; gives its path below the folder."""
    name = f"crawl-data/CC-MAIN-2026-01/segments/{number % 2}/robotstxt/CC-MAIN-{number:05}{ending}"
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = b"".join(members(number))
    path.write_bytes(content)
    return name


def without_timings(value):
    if isinstance(value, dict):
        return {name: without_timings(inner) for name, inner in value.items() if name != "timings"}
    if isinstance(value, list):
        return [without_timings(inner) for inner in value]
    return value


def robots(folder, *arguments, status=(0,)):
    ran = subprocess.run([ROBOTS, *arguments], cwd=folder, capture_output=True, text=True)
    assert ran.returncode in status, ran.stderr
    return ran.stdout


def one_machine(folder, paths, out, *options, status=(0,)):
    """The survey of one `robots survey`, without its timings."""
    robots(folder, "survey", "--sampled", *options, "--out", str(out), *paths, status=status)
    return without_timings(json.loads(pathlib.Path(out).read_bytes()))
