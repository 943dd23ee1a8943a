"""The part of `RobotsCache` that threads and asyncio share: who has to fetch what, and what came of it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar

from polite_robots._failures import ends_in_header, failure_of, is_by_http_client
from polite_robots.policy import Cache, Check, Event, Fetch, Origin, Profile, Ticket

if TYPE_CHECKING:
    from polite_robots import _Url


class Fields(Protocol):
    """The header fields of a client: those of `http.client` are no mapping."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Answer: TypeAlias = tuple[int, Fields | Iterable[tuple[str | bytes, str | bytes]], bytes | bytearray | memoryview]
FetchFunction = TypeVar("FetchFunction", bound=Callable[[str], Any])


@dataclass(eq=False)
class Round:
    """One round for one robots.txt. `end` is what callers wait for, and `None` until the first of them runs it."""

    origin: Origin
    ticket: Ticket | None
    fetch: Fetch
    end: Any = None
    runner: int = 0
    callers: int = 0


class Rounds(Generic[FetchFunction]):
    """The rounds of one cache."""

    _page: ClassVar[Literal["alone", "in_line"]] = "alone"
    """Whether a page waits for its turn after `_turn`, and asks the cache again."""

    def __init__(
        self, agent: str | Iterable[str], fetch: FetchFunction, *,
        profile: Profile | None = None, capacity: int = 64 << 20, clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        # Else a wrong signature would look like a failure of every site.
        inspect.signature(fetch).bind("https://example.com/robots.txt")
        self._fetch, self._clock = fetch, clock
        # A function of a URL alone sends no conditions.
        profile = (profile or Profile.rfc9309()).replace(conditional="omit")
        self._most_bytes, lease = profile.access["max_bytes"], profile.access["ticket_lease"]
        # A round that hangs is begun anew.
        self._patience = min(lease, threading.TIMEOUT_MAX)
        self._rounds: dict[Origin, Round] = {}
        # Where threads call them, one at a time is in `_turn` or `_leave`.
        self._lock = threading.Lock()
        self.cache = Cache(profile, [agent] if isinstance(agent, str) else agent, capacity)
        """The machine beneath, for what has no method here: `bytes()`, `reset(origin)`, `set_obedience(host, …)`.

        Only the cache may `poll` it and `check`, as it runs each round that they begin.
        """

    def save(self) -> bytes:
        """The memory of all sites, forgotten ones too. A robots.txt that is being fetched is due again after `load`."""
        return self.cache.save()

    def load(self, saved: bytes) -> None:
        """Takes what `save` gave, in place of what is known of these sites. It opens nothing and forgives nothing: ages,
        outages and retries go on.

        Raises `ValueError` if it is not of this release.
        """
        self.cache.load(saved, self._clock())

    def _turn(self, url: str, sent: _Url | None) -> Check | Round:
        """The answer, or the round that has to end first; if its `end` is `None`, the caller runs it."""
        now = self._clock()
        answer = self.cache.check(url, now, self._page, sent=sent)
        if isinstance(answer, Check):
            return answer
        origin = Origin.of(url)
        if answer is not None:
            self._rounds[origin] = Round(origin, answer, self.cache.begin(answer, now))
        return self._rounds[origin]

    async def _answer(self, url: str) -> Any:
        return self._fetch(url)

    async def _run(self, round: Round) -> None:
        """Runs a round to its end or to a pause in it. Only `_answer` may wait."""
        fetch = round.fetch
        try:
            while (step := fetch.poll(self._clock())).kind in ("get", "resolve"):
                event = Event.by_name() if step.url is None else await self._event(step.url)
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
            if is_by_http_client(headers) and ends_in_header(status, headers.items(), body):
                logging.getLogger("polite_robots").info("the answer from %s ended in its header", url)
                return Event.failed("reset")
            is_cut = len(body) > self._most_bytes
            return Event.response(status, headers, body, end="limit_reached" if is_cut else "complete")
        except (TypeError, ValueError) as error:
            raise TypeError(f"`fetch` must return (status, headers, body as bytes), not {answer!r:.200}") from error

    def _leave(self, round: Round) -> None:
        """Ends a round, finished or given up, or where it pauses until somebody asks after that time."""
        # One that hung was replaced.
        if self._rounds.get(round.origin) is round:
            del self._rounds[round.origin]
        if round.ticket is not None:
            self.cache.end(round.ticket, round.fetch, self._clock())
