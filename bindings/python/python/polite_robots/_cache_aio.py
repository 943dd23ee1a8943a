"""`RobotsCache` for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from polite_robots._admission import Admissions, Permit
from polite_robots._loops import LoopTurns
from polite_robots._round import Answer
from polite_robots._turns import Turns
from polite_robots.policy import Check, Origin, _Crawl

if TYPE_CHECKING:
    from polite_robots import _Url


class RobotsCache(Admissions[Callable[[str], Awaitable[Answer]]]):
    """The robots.txt of all sites that a crawler visits, fetched by its own HTTP client: `polite_robots.RobotsCache` with an
    async `fetch` and async methods.

    One fetch serves all that ask about a site. It is a task of its own, so that any caller may be cancelled at any time, and
    it is cancelled with the last of them. One event loop at a time may use a cache.
    """

    async def allowed(self, url: str, *, sent: _Url | None = None) -> bool:
        """Whether the crawler may fetch the URL now; `False` while the site is closed. `sent` is that of `check`."""
        return (await self.check(url, sent=sent)).allowed

    async def check(self, url: str, *, sent: _Url | None = None) -> Check:
        """Whether the crawler may fetch the URL now, and why; if the site is closed, when to ask again.

        `sent` is the URL as the HTTP client reads it, such as `httpx.URL(url)`, or its request target: both must be allowed.
        """
        return await self._check(url, sent)

    async def wait(self, url: str, *, max_wait: float = 300.0, sent: _Url | None = None, timeout: float | None = None) -> Permit:
        """Waits until robots.txt is known and allows the URL and its host has a turn: one request at a time, its delays,
        `Retry-After`, back-off. A closed site is asked again if that is within `max_wait` seconds.

        The permit is true if the request may be sent now. Report its end: `permit.finish(status, headers)` or `permit.fail(error)`,
        and the end of its `async with` gives back one that was not used. After `timeout` seconds, at most the `request_lease` of
        the profile, the host is free again. A rule that disallows is an answer at once, and takes no turn.
        """
        return await self._admit(url, sent, max_wait, lease=self._lease_of(timeout))

    async def _check(self, url: str, sent: _Url | None) -> Check:
        error = None
        while not self._is_paced and (turn := self._turn(url, sent)) is not None:
            if isinstance(turn, Check):
                return turn if error is None else turn._after(error)
            if turn.end is None:
                # A factory of the loop might begin it before it is known here.
                turn.end = asyncio.Task(self._run(turn))
            end: asyncio.Task[None] = turn.end
            if end.done() or end.get_loop().is_closed():
                # It was cancelled before its first step, or nobody runs it. A ticket that is dropped is given back.
                turn.ticket = None
                continue
            if end is asyncio.current_task() or end.get_loop() is not asyncio.get_running_loop():
                raise RuntimeError(f"`fetch` asked about {url}, whose robots.txt it or another event loop was fetching")
            turn.callers += 1
            try:
                await asyncio.wait([end], timeout=self._time_left(turn))
            finally:
                turn.callers -= 1
                if turn.callers == 0 and not end.get_loop().is_closed():
                    end.cancel()
            if not end.done():
                if self._time_left(turn) == 0:
                    self._give_up(turn)
                    end.cancel()
            elif not end.cancelled():
                end.result()
            error = turn.error
        return await self._known(url, sent)

    async def crawl_delay(self, url: str) -> float | None:
        """The `Crawl-delay` of the site, in seconds. It has no upper bound, so cap it."""
        return (await self.check(url)).robot.crawl_delay

    async def sitemaps(self, url: str) -> list[str]:
        """The values of the `Sitemap` records of the site, as written."""
        return (await self.check(url)).robot.sitemaps

    async def explain(self, url: str) -> str:
        """The reasons of the access to the site: since when, until when, and when the next fetch is."""
        check = await self.check(url)
        return self.cache.explain(Origin.of(url), self._clock()) or str(check)

    def _make_turns(self, machine: _Crawl) -> Turns:
        return LoopTurns(self, machine)

    async def _call(self, url: str) -> Any:
        return await self._fetch(url)


RobotsCache.__module__ = "polite_robots.aio"
