"""What a thread does in its own way: it blocks where a task waits, and may be left behind by a fork."""

from __future__ import annotations

import collections
import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from polite_robots._admission import Admissions
from polite_robots._round import Answer, Round
from polite_robots._turns import Turns
from polite_robots.policy import HostId, Profile, Reply, Scheduler

Result = TypeVar("Result")


class _Place(threading.Event):
    """The place of a thread in a line. It is set to look around, too."""

    _is_granted = False

    def done(self) -> bool:
        return self._is_granted

    def set_result(self, _: None) -> None:
        self._is_granted = True
        self.set()


class ThreadTurns(Turns):
    """Turns for threads. The first in the line of each host sleeps until its turn, so that no thread is needed for all."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._dropped: collections.deque[HostId] = collections.deque()

    def now(self) -> float:
        return time.monotonic()

    def drop(self, host: HostId) -> None:
        # The thread that collects may hold any lock.
        self._dropped.append(host)

    def pass_on(self, host: HostId) -> None:
        with self.lock:
            super().pass_on(host)
            self._wake(host)

    def end(self, host: HostId, reply: Reply | None) -> None:
        super().end(host, reply)
        self._wake(host)

    def _wake(self, host: HostId) -> None:
        """Lets the first in line see when its turn is now."""
        for place in itertools.islice(self._lines.get(host, ()), 1):
            place.set()

    def _grant(self) -> None:
        while self._dropped:
            self.end(self._dropped.popleft(), None)
        super()._grant()

    def _new_place(self) -> Any:
        return _Place()

    async def _pause(self, host: HostId, place: Any, seconds: float) -> None:
        with self.lock:
            self._grant()
            turn = self.scheduler.turn(host, self.clock())
            if self._leases:
                seconds = min(seconds, self._leases[0][0] - self.now())
        # Others look around each second: for turns that were collected, and a clock that was set.
        place.wait(max(0.0, min(seconds, 1.0, turn - self.clock() if isinstance(turn, float) else 1.0)))
        place.clear()


class ThreadAdmissions(Admissions[Callable[[str], Answer]]):
    """A cache that threads call."""

    def _make_turns(self, profile: Profile) -> Turns:
        _caches.add(self)
        return ThreadTurns(profile, self._clock)

    async def _call(self, url: str) -> Any:
        return self._fetch(url)

    async def _sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def _begin_anew(self) -> None:
        """Leaves the locks, the rounds and the lines of the threads of the process that this one was forked from."""
        self._lock, self._rounds, before = threading.Lock(), {}, self._turns
        self._waiting.clear()
        self._turns = self._make_turns(self._profile)
        self._turns.load(Scheduler.load(before.scheduler.save()))

    def _pause_of(self, round: Round, deadline: float) -> float:
        # A round that waits for its turn begins to count when that comes.
        left = self._time_left(round)
        return min(self._patience if left is None else left, max(0.0, deadline - self._turns.now()), threading.TIMEOUT_MAX)


def finished(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that never waits, but may block: it goes to its end at once."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("a coroutine for threads waited")


def _after_fork() -> None:
    for cache in _caches:
        cache._begin_anew()


_caches: weakref.WeakSet[ThreadAdmissions] = weakref.WeakSet()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
