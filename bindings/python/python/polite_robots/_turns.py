"""The turns of all hosts: callers that wait in lines, and the machine that says whose turn it is."""

from __future__ import annotations

import collections
import heapq
import itertools
import math
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from polite_robots._failures import failure_of
from polite_robots.policy import HostId, HostRule, Origin, Pacer, Profile, Reply, Scheduler


class Turn:
    """The right to send one request to a host, which counts as sent. It ends once: by `finish`, `fail` or `cancel`, or as a request
    that was broken off when it is collected.
    """

    _is_open = False

    def __init__(self, turns: Turns, host: HostId, started: float) -> None:
        self.started = started
        self._turns, self._host, self._is_open = turns, host, True

    def finish(self, status: int, headers: Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]] = ()) -> None:
        """Reports a response, whose headers may ask for a wait."""
        if self._is_open:
            self._end(Reply.of_response(status, headers, self.started, self._turns.clock()))

    def fail(self, error: BaseException) -> None:
        """Reports that there is no response, and the exception that came instead."""
        if self._is_open:
            self._end(Reply(failure_of(error), self.started))

    def cancel(self) -> None:
        """Reports that the request was broken off. The gap is kept, and the host is not to blame."""
        self._end(None)

    def _end(self, reply: Reply | None) -> None:
        if self._is_open:
            # Its time may be over in another thread.
            with self._turns.lock:
                is_open, self._is_open = self._is_open, False
                if is_open:
                    self._turns.end(self._host, reply)

    def __del__(self) -> None:
        if self._is_open:
            self._turns.drop(self._host)


