"""The callers that are threads: they block, and a fork may lose them."""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from polite_robots._admission import Admissions
from polite_robots._round import Answer
from polite_robots._turns import Caller, Turns
from polite_robots.policy import _Crawl

Result = TypeVar("Result")


class ThreadTurns(Turns):
    """Turns for threads. One of the callers, the leader, sleeps until the next step, so that no thread is needed for it; the others
    sleep until they are woken.
    """

    _leader: Caller | None = None
    _wakeup = math.inf

    def now(self) -> float:
        return time.monotonic()

    def begin_anew(self) -> None:
        self.lock, self._leader = threading.RLock(), None
        super().begin_anew()
        for page in list(self._leases):
            self._leave(page)

    def _begin(self, round: int) -> None:
        callers = (self._lines.get(page) for page in self._machine.pages_of(round))
        # A caller that has a round is busy with it.
        caller = next((caller for caller in callers if caller is not None and caller.round is None), None)
        if caller is not None:
            caller.round = round
            self._wake(caller)
        else:
            self._break_off(round)

    async def _pause(self, caller: Caller) -> None:
        try:
            with self.lock:
                if caller.round is not None or caller.answer is not None:
                    return
                caller.place = caller.place or threading.Event()
                caller.place.clear()
                if self._leader is None:
                    self._leader = caller
                # The leader looks around each second: for permits that were collected, and a clock that was set.
                wait = min(1.0, max(0.001, self._wakeup - self.now())) if self._leader is caller else 60.0
            caller.place.wait(wait)
        finally:
            with self.lock:
                if self._leader is caller:
                    self._leader = None
                    self.go()

    def _wake(self, caller: Caller) -> None:
        if caller.place is not None:
            caller.place.set()

    def _sleep(self, wakeup: float | None) -> None:
        now, before = self.now(), self._wakeup
        self._wakeup = min(math.inf if wakeup is None else now + wakeup - self._clock(), self._first_end)
        if self._leader is None:
            # Somebody else leads.
            if (caller := next((caller for caller in self._lines.values() if caller.round is None), None)) is not None:
                self._wake(caller)
        elif self._wakeup < before:
            self._wake(self._leader)


class ThreadAdmissions(Admissions[Callable[[str], Answer]]):
    """A cache that threads call."""

    def _make_turns(self, machine: _Crawl) -> Turns:
        _caches.add(self)
        return ThreadTurns(self, machine)

    async def _call(self, url: str) -> Any:
        return self._fetch(url)

    def _begin_anew(self) -> None:
        """Drops the locks, the rounds and the lines of the parent process after a fork."""
        self._lock = threading.Lock()
        self._turns.begin_anew()
        for round in list(self._rounds.values()):
            self._leave(round)


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
