"""`RobotsTxtSource`: one row for each capture, as a data source of Spark."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from polite_robots import Robot
from polite_robots.spark._captures import captures
from polite_robots.spark._fetch import fetch
from polite_robots.spark._paths import COMMON_CRAWL, absolute, is_local, read_paths, source_of
from polite_robots.spark._rows import COLUMNS, MAX_BYTES, Questions, batches, failure

__all__ = ["Files", "RobotsTxtReader", "RobotsTxtSource"]

# Without PySpark the rows can be had all the same, and tested.
if TYPE_CHECKING:
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
    from pyspark.sql.types import StructType as _StructType
else:
    try:
        from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
    except ImportError:

        class DataSource:
            def __init__(self, options):
                self.options = options

        DataSourceReader = InputPartition = object


_OPTIONS = {"path", "paths", "base_url", "files_per_task", "agents", "urls", "dialect", "max_bytes"}

_ARCHIVES = ("*.warc.gz", "*.warc")


class RobotsTxtSource(DataSource):
    """The format `robotstxt`: one row for each response to a request for `/robots.txt` in WARC archives.

    .. code-block:: python

        spark.dataSource.register(RobotsTxtSource)
        captures = spark.read.format("robotstxt").option("agents", "GPTBot,CCBot").load("/data/*.warc.gz")

    Options:

    - `path`, or `load(path)`: an archive, a folder of archives, or a pattern such as `/data/*.warc.gz`.
    - `paths`: instead, the file of a list such as `robotstxt.paths.gz`, or a list as JSON; relative paths are below
      `base_url`, by default that of Common Crawl.
    - `files_per_task`: 8 by default.
    - `agents`: product tokens with commas between them. The column `agents` is about these, by default about those that
      each file names.
    - `urls`: paths or URLs with blanks between them. The column `verdicts` is about these and `agents`.
    - `dialect`: `rfc9309` or `google`.
    - `max_bytes`: the bytes that are read of a robots.txt, by default 5 MiB.

    Columns about the file are null unless the status is 2xx. An archive that cannot be read, or not to its end, is a row with
    `warc` and `error`; half of a record does not count. Columns that are not in a schema given by
    `.schema("url string, agents …")` are not computed.
    """

    @classmethod
    def name(cls) -> str:
        return "robotstxt"

    def schema(self) -> str:
        return ", ".join(f"{name} {column.spark}" for name, column in COLUMNS.items())

    def reader(self, schema: _StructType) -> RobotsTxtReader:
        return RobotsTxtReader(self.options, schema.fieldNames())


class Files(InputPartition):
    """The archives of one task."""

    value: tuple[str, ...]

    def __init__(self, value: tuple[str, ...]) -> None:
        self.value = value


class RobotsTxtReader(DataSourceReader):
    """Reads the columns of a schema."""

    def __init__(self, options: Mapping[str, str], columns: Sequence[str]) -> None:
        options = {name.lower(): value for name, value in options.items()}
        unknown = sorted(set(options) - _OPTIONS)
        if unknown:
            raise ValueError(f"no option {', '.join(unknown)}; there are {', '.join(sorted(_OPTIONS))}")
        missing = [name for name in columns if name not in COLUMNS]
        if missing:
            raise ValueError(f"no column {', '.join(missing)}; there are {', '.join(COLUMNS)}")
        self._columns = list(columns)
        self._base_url = absolute(options.get("base_url", COMMON_CRAWL))
        self._files_per_task = _positive(options, "files_per_task", 8)
        self._questions = _questions(options)
        self._paths = _paths(options)

    def partitions(self) -> list[Files]:
        step = self._files_per_task
        return [Files(tuple(self._paths[start : start + step])) for start in range(0, len(self._paths), step)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        for path in partition.value:
            try:
                yield from self._rows(path)
            except (OSError, ValueError, RuntimeError) as error:
                yield failure(path, error, self._columns)

    def _rows(self, path: str) -> Iterator[pa.RecordBatch]:
        if is_local(path):
            yield from self._rows_of(path, path.removeprefix("file://"))
            return
        with TemporaryDirectory(prefix="polite-robots-") as folder:
            file = os.path.join(folder, "fetched")
            fetch(source_of(path, self._base_url), file)
            yield from self._rows_of(path, file)

    def _rows_of(self, path: str, file: str) -> Iterator[pa.RecordBatch]:
        found = captures(file, self._questions.max_bytes, self._columns)
        return batches(path, found, self._columns, self._questions)


def _questions(options: Mapping[str, str]) -> Questions:
    agents = tuple(agent.strip() for agent in options.get("agents", "").split(",") if agent.strip())
    dialect: Any = options.get("dialect", "rfc9309")
    for agent in agents or ("*",):
        # An invalid product token or an unknown dialect shows here, before there are tasks.
        Robot(agent, b"", dialect=dialect)
    urls = tuple(options.get("urls", "").split())
    if urls and not agents:
        raise ValueError("the option `urls` needs the option `agents`")
    return Questions(agents, urls, dialect, _positive(options, "max_bytes", MAX_BYTES))


def _positive(options: Mapping[str, str], name: str, otherwise: int) -> int:
    value = options.get(name)
    if value is None:
        return otherwise
    if not value.isdigit() or int(value) == 0:
        raise ValueError(f"the option `{name}` is a number from 1 on, and not {value!r}")
    return int(value)


def _paths(options: Mapping[str, str]) -> list[str]:
    path, paths = options.get("path"), options.get("paths")
    if (path is None) == (paths is None):
        raise ValueError("give either `path`, as in `load(path)`, or the option `paths`")
    if path is not None:
        return _archives(path)
    assert paths is not None
    if not paths.startswith("["):
        found = read_paths(paths)
    else:
        read: list[str] = json.loads(paths)
        found = [found for path in read for found in _archives(path)]
    if not found:
        # Spark takes a list of partitions that is empty for none that was given.
        raise ValueError(f"there are no paths in {paths}")
    return found


def _archives(path: str) -> list[str]:
    """The archives at a path: itself, those in a folder, or those that a pattern matches."""
    path = path.removeprefix("file://")
    if "://" in path:
        return [path]
    if os.path.isdir(path):
        archives = sorted(str(found.absolute()) for ending in _ARCHIVES for found in Path(path).rglob(ending))
        if not archives:
            raise FileNotFoundError(
                f"there is no WARC archive ({', '.join(_ARCHIVES)}) below {path}; "
                "for a folder of robots.txt files there is the command `robots survey`"
            )
        return archives
    found = sorted(os.path.abspath(found) for found in glob.glob(path))
    if not found:
        raise FileNotFoundError(f"there is no {path}")
    return found
