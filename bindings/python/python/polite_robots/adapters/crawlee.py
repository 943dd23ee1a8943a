"""Crawlee: its crawlers by HTTP, with turns in the place of `respect_robots_txt_file`.

.. code-block:: python

    robots = aio.RobotsCache("ExampleBot", fetchers.httpx_async("ExampleBot/1.0 (+https://example.com/bot)"))
    crawler = polite(HttpCrawler, robots, user_agent="ExampleBot/1.0 (+https://example.com/bot)", max_request_retries=2)

Handlers, hooks and routers are set as ever. A URL that a rule disallows is skipped, with `on_skipped_request`, and so is one that
leads to such a URL. One whose site stays closed, or whose host stays busy, for `max_wait` seconds ends in the
`failed_request_handler`, whose error has `retry_at`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from polite_robots import _refusals
from polite_robots._hops import REDIRECTS, Hop
from polite_robots._missing import needs
from polite_robots._refusals import Busy, Closed, Disallowed
from polite_robots.adapters._core import reported
from polite_robots.policy import Origin

with needs("crawlee"):
    from crawlee import Request
    from crawlee.crawlers import AbstractHttpCrawler
    from crawlee.errors import ContextPipelineInterruptedError
    from crawlee.http_clients import HttpClient, HttpCrawlingResult, HttpResponse, ImpitHttpClient
    from yarl import URL

if TYPE_CHECKING:
    from polite_robots import Permit, aio

__all__ = ["Busy", "Closed", "Disallowed", "PoliteHttpClient", "polite"]

Crawler = TypeVar("Crawler", bound=AbstractHttpCrawler[Any, Any, Any])


def polite(
    kind: type[Crawler], robots: aio.RobotsCache, *, user_agent: str | None = None, http_client: HttpClient | None = None,
    max_wait: float = 300.0, timeout: float = 60.0, **options: Any,
) -> Crawler:  # fmt: skip
    """A crawler of this kind, such as `HttpCrawler` or `ParselCrawler`, whose requests wait `max_wait` seconds for their turns, and
    have `timeout` seconds then. `user_agent` is the header of all of them, in the place of a browser's; or `http_client` sends them,
    which follows no redirects. `options` are those of the kind.
    """
    if not (isinstance(kind, type) and issubclass(kind, AbstractHttpCrawler)):
        raise TypeError(f"no crawler by HTTP: {kind!r}; a browser follows redirects by itself")
    if http_client is None and user_agent is not None:
        http_client = ImpitHttpClient(follow_redirects=False, browser=None, headers={"User-Agent": user_agent})
    client = PoliteHttpClient(robots, http_client, max_wait=max_wait, timeout=timeout)

    # One method of the crawler decides, for the URLs that are added and for those whose turn it is.
    decides = {"_is_allowed_based_on_robots_txt_file": staticmethod(client.is_allowed)}
    # Crawlee counts the wait, too.
    options.setdefault("navigation_timeout", timedelta(seconds=max_wait + timeout))
    crawler = type(f"Polite{kind.__name__}", (kind,), decides)(http_client=client, **options)
    client.on_skipped = crawler._handle_skipped_request
    return cast("Crawler", crawler)


class PoliteHttpClient(HttpClient):
    """A client around one of Crawlee, with a turn for each request, and for each hop of a redirect."""

    on_skipped: Callable[[str, Literal["robots_txt"]], Awaitable[None]] | None = None
    """The function to call with a URL that redirects to a disallowed one."""

    def __init__(
        self, robots: aio.RobotsCache, client: HttpClient | None = None, *, max_wait: float = 300.0, timeout: float = 60.0
    ) -> None:
        super().__init__()
        self._robots, self._inner = robots, client or ImpitHttpClient(follow_redirects=False)
        self._max_wait, self._timeout = max_wait, timeout
        robots._is_paced = True

    async def is_allowed(self, url: str) -> bool:
        """Whether no rule disallows the URL. A closed site is not asked here, but when its turn comes."""
        check = await self._robots._known(url, None, self._max_wait)
        return check.allowed or check.closed

    async def crawl(self, request: Request, *, timeout: timedelta | None = None, statistics: Any = None, **named: Any) -> HttpCrawlingResult:
        hop = Hop(request.method, request.url, dict(request.headers), request.payload)
        while True:
            try:
                permit = await self._permit(hop)
            except Disallowed as error:
                if self.on_skipped is not None:
                    await self.on_skipped(request.url, "robots_txt")
                raise ContextPipelineInterruptedError(str(error)) from error
            except _refusals.PoliteError:
                # It has waited already.
                request.no_retry = True
                raise
            here = request
            if hop.hops:
                here = Request.from_url(hop.url, method=cast("Any", hop.method), headers=hop.headers, payload=hop.body)
            with permit, reported(permit):
                result = await self._inner.crawl(here, timeout=self._limit(timeout), **named)
                response = result.http_response
                permit.finish(response.status_code, dict(response.headers))
            if (after := self._after(hop, response, here.loaded_url)) is None:
                if statistics is not None:
                    statistics.register_status_code(response.status_code)
                request.loaded_url = here.loaded_url
                return result
            hop = after

    async def send_request(
        self, url: str, *, method: Any = "GET", headers: Any = None, payload: Any = None, timeout: timedelta | None = None, **named: Any
    ) -> HttpResponse:
        hop = Hop(method, url, dict(headers or {}), payload)
        while True:
            permit = await self._permit(hop)
            with permit, reported(permit):
                sent = {"method": hop.method, "headers": hop.headers, "payload": hop.body, "timeout": self._limit(timeout)}
                response = await self._inner.send_request(hop.url, **cast("Any", sent), **named)
                permit.finish(response.status_code, dict(response.headers))
            if (after := self._after(hop, response, None)) is None:
                return response
            hop = after

    @contextlib.asynccontextmanager
    async def stream(
        self, url: str, *, method: Any = "GET", headers: Any = None, payload: Any = None, timeout: timedelta | None = None, **named: Any
    ) -> AsyncIterator[HttpResponse]:
        hop: Hop | None = Hop(method, url, dict(headers or {}), payload)
        while hop is not None:
            permit = await self._permit(hop)
            with permit:
                sent = {"method": hop.method, "headers": hop.headers, "payload": hop.body, "timeout": self._limit(timeout)}
                async with contextlib.AsyncExitStack() as stack:
                    with reported(permit):
                        response = await stack.enter_async_context(self._inner.stream(hop.url, **cast("Any", sent), **named))
                    if (hop := self._after(hop, response, None)) is None:
                        yield response
                permit.finish(response.status_code, dict(response.headers))

    async def cleanup(self) -> None:
        await self._inner.cleanup()

    async def _permit(self, hop: Hop) -> Permit:
        permit = await self._robots.wait(hop.url, max_wait=self._max_wait, timeout=self._timeout)
        if not permit:
            raise _refusals.refusal(permit, hop.hops)
        return permit

    def _limit(self, timeout: timedelta | None) -> timedelta:
        seconds = math.inf if timeout is None else timeout.total_seconds()
        return timedelta(seconds=min(seconds, self._timeout))

    def _after(self, hop: Hop, response: HttpResponse, loaded_url: str | None) -> Hop | None:
        if loaded_url is not None and URL(loaded_url) != URL(hop.url).with_fragment(None):
            raise TypeError(f"the client followed redirects of {hop.url} by itself: give it `follow_redirects=False`")
        location = response.headers.get("location") if response.status_code in REDIRECTS else None
        return None if location is None else hop.after(response.status_code, location, Origin.of)
