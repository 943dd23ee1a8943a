"""The responses of a `PoliteSession`: those with their bodies, and those on their way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from email.message import Message

from polite_robots._refusals import TooLarge
from polite_robots.fetchers import Reading
from polite_robots.policy import Check


class _Head:
    """The parts that a page and a stream have in common."""

    headers: list[tuple[str, str]]

    def header(self, name: str) -> str | None:
        """The value of a header field; of one that comes several times, the first."""
        return next((value for field, value in self.headers if field.lower() == name.lower()), None)


@dataclass(frozen=True)
class Response(_Head):
    """A page, whatever its status. `check` says by which line it was allowed; `hops` are the URLs that redirected to it."""

    url: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    check: Check
    hops: tuple[str, ...] = ()

    def text(self) -> str:
        """The body as text, in the charset of `Content-Type` or else in UTF-8."""
        fields = Message()
        fields["Content-Type"] = self.header("Content-Type") or ""
        try:
            return self.body.decode(fields.get_content_charset("utf-8"), "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


class Stream(_Head):
    """A response whose body is on its way: `async for chunk in stream` gives the bytes as they come."""

    def __init__(
        self, url: str, status: int, fields: list[tuple[bytes, bytes]], check: Check, hops: tuple[str, ...],
        chunks: AsyncIterator[bytes], page_limit: int | None,
    ) -> None:  # fmt: skip
        self.url, self.status, self.headers, self.check, self.hops = url, status, text_of(fields), check, hops
        self._fields, self._chunks, self._page_limit = fields, chunks, page_limit
        self._failure: Exception | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        try:
            async for chunk in self._chunks:
                length += len(chunk)
                if self._page_limit is not None and length > self._page_limit:
                    raise TooLarge(self.url, self._page_limit)
                yield chunk
        except TooLarge:
            raise
        except Exception as error:
            self._failure = error
            raise

    async def _whole(self, page_limit: int) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """The fields, and the body without its coding up to the byte that shows that it is longer."""
        reading = Reading(page_limit, is_page=True)
        try:
            _, fields, body = await reading.read(self.status, self._fields, self._chunks)
        except Exception as error:
            self._failure = error
            raise
        return fields, body


def text_of(fields: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
    """Header fields as text."""
    return [(name.decode("utf-8", "replace"), value.decode("utf-8", "replace")) for name, value in fields]


for _class in (Response, Stream):
    _class.__module__ = "polite_robots.aio"
