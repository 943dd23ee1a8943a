"""`RobotsCache` for threads."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from polite_robots._admission import Permit
from polite_robots._threads import ThreadAdmissions, finished
from polite_robots.policy import Check, Origin

if TYPE_CHECKING:
    from polite_robots import _Url


class RobotsCache(ThreadAdmissions):
    """The robots.txt of all sites that a crawler visits, fetched by its own HTTP client.

    `agent` is the product token of the crawler, or several of which the first counts that a file names. `fetch(url)` returns
    `(status, headers, body)` for one GET request, and raises whatever it raises on failure. It must not follow redirects, must
    give the body as bytes, as they came or decoded, and should read no more than 500 KiB of it, within a limit of time.
    `capacity` is in bytes of memory; `clock` gives seconds since 1970, else it is a `ValueError`.

    Safe for threads: one of them fetches for all that ask about a site, and nobody waits for another site. Each method that
    gets a URL may fetch, and raises `InvalidUrl` if the URL has no host to ask. A failure is an answer, not an exception:
    while robots.txt cannot be fetched the site is closed, and `check.error` has the exception. A bug of `fetch` itself is
    raised, such as a `NameError`, as is `TypeError` for what is no response. Where `fetch` has not returned after the
    `ticket_lease` of the profile, 10 minutes, all that wait for it hear that the site is closed.
    """

    def allowed(self, url: str, *, sent: _Url | None = None) -> bool:
        """Whether the crawler may fetch the URL now; `False` while the site is closed. `sent` is that of `check`."""
        return self.check(url, sent=sent).allowed

    def check(self, url: str, *, sent: _Url | None = None) -> Check:
        """Whether the crawler may fetch the URL now, and why; if the site is closed, when to ask again.

        `sent` is the URL as the HTTP client reads it, such as `httpx.URL(url)`, or its request target: both must be allowed.
        """
        return self._check(url, sent)

    def wait(self, url: str, *, max_wait: float = 300.0, sent: _Url | None = None, timeout: float | None = None) -> Permit:
        """Waits until robots.txt is known and allows the URL and its host has a turn: one request at a time, its delays,
        `Retry-After`, back-off. A closed site is asked again if that is within `max_wait` seconds, which end no fetch of
        robots.txt that this thread runs.

        The permit is true if the request may be sent now. Report its end: `permit.finish(status, headers)` or `permit.fail(error)`,
        and the end of its `with` gives back one that was not used. After `timeout` seconds, at most the `request_lease` of the
        profile, the host is free again. A rule that disallows is an answer at once, and takes no turn.
        """
        return finished(self._admit(url, sent, max_wait, lease=self._lease_of(timeout)))

    def _check(self, url: str, sent: _Url | None) -> Check:
        error = None
        while not self._is_paced:
            with self._lock:
                turn = self._turn(url, sent)
                if isinstance(turn, Check):
                    return turn if error is None else turn._after(error)
                if turn is None:
                    continue
                end, runner = turn.end, turn.runner
                if end is None:
                    ended = turn.end = threading.Event()
                    turn.runner = threading.get_ident()
            if end is None:
                try:
                    finished(self._run(turn))
                finally:
                    ended.set()
            elif runner == threading.get_ident():
                raise RuntimeError(f"`fetch` asked about {url}, whose robots.txt it was fetching")
            elif not end.wait(min(self._time_left(turn), threading.TIMEOUT_MAX)):
                with self._lock:
                    if self._time_left(turn) == 0:
                        self._give_up(turn)
            error = turn.error
        return finished(self._known(url, sent))

    def crawl_delay(self, url: str) -> float | None:
        """The `Crawl-delay` of the site, in seconds. It has no upper bound, so cap it."""
        return self.check(url).robot.crawl_delay

    def sitemaps(self, url: str) -> list[str]:
        """The values of the `Sitemap` records of the site, as written."""
        return self.check(url).robot.sitemaps

    def explain(self, url: str) -> str:
        """The reasons of the access to the site: since when, until when, and when the next fetch is."""
        check = self.check(url)
        return self.cache.explain(Origin.of(url), self._clock()) or str(check)


RobotsCache.__module__ = "polite_robots"
