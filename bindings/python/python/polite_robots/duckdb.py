"""DuckDB: functions that ask a robots.txt, for tables of files and their bodies.

.. code-block:: python

    con = duckdb.connect()
    polite_robots.duckdb.register(con)
    con.sql("SELECT host, robots_allowed(body, 'GPTBot', '/') FROM captures")

| function | answer |
|---|---|
| `robots_allowed(body BLOB, agent VARCHAR, url VARCHAR)` | `BOOLEAN`: whether the agent may fetch the URL |
| `robots_line(body, agent, url)` | `INTEGER`: the line that decides, `NULL` if none does |
| `robots_explain(body, agent, url)` | `VARCHAR`: the verdict in a sentence |
| `robots_url(url VARCHAR)` | `VARCHAR`: the URL of the robots.txt for a page, `NULL` if it has none |

A `NULL` among the arguments gives `NULL`. An agent that is no product token is an error of the query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from polite_robots import InvalidUrl, Robot, RobotsTxt, robots_url

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

_QUESTION = ["BLOB", "VARCHAR", "VARCHAR"]


def register(con: DuckDBPyConnection, *, dialect: Literal["rfc9309", "google"] = "rfc9309") -> None:
    """Creates the functions in a connection. `dialect` is `"rfc9309"` or `"google"`."""

    # The enums of the options have moved between versions; their names have not.
    untyped: Any = con

    def create(name: str, parameters: list[str], result: str, function: Callable[..., Any]) -> None:
        # Else an answer could not be `NULL`: no line decides about a URL that no rule matches.
        untyped.create_function(name, function, parameters, result, type="arrow", null_handling="special")

    # DuckDB counts the parameters of a function.
    def asked(kind: pa.DataType, answer: Callable[[Robot, str], Any]) -> Callable[[Any, Any, Any], pa.Array]:
        return lambda body, agent, url: pa.array(_answers(body, agent, url, dialect, answer), kind)

    create("robots_allowed", _QUESTION, "BOOLEAN", asked(pa.bool_(), lambda robot, url: robot.allowed(url)))
    create("robots_line", _QUESTION, "INTEGER", asked(pa.int32(), lambda robot, url: robot.check(url).line))
    create("robots_explain", _QUESTION, "VARCHAR", asked(pa.string(), lambda robot, url: str(robot.check(url))))
    create("robots_url", ["VARCHAR"], "VARCHAR", lambda url: pa.array(_robots_urls(url), pa.string()))


def _answers(
    bodies: Any, agents: Any, urls: Any, dialect: Literal["rfc9309", "google"], answer: Callable[[Robot, str], Any]
) -> list[Any]:
    """Answers for a chunk of rows, in which each body is parsed once."""
    encoded = bodies.combine_chunks() if isinstance(bodies, pa.ChunkedArray) else bodies
    encoded = encoded.dictionary_encode()
    texts = encoded.dictionary
    documents: dict[int, RobotsTxt] = {}
    robots: dict[tuple[int, str], Robot] = {}
    answers: list[Any] = []
    for body, agent, url in zip(encoded.indices.to_pylist(), agents.to_pylist(), urls.to_pylist(), strict=True):
        if body is None or agent is None or url is None:
            answers.append(None)
            continue
        robot = robots.get((body, agent))
        if robot is None:
            document = documents.get(body)
            if document is None:
                document = documents[body] = RobotsTxt(texts[body].as_py(), dialect=dialect)
            robot = robots[body, agent] = document.robot(agent)
        answers.append(answer(robot, url))
    return answers


def _robots_urls(urls: Any) -> list[str | None]:
    return [_robots_url(url) for url in urls.to_pylist()]


def _robots_url(url: str | None) -> str | None:
    try:
        return None if url is None else robots_url(url)
    except InvalidUrl:
        return None
