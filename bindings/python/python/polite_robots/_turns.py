"""The callers that wait for the steps of the machine of a crawl, which makes all decisions."""

from __future__ import annotations

import collections
import math
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from polite_robots.policy import Check, Event, HostRule, Origin, Reply, _Crawl

if TYPE_CHECKING:
    from polite_robots import _Url
    from polite_robots._rounds import Rounds


class End(NamedTuple):
    """The end of a wait: whether the request of the page has begun, and when; why not, if the host has no turn in time."""

    has_turn: bool
    check: Check | None = None
    busy: Any = None
    started: float = math.nan


@dataclass(slots=True, eq=False)
class Caller:
    """A caller that waits at its `place` for the answer about its page, or, where it `asks_only`, for its robots.txt.

    `error` is the last failure of a fetch, and `round` the request for robots.txt that this caller has to send.
    """

    asks_only: bool
    lease: float
    place: Any = None
    answer: End | BaseException | None = None
    error: BaseException | None = None
    round: int | None = None


class Turns:
    """The callers of one machine. `wait` alone waits, for a thread or a task; no other caller sees a state between two."""

    rule: Callable[[str], HostRule | None] | None = None
    """The operator's exceptions for a host."""

    def __init__(self, robots: Rounds[Any], machine: _Crawl) -> None:
        self._robots, self._machine, self._clock = robots, machine, robots._clock
        self.lock = threading.RLock()
        self.starts = 0
        """Requests so far."""
        self._lines: dict[int, Caller] = {}
        # The ends of the requests under way, by the numbers of their pages and rounds.
        self._leases: dict[int, float] = {}
        self._first_end = math.inf
        # The URLs of the requests for robots.txt among them.
        self._urls: dict[int, str] = {}
        # The pages of permits that were collected.
        self._dropped: collections.deque[int] = collections.deque()

    @property
    def scheduler(self) -> _Crawl:
        """The paces of all hosts."""
        return self._machine

    @property
    def _in_flight(self) -> int:
        """Requests under way."""
        return len(self._leases)

    async def wait(
        self, url: str, sent: _Url | None, max_wait: float, *, is_patient: bool = False, asks_only: bool = False, lease: float = math.inf
    ) -> tuple[int, Caller]:  # fmt: skip
        """Waits for the answer about the page of a URL, and returns the page with its caller. A request that has begun has to
        `end`; it ends by itself after its lease.
        """
        self._set_rule(url)
        with self.lock:
            caller = Caller(asks_only, lease)
            self._arrive()
            page = self._machine.enter(url, sent, max_wait, is_patient, self.now(), self._clock())
            self._lines[page] = caller
            self.go()
        try:
            if any(turns is self and page in self._machine.pages_of(round) for turns, round in _sent_here.get()):
                raise RuntimeError(f"`fetch` asked about {url}, whose robots.txt it was fetching")
            while caller.round is not None or caller.answer is None:
                await (self._pause(caller) if caller.round is None else self._send(caller.round, caller))
        except BaseException:
            with self.lock:
                self._lines.pop(page, None)
                self._leave(page)
                if caller.round in self._urls:
                    self._begin(caller.round)
                self.go()
            raise
        if isinstance(caller.answer, BaseException):
            raise caller.answer
        return page, caller

    def go(self) -> None:
        """Takes the steps that are due."""
        with self.lock:
            while self._dropped:
                self._leave(self._dropped.popleft())
            self._go()

    def _go(self) -> None:
        steady, now = self.now(), self._clock()
        if self._first_end <= steady:
            return self._end_late(steady)
        while True:
            kind, number, check, more = self._machine.poll(steady, now)
            if kind == "wait":
                return self._sleep(more)
            self.starts += kind != "refused"
            if kind == "get":
                self._urls[number] = more
                self._lease(number, self._robots._patience)
                self._begin(number)
            elif (caller := self._lines.get(number)) is None or kind == "turn" and caller.asks_only:
                # It wants no turn: its robots.txt is known.
                self._leave(number)
                self._settle(number, End(False))
            elif kind == "turn":
                self._lease(number, caller.lease)
                self._settle(number, End(True, check, None, now))
            else:
                self._settle(number, End(False, check, more))

    def end(self, page: int, reply: Reply | None = None) -> None:
        """Ends a request, if it has not ended yet: without a reply as one that was broken off."""
        with self.lock:
            if reply is None:
                self._leave(page)
            elif self._leases.pop(page, None) is not None:
                self._machine.finish(page, reply, self._clock())
            self.go()

    def drop(self, page: int) -> None:
        """Ends the request of a permit that was collected, maybe in the middle of anything: the next call does it."""
        self._dropped.append(page)

    def load(self, cache: bytes, scheduler: bytes) -> None:
        """Takes the memory of another crawl. Each host waits for one gap first: its last requests may not have been saved."""
        self._machine.load(cache, scheduler, self._clock())

    def begin_anew(self) -> None:
        """Drops all callers, which nobody runs any more, and the requests of their rounds."""
        for page in self._lines:
            self._machine.leave(page, self._clock())
        for round in list(self._urls):
            self._break_off(round)
        self._lines = {}

    async def _send(self, round: int, caller: Caller | None = None) -> None:
        """Sends the request of a round, and reports its end."""
        before = _sent_here.set((*_sent_here.get(), (self, round)))
        try:
            # It is not there if its lease is over.
            self._set_rule(url := self._urls[round])
            event, error = await self._robots._event(url)
            self._handle(round, event, error)
        except Exception as error:
            # The fault is the crawler's: it says nothing about the site, which is asked again in seconds.
            self._handle(round, Event.failed("local"), error, is_mistake=True)
        finally:
            if caller is not None:
                _sent_here.reset(before)
                caller.round = None
            self._break_off(round)
            self.go()

    def _break_off(self, round: int) -> None:
        """Ends the request of a round without an answer, unless it has ended."""
        with self.lock:
            if self._urls.pop(round, None) is not None:
                del self._leases[round]
                self._machine.break_off(round, self._clock())

    def _handle(self, round: int, event: Event, error: BaseException | None, *, is_mistake: bool = False) -> None:
        """Takes the end of the request of a round, unless it comes after its lease."""
        with self.lock:
            if self._urls.pop(round, None) is None:
                return
            self._leases.pop(round, None)
            pages = [page for page in self._machine.pages_of(round) if page in self._lines]
            for page in pages:
                self._lines[page].error = error
                if is_mistake:
                    self._leave(page)
                    self._settle(page, error)
            self._machine.handle(round, event, self._clock())
            if not self._machine.pages_of(round):
                # It has ended.
                for page in pages:
                    if page in self._lines and self._lines[page].asks_only:
                        self._leave(page)
                        self._settle(page, End(False))
            self.go()

    def _set_rule(self, url: str) -> None:
        if self.rule is not None and (rule := self.rule(host := Origin.of(url).host())):
            self._machine.set_rule(host, rule)

    def _leave(self, page: int) -> None:
        self._leases.pop(page, None)
        self._machine.leave(page, self._clock())

    def _settle(self, page: int, answer: End | BaseException | None) -> None:
        if (caller := self._lines.pop(page, None)) is not None:
            caller.answer = answer
            self._wake(caller)

    def _lease(self, number: int, seconds: float) -> None:
        end = self._leases[number] = self.now() + seconds
        self._first_end = min(self._first_end, end)

    def _end_late(self, now: float) -> None:
        """Ends the requests whose time is over."""
        late = [number for number, end in self._leases.items() if end <= now]
        self._first_end = min((end for end in self._leases.values() if end > now), default=math.inf)
        for number in late:
            if (url := self._urls.get(number)) is None:
                self._leave(number)
            else:
                # Another fetch would hang as well.
                error = TimeoutError(f"`fetch` did not return within {self._robots._patience} seconds")
                self._robots._report(url, error)
                self._handle(number, Event.failed("read"), error)
                self._abandon(number)
        self.go()

    # The methods in which threads and tasks differ.

    def now(self) -> float:
        """The time of waits, by a clock which nobody sets: a laptop that slept ends none of them."""
        raise NotImplementedError

    def _arrive(self) -> None:
        """Checks the thread or the event loop of a new caller."""

    def _begin(self, round: int) -> None:
        """Lets somebody send the request of a round."""
        raise NotImplementedError

    def _abandon(self, round: int) -> None:
        """Ends the fetch of a round that took too long, where it can be ended."""

    async def _pause(self, caller: Caller) -> None:
        """Waits until the caller is woken."""
        raise NotImplementedError

    def _wake(self, caller: Caller) -> None:
        raise NotImplementedError

    def _sleep(self, wakeup: float | None) -> None:
        """Lets the next step be taken when its time has come."""
        raise NotImplementedError


_sent_here: ContextVar[tuple[tuple[Turns, int], ...]] = ContextVar("_sent_here", default=())
"""The requests for robots.txt that the calling thread or task sends: a `fetch` may ask about other sites."""
