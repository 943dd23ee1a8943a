"""aiohttp, from 3.12 on: a middleware that asks before each request.

.. code-block:: python

    robots = aio.RobotsCache("ExampleBot", fetchers.aiohttp("ExampleBot/1.0 (+https://example.com/bot)"))
    session = aiohttp.ClientSession(middlewares=[PoliteMiddleware(robots)])

It is the last of several, as others may repeat a request. The time that a request waits counts for the `total` of its
`ClientTimeout`, which is five minutes by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polite_robots import _refusals
from polite_robots._missing import needs
from polite_robots.adapters._core import reported

with needs("aiohttp"):
    import aiohttp

if TYPE_CHECKING:
    from aiohttp.client_middlewares import ClientHandlerType

    from polite_robots import Permit, aio

__all__ = ["Busy", "Closed", "Disallowed", "PoliteMiddleware"]


# They are errors of the client, too, so that its handlers go on. `_refusals` has their texts.
class Disallowed(_refusals.Disallowed, aiohttp.ClientError): ...


class Closed(_refusals.Closed, aiohttp.ClientError): ...


class Busy(_refusals.Busy, aiohttp.ClientError): ...


class PoliteMiddleware:
    """A middleware whose requests wait `max_wait` seconds for their turns; a host is free `timeout` seconds after one began."""

    def __init__(self, robots: aio.RobotsCache, *, max_wait: float = 300.0, timeout: float | None = None) -> None:
        self._robots, self._max_wait, self._timeout = robots, max_wait, timeout

    async def __call__(self, request: aiohttp.ClientRequest, handler: ClientHandlerType) -> aiohttp.ClientResponse:
        url = str(request.url)
        # aiohttp resolves no dot segments of a URL that is `encoded`.
        permit = await self._robots.wait(url, sent=url, max_wait=self._max_wait, timeout=self._timeout)
        if not permit:
            raise _refusals.refusal(permit, kinds=_KINDS)
        with reported(permit):
            response = await handler(request)
        if response.connection is None:
            # Its body came with its head.
            permit.finish(response.status, response.headers)
        else:
            response.connection.add_callback(lambda: _end(response, permit))
        return response


def _end(response: aiohttp.ClientResponse, permit: Permit) -> None:
    error = response.content.exception()
    # One that is closed before its end is no failure of the host.
    if isinstance(error, aiohttp.ClientPayloadError | TimeoutError):
        permit.fail(error)
    permit.finish(response.status, response.headers)


_KINDS = (Disallowed, Closed, Busy)
