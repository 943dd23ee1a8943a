"""The pages of a `PoliteSession` in gzip or deflate, unpacked up to a limit."""

from __future__ import annotations

import zlib
from typing import TypeAlias


Fields: TypeAlias = list[tuple[bytes, bytes]]


def unpacked(fields: Fields, body: bytes, most: int) -> tuple[Fields, bytes]:
    """A page without its content coding. One that is not in the coding that it names is given as it came, with the field."""
    codings = [value for name, value in fields if name.lower() == b"content-encoding"]
    coding = b",".join(codings).strip().lower()
    if not body or coding not in (b"gzip", b"x-gzip", b"deflate") or (page := _unpack(coding, body, most)) is None:
        return fields, body
    return [(name, value) for name, value in fields if name.lower() != b"content-encoding"], page


def _unpack(coding: bytes, body: bytes, most: int) -> bytes | None:
    """The first `most` bytes of a body; `None` if it is not in this coding. Raises `EOFError` if it breaks off."""
    # Some servers call deflate what has no header of zlib.
    has_header = body[:2] == b"\x1f\x8b" or body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0
    text, bits = bytearray(), -15 if coding == b"deflate" and not has_header else 47
    while True:
        stream = zlib.decompressobj(bits)
        try:
            text += stream.decompress(body, most - len(text))
        except zlib.error:
            return None
        body = stream.unused_data
        if len(text) == most:
            return bytes(text)
        if not stream.eof:
            raise EOFError("the packed body breaks off")
        # A member of gzip may be followed by another one; some servers send bytes after it that mean nothing.
        if body[:1] != b"\x1f":
            return bytes(text)
