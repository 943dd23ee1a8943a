"""The agent that a `User-Agent` header stands for."""

from __future__ import annotations

import re
from typing import Generic, TypeVar

from polite_robots import Robot, RobotsTxt

_LEADING_NAME = re.compile(r"\s*([A-Za-z0-9_.-]*)").match

_NO_FILE = RobotsTxt(b"")

_MOST_HEADERS = 256

Header = TypeVar("Header")


def agent_of(user_agent: str) -> str:
    """The agent that a header names, else `*`."""
    return _NO_FILE.robot_of_header_or_wildcard(user_agent).agent or "*"


def leading_name(text: str) -> str:
    """The characters of a token at the start of a text."""
    found = _LEADING_NAME(text)
    return found[1] if found else ""


class RobotsByHeader(Generic[Header]):
    """The robots of a file by user agent. Some crawlers put another number into each header, so the number is bounded."""

    def __init__(self) -> None:
        self._robots: dict[Header, Robot] = {}

    def of(self, header: Header) -> Robot | None:
        """The robot of a header, if it is kept."""
        return self._robots.get(header)

    def keep(self, header: Header, robot: Robot) -> Robot:
        """Keeps the robot of a header, and gives it back."""
        if len(self._robots) >= _MOST_HEADERS:
            self._robots.clear()
        self._robots[header] = robot
        return robot
