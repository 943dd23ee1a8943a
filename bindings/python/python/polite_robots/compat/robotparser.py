"""A drop-in for `urllib.robotparser`: `from polite_robots.compat.robotparser import RobotFileParser`.

>>> parser = RobotFileParser("https://example.com/robots.txt")
>>> parser.parse(["User-agent: *", "Disallow: /a/*/b", "Crawl-delay: 2"])
>>> parser.can_fetch("ExampleBot", "https://example.com/a/x/b")
False
>>> parser.crawl_delay("ExampleBot")
2
"""

from __future__ import annotations

import time
import urllib.error
import urllib.parse
import urllib.request
from bisect import bisect
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.robotparser import RequestRate

from polite_robots import Extension, Robot, RobotsTxt
from polite_robots._agents import RobotsByHeader, agent_of
from polite_robots.compat._lines import is_plain, trimmed
from polite_robots.compat._names import groups_of, is_browser, robot_named, robot_of_groups

__all__ = ["Entry", "RequestRate", "RobotFileParser", "RuleLine"]


class RuleLine(NamedTuple):
    """A rule as the file has it."""

    path: str
    allowance: bool

    def __str__(self) -> str:
        return f"{'Allow' if self.allowance else 'Disallow'}: {self.path}"


class Entry(NamedTuple):
    """A group of the file: its agents, its rules, and what it asks of them. Only `can_fetch` decides, as the longest rule counts
    and not the first."""

    useragents: list[str]
    rulelines: list[RuleLine]
    delay: float | None
    req_rate: RequestRate | None

    def __str__(self) -> str:
        lines = [f"User-agent: {agent}" for agent in self.useragents]
        lines += [] if self.delay is None else [f"Crawl-delay: {self.delay}"]
        lines += [] if self.req_rate is None else [f"Request-rate: {self.req_rate.requests}/{self.req_rate.seconds}"]
        return "\n".join([*lines, *map(str, self.rulelines)])


class RobotFileParser:
    """Reads one robots.txt and answers questions about it."""

    url: str
    host: str
    path: str

    def __init__(self, url: str = "") -> None:
        self.disallow_all: bool = False
        self.allow_all: bool = False
        self.last_checked: float = 0
        self._document = RobotsTxt(b"")
        self._robots: RobotsByHeader[str | None] = RobotsByHeader()
        self.set_url(url)

    def mtime(self) -> float:
        """The time at which the file was read, as a number of seconds; 0 if it was not."""
        return self.last_checked

    def modified(self) -> None:
        """Notes that the file is read now."""
        self.last_checked = time.time()

    def set_url(self, url: str) -> None:
        """Sets the address of the file."""
        self.url = url
        self.host, self.path = urllib.parse.urlparse(url)[1:3]

    def read(self) -> None:
        """Fetches the file and parses it. 401 and 403 close the site, any other 4xx opens it."""
        try:
            with urllib.request.urlopen(self.url) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                self.disallow_all = True
            elif 400 <= error.code < 500:
                self.allow_all = True
            error.close()
        else:
            self.parse(body.decode("utf-8", "surrogateescape").splitlines())

    def parse(self, lines: Iterable[str]) -> None:
        """Reads the lines of a file, with or without their ends. They replace those that were read before."""
        text = "\n".join(line.rstrip("\r\n") for line in lines)
        self._document = RobotsTxt(text if is_plain(text) else trimmed(text.split("\n")))
        self._robots = RobotsByHeader()
        self.modified()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The groups that name an agent. It is a tuple, because a group that a caller adds would have no effect."""
        return tuple(entry for entry in self._entries() if "*" not in entry.useragents)

    @property
    def default_entry(self) -> Entry | None:
        """The first group for all others; `can_fetch` follows all of them."""
        return next((entry for entry in self._entries() if "*" in entry.useragents), None)

    @property
    def sitemaps(self) -> list[str]:
        """The URLs of the sitemaps."""
        return self._document.sitemaps

    def can_fetch(self, useragent: str | None, url: str) -> bool:
        """Whether the user agent may fetch the URL; not before a file was read. `None` is an agent that no file names."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        if not self.last_checked:
            return False
        return self._robot(useragent)._allowed_without_blanks(url)

    def crawl_delay(self, useragent: str | None) -> float | None:
        """The seconds from one request to the next: a whole number as `int`."""
        return _delay_of(self._robot(useragent)) if self.mtime() else None

    def request_rate(self, useragent: str | None) -> RequestRate | None:
        """The rate of requests that the file asks for."""
        return _rate_of(self._robot(useragent)) if self.mtime() else None

    def site_maps(self) -> list[str] | None:
        """The URLs of the sitemaps; `None` if there are none."""
        return self._document.sitemaps or None

    def __str__(self) -> str:
        return self._document.to_canonical().rstrip("\n")

    def _entries(self) -> Iterator[Entry]:
        groups = groups_of(self._document)
        lines = [group.line for group in groups]
        records: list[list[Extension]] = [[] for _ in groups]
        for record in self._document.extensions:
            if record.scope == "agents":
                records[bisect(lines, record.line) - 1].append(record)
        for group, asked in zip(groups, records, strict=True):
            rules = [RuleLine(rule.pattern, rule.access == "allow" or not rule.pattern) for rule in group.rules]
            robot = robot_of_groups([group], asked)
            yield Entry(group.user_agents, rules, _delay_of(robot), _rate_of(robot))

    def _robot(self, useragent: str | None) -> Robot:
        robot = self._robots.of(useragent)
        if robot is None:
            # Only the name counts, and not the version.
            agent = agent_of((useragent or "").split("/")[0])
            if is_browser(agent):
                robot = robot_named(self._document, lambda name: name.lower() == agent.lower())
            else:
                robot = self._document.robot(agent)
            self._robots.keep(useragent, robot)
        return robot


def _delay_of(robot: Robot) -> float | None:
    delay = robot.crawl_delay
    return int(delay) if delay is not None and delay.is_integer() else delay


def _rate_of(robot: Robot) -> RequestRate | None:
    rates = robot.request_rates
    return RequestRate(rates[-1].requests, rates[-1].seconds) if rates else None
