"""The columns of a capture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple

import pyarrow as pa

from polite_robots import AgentSummary, RobotsTxt
from polite_robots.spark._captures import Capture

__all__ = ["COLUMNS", "Column", "Questions", "batches", "failure"]

MAX_BYTES = 5 << 20
"""As much as Common Crawl keeps of a body, and `robots survey` reads."""

# Few enough that thousands of large files are not held at once.
_ROWS = 256


@dataclass(frozen=True)
class Questions:
    """The options that all rows share."""

    agents: tuple[str, ...] = ()
    """The agents that `agents` and `verdicts` are about; without any, `agents` is about those that each file names."""
    urls: tuple[str, ...] = ()
    dialect: Literal["rfc9309", "google"] = "rfc9309"
    max_bytes: int = MAX_BYTES


@dataclass
class Row:
    """A capture, read as far as its columns need."""

    warc: str
    capture: Capture
    questions: Questions

    @property
    def is_file(self) -> bool:
        """Whether the body is a robots.txt: that of an error is not."""
        return 200 <= self.capture.status <= 299

    @cached_property
    def document(self) -> RobotsTxt:
        questions = self.questions
        return RobotsTxt(self.capture.body, dialect=questions.dialect, max_bytes=questions.max_bytes)

    @cached_property
    def agents(self) -> list[AgentSummary]:
        asked = self.questions.agents
        return self.document.agents(list(asked) if asked else None)

    # The structs are tuples in the order of their fields, which Arrow reads twice as fast as dictionaries.

    def agents_column(self) -> list[tuple[Any, ...]]:
        return [
            (agent.agent, agent.agent_match == "named", agent.access, agent.is_complete, agent.line, agent.crawl_delay)
            for agent in self.agents
        ]

    def verdicts_column(self) -> list[tuple[Any, ...]]:
        verdicts = []
        for agent in self.questions.agents if self.questions.urls else ():
            robot = self.document.robot(agent)
            for url in self.questions.urls:
                verdict = robot.check(url)
                verdicts.append((agent, url, verdict.allowed, verdict.line, verdict.reason))
        return verdicts

    def usage_column(self) -> list[tuple[str, str, str]]:
        return [
            (agent.agent, category, preference)
            for agent in self.agents
            for category, preference in _preferences(agent)
            if preference != "unstated"
        ]

    def findings_column(self) -> list[tuple[str, int | None]]:
        return [(found.code, found.line) for found in self.document.lint()]

    def is_html_column(self) -> bool:
        # Nothing but `<` begins a page, so that few files are linted for this.
        start = self.capture.body.removeprefix(b"\xef\xbb\xbf").lstrip()[:_START]
        return start.startswith(b"<") and any(found.code == "html-document" for found in RobotsTxt(start).lint())


def _preferences(agent: AgentSummary) -> Iterator[tuple[str, str]]:
    yield "search", agent.search
    yield "ai-input", agent.ai_input
    yield "ai-training", agent.ai_training


_START = 256


def _host(row: Row) -> str:
    authority = row.capture.url.partition("://")[2].partition("/")[0]
    return authority.rpartition("@")[2].lower()


class Column(NamedTuple):
    """A column: its type in Spark and in Arrow, and its value in a row."""

    spark: str
    arrow: pa.DataType
    value: Callable[[Row], Any]
    of_file: bool = False
    """Whether it is null for a response that is not a robots.txt."""


def _struct(**types: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(list(types.items())))


_TEXT, _INT, _LONG, _FLAG, _FLOAT = pa.string(), pa.int32(), pa.int64(), pa.bool_(), pa.float64()

COLUMNS: dict[str, Column] = {
    "url": Column("string", _TEXT, lambda row: row.capture.url),
    "host": Column("string", _TEXT, _host),
    "status": Column("int", _INT, lambda row: row.capture.status),
    "fetched": Column("timestamp", pa.timestamp("us", tz="UTC"), lambda row: row.capture.fetched),
    "warc": Column("string", _TEXT, lambda row: row.warc),
    "offset": Column("long", _LONG, lambda row: row.capture.offset),
    "bytes": Column("long", _LONG, lambda row: len(row.capture.body)),
    "digest": Column("string", _TEXT, lambda row: row.capture.digest),
    "is_html": Column("boolean", _FLAG, Row.is_html_column, True),
    "truncated_at": Column("long", _LONG, lambda row: row.document.truncated_at, True),
    "groups": Column("int", _INT, lambda row: len(row.document.groups), True),
    "sitemaps": Column("array<string>", pa.list_(_TEXT), lambda row: row.document.sitemaps, True),
    "agents": Column(
        "array<struct<token: string, named: boolean, may: string, complete: boolean, line: int, crawl_delay: double>>",
        _struct(token=_TEXT, named=_FLAG, may=_TEXT, complete=_FLAG, line=_INT, crawl_delay=_FLOAT),
        Row.agents_column,
        True,
    ),
    "verdicts": Column(
        "array<struct<agent: string, url: string, allowed: boolean, line: int, reason: string>>",
        _struct(agent=_TEXT, url=_TEXT, allowed=_FLAG, line=_INT, reason=_TEXT),
        Row.verdicts_column,
        True,
    ),
    "crawl_delay": Column("double", _FLOAT, lambda row: row.document.robot("*").crawl_delay, True),
    "usage": Column(
        "array<struct<agent: string, category: string, preference: string>>",
        _struct(agent=_TEXT, category=_TEXT, preference=_TEXT),
        Row.usage_column,
        True,
    ),
    "findings": Column(
        "array<struct<code: string, line: int>>", _struct(code=_TEXT, line=_INT), Row.findings_column, True
    ),
    "error": Column("string", _TEXT, lambda row: None),
}


def batches(
    warc: str, captured: Iterable[Capture], columns: Sequence[str], questions: Questions
) -> Iterator[pa.RecordBatch]:
    """The rows of an archive. Columns that nobody asks for cost nothing.

    Raises the `OSError` of `captured`, after the rows before it.
    """
    schema = pa.schema([(name, COLUMNS[name].arrow) for name in columns])
    asked = [COLUMNS[name] for name in columns]
    captured = iter(captured)
    while True:
        values: list[list[Any]] = [[] for _ in asked]
        count, error = 0, None
        try:
            for capture in islice(captured, _ROWS):
                row = Row(warc, capture, questions)
                is_file = row.is_file
                for column, into in zip(asked, values, strict=True):
                    into.append(column.value(row) if is_file or not column.of_file else None)
                count += 1
        except OSError as raised:
            error = raised
        if count:
            arrays = [pa.array(into, column.arrow) for column, into in zip(asked, values, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        if error is not None:
            raise error
        if count < _ROWS:
            return


def failure(warc: str, error: Exception, columns: Sequence[str]) -> pa.RecordBatch:
    """The row of an archive that cannot be read, or not to its end."""
    row = dict.fromkeys(columns)
    row.update({name: value for name, value in _described(warc, error).items() if name in row})
    return pa.RecordBatch.from_pylist([row], pa.schema([(name, COLUMNS[name].arrow) for name in columns]))


def _described(warc: str, error: Exception) -> dict[str, Any]:
    return {"warc": warc, "error": f"{type(error).__name__}: {error}"}
