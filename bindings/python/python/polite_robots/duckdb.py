"""DuckDB: functions that ask a robots.txt, for tables of files and their bodies.

.. code-block:: python

    con = duckdb.connect()
    polite_robots.duckdb.register(con)
    con.sql("SELECT host, robots_allowed(body, 'GPTBot', '/') FROM captures")

| function | answer |
|---|---|
| `robots_allowed(body, agent VARCHAR, url VARCHAR)` | `BOOLEAN`: whether the agent may fetch the URL |
| `robots_line(body, agent, url)` | `INTEGER`: the line that decides, `NULL` if none does |
| `robots_explain(body, agent, url)` | `VARCHAR`: the verdict in a sentence |
| `robots_url(url VARCHAR)` | `VARCHAR`: the URL of the robots.txt for a page, `NULL` if it has none |

`body` is a `BLOB`, or a `VARCHAR` with the text itself. A `NULL` among the arguments gives `NULL`, as does an agent that is
no product token, such as a whole header; `robots_explain` says then what it was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from polite_robots import InvalidToken, InvalidUrl, Robot, RobotsTxt, robots_url
from polite_robots._missing import needs

with needs("duckdb"):
    import duckdb
    import numpy  # noqa: F401, as DuckDB needs it for functions that get columns
    import pyarrow as pa
    import pyarrow.compute as pc

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

# DuckDB takes one function of Python for a name, and casts both types to their union by itself.
_QUESTION = ["UNION(bytes BLOB, text VARCHAR)", "VARCHAR", "VARCHAR"]


def register(con: DuckDBPyConnection, *, dialect: Literal["rfc9309", "google"] = "rfc9309") -> None:
    """Creates the functions in a connection, or replaces those of an earlier call. `dialect` is `"rfc9309"` or `"google"`.

    All cursors of a connection share its functions, and none of them can create these again.
    """

    # The enums of the options have moved between versions; their names have not.
    untyped: Any = con

    def create(name: str, parameters: list[str], result: str, function: Callable[..., Any]) -> None:
        with contextlib.suppress(duckdb.InvalidInputException):
            con.remove_function(name)
        # Else an answer could not be `NULL`: no line decides about a URL that no rule matches.
        untyped.create_function(name, function, parameters, result, type="arrow", null_handling="special")

    # DuckDB counts the parameters of a function.
    def asked(kind: pa.DataType, answer: Callable[[Robot | InvalidToken, str], Any]) -> Callable[[Any, Any, Any], pa.Array]:
        return lambda body, agent, url: pa.array(_answers(body, agent, url, dialect, answer), kind)

    create("robots_allowed", _QUESTION, "BOOLEAN", asked(pa.bool_(), _allowed))
    create("robots_line", _QUESTION, "INTEGER", asked(pa.int32(), _line))
    create("robots_explain", _QUESTION, "VARCHAR", asked(pa.string(), _explanation))
    create("robots_url", ["VARCHAR"], "VARCHAR", lambda url: pa.array(_robots_urls(url), pa.string()))


def _allowed(robot: Robot | InvalidToken, url: str) -> bool | None:
    return robot.allowed(url) if isinstance(robot, Robot) else None


def _line(robot: Robot | InvalidToken, url: str) -> int | None:
    return robot.check(url).line if isinstance(robot, Robot) else None


def _explanation(robot: Robot | InvalidToken, url: str) -> str:
    return str(robot.check(url) if isinstance(robot, Robot) else robot)


def _answers(
    bodies: Any,
    agents: Any,
    urls: Any,
    dialect: Literal["rfc9309", "google"],
    answer: Callable[[Robot | InvalidToken, str], Any],
) -> list[Any]:
    """Answers for a chunk of rows, in which each body is parsed once."""
    union = bodies.combine_chunks() if isinstance(bodies, pa.ChunkedArray) else bodies
    # In each row one of the two is null at least.
    encoded = pc.coalesce(union.field(0), union.field(1).cast(pa.binary())).dictionary_encode()
    texts = encoded.dictionary
    documents: dict[int, RobotsTxt] = {}
    robots: dict[tuple[int, str], Robot | InvalidToken] = {}
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
            robot = robots[body, agent] = _robot(document, agent)
        answers.append(answer(robot, url))
    return answers


def _robot(document: RobotsTxt, agent: str) -> Robot | InvalidToken:
    try:
        return document.robot(agent)
    except InvalidToken as error:
        return error


def _robots_urls(urls: Any) -> list[str | None]:
    return [_robots_url(url) for url in urls.to_pylist()]


def _robots_url(url: str | None) -> str | None:
    try:
        return None if url is None else robots_url(url)
    except InvalidUrl:
        return None
