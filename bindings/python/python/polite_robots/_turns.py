"""The turns of all hosts: callers that wait in lines, and the machine that says whose turn it is."""

from __future__ import annotations

import asyncio
import collections
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from polite_robots._failures import failure_of
from polite_robots.policy import HostId, HostRule, Origin, Pacer, Profile, Reply, Scheduler


class Turn:
    """The right to send one request to a host, which counts as sent. It ends once: by `finish`, `fail` or `cancel`."""

    def __init__(self, turns: Turns, host: HostId, started: float) -> None:
        self.started = started
        self._turns, self._host, self._is_open = turns, host, True

    def finish(self, status: int, headers: Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]] = ()) -> None:
        """Reports a response, whose headers may ask for a wait."""
        self._end(Reply.of_response(status, headers, self.started, self._turns.clock()))

    def fail(self, error: BaseException) -> None:
        """Reports that there is no response, and the exception that came instead."""
        self._end(Reply(failure_of(error), self.started))

    def cancel(self) -> None:
        """Reports that the request was broken off. The gap is kept, and the host is not to blame."""
        self._end(None)

    def _end(self, reply: Reply | None) -> None:
        if self._is_open:
            self._is_open = False
            self._turns.end(self._host, reply)


class Turns:
    """The turns of one session. Nothing here waits but `wait`, so that no other task sees a state between two."""

    def __init__(
        self, profile: Profile, rule: Callable[[str], HostRule | None], max_in_flight: int, clock: Callable[[], float]
    ) -> None:
        self.scheduler = Scheduler(profile)
        self.clock = clock
        self.starts = 0
        """Requests so far."""
        self._rule, self._max_in_flight, self._in_flight = rule, max_in_flight, 0
        self._lines: dict[HostId, collections.OrderedDict[asyncio.Future[None], None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._sweep: Iterator[HostId] = iter(())
        self._next_sweep = 0.0
        self._loaded_at: float | None = None

    def load(self, saved: Scheduler) -> None:
        """Takes the hosts of another crawl. Each waits for one gap first, also a host that is not among them: its last requests
        may not have been saved.
        """
        self._loaded_at = self.clock()
        for host in saved.hosts():
            if pacer := saved.pacer(host):
                self.scheduler.join(self._insert(saved.host(host), pacer), Pacer.after_gap(self._loaded_at))

    def host(self, name: str) -> HostId:
        """The host of this name, which is new if it is not known."""
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

    async def wait(self, host: HostId, is_first: bool) -> None:
        """Waits in line until the host may be asked. Then `start` a request, or `pass_on`."""
        place = asyncio.get_running_loop().create_future()
        line = self._lines.setdefault(host, collections.OrderedDict())
        line[place] = None
        if is_first:
            line.move_to_end(place, last=False)
        self.scheduler.set_waiting(host)
        self._grant()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.pass_on(host)
            else:
                line.pop(place, None)
                self._regard(host)
            raise

    def start(self, host: HostId) -> float | None:
        """Starts the request of a caller that has waited, and says when; passes on if the host may not be asked any more."""
        now = self.clock()
        if self.scheduler.turn(host, now) != "ready":
            self.pass_on(host)
            return None
        self.scheduler.handle_start(host, now)
        self.starts += 1
        self._regard(host)
        return now

    def pass_on(self, host: HostId) -> None:
        """Gives the turn of a caller that has waited to the next."""
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

    def stop(self) -> None:
        """Ends the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _regard(self, host: HostId) -> None:
        """Lets the host wait for a turn if callers do."""
        if self._lines.get(host):
            self.scheduler.set_waiting(host)
        else:
            self._lines.pop(host, None)
            self.scheduler.set_idle(host)

    def _grant(self) -> None:
        """Gives turns to the first callers of the hosts that are ready, and comes again when the next one is."""
        while self._in_flight < self._max_in_flight:
            host = self.scheduler.next_ready(self.clock())
            if host is None:
                return self._come_again()
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

    def _come_again(self) -> None:
        wakeup = self.scheduler.next_wakeup()
        self.stop()
        if wakeup is not None:
            # The clock may be set meanwhile.
            wait = min(max(wakeup - self.clock(), 0.0), 60.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._grant)
