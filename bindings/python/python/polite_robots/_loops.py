"""The callers that are tasks of an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import math
from typing import Any

from polite_robots._turns import Caller, Turns


class LoopTurns(Turns):
    """Turns for tasks. One event loop at a time may use them. The requests for robots.txt have tasks of their own."""

    _timer: asyncio.TimerHandle | None = None
    _loop: asyncio.AbstractEventLoop | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def now(self) -> float:
        try:
            return asyncio.get_running_loop().time()
        except RuntimeError:
            # A request may end after its loop.
            return 0.0 if self._loop is None else self._loop.time()

    def go(self) -> None:
        # Nobody waits on one that is closed.
        if self._loop is None or not self._loop.is_closed():
            super().go()

    def drop(self, page: int) -> None:
        super().drop(page)
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.go)

    def stop(self) -> None:
        """Ends the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def tasks(self) -> list[asyncio.Task[None]]:
        """The tasks that send requests for robots.txt."""
        return list(self._tasks.values())

    def _arrive(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            if self._loop is not None and self._lines and not self._loop.is_closed():
                raise RuntimeError("callers of another event loop wait for turns")
            self.begin_anew()
            self._loop, self._timer, self._tasks = loop, None, {}

    def _begin(self, round: int) -> None:
        # A factory of the loop might begin it at once.
        task = self._tasks[round] = asyncio.Task(self._send(round), loop=self._loop)
        task.add_done_callback(lambda _: self._end_task(round))

    def _end_task(self, round: int) -> None:
        self._tasks.pop(round, None)
        # It may have been cancelled before its first step.
        self._break_off(round)
        self.go()

    def _abandon(self, round: int) -> None:
        if (task := self._tasks.get(round)) is not None:
            task.cancel()

    async def _pause(self, caller: Caller) -> None:
        caller.place = asyncio.get_running_loop().create_future()
        await caller.place

    def _wake(self, caller: Caller) -> None:
        if caller.place is not None and not caller.place.done():
            caller.place.set_result(None)

    def _sleep(self, wakeup: float | None) -> None:
        if not self._lines:
            return self.stop()
        assert self._loop is not None
        now = self.now()
        wait = min(math.inf if wakeup is None else wakeup - self._clock(), self._first_end - now)
        # The clock may be set meanwhile, and the machine counts milliseconds.
        when = now + min(max(wait, 0.001), 60.0)
        if self._timer is None or not now < self._timer.when() <= when:
            self.stop()
            self._timer = self._loop.call_at(when, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.go()
