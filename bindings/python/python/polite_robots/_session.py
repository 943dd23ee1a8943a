"""`PoliteSession`: the loop around the machines, which decide whether and when each request is sent."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import os
import pathlib
import struct
import time
import urllib.parse
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any, Self

from polite_robots._cache_aio import RobotsCache
from polite_robots._errors import InvalidUrl
from polite_robots._failures import failure_of
from polite_robots._refusals import Busy, Closed, Disallowed, RedirectError, TooLarge
from polite_robots._rounds import Answer, Round
from polite_robots._senders import sender_of
from polite_robots._turns import Turn, Turns
from polite_robots.fetchers import Read, Reading
from polite_robots.policy import Check, HostId, HostRule, Origin, Profile, Scheduler


@dataclass(frozen=True)
class Response:
    """A page, whatever its status. `check` says by which line it was allowed; `hops` are the URLs that redirected to it."""

    url: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    check: Check
    hops: tuple[str, ...] = ()

    def header(self, name: str) -> str | None:
        """The value of a header field; of one that comes several times, the first."""
        return next((value for field, value in self.headers if field.lower() == name.lower()), None)

    def text(self) -> str:
        """The body as text, in the charset of `Content-Type` or else in UTF-8."""
        fields = Message()
        fields["Content-Type"] = self.header("Content-Type") or ""
        try:
            return self.body.decode(fields.get_content_charset("utf-8"), "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


class Permit(Turn):
    """The right to send one request for one URL now, with whatever client. Report its end by `finish` or `fail`; else it counts
    as broken off when its `async with` ends. Ask for another permit for each target of a redirect.
    """

    def __init__(self, turns: Turns, host: HostId, started: float, url: str, check: Check) -> None:
        super().__init__(turns, host, started)
        self.url, self.check = url, check


class _Robots(RobotsCache):
    """The robots.txt of all sites, for pages that wait in line. A round goes on without its callers: a request that is broken off
    would only be sent again.
    """

    _page = "in_line"
    _ends_with_callers = False

    async def _run(self, round: Round) -> None:
        """Runs a round and keeps its ticket alive, as it may wait long for its turns."""
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def renew() -> None:
            if round.ticket is not None:
                self.cache.renew(round.ticket, self._clock())
            timers[:] = [loop.call_later(self._patience / 2, renew)]

        renew()
        try:
            await super()._run(round)
        finally:
            timers[0].cancel()

    def check_in_turn(self, url: str, sent: Any) -> Check | None:
        """The answer for a page that has its turn; `None` if robots.txt is due first, as a ticket that is dropped is given back."""
        answer = self.cache.check(url, self._clock(), "in_turn", sent=sent)
        return answer if isinstance(answer, Check) else None


class PoliteSession:
    """A client that cannot be rude: robots.txt first, one request to a host at a time, its delays, `Retry-After`, back-off, and
    each hop of a redirect as a page of its own.

    `agent` is the product token of the crawler, or several of which the first counts that a file names; `contact` is a page about it
    and an address, for the headers `User-Agent` and `From`. `client` is an `httpx.AsyncClient`, or an `aiohttp.ClientSession` with
    `auto_decompress=False`, which the caller closes; without one the session makes its own. `rule` gives the operator's exceptions
    for a host. At most `max_in_flight` requests are under way, and a call waits for `max_wait` seconds in all, in a line of
    `max_line` callers of its host. `page_limit` and `capacity` are in bytes, the latter of memory for the rules. With `state`, the
    path of a file, the memory of the crawl is read at the beginning, and saved twice a second and at the end.

    Any call may be cancelled at any time. One event loop at a time may use a session. It checks no addresses: a crawler that must
    not reach into its own network needs a client that refuses them.
    """

    def __init__(
        self, agent: str | Iterable[str], *, contact: tuple[str, str] | None = None, client: Any = None, profile: Profile | None = None,
        rule: Callable[[str], HostRule | None] | None = None, max_in_flight: int = 32, max_wait: float = 300.0,
        max_line: int = 10_000, page_limit: int = 10 << 20, robots_timeout: float = 30.0, capacity: int = 64 << 20,
        state: str | os.PathLike[str] | None = None, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        agents = [agent] if isinstance(agent, str) else list(agent)
        profile = profile or Profile.rfc9309()
        self.robots = _Robots(agents, self._robots_txt, profile=profile, capacity=capacity, clock=clock)
        self._turns = Turns(profile, self._rule_of, max_in_flight, clock)
        self._client, self._identity, self._max_in_flight = client, _identity(agents[0], contact), max_in_flight
        self._rule, self._clock, self._max_wait, self._max_line = rule, clock, max_wait, max_line
        # The bytes and seconds of a robots.txt, and of a page.
        self._limits = (profile.access["max_bytes"], robots_timeout), (page_limit, profile.pace["request_lease"])
        self._waiting: collections.Counter[Origin] = collections.Counter()
        self._state = None if state is None else pathlib.Path(state)
        self._saving: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        if self._state is not None:
            with contextlib.suppress(FileNotFoundError):
                self.load(self._state.read_bytes())
            self._saving = [asyncio.create_task(self._save_often(self._state))]
        self._send, self._sent, self._close = sender_of(self._client, self._max_in_flight)
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [round.end for round in self.robots._rounds.values() if round.end is not None] + self._saving
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._turns.stop()
        if self._state is not None:
            _write(self._state, self.save())
        await self._close()

    async def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> Response:
        """Fetches the page once its robots.txt is known and allows it and its host has a turn. Any status is a response.

        Raises `Disallowed`, `Closed`, `Busy`, `RedirectError`, `TooLarge`, `InvalidUrl`, or an error of the HTTP client.
        """
        hops: tuple[str, ...] = ()
        fields_sent, deadline = dict(headers or {}), asyncio.get_running_loop().time() + self._max_wait
        while True:
            async with self._permit(url, self._sent(url), deadline, hops) as permit:
                status, fields, body = await self._page(permit, url, fields_sent)
            response = Response(url, status, fields, body, permit.check, hops)
            if (location := _location(response)) is None:
                if len(body) > self._limits[True][0]:
                    raise TooLarge(url, self._limits[True][0])
                return response
            hops, url = (*hops, url), self._target((*hops, url), location)
            if Origin.of(url) != Origin.of(hops[-1]):
                # They were given for the other site.
                fields_sent = {name: value for name, value in fields_sent.items() if name.lower() not in _CREDENTIALS}

    async def check(self, url: str) -> Check:
        """Whether the page may be fetched now, and why, without fetching it."""
        with self._waits(Origin.of(url)):
            return await self.robots.check(url, sent=self._sent(url))

    def permit(self, url: str, *, sent: Any = None) -> contextlib.AbstractAsyncContextManager[Permit]:
        """Waits for the turn of a request that a browser or another client sends: `async with session.permit(url) as permit`.
        `sent` is the URL as that client reads it, or its request target: both must be allowed. Browsers read it as it is read here.

        Raises what `get` raises before it sends a request.
        """
        return self._permit(url, sent, asyncio.get_running_loop().time() + self._max_wait, ())

    def save(self) -> bytes:
        """The memory of the crawl: the robots.txt of all sites and the paces of all hosts."""
        robots = self.robots.save()
        return struct.pack(">Q", len(robots)) + robots + self._turns.scheduler.save()

    def load(self, saved: bytes) -> None:
        """Takes what `save` gave. Every host waits for one gap first, as its last requests may not have been saved.

        Raises `ValueError` if it is not of this release.
        """
        end = 8 + int.from_bytes(saved[:8])
        scheduler = Scheduler.load(saved[end:])
        self.robots.load(saved[8:end])
        self._turns.load(scheduler)

    @contextlib.asynccontextmanager
    async def _permit(self, url: str, sent: Any, deadline: float, hops: tuple[str, ...]) -> AsyncIterator[Permit]:
        permit = await self._admit(url, sent, deadline, hops)
        try:
            yield permit
        finally:
            permit.cancel()

    async def _admit(self, url: str, sent: Any, deadline: float, hops: tuple[str, ...]) -> Permit:
        """Waits until robots.txt allows the page and its host has a turn, whose request counts as started."""
        origin = Origin.of(url)
        turns, name, is_first = self._turns, origin.host(), False
        try:
            with self._waits(origin):
                # By the clock of the loop, which nobody sets: a laptop that slept ends no waits.
                async with asyncio.timeout_at(deadline):
                    while True:
                        host = turns.host(name)
                        check = await self.robots.check(url, sent=sent)
                        if not check.allowed:
                            raise Closed(url, check) if check.closed else Disallowed(url, check, hops)
                        turns.scheduler.set_crawl_delay(host, origin, check.robot.crawl_delay)
                        if (turn := turns.next_turn(host)) - self._clock() > deadline - asyncio.get_running_loop().time():
                            raise Busy(name, turn, "its turn comes later than a call waits")
                        if turns.in_line(host) >= self._max_line:
                            raise Busy(name, turn, f"{self._max_line} calls wait for it")
                        await turns.wait(host, is_first)
                        # The rules and the delay may have changed while the page waited.
                        known = self.robots.check_in_turn(url, sent)
                        if not known:
                            turns.pass_on(host)
                        elif (started := turns.start(host)) is not None:
                            return Permit(turns, host, started, url, known)
                        is_first = True
        except TimeoutError:
            raise Busy(name, turns.next_turn(turns.host(name)), "its turn or its robots.txt did not come in time") from None

    @contextlib.contextmanager
    def _waits(self, origin: Origin) -> Iterator[None]:
        """Keeps the rules of an origin while callers wait for them."""
        self._waiting[origin] += 1
        try:
            yield
        finally:
            self._waiting[origin] -= 1
            if not self._waiting[origin]:
                del self._waiting[origin]
                self.robots.cache.release(origin)

    async def _page(self, permit: Permit, url: str, headers: Mapping[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        origin, cache = Origin.of(url), self.robots.cache
        try:
            status, fields, body = await self._request(permit, url, headers, is_page=True)
        except Exception as error:
            if failure_of(error) != "local":
                cache.set_site(origin, "unavailable", self._clock())
            raise
        cache.set_site(origin, "available", self._clock())
        return status, [(name.decode("utf-8", "replace"), value.decode("utf-8", "replace")) for name, value in fields], body

    async def _robots_txt(self, url: str) -> Answer:
        """Sends one request of a round for a robots.txt, in a turn of the host that it goes to."""
        name, started = Origin.of(url).host(), None
        while started is None:
            host = self._turns.host(name)
            await self._turns.wait(host, is_first=True)
            started = self._turns.start(host)
        turn = Turn(self._turns, host, started)
        try:
            # Bytes behind the body of a robots.txt would be taken for the answer to the next request of its connection.
            fields = {"Accept": "text/plain, */*;q=0.1", "Connection": "close"}
            return await self._request(turn, url, fields, is_page=False)
        finally:
            turn.cancel()

    async def _request(self, turn: Turn, url: str, headers: Mapping[str, str], *, is_page: bool) -> Read:
        """Sends a request and reports its end to the pace of its host."""
        most, seconds = self._limits[is_page]
        try:
            async with asyncio.timeout(seconds):
                answer = await self._send(url, self._identity | dict(headers), Reading(most, is_page=is_page))
        except Exception as error:
            turn.fail(error)
            raise
        turn.finish(answer[0], answer[1])
        return answer

    def _target(self, chain: tuple[str, ...], location: str) -> str:
        """The target of a redirect, without a fragment, and without credentials, which the site must not choose."""
        if len(chain) > _MOST_REDIRECTS:
            raise RedirectError(chain, f"more than {_MOST_REDIRECTS} redirects")
        try:
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(chain[-1], location))
            target = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
            self._sent(target)
        except (InvalidUrl, ValueError):
            raise RedirectError(chain, f"a redirect to {location!r}, which is no URL of http or https") from None
        if target in chain:
            raise RedirectError(chain, "the redirects are a loop")
        return target

    def _rule_of(self, host: str) -> HostRule | None:
        rule = self._rule and self._rule(host)
        if rule and rule.obedience:
            self.robots.cache.set_obedience(host, rule.obedience)
        return rule

    async def _save_often(self, state: pathlib.Path) -> None:
        saved, pause = 0, 0.5
        while True:
            await asyncio.sleep(pause)
            if saved != self._turns.starts:
                saved, began = self._turns.starts, time.monotonic()
                try:
                    _write(state, self.save())
                except OSError:
                    logging.getLogger("polite_robots").exception("the memory of the crawl was not saved")
                # A large memory takes a twentieth of the time.
                pause = max(0.5, 20 * (time.monotonic() - began))


def _identity(agent: str, contact: tuple[str, str] | None) -> dict[str, str]:
    """The headers of all requests, which say whose they are."""
    always = {"User-Agent": agent, "Accept": "*/*", "Accept-Encoding": "gzip, deflate"}
    if contact is None:
        return always
    page, address = contact
    return always | {"User-Agent": f"{agent} (+{page}; {address})", "From": address}


def _write(path: pathlib.Path, content: bytes) -> None:
    """Replaces a file as a whole, so that there is always one to read."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(content)
    new.replace(path)


def _location(response: Response) -> str | None:
    return response.header("Location") if response.status in (301, 302, 303, 307, 308) else None


_CREDENTIALS = ("authorization", "cookie", "proxy-authorization")
_MOST_REDIRECTS = 5

for _class in (Permit, PoliteSession, Response):
    _class.__module__ = "polite_robots.aio"
