"""The parser of this library in Scrapy's own middleware, and that middleware without its fault."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self
from urllib.parse import urldefrag

import scrapy
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.robotstxt import RobotParser as _RobotParser
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.python import to_unicode
from twisted.internet.defer import Deferred
from twisted.web.client import URI

from polite_robots import Robot, RobotsTxt, product_token
from polite_robots._agents import RobotsByHeader, agent_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

__all__ = ["RobotParser", "WaitingRobotsTxtMiddleware", "need_coroutines", "readings_of", "warn_of_guess"]

logger = logging.getLogger("polite_robots.scrapy")

_MIDDLEWARES_ARE_COROUTINES = scrapy.version_info >= (2, 14)


class RobotParser(_RobotParser):
    """The parser of this library: `ROBOTSTXT_PARSER = "polite_robots.scrapy.RobotParser"`."""

    _has_warned = False
    _has_warned_of_middleware = False

    def __init__(self, document: RobotsTxt) -> None:
        self._document = document
        self._robots: RobotsByHeader[str | bytes] = RobotsByHeader()

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        # A middleware that is being made has an empty text parsed, and nothing that could be asked.
        if robotstxt_body and not RobotParser._has_warned_of_middleware and _lets_pages_through(crawler):
            RobotParser._has_warned_of_middleware = True
            logger.warning(
                "Scrapy's RobotsTxtMiddleware fetches forbidden pages that wait for a robots.txt "
                "(since scrapy/scrapy#6802); replace it by polite_robots.scrapy.PoliteRobotsTxtMiddleware, "
                "or by WaitingRobotsTxtMiddleware"
            )
        return cls(RobotsTxt(robotstxt_body))

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        robot = self._robot(user_agent)
        return all(robot.allowed(text, sent=is_sent) for text, is_sent in readings_of(url))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        return self._robot(user_agent).crawl_delay

    def _robot(self, user_agent: str | bytes) -> Robot:
        robot = self._robots.of(user_agent)
        if robot is None:
            header = user_agent.decode("utf-8", "replace") if isinstance(user_agent, bytes) else user_agent
            if header != "*" and product_token(header) != header.strip() and not RobotParser._has_warned:
                RobotParser._has_warned = True
                warn_of_guess(agent_of(header), header)
            robot = self._robots.keep(user_agent, self._document.robot_of_header_or_wildcard(header))
        return robot


class WaitingRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Scrapy's own middleware, in which pages that wait for a robots.txt obey it too, and nothing else differs."""

    def __init__(self, crawler: Crawler) -> None:
        need_coroutines(self)
        super().__init__(crawler)

    async def robot_parser(self, request: Request) -> _RobotParser | None:
        # The pages that wait share one Deferred: the first takes the parser out of it and leaves
        # `None`, which means that everything is allowed.
        await super().robot_parser(request)
        parser = self._parsers[urlparse_cached(request).netloc]
        assert not isinstance(parser, Deferred)
        return parser


def readings_of(url: str | bytes) -> Iterator[tuple[str | bytes, bool]]:
    """The questions about a request of Scrapy, each with whether it is asked as it is sent. All of them must be allowed.

    Scrapy sends `/a/../b` as it is, and the server resolves it; without an empty query, or an empty part after a semicolon. Of a
    backslash Scrapy makes a slash, so that `//..` may have been `\\/..`, which other clients resolve to the folder above; so do
    servers that merge slashes.
    """
    yield url, False
    text = to_unicode(url, errors="surrogateescape")
    sent = URI.fromBytes(urldefrag(text)[0].encode("utf-8", "surrogateescape"))  # type: ignore[no-untyped-call]
    yield sent.originForm, True
    if _DOUBLE_DOTS.search(text):
        yield _SLASHES.sub("/", text), False


_DOUBLE_DOTS = re.compile(r"/(?:\.|%2e){2}(?:[/?#]|$)", re.IGNORECASE)
_SLASHES = re.compile(r"(?<!:)/{2,}")


def warn_of_guess(agent: str, header: str) -> None:
    """Says for whom a robots.txt is read: the header of a browser gives `Safari`."""
    logger.warning(
        "robots.txt is read for %r, guessed from the User-Agent header %r; "
        "set ROBOTSTXT_USER_AGENT to the product token of the crawler",
        agent,
        header,
    )


def need_coroutines(middleware: object) -> None:
    """Raises `RuntimeError` before Scrapy 2.14: a middleware that is left out would open all sites."""
    if not _MIDDLEWARES_ARE_COROUTINES:
        raise RuntimeError(f"{type(middleware).__name__} needs Scrapy 2.14 or later, and this is {scrapy.__version__}")


def _lets_pages_through(crawler: Crawler | None) -> bool:
    """Whether a crawl has the middleware whose waiting pages are all allowed."""
    if crawler is None or not _MIDDLEWARES_ARE_COROUTINES:
        return False
    middleware = crawler.get_downloader_middleware(RobotsTxtMiddleware)
    return getattr(type(middleware), "robot_parser", None) is RobotsTxtMiddleware.robot_parser
