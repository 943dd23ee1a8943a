"""The functions in DuckDB: their answers are those of `robots check`."""

import json

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


def test_an_agent_that_is_no_token_is_an_error(con):
    with pytest.raises(duckdb.Error, match="InvalidToken"):
        con.sql("SELECT robots_allowed(''::BLOB, 'Example Bot/1.0', '/')").fetchall()


def test_the_dialect_is_that_of_register():
    text = b"User-agent: *\nAllow: /index.html\nDisallow: /"
    for dialect, allowed in (("rfc9309", False), ("google", True)):
        with duckdb.connect() as con:
            polite_robots.duckdb.register(con, dialect=dialect)
            assert con.execute("SELECT robots_allowed(?::BLOB, 'a', '/')", [text]).fetchone() == (allowed,)
    with duckdb.connect() as con, pytest.raises(duckdb.Error, match="bing"):
        polite_robots.duckdb.register(con, dialect="bing")
        con.sql("SELECT robots_allowed(''::BLOB, 'a', '/')").fetchall()
