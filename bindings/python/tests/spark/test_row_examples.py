"""The Python on the page about rows of a survey, which reads them with DuckDB and pandas."""

import pathlib
import re
import subprocess
import sys

import warcs

PAGE = pathlib.Path(__file__).parents[4] / "cli/docs/survey-rows.md"


def test_rows_are_read_as_the_page_shows(tmp_path):
    [program] = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    printed = re.findall(r"^print\(.*  # (.*)$", program, re.M)
    sites = tmp_path / "sites"
    sites.mkdir()
    for host, body in {
        "shop.example": "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n",
        "news.example": "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
        "blog.example": "User-agent: *\nDisalow: /drafts\nCrawl-delay: 10\n",
    }.items():
        (sites / host).write_text(body)
    subprocess.run([warcs.ROBOTS, "survey", "sites", "--rows", "sites.jsonl.zst", "--compact"], cwd=tmp_path, check=True)
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert printed and ran.stdout.splitlines() == printed
