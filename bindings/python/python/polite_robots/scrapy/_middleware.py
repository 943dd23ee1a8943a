"""The middleware with the policy of a polite crawler."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Literal, Self, TypeGuard

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from polite_robots import InvalidUrl, Robot, RobotsTxt, Verdict
from polite_robots._agents import agent_of
from polite_robots._failures import failure_of
from polite_robots.policy import Cache, Event, Fetch, Origin, Outcome, Ticket
from polite_robots.scrapy._parser import RobotParser, need_coroutines, readings_of, warn_of_guess
from polite_robots.scrapy._settings import profile_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

__all__ = ["PoliteRobotsTxtMiddleware", "RobotsTxtUnavailable", "crawl_delay"]

logger = logging.getLogger("polite_robots.scrapy")

crawl_delay = object()
"""Signal: the site asks for a delay. Sent with `origin`, `delay` in seconds and `request`, once for each new delay."""


class RobotsTxtUnavailable(IgnoreRequest):
    """No rule forbids the page: its robots.txt could not be fetched. `retry` is when it is due again, if ever."""

    def __init__(self, message: str, retry: float | None) -> None:
        super().__init__(message)
        self.retry = retry


class PoliteRobotsTxtMiddleware:
    """Obeys robots.txt as RFC 9309 asks: one file for each scheme, host and port, kept for its lifetime and no longer; a
    server in trouble closes the site; memory is bounded.

    Settings:

    - `POLITE_ROBOTS_PROFILE`: `"rfc9309"`, `"google"`, `"ibm"`, or a `polite_robots.policy.Profile`. Pages wait for the early
      retry of an outage, after `retry_early` of the profile.
    - `POLITE_ROBOTS_CACHE_BYTES`: the memory for all robots.txt, 64 MiB by default.
    - `POLITE_ROBOTS_CRAWL_DELAY`: `"off"`, `"signal"` (see `crawl_delay`), or `"slot"`, which raises the delay of the
      downloader's slot. A `PoliteDownloader` keeps the delay in any case.
    - `POLITE_ROBOTS_MAX_CRAWL_DELAY`: the most seconds that a slot waits, 60 by default.
    - `ROBOTSTXT_USER_AGENT`: the product token of the crawler. Without it each request is asked about by the token of its
      own `User-Agent` header, else by that of `USER_AGENT`; the files are kept for that, each with three times its length.

    Stats: those of Scrapy's middleware, `robotstxt/forbidden/<reason>`, `robotstxt/retry_count`, and `robotstxt/truncated`,
    the number of files that are longer than the limit.
    """

    DOWNLOAD_PRIORITY = 1000

    def __init__(self, crawler: Crawler) -> None:
        need_coroutines(self)
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            # Scrapy logs the text as a warning.
            raise NotConfigured("robots.txt is not obeyed, as ROBOTSTXT_OBEY is off, Scrapy's default")
        self.crawler = crawler
        # A setting for robots.txt is meant for all requests, whatever their headers say.
        self._asks_by_header = not settings["ROBOTSTXT_USER_AGENT"]
        header = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or "*"
        self.agent = agent_of(header)
        if self.agent != header:
            warn_of_guess(self.agent, header)
        self.profile = profile_of(settings)
        self.crawl_delay_mode = settings.get("POLITE_ROBOTS_CRAWL_DELAY", "off")
        if self.crawl_delay_mode not in ("off", "signal", "slot"):
            raise ValueError(
                f"POLITE_ROBOTS_CRAWL_DELAY is {self.crawl_delay_mode!r}, but must be off, signal or slot"
            )
        self._retry_early: float = self.profile.access["retry_early"]
        self.max_crawl_delay = settings.getfloat("POLITE_ROBOTS_MAX_CRAWL_DELAY", 60.0)
        capacity = settings.getint("POLITE_ROBOTS_CACHE_BYTES", 64 << 20)
        self.cache = Cache(self.profile, [self.agent], capacity, documents=self._asks_by_header)
        # The pages that wait for the robots.txt of an origin.
        self._waiting: dict[Origin, list[Deferred[None]]] = {}
        self._warned_full = False
        crawler.signals.connect(self._bytes_received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def clock(self) -> float:
        """Seconds since the epoch; tests replace it."""
        return time.time()

    async def process_request(self, request: Request) -> None:
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http://", "https://")):
            return
        try:
            origin = Origin.of(request.url)
        except InvalidUrl:
            # It has no host that could be asked.
            return
        has_waited = False
        while True:
            lookup = self.cache.poll(origin, self.clock())
            if lookup.kind == "fetch":
                assert lookup.ticket is not None
                await self._fetch(lookup.ticket, request)
            elif lookup.kind == "pending":
                await self._wait(origin)
            elif lookup.kind == "full":
                self._warn_full()
                await _sleep(1)
            elif lookup.kind == "closed" and not has_waited and self._is_early(lookup.retry):
                has_waited = True
                # A little longer, as the clock of the event loop is another one.
                await _sleep(max(0.0, lookup.retry - self.clock()) + 0.01)
            else:
                break
        assert lookup.robot is not None
        robot = self._robot_of(request, origin, lookup.robot)
        verdicts = (robot.check(text, sent=is_sent) for text, is_sent in readings_of(request.url))
        verdict = next((verdict for verdict in verdicts if not verdict), None)
        if verdict is not None:
            self._forbid(request, verdict)
            if lookup.kind == "closed":
                retry = lookup.retry if isinstance(lookup.retry, float) else None
                raise RobotsTxtUnavailable(str(verdict), retry)
            raise IgnoreRequest(str(verdict))
        self._delay_slot(request, robot.crawl_delay)

    def process_response(self, request: Request, response: Response) -> Response:
        if "polite_robots_reading" in request.meta:
            # The log has it.
            request.method = "GET"
        if not request.meta.get("dont_obey_robotstxt"):
            try:
                site = "unavailable" if response.status >= 500 else "available"
                self.cache.set_site(Origin.of(request.url), site, self.clock())  # type: ignore[arg-type]
            except InvalidUrl:
                pass
        return response

    def _forbid(self, request: Request, verdict: Verdict) -> None:
        logger.debug(
            "Forbidden by robots.txt: %(request)s: %(verdict)s",
            {"request": request, "verdict": verdict},
            extra={"spider": self.crawler.spider},
        )
        reason = verdict.reason if verdict.cause is None else str(verdict.cause)
        self._count("robotstxt/forbidden")
        self._count(f"robotstxt/forbidden/{reason}")

    def _count(self, key: str) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(key)

    def _agent_of(self, request: Request) -> str:
        header = request.headers.get("User-Agent") if self._asks_by_header else None
        return self.agent if header is None else agent_of(header.decode("utf-8", "replace"))

    def _robot_of(self, request: Request, origin: Origin, robot: Robot) -> Robot:
        """The robot of the request's own agent, if it has one. `robot` is that of the crawler."""
        agent = self._agent_of(request)
        if agent.lower() == self.agent.lower() or robot.check(request.url).reason == "blanket":
            return robot
        document = self.cache.document(origin)
        return robot if document is None else document.robot(agent)

    def _warn_full(self) -> None:
        if not self._warned_full:
            self._warned_full = True
            logger.warning(
                "The robots.txt of %d origins fill POLITE_ROBOTS_CACHE_BYTES; new hosts wait for old ones",
                len(self.cache),
            )

    async def _wait(self, origin: Origin) -> None:
        if origin not in self._waiting:
            # Its ticket was lost; the cache gives out another one at the end of its lease.
            await _sleep(1)
            return
        end: Deferred[None] = Deferred()
        self._waiting[origin].append(end)
        await maybe_deferred_to_future(end)

    async def _fetch(self, ticket: Ticket, page: Request) -> None:
        origin = ticket.origin
        waiting = self._waiting.setdefault(origin, [])
        outcome = None
        if (entry := self.cache.entry(origin)) is not None and entry.failures():
            self._count("robotstxt/retry_count")
        try:
            outcome = await self._round(ticket)
        finally:
            if outcome is None:
                # The crawler is shutting down, which says nothing about the site.
                self.cache.give_back(ticket, self.clock())
            else:
                self.cache.handle(ticket, outcome, self.clock())
            if self._waiting.get(origin) is waiting:
                del self._waiting[origin]
            # A round that outlives its lease shares the list with the next one.
            pages, waiting[:] = waiting[:], []
            for end in pages:
                end.callback(None)
        document = outcome.robots_txt
        entry = self.cache.entry(origin)
        is_early = entry is not None and self._is_early(entry.next_fetch(self.profile, self.clock()))
        if outcome.kind in ("unreachable", "local") and not is_early:
            logger.warning(
                "No robots.txt from %s (%s): while that closes the site, its pages raise RobotsTxtUnavailable",
                origin,
                outcome.cause or outcome.kind,
                extra={"spider": self.crawler.spider},
            )
        if document is not None:
            self._report_truncation(origin, document)
            # Scrapy has this signal from 2.18 on.
            if robots_parsed := getattr(signals, "robots_parsed", None):
                await self.crawler.signals.send_catch_log_async(
                    signal=robots_parsed, robotparser=RobotParser(document), request=page
                )
            delay = document.robot(self._agent_of(page)).crawl_delay
            if delay is not None and self.crawl_delay_mode == "signal":
                await self.crawler.signals.send_catch_log_async(
                    signal=crawl_delay, origin=origin, delay=delay, request=page
                )

    def _report_truncation(self, origin: Origin, document: RobotsTxt) -> None:
        if document.truncated_at is not None:
            self._count("robotstxt/truncated")
            logger.warning(
                "The robots.txt of %s is read up to byte %d, and rules after it do not count",
                origin,
                document.truncated_at,
                extra={"spider": self.crawler.spider},
            )

    def _is_early(self, retry: object) -> TypeGuard[float]:
        """Whether robots.txt is due again so soon that pages wait for it."""
        # The hash of a host makes it up to a half later.
        return isinstance(retry, float) and retry - self.clock() <= 2 * self._retry_early

    async def _round(self, ticket: Ticket) -> Outcome:
        """One round: the requests that the policy asks for, and its judgement."""
        fetch = Fetch(
            ticket.origin, self.profile, self.clock(), etag=ticket.etag, last_modified=ticket.last_modified
        )
        while True:
            step = fetch.poll(self.clock())
            if step.kind == "wait":
                assert step.until is not None
                await _sleep(max(0.0, step.until - self.clock()))
            elif step.kind == "resolve":
                # Scrapy connects by name, so there is one address to try for all of the host's.
                fetch.handle(Event.by_name(), self.clock())
            elif step.kind == "get":
                assert step.url is not None and step.max_bytes is not None
                event = await self._get(step.url, step.max_bytes, step.etag, step.last_modified)
                fetch.handle(event, self.clock())
            else:
                return fetch.into_outcome()

    async def _get(self, url: str, max_bytes: int, etag: str | None, last_modified: str | None) -> Event:
        # The policy undoes these.
        headers = {"Accept-Encoding": "gzip, deflate"}
        if etag is not None:
            headers["If-None-Match"] = etag
        if last_modified is not None:
            headers["If-Modified-Since"] = last_modified
        reading = _Reading(max_bytes)
        request = Request(
            url,
            headers=headers,
            priority=self.DOWNLOAD_PRIORITY,
            callback=NO_CALLBACK,
            dont_filter=True,
            meta={
                "dont_obey_robotstxt": True,
                # Redirects, retries and errors are the policy's.
                "dont_redirect": True,
                "dont_retry": True,
                "handle_httpstatus_all": True,
                "allow_offsite": True,
                "dont_cache": True,
                # Scrapy refuses a body whose stated length is too large before its start is read, which the policy wants.
                "download_maxsize": 0,
                "polite_robots_reading": reading,
            },
        )
        self._count("robotstxt/request_count")
        engine = self.crawler.engine
        assert engine is not None
        try:
            response = await engine.download_async(request)
        except Exception as error:
            self._count(f"robotstxt/exception_count/{type(error)}")
            logger.info("No answer from %s: %r", url, error, extra={"spider": self.crawler.spider})
            return Event.failed(failure_of(error))
        return self._event(url, response, reading)

    def _event(self, url: str, response: Response, reading: _Reading) -> Event:
        self._count("robotstxt/response_count")
        self._count(f"robotstxt/response_status_count/{response.status}")
        end: Literal["complete", "cut_short", "limit_reached"] = "complete"
        if "download_stopped" in response.flags:
            end = "limit_reached"
        # `partial` is a body without a length, which the end of the connection ends: old servers send such.
        elif "dataloss" in response.flags:
            end = "cut_short"
        fields = [(name, value) for name, values in response.headers.items() for value in values]
        return Event.response(response.status, fields, reading.body or response.body, end=end)

    def _bytes_received(self, data: bytes, request: Request) -> None:
        reading: _Reading | None = request.meta.get("polite_robots_reading")
        if reading is None:
            return
        # Scrapy would unpack the body too, however large that becomes, unless it answers a HEAD.
        request.method = "HEAD"
        reading.body += data
        if len(reading.body) > reading.most:
            raise StopDownload(fail=False)

    def _delay_slot(self, request: Request, delay: float | None) -> None:
        downloader: Any = getattr(self.crawler.engine, "downloader", None)
        if set_crawl_delay := getattr(downloader, "set_crawl_delay", None):
            set_crawl_delay(request, delay)
        elif downloader is not None and delay is not None and self.crawl_delay_mode == "slot":
            _, slot = downloader._get_slot(request)
            slot.delay = max(slot.delay, min(delay, self.max_crawl_delay))
            # Half of the delay at random would be faster than the site asks for.
            if hasattr(slot, "jitter"):
                slot.jitter = 0.0
            else:
                slot.randomize_delay = False


async def _sleep(seconds: float) -> None:
    """Scrapy has a function for it from 2.18 on."""
    # Scrapy before 2.14 lacks this one, and the parser does not need it.
    from scrapy.utils.asyncio import call_later

    end: Deferred[None] = Deferred()
    call_later(seconds, end.callback, None)
    await maybe_deferred_to_future(end)


class _Reading:
    """A body of a robots.txt on its way, as it comes."""

    def __init__(self, max_bytes: int) -> None:
        self.body = bytearray()
        # A packed body is at most a little longer than its text.
        self.most = 2 * max_bytes
