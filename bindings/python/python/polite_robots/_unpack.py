"""Bodies in gzip or deflate, unpacked as they come and up to a limit."""

from __future__ import annotations

import zlib
from typing import Any, Literal

CODINGS = frozenset({"gzip", "x-gzip", "deflate"})
"""The content codings that `Unpacking` knows."""

_GZIP_OR_ZLIB = 47
_RAW_DEFLATE = -15


class Unpacking:
    """The start of a packed body: `max_bytes` of it at most, however large the rest would become."""

    def __init__(self, coding: str, max_bytes: int) -> None:
        self.state: Literal["open", "over", "broken", "ended"] = "open"
        self.has_begun = False
        self._body = bytearray()
        self._coding = coding
        self._max_bytes = max_bytes
        # Bytes before the first two, which show the format.
        self._head = b""
        # The type has no public name.
        self._stream: Any = None

    @property
    def body(self) -> bytes:
        """The bytes that were unpacked."""
        return bytes(self._body)

    @property
    def end(self) -> Literal["complete", "cut_short", "limit_reached"]:
        """The end of the body, by the name that `Event.response` has for it. A stream that breaks off is cut short."""
        if self.state == "over":
            return "limit_reached"
        is_whole = self.state == "ended" or not self.has_begun or self._stream is not None and self._stream.eof
        return "complete" if is_whole and self.state != "broken" else "cut_short"

    def feed(self, data: bytes) -> None:
        """Takes the next bytes of the wire."""
        self.has_begun = self.has_begun or bool(data)
        data, self._head = self._head + data, b""
        if self._stream is None:
            if len(data) < 2:
                self._head = data
                return
            self._stream = self._stream_for(data)
        while data and self.state == "open":
            if self._stream.eof:
                # A gzip file may be followed by another one; some servers send bytes after it that mean nothing.
                if data[:1] != b"\x1f":
                    self.state = "ended"
                    return
                self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
            data = self._unpack(data)

    def _unpack(self, data: bytes) -> bytes:
        """Unpacks some of the data and gives the rest back."""
        room = self._max_bytes - len(self._body)
        try:
            # One byte more shows whether the body goes on; 0 would be no limit.
            unpacked = self._stream.decompress(data, room + 1)
        except zlib.error:
            self.state = "broken"
            return b""
        self._body += unpacked[:room]
        if len(unpacked) > room:
            self.state = "over"
        rest: bytes = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
        return rest

    def _stream_for(self, head: bytes) -> Any:
        """Some servers call deflate what has no header of zlib."""
        is_zlib = head[0] & 0x0F == zlib.DEFLATED and (head[0] << 8 | head[1]) % 31 == 0
        is_raw = self._coding == "deflate" and not is_zlib and head[:2] != b"\x1f\x8b"
        return zlib.decompressobj(_RAW_DEFLATE if is_raw else _GZIP_OR_ZLIB)
