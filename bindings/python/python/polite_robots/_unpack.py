"""The pages of a `PoliteSession` in gzip or deflate, unpacked up to a limit."""

from __future__ import annotations

import zlib
from typing import TypeAlias


Fields: TypeAlias = list[tuple[bytes, bytes]]


def unpacked(fields: Fields, body: bytes, most: int) -> tuple[Fields, bytes]:
    """A page without its content coding. A page that is not in the coding of its header is given as it came, with the field."""
    codings = [value for name, value in fields if name.lower() == b"content-encoding"]
    coding = b",".join(codings).strip().lower()
    if not body or coding not in (b"gzip", b"x-gzip", b"deflate") or (page := _unpack(coding, body, most)) is None:
        return fields, body
    return [(name, value) for name, value in fields if name.lower() != b"content-encoding"], page


def _unpack(coding: bytes, body: bytes, most: int) -> bytes | None:
    """The first `most` bytes of a body; `None` if it is not in this coding, or in too many members. Raises `EOFError` if it
    breaks off.
    """
    # Some servers name deflate for data without a header of zlib.
    has_header = body[:2] == b"\x1f\x8b" or body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0
    bits = -15 if coding == b"deflate" and not has_header else 47
    text, place, whole = bytearray(), 0, memoryview(body)
    for _ in range(_MOST_MEMBERS):
        stream = zlib.decompressobj(bits)
        while not stream.eof:
            # The rest of a piece is copied at the end of a member: the rest of a body would be, for each of many.
            piece = whole[place : place + _PIECE]
            if not piece:
                raise EOFError("the packed body breaks off")
            try:
                text += stream.decompress(piece, most - len(text))
            except zlib.error:
                return None
            if len(text) == most:
                return bytes(text)
            place += len(piece) - len(stream.unused_data)
        # A member of gzip may be followed by another one; some servers send bytes after it that mean nothing.
        if body[place : place + 1] != b"\x1f":
            return bytes(text)
    return None


_PIECE = 65_536
# As many as the policy reads of a robots.txt: each may be 20 bytes without a byte of text.
_MOST_MEMBERS = 1024
