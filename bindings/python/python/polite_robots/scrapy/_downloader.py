"""The downloader whose slots wait for the turns of the policy."""

from __future__ import annotations

import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader import Downloader, Slot

from polite_robots._failures import failure_of
from polite_robots.policy import HostRule, Origin, Reply, Scheduler
from polite_robots.scrapy._settings import profile_of

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class PoliteDownloader(Downloader):
    """Scrapy's downloader with the pace of the policy: a gap from the end of a response on, `Retry-After`, rate limits and
    back-off, for each slot. The requests for robots.txt count too.

    The settings of the pace are those of `POLITE_ROBOTS_PROFILE`. A longer `DOWNLOAD_DELAY`, and what `DOWNLOAD_SLOTS` says of a
    slot, stand for its `min_delay` and `max_in_flight`; `CONCURRENT_REQUESTS_PER_DOMAIN` and the jitter have no meaning.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        profile = profile_of(crawler.settings)
        self._least_delay = max(self._delay, profile.pace["min_delay"])
        self._most_at_once: int = profile.pace["max_in_flight"]
        self.scheduler = Scheduler(profile)
        self._started: dict[Request, float] = {}

    def clock(self) -> float:
        """Seconds since the epoch; tests replace it."""
        return time.time()

    def set_crawl_delay(self, request: Request, delay: float | None) -> None:
        """Takes the `Crawl-delay` of the robots.txt of a request's origin."""
        key, _ = self._get_slot(request)
        self.scheduler.set_crawl_delay(self.scheduler.insert(key), Origin.of(request.url), delay)

    def _get_slot(self, request: Request, spider: Spider | None = None) -> tuple[str, Slot]:
        key = self.get_slot_key(request)
        if key not in self.slots:
            given = self.per_slot_settings.get(key, {})
            at_once = given.get("concurrency", self._most_at_once)
            rule = HostRule(min_delay=given.get("delay", self._least_delay), max_in_flight=at_once)
            self.scheduler.set_rule(self.scheduler.insert(key), rule)
            self.slots[key] = _Slot(self, key, at_once)
            self._start_slot_gc()
        return key, self.slots[key]

    def _wait_for_download(self, slot: Slot, request: Request, *rest: Any) -> Coroutine[Any, Any, None]:
        # The coroutine begins later, and the next request must not come in between.
        started = self._started[request] = self.clock()
        self.scheduler.handle_start(self.scheduler.insert(request.meta[self.DOWNLOAD_SLOT]), started)
        return super()._wait_for_download(slot, request, *rest)

    async def _download(self, slot: Slot, request: Request, *spider: Any) -> Response:
        host, started = self.scheduler.insert(request.meta[self.DOWNLOAD_SLOT]), self._started.pop(request)
        reply = None
        try:
            response = await super()._download(slot, request, *spider)
            fields = [(name, value) for name, values in response.headers.items() for value in values]
            reply = Reply.of_response(response.status, fields, started, self.clock())
            return response
        except Exception as error:
            reply = Reply(failure_of(error), started)
            raise
        finally:
            if reply is None:
                self.scheduler.handle_cancelled(host, self.clock())
            else:
                self.scheduler.handle_reply(host, reply, self.clock())
            # Until now the host was busy.
            slot.close()
            self._process_queue(slot)

    def _slot_gc(self, age: float = 60) -> None:
        super()._slot_gc(age)
        now = self.clock()
        for host in self.scheduler.hosts():
            if self.scheduler.host(host) not in self.slots and self.scheduler.is_as_new(host, now):
                self.scheduler.remove(host)


class _Slot(Slot):
    """A slot whose delay ends with the turn of its host."""

    def __init__(self, downloader: PoliteDownloader, key: str, concurrency: int) -> None:
        super().__init__(concurrency, 0.0, 0.0)
        self._downloader, self._key = downloader, key

    def download_delay(self) -> float:
        """The time from the last start to the next."""
        downloader = self._downloader
        now = downloader.clock()
        turn = downloader.scheduler.turn(downloader.scheduler.insert(self._key), now)
        # A host that is busy is looked at again when its request ends.
        wait = 0.0 if turn == "ready" else turn - now if isinstance(turn, float) else 3600.0
        return max(time.monotonic() - self.lastseen + wait, 1e-6) if wait else 1e-6
