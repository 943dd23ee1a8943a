"""The way of a page to its request: its robots.txt, its place in the line of its host, its turn."""

from __future__ import annotations

import collections
import contextlib
import functools
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from polite_robots._failures import failure_of
from polite_robots._refusals import Busy
from polite_robots._round import Round
from polite_robots._rounds import FetchFunction, Rounds
from polite_robots._turns import Turn
from polite_robots.policy import Check, HostId, Origin

if TYPE_CHECKING:
    from polite_robots import Robot, _Url
    from polite_robots._round import _Page


class Permit(Turn):
    """The right to send one request for one URL now, with whatever client, or the reason why there is none. True if it is the right.

    Report its end by `finish` or `fail`; else it counts as broken off at the end of its `with` or `async with`, when it is collected,
    or when its time is over. Ask for another permit for each target of a redirect, and for each repetition.
    """

    def __init__(
        self, robots: Admissions[Any], url: str, check: Check | None,
        host: HostId | None = None, started: float = math.nan, busy: Busy | None = None,
    ) -> None:  # fmt: skip
        self.url, self.check, self.started = url, check, started
        self._robots, self._busy = robots, busy
        if host is not None:
            super().__init__(robots._turns, host, started)
        self.allowed = host is not None
        """Whether the request may be sent."""

    @property
    def closed(self) -> bool:
        """Whether it may not although no rule says so: keep the URL until `retry_at`."""
        return self._busy is not None or self.check is not None and self.check.closed

    @property
    def cause(self) -> int | str | None:
        """The reason if no rule decides: that of `check`, or `"busy"` if the host had no turn in time."""
        return "busy" if self._busy is not None else self.check.cause if self.check is not None else None

    @property
    def retry_at(self) -> float | None:
        """When to ask again if it is closed, in seconds since 1970; `None` for never."""
        return self._busy.retry_at if self._busy is not None else self.check.retry_at if self.check is not None else None

    @property
    def line(self) -> int | None:
        """The line of the deciding rule, from 1."""
        return self.check.line if self.check is not None else None

    @property
    def robot(self) -> Robot | None:
        """The rules in force, if they are known."""
        return self.check.robot if self.check is not None else None

    @property
    def error(self) -> BaseException | None:
        """The exception that the fetch of robots.txt ended with, if this waited for it."""
        return self.check.error if self.check is not None else None

    def finish(self, status: int, headers: Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]] = ()) -> None:
        """Reports a response, whose headers may ask for a wait."""
        self._note("available")
        super().finish(status, headers)

    def fail(self, error: BaseException) -> None:
        """Reports that there is no response, and the exception that came instead."""
        if failure_of(error) != "local":
            self._note("unavailable")
        super().fail(error)

    def _note(self, site: Literal["available", "unavailable"]) -> None:
        """What pages say about the site counts in a long outage of its robots.txt."""
        if self._is_open:
            self._robots.cache.set_site(Origin.of(self.url), site, self._robots._clock())

    def __bool__(self) -> bool:
        return self.allowed

    def __str__(self) -> str:
        return f"disallowed: {self._busy}" if self._busy is not None else str(self.check)

    def __repr__(self) -> str:
        return f"<Permit {self.url}: {self}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cancel()


class Late(BaseException):
    """The thread that runs a round has no more time to wait for the turn of its next request. The round begins anew with another."""


