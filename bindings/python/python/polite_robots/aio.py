"""Crawling with asyncio: `RobotsCache` says whether, `PoliteSession` fetches too, when its host has a turn."""

from polite_robots._admission import Permit
from polite_robots._cache_aio import RobotsCache
from polite_robots._refusals import Busy, Closed, Disallowed, PoliteError, RedirectError, TooLarge
from polite_robots._responses import Response, Stream
from polite_robots._session import PoliteSession

__all__ = [
    "Busy",
    "Closed",
    "Disallowed",
    "Permit",
    "PoliteError",
    "PoliteSession",
    "RedirectError",
    "Response",
    "RobotsCache",
    "Stream",
    "TooLarge",
]
