"""The part of `RobotsCache` that threads and asyncio share: the rounds for robots.txt, and their results."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from polite_robots._failures import failure_of, fields_of_http_client, is_bug
from polite_robots._round import Round
from polite_robots._turns import Turns
from polite_robots.policy import Check, Event, Origin, Profile, _Crawl

if TYPE_CHECKING:
    from polite_robots import _Url


FetchFunction = TypeVar("FetchFunction", bound=Callable[[str], Any])


class Rounds(Generic[FetchFunction]):
    """The rounds of one cache."""

    def __init__(
        self, agent: str | Iterable[str], fetch: FetchFunction, *,
        profile: Profile | None = None, capacity: int = 64 << 20, clock: Callable[[], float] = time.time,
        _limits: tuple[float, float] = (math.inf, math.inf),
    ) -> None:  # fmt: skip
        # Else a wrong signature would look like a failure of every site.
        inspect.signature(fetch).bind("https://example.com/robots.txt")
        # Up to the year 9999.
        if not 0 <= (now := clock()) < 253_402_300_800:
            raise ValueError(f"`clock` must give seconds since 1970, as `time.time` does, not {now!r:.200}")
        self._fetch, self._clock = fetch, clock
        # A function of a URL alone sends no conditions.
        profile = (profile or Profile.rfc9309()).replace(conditional="omit")
        self._most_bytes: int = profile.access["max_bytes"]
        self._longest_lease: float = profile.pace["request_lease"]
        self._patience: float = min(profile.access["ticket_lease"], threading.TIMEOUT_MAX)
        self._kinds_warned_of: set[type[BaseException]] = set()
        self._rounds: dict[Origin, Round] = {}
        # Where threads call them, one at a time is in `_turn` or `_leave`.
        self._lock = threading.Lock()
        machine = _Crawl(profile, [agent] if isinstance(agent, str) else agent, capacity, *_limits)
        self._turns, self._is_paced = self._make_turns(machine), False
        self.cache = machine.cache
        """The machine of the cache, for calls that have no method here: `bytes()`, `reset(origin)`, `set_obedience(host, …)`.

        Only the cache may `poll` it and `check`, as it runs each round that they begin.
        """

    def _make_turns(self, machine: _Crawl) -> Turns:
        raise NotImplementedError

    def save(self) -> bytes:
        """The memory of all sites, forgotten ones too. A robots.txt that is being fetched is due again after `load`."""
        return self.cache.save()

    def load(self, saved: bytes) -> None:
        """Loads the bytes that `save` gave; they replace the memory of these sites. This opens and forgives nothing: ages,
        outages and retries go on.

        Raises `ValueError` if it is not of this release.
        """
        self.cache.load(saved, self._clock())

    def _turn(self, url: str, sent: _Url | None) -> Check | Round | None:
        """The answer, or the round that has to end first; if its `end` is `None`, the caller runs it. `None` where that round is
        one of the machine.
        """
        now = self._clock()
        answer = self.cache.check(url, now, sent=sent)
        if isinstance(answer, Check):
            return answer
        origin = Origin.of(url)
        if answer is not None:
            hangs = (last := self._rounds.get(origin)) is not None and self._time_left(last) == 0
            self._rounds[origin] = Round(origin, answer, self.cache.begin(answer, now))
            if hangs:
                self._give_up(self._rounds[origin])
                return self._turn(url, sent)
        return self._rounds.get(origin)

    def _time_left(self, round: Round) -> float:
        """The seconds that callers may still wait for a round."""
        return max(0.0, round.began + self._patience - time.monotonic())

    def _give_up(self, round: Round) -> None:
        """Ends a round whose `fetch` does not return as a failure, since another one would hang as well."""
        if self._rounds.get(round.origin) is round:
            round.error = TimeoutError(f"`fetch` did not return within {self._patience} seconds")
            self._report(round.origin.robots_url(), round.error)
            if round.ticket is not None:
                self.cache.handle(round.ticket, round.fetch.into_outcome(), self._clock())
                round.ticket = None
            self._leave(round)

    async def _call(self, url: str) -> Any:
        """Calls `fetch`, as a thread and a task do in their own ways."""
        raise NotImplementedError

    async def _run(self, round: Round) -> None:
        """Runs a round to its end or to a pause in it. Only `_call` may wait."""
        fetch = round.fetch
        try:
            while (step := fetch.poll(self._clock())).kind in ("get", "resolve"):
                event, round.error = (Event.by_name(), None) if step.url is None else await self._event(step.url)
                fetch.handle(event, self._clock())
        except Exception:
            # The fault is the crawler's: it says nothing about the site, which is asked again in seconds.
            fetch.handle(Event.failed("local"), self._clock())
            raise
        finally:
            with self._lock:
                self._leave(round)

    async def _event(self, url: str) -> tuple[Event, BaseException | None]:
        """The event that a fetch ends with, and its exception. Raises for a bug, and `TypeError` for an invalid result."""
        try:
            answer = await self._call(url)
        except (Exception, asyncio.CancelledError) as error:
            # A client that is shut down cancels its requests too. To begin anew for each would be a loop.
            is_ours = isinstance(error, asyncio.CancelledError) and asyncio.current_task().cancelling()  # type: ignore[union-attr]
            if is_ours or is_bug(error, self._fetch):
                raise
            self._report(url, error)
            return Event.failed(failure_of(error)), error
        try:
            status, headers, body = answer
            if not 100 <= status <= 999:
                raise ValueError("no status")
            fields, is_cut = fields_of_http_client(headers), len(body) > self._most_bytes
            # `http.client` takes the end of a connection for that of a header.
            unless_cut: Literal["complete", "unproven"] = "complete" if fields is None else "unproven"
            return Event.response(status, fields or headers, body, end="limit_reached" if is_cut else unless_cut), None
        except (TypeError, ValueError) as error:
            raise TypeError(f"`fetch` must return (status, headers, body as bytes), not {answer!r:.200}") from error

    def _report(self, url: str, error: BaseException) -> None:
        """Logs a failure: the first of each kind as a warning, as all of a crawl's sites may have it."""
        level = logging.INFO if type(error) in self._kinds_warned_of else logging.WARNING
        self._kinds_warned_of.add(type(error))
        logging.getLogger("polite_robots").log(level, "no robots.txt from %s, which closes the site: %r", url, error)

    def _leave(self, round: Round) -> None:
        """Ends a round, finished or given up, or where it pauses until somebody asks after that time."""
        # One that hung was replaced.
        if self._rounds.get(round.origin) is round:
            del self._rounds[round.origin]
        ticket, round.ticket = round.ticket, None
        if ticket is not None:
            self.cache.end(ticket, round.fetch, self._clock())
        self._turns.go()
