"""The reasons why a `PoliteSession` gives no response, each with what a caller needs to go on."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from polite_robots.policy import Check

if TYPE_CHECKING:
    from polite_robots._admission import Permit

__all__ = ["Busy", "Closed", "Disallowed", "PoliteError", "RedirectError", "TooLarge"]


class PoliteError(Exception):
    """No page was fetched, and asking again at once will not help."""

    retry_at: float | None = None
    """The moment at which the same request may succeed, in seconds since 1970, if it is known."""


class Disallowed(PoliteError):
    """A rule of the site disallows the URL, or the target of a redirect: drop it."""

    def __init__(self, url: str, check: Check, hops: tuple[str, ...] = ()) -> None:
        led = f", where {hops[-1]} leads," if hops else ""
        super().__init__(f"{url}{led} is {check}")
        self.url, self.check, self.hops = url, check, hops


class Closed(PoliteError):
    """The robots.txt of the site cannot be had, so that nothing of the site may be: keep its URLs until `retry_at`."""

    def __init__(self, url: str, check: Check) -> None:
        super().__init__(f"{url} is {check}")
        self.url, self.check, self.retry_at = url, check, check.retry_at


class Busy(PoliteError):
    """The host has no turn within the time that a call waits: keep the URL until `retry_at`."""

    def __init__(self, host: str, turn: float, why: str) -> None:
        # A turn after the year 9999 has no date.
        later = f"; retry at {datetime.fromtimestamp(math.ceil(turn), UTC):%Y-%m-%dT%H:%M:%SZ}" if turn < 253_402_300_799 else ""
        super().__init__(f"{host} is busy: {why}{later}")
        self.host, self.retry_at, self.why = host, turn if math.isfinite(turn) else None, why


class RedirectError(PoliteError):
    """A redirect that cannot be followed: drop the URL. `chain` are the URLs that were asked for."""

    def __init__(self, chain: tuple[str, ...], why: str) -> None:
        super().__init__(f"{' -> '.join(chain)}: {why}")
        self.chain, self.why = chain, why


class TooLarge(PoliteError):
    """The body is longer than `page_limit`: drop the URL."""

    def __init__(self, url: str, limit: int) -> None:
        super().__init__(f"{url} is longer than {limit} bytes")
        self.url, self.limit = url, limit


def refusal(
    permit: Permit, hops: tuple[str, ...] = (),
    kinds: tuple[type[Disallowed], type[Closed], type[Busy]] = (Disallowed, Closed, Busy),
) -> PoliteError:  # fmt: skip
    """The exception for a permit that permits nothing, of these kinds."""
    if (busy := permit._busy) is not None:
        return kinds[2](busy.host, math.inf if busy.retry_at is None else busy.retry_at, busy.why)
    assert permit.check is not None
    return kinds[1](permit.url, permit.check) if permit.closed else kinds[0](permit.url, permit.check, hops)


for _error in (Busy, Closed, Disallowed, PoliteError, RedirectError, TooLarge):
    _error.__module__ = "polite_robots.aio"
