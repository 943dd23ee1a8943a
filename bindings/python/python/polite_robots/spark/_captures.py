"""The captures of a WARC archive, as Common Crawl's robotstxt archives have them."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Container, Iterator
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

__all__ = ["Capture", "captures"]

try:
    import brotli
except ImportError:
    brotli = None

_GZIP = b"\x1f\x8b\x08"

# The bytes that are searched at a time for the next record after a broken one.
_SEARCHED = 1 << 20

# More, so that a body that is cut at the limit shows, and for the codings.
_ROOM = 64 * 1024


class Capture(NamedTuple):
    """A response to a request for `/robots.txt`, as `robots survey` counts it."""

    url: str
    status: int
    fetched: datetime | None
    digest: str | None
    offset: int
    """The bytes of the archive before the record: the offset that an index of Common Crawl states."""
    body: bytes
    """The body without its transfer and content codings, and one byte more than wanted at most."""


_OF_RECORDS = frozenset({"fetched", "digest"})


def captures(path: str, max_bytes: int, fields: Container[str] = _OF_RECORDS) -> Iterator[Capture]:
    """The captures of an archive. Broken records are passed over, as are records of other kinds and other paths.

    `fetched` and `digest` are `None` unless they are among `fields`.

    Raises `OSError` if no record can be read, and after the last whole record of an archive that is cut off.
    """
    with open(path, "rb") as file:
        if not _looks_like_warc(file):
            raise OSError("it is no WARC archive, perhaps an error page of the server")
        last, is_half = 0, False
        for record in _records(file):
            last, is_half = record.stream_pos, False
            try:
                capture = _capture(record, max_bytes, fields)
            except EOFError:
                # Otherwise the missing rules would look like no rules.
                is_half = True
                continue
            if capture is not None:
                yield capture
        if is_half or _is_cut_off(file, last):
            raise OSError("it ends in the middle of a record, so that it was not stored or fetched whole")


def _looks_like_warc(file: BinaryIO) -> bool:
    start = file.read(_ROOM)
    return b"WARC/" in start or _GZIP in start


def _records(file: BinaryIO) -> Iterator[Any]:
    """The responses. After a broken gzip member, reading continues at the next member that can be read."""
    start: int | None = 0
    while start is not None:
        file.seek(start)
        last = start
        try:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False):
                last = record.stream_pos
                yield record
            return
        except (OSError, ValueError):
            start = _next_member(file, last + 1)


def _next_member(file: BinaryIO, start: int) -> int | None:
    """The next place that begins like a gzip member."""
    while True:
        file.seek(start)
        block = file.read(_SEARCHED)
        found = block.find(_GZIP)
        if found >= 0:
            return start + found
        if len(block) < _SEARCHED:
            return None
        # The sign may lie across two blocks.
        start += len(block) - len(_GZIP) + 1


def _is_cut_off(file: BinaryIO, last: int) -> bool:
    """Whether the archive ends in the middle of a gzip member or of a record. `last` is the place of its last response."""
    file.seek(last)
    block = file.read(_SEARCHED)
    if not block.startswith(_GZIP):
        file.seek(max(0, file.seek(0, os.SEEK_END) - 4))
        return not file.read().replace(b"\r", b"").endswith(b"\n\n")
    decoder = zlib.decompressobj(31)
    try:
        while block := block or file.read(_SEARCHED):
            if decoder.eof:
                if block[:1] != _GZIP[:1]:
                    return False
                decoder = zlib.decompressobj(31)
            # With a limit, as a member may hold a thousand times its bytes.
            decoder.decompress(block, _SEARCHED)
            block = decoder.unconsumed_tail or decoder.unused_data
        decoder.flush()
    except zlib.error:
        # A broken member, which is passed over.
        return False
    return not decoder.eof


def _capture(record: Any, max_bytes: int, wanted: Container[str]) -> Capture | None:
    headers = record.headers
    url = (headers.get("WARC-Target-URI") or "").strip()
    url = url.removeprefix("<").removesuffix(">")
    kind = headers.get("Content-Type") or "application/http"
    if not _is_robots_txt(url) or not kind.lower().startswith("application/http"):
        return None
    # Codings make a body shorter, seldom longer.
    most = max_bytes + _ROOM
    recorded = record.reader.read(most)
    if len(recorded) < min(record.content_length, most):
        raise EOFError
    head = _HEAD(recorded)
    if head is None:
        return None
    end = _end_of_head(recorded)
    fields = recorded[head.end() : end]
    body = recorded[end:]
    if b"oding" in fields or b"ODING" in fields:
        body = _decoded(fields, body, max_bytes + 1)
    return Capture(
        url,
        int(head[1]),
        record.record_date if "fetched" in wanted else None,
        headers.get("WARC-Payload-Digest") if "digest" in wanted else None,
        record.stream_pos,
        body[: max_bytes + 1],
    )


def _end_of_head(recorded: bytes) -> int:
    """The place after the empty line. A regular expression takes ten times as long to find it."""
    end = recorded.find(b"\n\r\n")
    bare = recorded.find(b"\n\n", 0, end + 2 if end >= 0 else len(recorded))
    if bare >= 0:
        return bare + 2
    return end + 3 if end >= 0 else len(recorded)


_HEAD = re.compile(rb"HTTP/[0-9.]{1,3} +([0-9]{3})[^\n]*\n?").match
_ROBOTS_TXT = re.compile(r"[^/?#]*?://[^/?#]*/robots\.txt(?:[?#]|$)").match
_CODINGS = re.compile(rb"^(transfer|content)-encoding[ \t]*:([^\r\n]*)", re.IGNORECASE | re.MULTILINE).findall


def _is_robots_txt(url: str) -> bool:
    return _ROBOTS_TXT(url) is not None


def _decoded(fields: bytes, body: bytes, limit: int) -> bytes:
    """The body without its codings, where it has them: many archives hold decoded bodies with the fields as sent."""
    codings: dict[bytes, list[bytes]] = {b"transfer": [], b"content": []}
    for layer, names in _CODINGS(fields):
        codings[layer.lower()] += [name.strip().lower() for name in names.split(b",")]
    for name in [*reversed(codings[b"transfer"]), *reversed(codings[b"content"])]:
        body = _without(name, body, limit)
    return body


def _without(coding: bytes, body: bytes, limit: int) -> bytes:
    if coding == b"chunked":
        return _joined(body)
    if coding in (b"gzip", b"x-gzip") and body.startswith(b"\x1f\x8b"):
        return _inflated(body, limit, 31) or body
    if coding == b"deflate":
        return _inflated(body, limit, 15) or _inflated(body, limit, -15) or body
    if coding == b"br" and brotli is not None:
        try:
            decoded: bytes = brotli.decompress(body)
        except brotli.error:
            return body
        return decoded
    return body


def _inflated(body: bytes, limit: int, window_bits: int) -> bytes | None:
    """`None` if the body is not of the coding."""
    decoder = zlib.decompressobj(window_bits)
    decoded = b""
    try:
        while body and len(decoded) < limit:
            decoded += decoder.decompress(body, limit - len(decoded))
            body = decoder.unused_data
            if not decoder.eof or not body.startswith(b"\x1f\x8b"):
                break
            decoder = zlib.decompressobj(window_bits)
    except zlib.error:
        return decoded if decoded and window_bits == 31 else None
    return decoded


def _joined(body: bytes) -> bytes:
    """The chunks of RFC 9112 §7.1 as one. A body that was joined already is left as it is."""
    joined: list[bytes] = []
    at = 0
    while True:
        end = body.find(b"\n", at)
        size = re.match(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$", body[at:end]) if end >= 0 else None
        if size is None:
            return b"".join(joined) if joined else body
        length = int(size[1], 16)
        if not length:
            return b"".join(joined)
        joined.append(body[end + 1 : end + 1 + length])
        at = end + 1 + length
        at += body[at : at + 2] == b"\r\n" and 2 or body[at : at + 1] == b"\n"
