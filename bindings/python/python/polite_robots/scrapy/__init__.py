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

All of them need `ROBOTSTXT_OBEY = True`, which a new project has and a bare crawler has not. The middlewares need
Scrapy 2.14 or later.
"""

from polite_robots.scrapy._middleware import PoliteRobotsTxtMiddleware, RobotsTxtUnavailable, crawl_delay
from polite_robots.scrapy._parser import RobotParser, WaitingRobotsTxtMiddleware

__all__ = [
    "PoliteRobotsTxtMiddleware",
    "RobotParser",
    "RobotsTxtUnavailable",
    "WaitingRobotsTxtMiddleware",
    "crawl_delay",
]
