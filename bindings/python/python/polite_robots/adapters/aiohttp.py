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


class Disallowed(_refusals.Disallowed, aiohttp.ClientError):
    """A rule of the site disallows the URL: drop it."""


class Closed(_refusals.Closed, aiohttp.ClientError):
    """The robots.txt of the site cannot be had: keep its URLs until `retry_at`."""


class Busy(_refusals.Busy, aiohttp.ClientError):
    """The host has no turn in time: keep the URL until `retry_at`."""


class PoliteMiddleware:
    """A middleware whose requests wait `max_wait` seconds for their turns; a host is free `timeout` seconds after one began."""

    def __init__(self, robots: aio.RobotsCache, *, max_wait: float = 300.0, timeout: float | None = None) -> None:
        self._robots, self._max_wait, self._timeout = robots, max_wait, timeout

    async def __call__(self, request: aiohttp.ClientRequest, handler: ClientHandlerType) -> aiohttp.ClientResponse:
        permit = await self._robots.wait(str(request.url), sent=request.url, max_wait=self._max_wait, timeout=self._timeout)
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
