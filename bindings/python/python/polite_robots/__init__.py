"""robots.txt for crawlers: may this agent fetch this URL, and which line decides?

>>> from polite_robots import Robot
>>> robot = Robot("ExampleBot", b"User-agent: *\\nDisallow: /search\\nAllow: /search/about")
>>> robot.allowed("https://example.com/search/about")
True
>>> print(robot.check("https://example.com/search?q=robots"))
disallowed by line 2: Disallow: /search in the wildcard group on line 1
"""

from polite_robots._admission import Permit
from polite_robots._cache import RobotsCache
from polite_robots._errors import InvalidToken, InvalidUrl
from polite_robots._native import (
    AgentSummary,
    Diagnostic,
    Extension,
    Group,
    RequestRate,
    Robot,
    RobotsTxt,
    Rule,
    Usage,
    Verdict,
    VisitTime,
    __version__,
    product_token,
    robots_url,
)
from polite_robots.policy import Check

__all__ = [
    "AgentSummary",
    "Check",
    "Diagnostic",
    "Extension",
    "Group",
    "InvalidToken",
    "InvalidUrl",
    "Permit",
    "RequestRate",
    "Robot",
    "RobotsCache",
    "RobotsTxt",
    "Rule",
    "Usage",
    "Verdict",
    "VisitTime",
    "__version__",
    "product_token",
    "robots_url",
]
