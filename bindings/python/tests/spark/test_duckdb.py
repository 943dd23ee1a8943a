"""The functions in DuckDB: their answers are those of `robots check`."""

import json
import subprocess
import sys

import duckdb
import pytest
import warcs

import polite_robots.duckdb


@pytest.fixture
def con():
    with duckdb.connect() as con:
        polite_robots.duckdb.register(con)
        yield con


AGENTS = ["GPTBot", "ExampleBot", "OtherBot"]
URLS = ["/", "/about", "/search?q=1", "/robots.txt", "https://example.com/é"]


def test_answers_are_those_of_the_command(con, tmp_path):
    (tmp_path / "robots.txt").write_bytes(warcs.ROBOTS_TXT)
    con.execute("CREATE TABLE files AS SELECT ?::BLOB AS body", [warcs.ROBOTS_TXT])
    con.execute("CREATE TABLE questions AS SELECT unnest(?) AS agent", [AGENTS])
    con.execute("CREATE TABLE urls AS SELECT unnest(?) AS url", [URLS])
    asked = con.sql(
        "SELECT agent, url, robots_allowed(body, agent, url), robots_line(body, agent, url), robots_explain(body, agent, url)"
        " FROM files, questions, urls"
    )
    expected = set()
    for agent in AGENTS:
        out = warcs.robots(tmp_path, "check", "--json", "--agent", agent, "robots.txt", *URLS, status=(0, 1))
        for result in json.loads(out)["results"]:
            expected.add((agent, result["url"], result["allowed"], result["line"], result["explanation"]))
    assert set(asked.fetchall()) == expected and len(expected) == 15


def test_null_gives_null(con):
    for arguments in ("NULL, 'a', '/'", "''::BLOB, NULL, '/'", "''::BLOB, 'a', NULL"):
        for function in ("robots_allowed", "robots_line", "robots_explain"):
            assert con.execute(f"SELECT {function}({arguments})").fetchone() == (None,), (function, arguments)
    assert con.execute("SELECT robots_url(NULL)").fetchone() == (None,)


def test_addresses(con):
    asked = con.sql("SELECT robots_url(unnest(['https://example.com:443/a', 'mailto:x', '']))").fetchall()
    assert asked == [("https://example.com/robots.txt",), (None,), (None,)]


def test_any_bytes_and_many_rows(con):
    con.execute("CREATE TABLE files AS SELECT i, ('User-agent: *\nDisallow: /' || i % 7)::BLOB AS body FROM range(10000) r(i)")
    con.execute("INSERT INTO files VALUES (-1, '\\xFF\\x00\\x80'::BLOB)")
    counted = con.sql(
        "SELECT count(*) FROM files WHERE robots_allowed(body, 'GPTBot', '/' || (i + 7) % 7) IS DISTINCT FROM (i < 0)"
    )
    assert counted.fetchall() == [(0,)]


def test_an_agent_that_is_no_token_costs_its_rows_only(con):
    asked = con.sql(
        "SELECT robots_allowed(body, agent, '/'), robots_line(body, agent, '/'), robots_explain(body, agent, '/')"
        " FROM (SELECT 'User-agent: *\nDisallow: /' AS body, unnest(['Example Bot/1.0', 'OtherBot', '']) AS agent)"
    )
    wrong, right, empty = asked.fetchall()
    assert right == (False, 2, "disallowed by line 2: Disallow: / in the wildcard group on line 1")
    assert wrong[:2] == empty[:2] == (None, None)
    assert "`Example Bot/1.0` is not a product token" in wrong[2] and "the agent is empty" in empty[2]


def test_a_text_is_a_body(con):
    text = "# caf\u00e9, and no \\x0A escape\nUser-agent: *\nDisallow: /\u00e9"
    con.execute("CREATE TABLE texts AS SELECT ? AS body", [text])
    con.execute("CREATE TABLE files AS SELECT encode(body) AS body FROM texts")
    for table in ("texts", "files"):
        asked = con.sql(f"SELECT robots_line(body, 'a', '/%C3%A9'), robots_line(body, 'a', '/') FROM {table}").fetchall()
        assert asked == [(3, None)], table
    both = con.sql("SELECT robots_allowed('User-agent: *\nDisallow: /', 'a', '/'), robots_allowed('', 'a', '/')")
    assert both.fetchall() == [(False, True)]


def test_a_second_call_replaces_the_functions(con):
    text = "User-agent: *\nAllow: /index.html\nDisallow: /"
    for dialect, allowed in (("google", True), ("rfc9309", False)):
        polite_robots.duckdb.register(con, dialect=dialect)
        assert con.execute("SELECT robots_allowed(?, 'a', '/')", [text]).fetchall() == [(allowed,)]


@pytest.mark.parametrize("package", ["duckdb", "numpy", "pyarrow"])
def test_a_missing_package_is_named(package):
    code = f"import sys; sys.modules[{package!r}] = None; import polite_robots.duckdb"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'polite-robots[duckdb]'" in ran.stderr and package in ran.stderr


def test_the_dialect_is_that_of_register():
    text = b"User-agent: *\nAllow: /index.html\nDisallow: /"
    for dialect, allowed in (("rfc9309", False), ("google", True)):
        with duckdb.connect() as con:
            polite_robots.duckdb.register(con, dialect=dialect)
            assert con.execute("SELECT robots_allowed(?::BLOB, 'a', '/')", [text]).fetchone() == (allowed,)
    with duckdb.connect() as con, pytest.raises(duckdb.Error, match="bing"):
        polite_robots.duckdb.register(con, dialect="bing")
        con.sql("SELECT robots_allowed(''::BLOB, 'a', '/')").fetchall()
