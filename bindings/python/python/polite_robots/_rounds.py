"""The part of `RobotsCache` that threads and asyncio share: who has to fetch what, and what came of it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from polite_robots._failures import failure_of
from polite_robots.policy import Cache, Check, Event, Fetch, Origin, Profile, Ticket

Answer: TypeAlias = tuple[int, Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]], bytes | bytearray | memoryview]
FetchFunction = TypeVar("FetchFunction", bound=Callable[[str], Any])


@dataclass(eq=False)
class Round:
    """One round for one robots.txt. `end` is what callers wait for, and `None` while nobody runs the round."""

    origin: Origin
    fetch: Fetch
    ticket: Ticket | None = None
    end: Any = None
    runner: int = 0
    callers: int = 0


class Rounds(Generic[FetchFunction]):
    """The rounds of one cache."""

    def __init__(
        self, agent: str | Iterable[str], fetch: FetchFunction, *,
        profile: Profile | None = None, capacity: int = 64 << 20, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        # Else a wrong signature would look like a failure of every site.
        inspect.signature(fetch).bind("https://example.com/robots.txt")
        self._fetch, self._clock = fetch, clock
        self._profile = profile or Profile.rfc9309()
        self._rounds: dict[Origin, Round] = {}
        # Where threads call them, one at a time is in `_turn` or `_leave`.
        self._lock = threading.Lock()
        self.cache = Cache(self._profile, [agent] if isinstance(agent, str) else agent, capacity)
        """The machine beneath, for what has no method here: `bytes()`, `reset(origin)`, `set_obedience(host, …)`."""

    def save(self) -> bytes:
        """The memory of all sites, forgotten ones too. A robots.txt that is being fetched is due again after `load`."""
        return self.cache.save()

    def load(self, saved: bytes) -> None:
        """Takes what `save` gave, in place of what is known of these sites. It opens nothing and forgives nothing: ages,
        outages and retries go on.

        Raises `ValueError` if it is not of this release.
        """
        self.cache.load(saved, self._clock())

    def _turn(self, url: str) -> Check | Round:
        """The answer, or the round that has to end first; if its `end` is `None`, the caller runs it."""
        now = self._clock()
        answer = self.cache.check(url, now)
        if isinstance(answer, Check):
            return answer
        origin = Origin.of(url)
        round = self._rounds.get(origin)
        if answer is not None:
            # A ticket while somebody runs the round: it hangs, and its lease is over.
            if round is None or round.end is not None:
                round = self._rounds[origin] = Round(origin, Fetch(origin, self._profile, now))
            round.ticket = answer
        assert round is not None
        if round.end is None and (until := round.fetch.poll(now).until) is not None:
            return self.cache.check_waiting(url, now, until)
        return round

    async def _answer(self, url: str) -> Any:
        return self._fetch(url)

    async def _run(self, round: Round) -> None:
        """Runs a round to its end or to a pause in it. Only `_answer` may wait."""
        fetch = round.fetch
        try:
            while (step := fetch.poll(self._clock())).kind in ("get", "resolve"):
                # The caller's client connects by name, so there is one address to try for all of the host's.
                event = Event.resolved(["0.0.0.0"]) if step.url is None else await self._event(step.url)
                fetch.handle(event, self._clock())
        except TypeError:
            # The fault is the crawler's: it says nothing about the site, which is asked again in seconds.
            fetch.handle(Event.failed("local"), self._clock())
            raise
        finally:
            with self._lock:
                self._leave(round)

    async def _event(self, url: str) -> Event:
        """What came of a fetch. Raises `TypeError` if it is no response."""
        try:
            answer = await self._answer(url)
        except (Exception, asyncio.CancelledError) as error:
            # A client that is shut down cancels its requests too. To begin anew for each would be a loop.
            if isinstance(error, asyncio.CancelledError) and asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise
            logging.getLogger("polite_robots").info("no answer from %s: %r", url, error)
            return Event.failed(failure_of(error))
        try:
            status, headers, body = answer
            if not 100 <= status <= 999:
                raise ValueError("no status")
            is_cut = len(body) > self._profile.access["max_bytes"]
            return Event.response(status, headers, body, end="limit_reached" if is_cut else "complete")
        except (TypeError, ValueError) as error:
            raise TypeError(f"`fetch` must return (status, headers, body as bytes), not {answer!r:.200}") from error

    def _leave(self, round: Round) -> None:
        """Ends a round, finished or given up, or keeps it where it pauses until somebody asks after that time."""
        now, is_current = self._clock(), self._rounds.get(round.origin) is round
        kind = round.fetch.poll(now).kind
        if kind == "wait" and is_current and len(self._rounds) <= _MOST_ROUNDS:
            round.end = None
            return
        if is_current:
            del self._rounds[round.origin]
        if round.ticket is not None and kind == "get":
            self.cache.give_back(round.ticket, now)
        elif round.ticket is not None:
            self.cache.handle(round.ticket, round.fetch.into_outcome(), now)


# A pause beyond these counts as the failure of its round, which closes the site for longer.
_MOST_ROUNDS = 10_000

LEASE = 600.0
"""The seconds after which a round that hangs is begun anew: `Profile.access["ticket_lease"]`."""
