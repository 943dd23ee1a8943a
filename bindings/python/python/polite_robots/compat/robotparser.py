"""A drop-in for `urllib.robotparser`: `from polite_robots.compat.robotparser import RobotFileParser`.

>>> parser = RobotFileParser("https://example.com/robots.txt")
>>> parser.parse(["User-agent: *", "Disallow: /a/*/b", "Crawl-delay: 2"])
>>> parser.can_fetch("ExampleBot", "https://example.com/a/x/b")
False
>>> parser.crawl_delay("ExampleBot")
2
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable
from urllib.robotparser import RequestRate

from polite_robots import Robot, RobotsTxt
from polite_robots._agents import RobotsByHeader, robot_of

__all__ = ["RequestRate", "RobotFileParser"]


_LINE_ENDS = re.compile("\r\n|\r|\n")


class RobotFileParser:
    """Reads one robots.txt and answers questions about it."""

    def __init__(self, url: str = "") -> None:
        self.disallow_all = False
        self.allow_all = False
        self.last_checked: float = 0
        self._document = RobotsTxt(b"")
        self._robots: RobotsByHeader[str] = RobotsByHeader()
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
            self.parse(_LINE_ENDS.split(body.decode("utf-8", "surrogateescape")))

    def parse(self, lines: Iterable[str]) -> None:
        """Reads the lines of a file, with or without their ends. They replace those that were read before."""
        self._document = RobotsTxt("\n".join(line.rstrip("\r\n") for line in lines))
        self._robots = RobotsByHeader()
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Whether the user agent may fetch the URL; not before a file was read."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        if not self.last_checked:
            return False
        return self._robot(useragent).allowed(url)

    def crawl_delay(self, useragent: str) -> float | None:
        """The seconds from one request to the next: a whole number as `int`."""
        if not self.mtime():
            return None
        delay = self._robot(useragent).crawl_delay
        return int(delay) if delay is not None and delay.is_integer() else delay

    def request_rate(self, useragent: str) -> RequestRate | None:
        """The rate of requests that the file asks for."""
        rates = self._robot(useragent).request_rates if self.mtime() else []
        return RequestRate(rates[-1].requests, rates[-1].seconds) if rates else None

    def site_maps(self) -> list[str] | None:
        """The URLs of the sitemaps; `None` if there are none."""
        return self._document.sitemaps or None

    def __str__(self) -> str:
        return self._document.to_canonical().rstrip("\n")

    def _robot(self, useragent: str) -> Robot:
        robot = self._robots.of(useragent)
        if robot is None:
            # Only the name counts, and not the version.
            robot = self._robots.keep(useragent, robot_of(self._document, useragent.split("/")[0]))
        return robot
