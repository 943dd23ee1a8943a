"""The turns of the tasks of an event loop."""

from __future__ import annotations

import asyncio
from typing import Any

from polite_robots._turns import Turns
from polite_robots.policy import HostId


class LoopTurns(Turns):
    """Turns for tasks."""

    _timer: asyncio.TimerHandle | None = None
    _loop: asyncio.AbstractEventLoop

    def now(self) -> float:
        try:
            return asyncio.get_running_loop().time()
        except RuntimeError:
            # A turn ends after its loop.
            return self._loop.time()

    def drop(self, host: HostId) -> None:
        try:
            self._loop.call_soon_threadsafe(self.end, host, None)
        except RuntimeError:
            # Its loop is closed.
            self.scheduler.handle_cancelled(host, self.clock())
            self._in_flight -= 1

    def stop(self) -> None:
        """Ends the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _new_place(self) -> Any:
        self._loop = asyncio.get_running_loop()
        return self._loop.create_future()

    async def _pause(self, host: HostId, place: Any, seconds: float) -> None:
        await asyncio.wait([place], timeout=seconds)

    def _come_again(self) -> None:
        is_full = self._in_flight >= self._max_in_flight
        wakeup = None if is_full else self.scheduler.next_wakeup()
        # The clock may be set meanwhile.
        wait = 60.0 if wakeup is None else min(max(wakeup - self.clock(), 0.0), 60.0)
        if self._leases:
            wait = min(wait, max(self._leases[0][0] - self.now(), 0.0))
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(wait, self._grant)
