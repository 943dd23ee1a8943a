"""A plugin of pytest: puts our drop-in where a suite looks for its own library, and writes down how each test ended."""

import json
import os

OUTCOMES: dict[str, str] = {}


def pytest_configure(config):
    suite = os.environ["PEERS_SUITE"]
    if suite == "protego":
        import protego

        from polite_robots.compat.protego import Protego, RequestRate, VisitTime

        protego.Protego, protego.RequestRate, protego.VisitTime = Protego, RequestRate, VisitTime
    elif suite == "cpython":
        import urllib.robotparser

        from polite_robots.compat.robotparser import RobotFileParser

        urllib.robotparser.RobotFileParser = RobotFileParser


def pytest_runtest_logreport(report):
    path, _, test = report.nodeid.partition("::")
    name = f"{os.path.basename(path)}::{test}"
    # A test fails with any of its subtests, and stays failed.
    if OUTCOMES.get(name) != "failed" and (report.when == "call" or report.outcome != "passed"):
        OUTCOMES[name] = report.outcome


def pytest_sessionfinish(session):
    with open(os.environ["PEERS_OUTCOMES"], "w") as file:
        json.dump(OUTCOMES, file, indent=1)