class Turns:
    """The turns of one crawl. `wait` alone waits, for a thread or a task; no other caller sees a state between two."""

    def __init__(
        self, profile: Profile, clock: Callable[[], float], rule: Callable[[str], HostRule | None] = lambda _: None,
        max_in_flight: float = math.inf,
    ) -> None:  # fmt: skip
        self.scheduler = Scheduler(profile)
        self.clock = clock
        self.lock = threading.RLock()
        self.starts = 0
        """Requests so far."""
        self._rule, self._max_in_flight, self._in_flight = rule, max_in_flight, 0
        self._lines: dict[HostId, collections.OrderedDict[Any, None]] = {}
        self._leases: list[tuple[float, int, weakref.ref[Turn]]] = []
        self._numbers = itertools.count()
        self._sweep: Iterator[HostId] = iter(())
        self._next_sweep = 0.0
        self._loaded_at: float | None = None

    def load(self, saved: Scheduler) -> None:
        """Takes the hosts of another crawl. Each waits for one gap first, also a host that is not among them: its last requests
        may not have been saved.
        """
        with self.lock:
            self._loaded_at = self.clock()
            for host in saved.hosts():
                if pacer := saved.pacer(host):
                    self.scheduler.join(self._insert(saved.host(host), pacer), Pacer.after_gap(self._loaded_at))

    def host(self, name: str) -> HostId:
        """The host of this name, which is new if it is not known."""
        with self.lock:
            host = self.scheduler.find(name)
            if host is None:
                self._forget_some()
                lost = self._loaded_at
                host = self._insert(name, Pacer.for_host(name) if lost is None else Pacer.after_gap(lost))
            return host

    def _insert(self, name: str, pacer: Pacer) -> HostId:
        host = self.scheduler.insert_with(name, None, pacer)
        if rule := self._rule(name):
            self.scheduler.set_rule(host, rule)
        if host not in self._lines:
            self.scheduler.set_idle(host)
        return host

    def _forget_some(self) -> None:
        """Forgets a few hosts for each new one, as soon as a new one in their place would wait as long."""
        now = self.clock()
        for host in itertools.islice(self._sweep, 4):
            if host not in self._lines and self.scheduler.is_as_new(host, now):
                self.scheduler.remove(host)
        if now >= self._next_sweep and next(self._sweep, None) is None:
            self._sweep, self._next_sweep = iter(self.scheduler.hosts()), now + 60.0

    def next_turn(self, host: HostId) -> float:
        """The moment before which the host has no turn, if that is known; infinite if it never has one."""
        turn = self.scheduler.turn(host, self.clock())
        return turn if isinstance(turn, float) else math.inf if turn == "skip" else self.clock()

    def in_line(self, host: HostId) -> int:
        """The callers that wait for the host."""
        return len(self._lines.get(host, ()))

    async def wait(
        self, host: HostId, is_first: bool, deadline: float, meanwhile: Callable[[], None] = lambda: None, every: float = 60.0
    ) -> None:
        """Waits in line until the host may be asked. Then `start` a request, or `pass_on`. Raises `TimeoutError` at the deadline,
        by `now`.
        """
        with self.lock:
            place = self._new_place()
            line = self._lines.setdefault(host, collections.OrderedDict())
            line[place] = None
            if is_first:
                line.move_to_end(place, last=False)
            self.scheduler.set_waiting(host)
            self._grant()
        try:
            while not place.done():
                if (left := deadline - self.now()) <= 0:
                    raise TimeoutError
                await self._pause(host, place, min(left, every))
                meanwhile()
        except BaseException:
            with self.lock:
                if place.done():
                    self.pass_on(host)
                else:
                    line.pop(place, None)
                    self._regard(host)
            raise

    def start(self, host: HostId) -> float | None:
        """Starts the request of a caller that has waited, and says when; passes on if the host may not be asked any more."""
        with self.lock:
            now = self.clock()
            if self.scheduler.turn(host, now) != "ready":
                self.pass_on(host)
                return None
            self.scheduler.handle_start(host, now)
            self.starts += 1
            self._regard(host)
            return now

    def start_now(self, name: str) -> Turn:
        """Notes a request that waited for nothing."""
        with self.lock:
            host, now = self.host(name), self.clock()
            self._in_flight += 1
            self.starts += 1
            self.scheduler.handle_start(host, now)
            return Turn(self, host, now)

    def lend(self, turn: Turn, seconds: float) -> None:
        """Ends a turn after a time, if nothing else does."""
        with self.lock:
            if len(self._leases) > 64 + 4 * self._in_flight:
                self._leases = [lease for lease in self._leases if (lent := lease[2]()) is not None and lent._is_open]
                heapq.heapify(self._leases)
            heapq.heappush(self._leases, (self.now() + seconds, next(self._numbers), weakref.ref(turn)))

    def pass_on(self, host: HostId) -> None:
        """Gives the turn of a caller that has waited to the next."""
        with self.lock:
            self._in_flight -= 1
            self._regard(host)
            self._grant()

    def end(self, host: HostId, reply: Reply | None) -> None:
        """Ends a request that was started."""
        if reply is None:
            self.scheduler.handle_cancelled(host, self.clock())
        else:
            self.scheduler.handle_reply(host, reply, self.clock())
        self._in_flight -= 1
        self._grant()

    def _regard(self, host: HostId) -> None:
        """Lets the host wait for a turn if callers do."""
        if self._lines.get(host):
            self.scheduler.set_waiting(host)
        else:
            self._lines.pop(host, None)
            self.scheduler.set_idle(host)

    def _grant(self) -> None:
        """Gives turns to the first callers of the hosts that are ready."""
        while self._leases and self._leases[0][0] <= self.now():
            if (late := heapq.heappop(self._leases)[2]()) is not None:
                late.cancel()
        while self._in_flight < self._max_in_flight:
            host = self.scheduler.next_ready(self.clock())
            if host is None:
                break
            line = self._lines.get(host) or collections.OrderedDict()
            # The next caller has its turn once this one has started its request.
            self.scheduler.set_idle(host)
            while line:
                place, _ = line.popitem(last=False)
                if not place.done():
                    self._in_flight += 1
                    place.set_result(None)
                    break
            if not line:
                self._lines.pop(host, None)
        if self._lines:
            self._come_again()

    # What a thread and a task do in their own ways.

    def now(self) -> float:
        """The time of deadlines, which nobody sets: a laptop that slept ends no waits."""
        raise NotImplementedError

    def drop(self, host: HostId) -> None:
        """Ends the request of a turn that was collected, maybe in the middle of anything."""
        raise NotImplementedError

    def _new_place(self) -> Any:
        raise NotImplementedError

    async def _pause(self, host: HostId, place: Any, seconds: float) -> None:
        raise NotImplementedError

    def _come_again(self) -> None:
        """Grants again when the next host is ready, if its callers do not see to that."""
