"""The way of a page to its request: its robots.txt, its place in the line of its host, its turn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from polite_robots._failures import failure_of
from polite_robots._refusals import Busy
from polite_robots._rounds import FetchFunction, Rounds
from polite_robots._turns import End, Turns
from polite_robots.policy import Check, Reply

if TYPE_CHECKING:
    from polite_robots import Robot, _Url


class Permit:
    """The right to send one request for one URL now, with any client, or the reason against it. True if the request may be sent.

    Report its end by `finish` or `fail`; else it counts as broken off at the end of its `with` or `async with`, when it is collected,
    or when its time is over. Ask for another permit for each target of a redirect, and for each repetition.
    """

    _page: int | None = None
    """The page whose request is under way."""

    def __init__(self, turns: Turns, url: str, page: int, answer: End, check: Check | None) -> None:
        self.url, self.check, self.started = url, check, answer.started
        self._turns, self._busy = turns, None
        if answer.busy is not None:
            host, turn, why, is_known = answer.busy
            self._busy = Busy(host, math.inf if turn is None else turn, why)
            self.check = check if is_known else None
        elif answer.has_turn:
            self._page = page
        self.allowed = answer.has_turn
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
        if self._page is not None:
            self._end(Reply.of_response(status, headers, self.started, self._turns._clock()))

    def fail(self, error: BaseException) -> None:
        """Reports that there is no response, and the exception that came instead."""
        if self._page is not None:
            self._end(Reply(failure_of(error), self.started))

    def cancel(self) -> None:
        """Reports that the request was broken off. The gap is kept, and the host is not to blame."""
        if self._page is not None:
            self._end(None)

    def _end(self, reply: Reply | None) -> None:
        page, self._page = self._page, None
        if page is not None:
            self._turns.end(page, reply)

    def __del__(self) -> None:
        if self._page is not None:
            self._turns.drop(self._page)

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


class Admissions(Rounds[FetchFunction]):
    """A cache whose pages may wait for their turns. Requests for robots.txt wait for turns only once a page has."""

    @property
    def _waiting(self) -> object:
        """The callers that wait."""
        return self._turns._lines

    async def _admit(
        self, url: str, sent: _Url | None, max_wait: float, *, is_patient: bool = True, lease: float = math.inf
    ) -> Permit:  # fmt: skip
        """Waits until robots.txt allows the page and its host has a turn, and counts its request as started. A patient caller
        also waits until a closed site is open again. Without a `lease` the permit has no end of its own.
        """
        self._is_paced = True
        page, caller = await self._turns.wait(url, sent, max_wait, is_patient=is_patient, lease=lease)
        answer = caller.answer
        assert isinstance(answer, End)
        check = answer.check
        if caller.error is not None and check is not None:
            check = check._after(caller.error)
        return Permit(self._turns, url, page, answer, check)

    async def _known(self, url: str, sent: _Url | None, max_wait: float = math.inf) -> Check:
        """The answer about a page whose robots.txt waits for its turn; closed if the host has none."""
        self._is_paced = True
        error = None
        while not isinstance(found := self.cache.check(url, self._clock(), sent=sent), Check):
            # The ticket is given back, as the machine takes one itself.
            del found
            _, caller = await self._turns.wait(url, sent, max_wait, asks_only=True)
            answer, error = caller.answer, caller.error
            if isinstance(answer, End) and answer.busy is not None and answer.check is not None:
                return answer.check
        return found if error is None else found._after(error)

    def _lease_of(self, timeout: float | None) -> float:
        return self._longest_lease if timeout is None else min(timeout, self._longest_lease)


Permit.__module__ = "polite_robots"
