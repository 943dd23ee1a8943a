"""The package as it is published: its page, its parts, and what is in its files."""

import ast
import collections
import importlib.metadata
import pathlib
import re
import subprocess
import sys

import pytest

import polite_robots._native

ROOT = pathlib.Path(__file__).resolve().parents[3]
LINK = re.compile(r"\]\(([^)\s]+)|^\[[^\]]+\]: *(\S+)", re.MULTILINE)


def test_every_link_of_the_page_is_whole():
    """PyPI resolves no relative links."""
    for text in ((ROOT / "bindings/python/README.md").read_text(), importlib.metadata.metadata("polite-robots").as_string()):
        links = [link for pair in LINK.findall(text) for link in pair if link]
        assert len(links) >= 5 and [link for link in links if not link.startswith(("https://", "#"))] == []


def test_the_links_into_the_repository_lead_somewhere():
    links = re.findall(r"https://github.com/polite-robots/polite-robots/blob/main/([^)#\s]+)", (ROOT / "bindings/python/README.md").read_text())
    assert len(links) >= 5 and [link for link in links if not (ROOT / link).exists()] == []


def test_the_module_has_no_path_of_its_builder():
    content = pathlib.Path(polite_robots._native.__file__).read_bytes()
    assert len(content) > 100_000
    for folder in (ROOT, pathlib.Path.home()):
        assert f"{folder}/".encode() not in content, re.findall(re.escape(f"{folder}/").encode() + rb"[\w./-]{,80}", content)[:3]


# Lines of code of all files of a folder, without docstrings and imports. Raise a number only for
# what the machines cannot do.
MOST_LINES = {".": 1480, "adapters": 273, "compat": 203, "scrapy": 408, "spark": 649}


def test_it_stays_small():
    """Nothing that the machines decide is written again. A file that is new counts, too."""
    package, lines = ROOT / "bindings/python/python/polite_robots", collections.Counter()
    for file in package.rglob("*.py"):
        text = file.read_text()
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)]
        nodes = [node for node in nodes if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant)]
        left_out = {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}
        code = [line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in left_out]
        lines[str(file.parent.relative_to(package))] += sum(bool(line) and not line.startswith("#") for line in code)
    assert lines["."] and {folder: count for folder, count in lines.items() if count > MOST_LINES.get(folder, 0)} == {}


PARTS = {
    "import polite_robots.adapters.httpx": ("httpx", "httpx"),
    "import polite_robots.adapters.requests": ("requests", "requests"),
    "import polite_robots.adapters.aiohttp": ("aiohttp", "aiohttp"),
    "import polite_robots.adapters.crawlee": ("crawlee", "crawlee"),
    "import polite_robots.duckdb": ("duckdb", "duckdb"),
    "import polite_robots.spark": ("pyarrow", "spark"),
    "import polite_robots.scrapy": ("scrapy", "scrapy"),
    "polite_robots.fetchers.httpx('a')": ("httpx", "httpx"),
    "polite_robots.fetchers.httpx_async('a')": ("httpx", "httpx"),
    "polite_robots.fetchers.requests('a')": ("requests", "requests"),
    "polite_robots.fetchers.aiohttp('a')": ("aiohttp", "aiohttp"),
    "asyncio.run(polite_robots.aio.PoliteSession('a').__aenter__())": ("aiohttp", "httpx"),
}


@pytest.mark.parametrize("use", PARTS)
def test_a_missing_part_is_named(use):
    module, extra = PARTS[use]
    hidden = {module} | ({"httpx"} if "Session" in use else set())
    program = f"""
import asyncio, sys
sys.modules.update(dict.fromkeys({sorted(hidden)!r}))
import polite_robots.aio, polite_robots.fetchers
{use}
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    last = run.stderr.strip().splitlines()[-1]
    assert run.returncode == 1 and last.endswith(f": pip install 'polite-robots[{extra}]'") and module in last, run.stderr
    assert extra in importlib.metadata.metadata("polite-robots").get_all("Provides-Extra")
