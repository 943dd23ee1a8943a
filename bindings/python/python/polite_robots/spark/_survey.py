"""`survey`: a survey of many archives on Spark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

from polite_robots.spark._fetch import Fetch, fetch as _fetch
from polite_robots.spark._paths import COMMON_CRAWL, absolute, checked
from polite_robots.spark._task import Failure, Plan, Survey, SurveyFailed, merged, surveyed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession as _SparkSession

__all__ = ["FAN_IN", "merge_batches", "survey", "survey_batches"]

FAN_IN = 16
"""The parts that one task adds up: it holds them all, a few megabytes each."""

_FAILURES = pa.list_(pa.struct([("path", pa.string()), ("error", pa.string())]))
_ROW = pa.schema([("node", pa.int64()), ("part", pa.binary()), ("failures", _FAILURES)])
_ROW_OF_SPARK = "node long, part binary, failures array<struct<path: string, error: string>>"


def survey(
    spark: _SparkSession,
    paths: Iterable[str],
    *,
    base_url: str | os.PathLike[str] = COMMON_CRAWL,
    files_per_task: int = 64,
    fetch: Fetch = _fetch,
    depth: Literal["sampled", "thorough"] = "sampled",
    max_bytes: int | None = None,
    command: str | None = None,
) -> Survey:
    """Surveys archives on the workers, and adds the parts up as a tree.

    The JSON is that of one `robots survey` over the same files, but for the timings. `paths` are relative to `base_url`, a
    URL or a folder, or are URLs or absolute paths. An absolute path is read where it is, on every worker. `fetch` gets the
    others, `files_per_task` for each task, into a folder that is gone afterwards.

    An archive that cannot be read is no exception: it is in `failures`, and in the JSON as an input that is unreadable.
    Tasks may run twice, as their parts are values. `command` is the path of `robots` on the workers; by default it is the
    one of the wheel.

    Raises `ValueError` for an invalid path and for one that is given twice, and `SurveyFailed` if the workers lack a wheel.
    """
    if files_per_task < 1:
        raise ValueError("give files_per_task=1 or more")
    base_url = absolute(base_url)
    files = checked(paths, base_url)
    plan = Plan(base_url, depth, max_bytes, command, fetch)
    tasks = [files[start : start + files_per_task] for start in range(0, len(files), files_per_task)]
    # One row for each partition, which is the number of the task.
    numbers = spark.range(0, len(tasks), 1, len(tasks))
    parts = numbers.mapInArrow(survey_batches(tasks, plan), _ROW_OF_SPARK)
    count = len(tasks)
    while count > FAN_IN:
        node = (parts["node"] / FAN_IN).cast("long").alias("node")
        parts = parts.select(node, "part", "failures").groupBy("node").applyInArrow(merge_batches(command), _ROW_OF_SPARK)
        count = -(-count // FAN_IN)
    try:
        rows = sorted(parts.collect(), key=lambda row: row["node"])
    except Exception as error:
        if "No module named 'polite_robots" not in str(error):
            raise
        raise SurveyFailed(
            "the Python of the workers has no wheel `polite-robots`: set PYSPARK_PYTHON to one that has it"
        ) from error
    failures = [Failure(failure["path"], failure["error"]) for row in rows for failure in row["failures"]]
    # The driver waits for nothing else.
    return Survey(_sum([bytes(row["part"]) for row in rows], command, threads=None), failures)


def survey_batches(
    tasks: Sequence[Sequence[str]], plan: Plan
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The body of a task: numbers of tasks to parts."""

    def survey_numbered(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield _batch(number, surveyed(tasks[number], plan))

    return survey_numbered


def merge_batches(command: str | None) -> Callable[[pa.Table], pa.Table]:
    """The body of a task: the parts of one node to their sum."""

    def merge_node(parts: pa.Table) -> pa.Table:
        failures = [Failure(**failure) for row in parts.column("failures").to_pylist() for failure in row]
        part = _sum(parts.column("part").to_pylist(), command)
        node = parts.column("node")[0].as_py()
        return pa.Table.from_batches([_batch(node, Survey(part, failures))])

    return merge_node


def _sum(parts: list[bytes], command: str | None, threads: int | None = 1) -> bytes:
    return parts[0] if len(parts) == 1 else merged(parts, command, threads)


def _batch(node: int, found: Survey) -> pa.RecordBatch:
    failures = [failure._asdict() for failure in found.failures]
    return pa.RecordBatch.from_pylist([{"node": node, "part": found.json, "failures": failures}], _ROW)
