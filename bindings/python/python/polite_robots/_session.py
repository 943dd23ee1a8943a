"""`PoliteSession`: the turns of a `RobotsCache`, and a client."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import pathlib
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any, Self, cast

from polite_robots._admission import Permit
from polite_robots._cache_aio import RobotsCache
from polite_robots._hops import REDIRECTS, Hop, Pairs
from polite_robots._loops import LoopTurns
from polite_robots._refusals import TooLarge, refusal
from polite_robots._responses import Response, Stream, text_of
from polite_robots._round import Answer
from polite_robots._senders import sender_of
from polite_robots.fetchers import Reading, whole
from polite_robots.policy import Check, HostRule, Profile


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
        limits = max_in_flight, max_line
        self.robots = RobotsCache(agents, self._robots_txt, profile=profile, capacity=capacity, clock=clock, _limits=limits)
        self._turns = cast("LoopTurns", self.robots._turns)
        # All of its requests wait for turns.
        self._turns.rule, self.robots._is_paced = rule, True
        self._client, self._identity, self._max_in_flight = client, _identity(agents[0], contact), max_in_flight
        self._max_wait, self._page_limit = max_wait, page_limit
        self._robots_limits = profile.access["max_bytes"], robots_timeout
        self._page_seconds: float = profile.pace["request_lease"]
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
        tasks = self._turns.tasks() + self._saving
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._turns.stop()
        if self._state is not None:
            _write(self._state, self.save())
        await self._close()

    async def request(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, params: Pairs | None = None,
        content: bytes | str | None = None, data: Pairs | None = None, json: Any = None,
    ) -> Response:  # fmt: skip
        """Sends a request once its robots.txt is known and allows it and its host has a turn. Any status is a response.

        `params` are added to the query. The body is `content`, `data` as a form, or `json`. Redirects are followed as browsers do,
        each as a page of its own: 303, and 301 and 302 of a POST, become a GET, others keep method and body, and `Authorization`
        and `Cookie` do not cross origins.

        Raises `Disallowed`, `Closed`, `Busy`, `RedirectError`, `TooLarge`, `InvalidUrl`, or an error of the HTTP client.
        """
        hop, deadline = Hop.first(method, url, headers, params, content, data, json), self._deadline()
        while True:
            async with self._open(hop, deadline) as stream:
                fields, body = await stream._whole(self._page_limit)
            if (target := _target(stream)) is None:
                if len(body) > self._page_limit:
                    raise TooLarge(hop.url, self._page_limit)
                return Response(hop.url, stream.status, text_of(fields), body, stream.check, hop.hops)
            hop = hop.after(stream.status, target, self._sent)

    async def get(self, url: str, *, headers: Mapping[str, str] | None = None, params: Pairs | None = None) -> Response:
        """Fetches a page by GET: see `request`."""
        return await self.request("GET", url, headers=headers, params=params)

    async def head(self, url: str, *, headers: Mapping[str, str] | None = None, params: Pairs | None = None) -> Response:
        """Asks for the headers of a page by HEAD: see `request`."""
        return await self.request("HEAD", url, headers=headers, params=params)

    async def post(
        self, url: str, *, headers: Mapping[str, str] | None = None, params: Pairs | None = None,
        content: bytes | str | None = None, data: Pairs | None = None, json: Any = None,
    ) -> Response:  # fmt: skip
        """Sends a POST: see `request`."""
        return await self.request("POST", url, headers=headers, params=params, content=content, data=data, json=json)

    @contextlib.asynccontextmanager
    async def stream(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, params: Pairs | None = None,
        content: bytes | str | None = None, data: Pairs | None = None, json: Any = None, page_limit: int | None = None,
    ) -> AsyncIterator[Stream]:  # fmt: skip
        """Sends a request as `request` does, and gives the response before its body: `async with session.stream("GET", url) as
        stream`, `async for chunk in stream`. The host has its next turn after the block, which ends after the `request_lease` of
        the profile.

        The bytes are those of the wire, for which it asks for no coding; without a `page_limit` they may be any number.
        """
        plain = {"Accept-Encoding": "identity"} | dict(headers or {})
        hop, deadline = Hop.first(method, url, plain, params, content, data, json), self._deadline()
        while True:
            async with self._open(hop, deadline, page_limit) as stream:
                if (target := _target(stream)) is None:
                    yield stream
                    return
            hop = hop.after(stream.status, target, self._sent)

    async def check(self, url: str) -> Check:
        """Whether the page may be fetched now, and why, without fetching it."""
        return await self.robots.check(url, sent=self._sent(url))

    @contextlib.asynccontextmanager
    async def permit(self, url: str, *, sent: Any = None) -> AsyncIterator[Permit]:
        """Waits for the turn of a request that a browser or another client sends: `async with session.permit(url) as permit`.
        `sent` is the URL as that client reads it, or its request target: both must be allowed. Browsers read it as it is read here.

        Raises what `get` raises before it sends a request.
        """
        with await self._permit(url, sent, self._deadline(), (), self._page_seconds) as permit:
            yield permit

    def save(self) -> bytes:
        """The memory of the crawl: the robots.txt of all sites and the paces of all hosts."""
        robots = self.robots.save()
        return struct.pack(">Q", len(robots)) + robots + self._turns.scheduler.save()

    def load(self, saved: bytes) -> None:
        """Takes what `save` gave. Every host waits for one gap first, as its last requests may not have been saved.

        Raises `ValueError` if it is not of this release.
        """
        end = 8 + int.from_bytes(saved[:8])
        self._turns.load(saved[8:end], saved[end:])

    def _deadline(self) -> float:
        return self._turns.now() + self._max_wait

    async def _permit(self, url: str, sent: Any, deadline: float, hops: tuple[str, ...], lease: float = math.inf) -> Permit:
        permit = await self.robots._admit(url, sent, deadline - self._turns.now(), is_patient=False, lease=lease)
        if not permit:
            raise refusal(permit, hops)
        return permit

    @contextlib.asynccontextmanager
    async def _open(self, hop: Hop, deadline: float, page_limit: int | None = None) -> AsyncIterator[Stream]:
        """Sends the request of a hop in its turn, and reports its end."""
        stream = None
        with await self._permit(hop.url, self._sent(hop.url), deadline, hop.hops) as permit:
            assert permit.check is not None
            headers = self._identity | hop.headers
            try:
                async with (
                    asyncio.timeout(self._page_seconds),
                    self._send(hop.method, hop.url, headers, hop.body) as (status, fields, chunks),
                ):
                    stream = Stream(hop.url, status, fields, permit.check, hop.hops, chunks, page_limit)
                    yield stream
            except Exception as error:
                if stream is None or stream._failure or isinstance(error, TimeoutError):
                    permit.fail(error)
                raise
            finally:
                if stream is not None:
                    permit.finish(stream.status, stream.headers)

    async def _robots_txt(self, url: str) -> Answer:
        """Sends one request of a round for a robots.txt."""
        most, seconds = self._robots_limits
        # Bytes after the body of a robots.txt would be taken for the answer to the next request of its connection.
        fields = self._identity | {"Accept": "text/plain, */*;q=0.1", "Connection": "close"}
        async with asyncio.timeout(seconds):
            return await whole(self._send("GET", url, fields, None), Reading(most))

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
    """The headers of all requests, which name the crawler."""
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


def _target(stream: Stream) -> str | None:
    return stream.header("Location") if stream.status in REDIRECTS else None


PoliteSession.__module__ = "polite_robots.aio"