class Admissions(Rounds[FetchFunction]):
    """A cache whose pages may wait for their turns. Until one does, a robots.txt waits for nothing."""

    @functools.cached_property
    def _waiting(self) -> collections.Counter[Origin]:
        """The pages of each origin that wait."""
        return collections.Counter()

    async def _admit(
        self, url: str, sent: _Url | None, deadline: float, *,
        is_patient: bool = True, max_line: float = math.inf, lease: float | None = None,
    ) -> Permit:  # fmt: skip
        """Waits until robots.txt allows the page and its host has a turn, whose request counts as started; one who is patient also
        until a site is open again. Without a `lease` the permit has no end of its own.
        """
        origin, turns = Origin.of(url), self._turns
        name, is_first, check = origin.host(), False, None
        self._is_paced = True

        def busy(turn: float, why: str) -> Permit:
            return Permit(self, url, check, busy=Busy(name, turn, why))

        with self._waits(origin):
            try:
                while True:
                    # The operator's exceptions count before robots.txt is fetched.
                    turns.host(name)
                    check = await self._known(url, sent, "in_line", deadline)
                    if not check.allowed:
                        if not (is_patient and await self._opens(check, deadline)):
                            return Permit(self, url, check)
                        continue
                    host = turns.host(name)
                    turns.scheduler.set_crawl_delay(host, origin, check.robot.crawl_delay)
                    if (turn := turns.next_turn(host)) - self._clock() > deadline - turns.now():
                        return busy(turn, "its turn comes later than a call waits")
                    if turns.in_line(host) >= max_line:
                        return busy(turn, f"{max_line} calls wait for it")
                    await turns.wait(host, is_first, deadline)
                    # The rules and the delay may have changed while the page waited.
                    known = self._check_in_turn(url, sent)
                    if not known:
                        turns.pass_on(host)
                    elif (started := turns.start(host)) is not None:
                        permit = Permit(self, url, known, host, started)
                        if lease is not None:
                            turns.lend(permit, lease)
                        return permit
                    is_first = True
            except (TimeoutError, Late):
                return busy(turns.next_turn(turns.host(name)), "its turn or its robots.txt did not come in time")

    @contextlib.contextmanager
    def _waits(self, origin: Origin) -> Iterator[None]:
        """Keeps the rules of an origin while callers wait for them."""
        with self._turns.lock:
            self._waiting[origin] += 1
        try:
            yield
        finally:
            with self._turns.lock:
                self._waiting[origin] -= 1
                if not self._waiting[origin]:
                    del self._waiting[origin]
                    self.cache.release(origin)

    def _check_in_turn(self, url: str, sent: _Url | None) -> Check | None:
        """The answer for a page that has its turn; `None` if robots.txt is due first, as a ticket that is dropped is given back."""
        # Nobody may ask meanwhile whose ticket that is.
        with self._lock:
            answer = self.cache.check(url, self._clock(), "in_turn", sent=sent)
            return answer if isinstance(answer, Check) else None

    async def _opens(self, check: Check, deadline: float) -> bool:
        """Waits until a closed site may be asked again, if that is in time."""
        wait = math.inf if check.retry_at is None else check.retry_at - self._clock()
        if not check.closed or wait > deadline - self._turns.now():
            return False
        await self._sleep(max(wait, 0.01))
        return True

    async def _answer(self, url: str, round: Round) -> Any:
        if not self._is_paced:
            return await self._call(url)
        name = Origin.of(url).host()
        turn = await self._turn_in_line(name, round) if round.is_in_line else self._turns.start_now(name)
        try:
            answer = await self._call(url)
            with contextlib.suppress(TypeError, ValueError):
                status, headers, body = answer
                # The fields of some clients come once only.
                answer = status, headers if hasattr(headers, "items") else list(headers), body
                turn.finish(status, answer[1])
            return answer
        except Exception as error:
            turn.fail(error)
            raise
        finally:
            turn.cancel()

    async def _turn_in_line(self, name: str, round: Round) -> Turn:
        """The turn of a request for a robots.txt, before all pages. Its ticket is kept alive, as the wait may be long."""

        def renew() -> None:
            if round.ticket is not None:
                self.cache.renew(round.ticket, self._clock())

        round.began = None
        while True:
            host = self._turns.host(name)
            try:
                await self._turns.wait(host, True, round.deadline, renew, min(60.0, self._patience / 2))
            except TimeoutError:
                raise Late from None
            if (started := self._turns.start(host)) is not None:
                round.began = time.monotonic()
                return Turn(self._turns, host, started)

    def _lease_of(self, timeout: float | None) -> float:
        longest: float = self._profile.pace["request_lease"]
        return longest if timeout is None else min(timeout, longest)

    # What a thread and a task do in their own ways.

    async def _known(self, url: str, sent: _Url | None, page: _Page, deadline: float) -> Check:
        """The answer about a page. Raises `TimeoutError` if it is not known at the deadline."""
        raise NotImplementedError

    async def _call(self, url: str) -> Any:
        """Calls `fetch`."""
        raise NotImplementedError

    async def _sleep(self, seconds: float) -> None:
        raise NotImplementedError


Permit.__module__ = "polite_robots"
