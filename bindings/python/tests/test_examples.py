"""The five lines of the README and the example for Playwright. A browser is no part of the tests: what stands for it here only calls
the routes of a page as Playwright does.
"""

import asyncio
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import types

import pytest
from judge import Judge
from test_session import RULES, Web, run

import polite_robots.aio
from polite_robots.aio import Disallowed

ROOT = pathlib.Path(__file__).parents[1]
PAGE = ROOT.parents[1] / "docs" / "robots-in-my-crawler.md"


def test_the_five_lines(monkeypatch, capsys):
    [block] = re.findall(r"```python\n(import asyncio\nfrom polite_robots.aio import PoliteSession\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    web = Web({"https://example.com/a": "one", "https://example.com/b": (404, {}, "")})
    monkeypatch.setattr(polite_robots.aio, "PoliteSession", lambda agent: web.session())
    monkeypatch.setattr(asyncio, "run", run)
    exec(block, {})
    assert capsys.readouterr().out == "https://example.com/a 200 3\nhttps://example.com/b 404 0\n"
    assert [begin for begin, _ in web.hits] == [0, 1, 2]


def test_the_function_of_the_page_on_robots_txt():
    """It asks about what requests sends, and about the target of each redirect."""
    [block] = [block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL) if "def get(url" in block]
    names = {}
    exec(block, names)
    with names["session"] as session, Judge() as judge:
        session.trust_env = False
        get = names["get"]
        assert get(judge.url("rules", 1, "/to?/page")).text == "<html>"
        for path in ("/private", "/to?/private", "/to?/to?/private", "/C:/../private", "/\\/../private", "/..//private"):
            with pytest.raises(PermissionError, match="is disallowed by line 2: Disallow: /private"):
                get(judge.url("rules", 1, path))
        assert get(judge.url("rules", 1, "/to?" * 6 + "/page")).status_code == 302
        with pytest.raises(TimeoutError, match="keep it until 1"):
            get(judge.url("503", 1))
        assert set(judge.pages) == {(judge.host("rules", 1), "/page")}


PROGRAMS = re.findall(r"```python\n# pip install 'polite-robots\[(\w+)\]'\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize(("extra", "program"), PROGRAMS, ids=[f"{extra}-{number}" for number, (extra, _) in enumerate(PROGRAMS)])
def test_a_whole_program_of_the_page(extra, program, tmp_path):
    """It fetches a page by its own name, and leaves a disallowed one alone."""
    assert extra in ("httpx", "requests", "aiohttp", "crawlee") and len(PROGRAMS) == 5
    with Judge() as judge:
        for path in ("/page", "/private"):
            here = program.replace("https://example.com/page", judge.url("rules", 1, path))
            # Crawlee keeps its requests in the folder.
            ended = subprocess.run(
                [sys.executable, "-c", here], capture_output=True, text=True, timeout=60, cwd=tmp_path, env=os.environ | {"NO_PROXY": "*"}
            )
            is_open = path == "/page"
            # Crawlee skips it.
            assert (ended.returncode == 0) == (is_open or extra == "crawlee") and ("<html>" in ended.stdout) == is_open, ended
            assert is_open or "disallowed" in ended.stderr.lower()
        assert [*judge.pages] == [(judge.host("rules", 1), "/page")]
        assert "\r\nuser-agent: examplebot/1.0 (+https://example.com/bot)\r\n" in judge.page_heads[judge.host("rules", 1), "/page"].lower()


class Page:
    """The part of Playwright's page that the example uses."""

    def __init__(self, answers):
        self.answers, self.routes, self.url = answers, {}, None

    async def route(self, url, handler):
        self.routes[url] = handler

    async def unroute(self, url, handler):
        assert self.routes.pop(url) is handler

    async def goto(self, url):
        ends = []

        async def end(response=None):
            ends.append(response)

        async def fetch(max_redirects):
            assert max_redirects == 0
            status, headers = self.answers[url]
            return types.SimpleNamespace(status=status, headers=headers)

        await self.routes[url](types.SimpleNamespace(fetch=fetch, fulfill=end, abort=end))
        if ends == [None]:
            raise RuntimeError("net::ERR_FAILED")
        self.url = url


def test_a_browser_by_permits():
    spec = importlib.util.spec_from_file_location("playwright_pages", ROOT / "examples" / "playwright_pages.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    web = Web({"https://b.example/robots.txt": RULES})
    page = Page({
        "https://a.example/1": (302, {"location": "https://b.example/2"}),
        "https://b.example/2": (429, {"retry-after": "60"}),
        "https://a.example/3": (301, {"location": "https://b.example/private"}),
    })  # fmt: skip

    async def calls():
        loop = asyncio.get_running_loop()
        async with web.session() as session:
            assert await example.goto(session, page, "https://a.example/1") == 429
            begin = loop.time()
            assert await example.goto(session, page, "https://b.example/2") == 429
            assert loop.time() - begin == 60
            with pytest.raises(Disallowed):
                await example.goto(session, page, "https://a.example/3")
            page.answers.clear()
            with pytest.raises(KeyError):
                await example.goto(session, page, "https://a.example/1")
            assert session._turns._in_flight == 0

    run(calls())
    assert page.url == "https://b.example/2" and not page.routes
