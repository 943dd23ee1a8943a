"""httpx: transports that ask before each request.

.. code-block:: python

    robots = RobotsCache("ExampleBot", fetchers.httpx("ExampleBot/1.0 (+https://example.com/bot)"))
    client = httpx.Client(transport=PoliteTransport(robots), follow_redirects=True)

`PoliteTransport(robots, httpx.HTTPTransport(…))` sends by a transport with proxies or certificates of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from polite_robots import _refusals
from polite_robots._missing import needs
from polite_robots.adapters._core import reported

with needs("httpx"):
    import httpx

if TYPE_CHECKING:
    from polite_robots import Permit, RobotsCache, aio

__all__ = ["AsyncPoliteTransport", "Busy", "Closed", "Disallowed", "PoliteTransport"]


# They are errors of the client, too, so that its handlers go on. `_refusals` has their texts.
class Disallowed(_refusals.Disallowed, httpx.TransportError): ...


class Closed(_refusals.Closed, httpx.TransportError): ...


class Busy(_refusals.Busy, httpx.TransportError): ...


class PoliteTransport(httpx.BaseTransport):
    """A transport around another one. A request waits `max_wait` seconds for its turn, and its host is free `timeout` seconds later."""

    def __init__(
        self, robots: RobotsCache, transport: httpx.BaseTransport | None = None, *, max_wait: float = 300.0, timeout: float | None = None
    ) -> None:
        self._robots, self._inner = robots, transport or httpx.HTTPTransport()
        self._max_wait, self._timeout = max_wait, timeout

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        permit = self._robots.wait(str(request.url), max_wait=self._max_wait, timeout=self._timeout)
        if not permit:
            raise _refusals.refusal(permit, kinds=_KINDS)
        with reported(permit):
            response = self._inner.handle_request(request)
        return _bound(response, permit)

    def close(self) -> None:
        self._inner.close()


class AsyncPoliteTransport(httpx.AsyncBaseTransport):
    """Like `PoliteTransport`, for an `httpx.AsyncClient`."""

    def __init__(
        self, robots: aio.RobotsCache, transport: httpx.AsyncBaseTransport | None = None, *,
        max_wait: float = 300.0, timeout: float | None = None,
    ) -> None:  # fmt: skip
        self._robots, self._inner = robots, transport or httpx.AsyncHTTPTransport()
        self._max_wait, self._timeout = max_wait, timeout

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        permit = await self._robots.wait(str(request.url), max_wait=self._max_wait, timeout=self._timeout)
        if not permit:
            raise _refusals.refusal(permit, kinds=_KINDS)
        with reported(permit):
            response = await self._inner.handle_async_request(request)
        return _bound(response, permit)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _bound(response: httpx.Response, permit: Permit) -> httpx.Response:
    """The response, whose permit ends with its body."""
    if response.is_closed:
        # Its body was read below: by a cache, or in a test.
        permit.finish(response.status_code, response.headers)
    elif isinstance(response.stream, httpx.SyncByteStream):
        response.stream = _Body(response.stream, permit, response)
    elif isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _AsyncBody(response.stream, permit, response)
    return response


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, permit: Permit, response: httpx.Response) -> None:
        self._stream, self._permit, self._head = stream, permit, (response.status_code, response.headers)

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._stream
        except Exception as error:
            self._permit.fail(error)
            raise

    def close(self) -> None:
        try:
            self._stream.close()
        finally:
            self._permit.finish(*self._head)


class _AsyncBody(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, permit: Permit, response: httpx.Response) -> None:
        self._stream, self._permit, self._head = stream, permit, (response.status_code, response.headers)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._stream:
                yield chunk
        except Exception as error:
            self._permit.fail(error)
            raise

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            self._permit.finish(*self._head)


_KINDS = (Disallowed, Closed, Busy)
