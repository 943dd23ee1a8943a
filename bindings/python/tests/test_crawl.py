"""A whole crawl on loopback: Scrapy's middleware fetches pages that robots.txt forbids, ours fetches none."""

import json
import pathlib
import subprocess
import sys

import pytest


def crawl(middleware):
    script = pathlib.Path(__file__).with_name("crawl.py")
    command = [sys.executable, str(script), middleware, "--hosts", "6"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parallel_threads(1)
def test_a_site_goes_down_and_comes_back():
    ours = crawl("ours")
    assert ours["finish_reason"] == "finished"
    assert ours["forbidden_pages_fetched"] == 0
    # Nothing is fetched in the outage, and everything that may be on the other days.
    assert (ours["pages"], ours["allowed_pages"], ours["allowed_pages_missed"]) == (22, 22, 0)
    # One of 6 hosts has two schemes, so there are 7 origins. 4 are asked on three days, the others on two.
    assert ours["robots_txt_requests"] == 18
    assert ours["forbidden"] == {
        "robotstxt/forbidden": 32,
        "robotstxt/forbidden/503": 21,
        "robotstxt/forbidden/rule": 11,
    }
    assert ours["origins"] == 7


@pytest.mark.parallel_threads(1)
def test_the_crawl_can_tell():
    assert crawl("own")["forbidden_pages_fetched"] > 0
