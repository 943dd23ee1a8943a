"""Scrapy: a middleware with the policy of a polite crawler, and a parser for the setting `ROBOTSTXT_PARSER`.

.. code-block:: python

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "polite_robots.scrapy.PoliteRobotsTxtMiddleware": 100,
    }

Scrapy's own middleware with the parser alone lets pages through that wait for a robots.txt, since Scrapy 2.14.
`WaitingRobotsTxtMiddleware`, in the place of `PoliteRobotsTxtMiddleware` above, is Scrapy's own without that fault:

.. code-block:: python

    ROBOTSTXT_PARSER = "polite_robots.scrapy.RobotParser"

The pace of the policy in place of Scrapy's delays, with `Retry-After` and back-off, needs Scrapy 2.19 or later:

.. code-block:: python

    DOWNLOADER = "polite_robots.scrapy.PoliteDownloader"

The first three need `ROBOTSTXT_OBEY = True`, which a new project has and a bare crawler has not. The middlewares need
Scrapy 2.14 or later.
"""

from typing import TYPE_CHECKING, Any

from polite_robots._missing import needs

with needs("scrapy"):
    from polite_robots.scrapy._middleware import PoliteRobotsTxtMiddleware, RobotsTxtUnavailable, crawl_delay
    from polite_robots.scrapy._parser import RobotParser, WaitingRobotsTxtMiddleware

if TYPE_CHECKING:
    from polite_robots.scrapy._downloader import PoliteDownloader

__all__ = [
    "PoliteDownloader",
    "PoliteRobotsTxtMiddleware",
    "RobotParser",
    "RobotsTxtUnavailable",
    "WaitingRobotsTxtMiddleware",
    "crawl_delay",
]


def __getattr__(name: str) -> Any:
    # The others work with a Scrapy that lacks what it needs.
    if name == "PoliteDownloader":
        from polite_robots.scrapy._downloader import PoliteDownloader

        return PoliteDownloader
    raise AttributeError(name)
