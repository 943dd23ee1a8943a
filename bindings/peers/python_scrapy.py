"""The tests of Scrapy's source package, with our parser in the place of its own, and its middleware without its fault.
They are in `tests`, a package there."""

import pytest
from tests.test_downloadermiddleware_robotstxt import TestRobotsTxtMiddleware as _Middleware
from tests.test_robotstxt_interface import BaseRobotParserTest as _Interface

from polite_robots.scrapy import RobotParser, WaitingRobotsTxtMiddleware


class TestParser(_Interface):
    def setup_method(self):
        self._setUp(RobotParser)

    def test_order_based_precedence(self):
        pytest.skip("the first rule of the file decides in the draft of 1996, the longest one in RFC 9309")


class TestMiddleware(_Middleware):
    def setup_method(self):
        super().setup_method()
        self.crawler.settings.set("ROBOTSTXT_PARSER", "polite_robots.scrapy.RobotParser")


class TestWaitingMiddleware(TestMiddleware):
    @pytest.fixture(autouse=True)
    def in_the_place_of_scrapys(self, monkeypatch):
        name = "tests.test_downloadermiddleware_robotstxt.RobotsTxtMiddleware"
        monkeypatch.setattr(name, WaitingRobotsTxtMiddleware)


del _Middleware, _Interface
