"""A drop-in for Protego: `from polite_robots.compat.protego import Protego`.

>>> robots_txt = Protego.parse("User-agent: examplebot\\nDisallow: /a\\nCrawl-delay: 2")
>>> robots_txt.can_fetch("https://example.com/a", "Mozilla/5.0 (compatible; ExampleBot/1.0)")
False
>>> robots_txt.crawl_delay("ExampleBot")
2.0
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time
from typing import NamedTuple, Self

from polite_robots import Robot, RobotsTxt
from polite_robots._agents import RobotsByHeader, agent_of, leading_name
from polite_robots.compat._lines import is_plain, trimmed
from polite_robots.compat._names import groups_of, is_browser, robot_named

__all__ = ["Protego", "RequestRate", "VisitTime"]


class RequestRate(NamedTuple):
    """A number of requests in a time."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """A part of the day, in UTC."""

    start_time: time
    end_time: time


_NO_FILE = RobotsTxt(b"")


class Protego:
    """A robots.txt, read as `polite_robots.RobotsTxt` reads it."""

    def __init__(self) -> None:
        self._document = _NO_FILE
        self._by_header: RobotsByHeader[str] = RobotsByHeader()
        # The robots by the name of the file, as long files take much memory for each.
        self._by_name: dict[tuple[str | None, str], Robot] = {}
        # The names of the file, each with its product token; made for the first header.
        self._names: dict[str, str] | None = None

    @classmethod
    def parse(cls, content: str) -> Self:
        """Reads a file. Raises `TypeError` for anything but `str`, as Protego does."""
        parsed = cls()
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        parsed._document = RobotsTxt(content if is_plain(content) else trimmed(content.splitlines()))
        return parsed

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Whether the user agent may fetch the URL."""
        return self._robot(user_agent)._allowed_without_blanks(url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """The seconds from one request to the next, if the file asks for a delay."""
        return self._robot(user_agent).crawl_delay

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """The rate of requests that the file asks for."""
        rates = self._robot(user_agent).request_rates
        if not rates:
            return None
        rate = rates[-1]
        return RequestRate(rate.requests, rate.seconds, rate.start_time, rate.end_time)

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """The part of the day in which the file asks to be visited."""
        times = self._robot(user_agent).visit_times
        if not times:
            return None
        return VisitTime(times[-1].start_time, times[-1].end_time)

    @property
    def sitemaps(self) -> Iterator[str]:
        """The URLs of the sitemaps."""
        return iter(self._document.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The last `Host` of the file."""
        hosts = [record.value for record in self._document.extensions if record.field == "Host"]
        return hosts[-1] if hosts else None

    def _robot(self, user_agent: str) -> Robot:
        """The robot of the longest name of the file that stands in the user agent, after no letter, digit, `-` or `_`."""
        robot = self._by_header.of(user_agent)
        if robot is not None:
            return robot
        if self._names is None:
            self._names = _names_of(self._document)
        header, agent = user_agent.strip().lower(), agent_of(user_agent).lower()
        # The crawler's own token counts whatever its version is; one that all browsers have only as a whole name.
        own = agent if not is_browser(agent) else None
        best, longest = "*", 0
        for name, token in self._names.items():
            length = len(token) if token == own else len(name)
            if length > longest and (token == own or (name in header and _stands_in(name, header))):
                best, longest = name, length
        key = "*" if best == "*" else own if self._names[best] == own else None, best
        robot = self._by_name.get(key)
        if robot is None:
            robot = self._by_name[key] = self._robot_of(*key)
        return self._by_header.keep(user_agent, robot)

    def _robot_of(self, agent: str | None, name: str) -> Robot:
        """The robot of an agent, else of the groups with a name."""
        if agent is not None:
            return self._document.robot(agent)
        return robot_named(self._document, lambda value: name in _spellings(value))


def _names_of(document: RobotsTxt) -> dict[str, str]:
    """The names of a file, each with its product token."""
    values = (value for group in groups_of(document) for value in group.user_agents if value.split()[:1] != ["*"])
    return {name: leading_name(name) for value in values for name in _spellings(value) if name}


def _spellings(value: str) -> tuple[str, str]:
    """The names that Protego reads in a value: with the asterisks, and without them."""
    return value.lower(), value.lower().replace("*", "")


def _stands_in(name: str, header: str) -> bool:
    at = header.find(name)
    while at > 0 and (header[at - 1].isalnum() or header[at - 1] in "-_"):
        at = header.find(name, at + 1)
    return at >= 0
