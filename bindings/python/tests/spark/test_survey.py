"""The tasks of a survey on Spark, without Spark: what they add up to is what one machine counts."""

import gzip
import http.server
import json
import os
import threading

import pyarrow as pa
import pytest
import warcs

from polite_robots.spark import Failure, SurveyFailed, fetch, read_paths
from polite_robots.spark import _fetch as fetching
from polite_robots.spark._paths import checked, name_of, source_of
from polite_robots.spark._survey import FAN_IN, merge_batches, survey, survey_batches
from polite_robots.spark._task import Plan, merged, surveyed


def plan(folder, **options):
    return Plan(**{"base_url": str(folder), "depth": "sampled", "max_bytes": None, "command": None, "fetch": fetch} | options)


def counted(survey):
    return warcs.without_timings(json.loads(survey))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl")
    return folder, [warcs.write(folder, number) for number in range(6)]


def tree(tasks, plan):
    """Survey and merge as Spark would do it: batches in and out, two parts at a time."""
    numbers = [pa.RecordBatch.from_pydict({"id": [number]}) for number in range(len(tasks))]
    level = [pa.Table.from_batches([batch]) for batch in survey_batches(tasks, plan)(iter(numbers))]
    while len(level) > 1:
        pairs = [pa.concat_tables(level[start : start + 2]) for start in range(0, len(level), 2)]
        level = [merge_batches(plan.command)(pair) for pair in pairs]
    [row] = level[0].to_pylist()
    return row


@pytest.mark.parametrize("files_per_task", [1, 2, 5, 6])
def test_any_split_and_tree_counts_as_one_machine(crawl, tmp_path, files_per_task):
    folder, paths = crawl
    expected = warcs.one_machine(folder, paths, tmp_path / "one.json")
    assert expected["summary"]["files"] == 6 * 13 and expected["summary"]["responses"] == 6 * 16
    assert expected["summary"]["passed"]["broken-compression"] == 6
    tasks = [paths[start : start + files_per_task] for start in range(0, len(paths), files_per_task)]
    row = tree(tasks, plan(folder))
    assert counted(row["part"]) == expected
    assert row["failures"] == []


def test_a_task_that_runs_twice_gives_the_same_and_leaves_nothing(crawl, tmp_path, monkeypatch):
    folder, paths = crawl
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first, second = surveyed(paths, plan(folder)), surveyed(paths, plan(folder))
    assert counted(first.json) == counted(second.json)
    assert list(tmp_path.iterdir()) == []


def test_options_are_those_of_the_command(crawl, tmp_path):
    folder, paths = crawl
    found = counted(surveyed(paths[:1], plan(folder, max_bytes=100)).json)
    assert found == warcs.one_machine(folder, paths[:1], tmp_path / "one.json", "--max-bytes", "100")
    assert counted(surveyed(paths[:1], plan(folder, depth="thorough")).json)["depth"] == "thorough"


def test_an_archive_that_cannot_be_read_is_a_failure_and_an_unreadable_input(crawl, tmp_path):
    folder, paths = crawl
    (folder / "page.warc.gz").write_bytes(b"<html>slow down</html>")
    (folder / "empty.warc.gz").write_bytes(b"")
    given = [paths[0], "gone.warc.gz", "page.warc.gz", "empty.warc.gz", paths[1]]
    expected = warcs.one_machine(folder, given, tmp_path / "one.json", status=(2,))
    assert expected["unreadable"] == 3
    row = tree([given[:2], given[2:3], given[3:]], plan(folder))
    assert counted(row["part"]) == expected
    errors = {failure["path"]: failure["error"] for failure in row["failures"]}
    assert list(errors) == ["gone.warc.gz", "page.warc.gz", "empty.warc.gz"]
    assert errors["gone.warc.gz"].startswith("FileNotFoundError")
    assert "neither a WARC record" in errors["page.warc.gz"] and "it is empty" in errors["empty.warc.gz"]


def test_an_archive_that_broke_off_in_its_fetch_is_not_counted(crawl):
    folder, paths = crawl

    def half(source, destination):
        with open(source, "rb") as archive, open(destination, "wb") as file:
            if source.endswith("00001.warc.gz"):
                file.write(archive.read(3_000))
                raise TimeoutError("it took too long")
            file.write(archive.read())

    found = surveyed(paths[:3], plan(folder, fetch=half))
    assert found.failures == [Failure(paths[1], "TimeoutError: it took too long")]
    assert found.to_dict()["unreadable"] == 1
    states = {entry["path"]: entry["state"] for entry in found.to_dict()["inputs"]}
    assert states == {paths[0]: "done", paths[1]: "unreadable", paths[2]: "done"}


def test_an_archive_that_was_cut_is_a_failure_and_what_was_read_counts(crawl):
    folder, paths = crawl
    (folder / "cut.warc.gz").write_bytes((folder / paths[0]).read_bytes()[:3_000])
    found = surveyed(["cut.warc.gz", paths[1]], plan(folder))
    assert [failure.path for failure in found.failures] == ["cut.warc.gz"]
    assert "cut off" in found.failures[0].error
    states = {entry["path"]: entry["state"] for entry in found.to_dict()["inputs"]}
    assert states == {"cut.warc.gz": "cut", paths[1]: "done"}


def test_absolute_paths_are_read_where_they_are(crawl, tmp_path):
    folder, paths = crawl
    absolute = [str(folder / path) for path in paths[:2]]

    def none(source, destination):
        raise AssertionError("an absolute path needs no fetch")

    found = surveyed([absolute[0], f"file://{absolute[1]}"], plan("https://example.com", fetch=none))
    assert counted(found.json) == warcs.one_machine(folder, absolute, tmp_path / "one.json")
    gone = surveyed([absolute[0], str(folder / "gone.warc.gz")], plan("https://example.com", fetch=none))
    assert [failure.path for failure in gone.failures] == [str(folder / "gone.warc.gz")]


def test_an_input_named_twice_is_refused(crawl):
    folder, paths = crawl
    base = "https://data.example/"
    for again in (paths[0], "./" + paths[0], base + paths[0], paths[0].replace("/segments/", "//segments/")):
        with pytest.raises(ValueError, match="given twice"):
            checked([*paths, again], base)
    # The merge would notice too.
    part = surveyed(paths[:1], plan(folder)).json
    with pytest.raises(SurveyFailed, match="CC-MAIN-00000"):
        merged([part, part], None)


def test_arguments_that_are_wrong_show_before_there_are_tasks():
    for path in ("../x.warc.gz", "a/../../x", "", "https://", "#x", "a\nb", "a ", "https://example.com//../x"):
        with pytest.raises(ValueError):
            checked([path], "https://example.com")
    with pytest.raises(ValueError, match="no paths"):
        survey(None, [])
    with pytest.raises(ValueError, match="several paths"):
        survey(None, "robotstxt.paths.gz")
    with pytest.raises(ValueError, match="files_per_task"):
        survey(None, ["a.warc.gz"], files_per_task=0)


def test_names_and_sources():
    base = "https://data.example/"
    assert name_of("crawl-data/x", base) == name_of(base + "crawl-data/x", base) == "crawl-data/x"
    assert name_of("s3://commoncrawl/crawl-data/x", base) == "commoncrawl/crawl-data/x"
    assert name_of("file:///data//x", base) == name_of("/data/./x", base) == "/data/x"
    assert source_of("crawl-data/x", base) == source_of("crawl-data/x", base[:-1]) == base + "crawl-data/x"
    assert source_of("s3://b/x", base) == "s3://b/x"


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_lists_of_paths(tmp_path, compress):
    (tmp_path / "list").write_bytes(compress(b"\xef\xbb\xbf# a crawl\r\na.warc.gz\r\n\n  b.warc.gz\n"))
    assert read_paths(tmp_path / "list") == ["a.warc.gz", "b.warc.gz"]


def test_a_worker_without_the_command_says_so(crawl, monkeypatch):
    folder, paths = crawl
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SurveyFailed, match="pip install polite-robots-cli"):
        surveyed(paths[:1], plan(folder))


def test_a_command_that_dies_is_no_part(crawl, tmp_path):
    folder, paths = crawl
    command = tmp_path / "robots"
    command.write_text("#!/bin/sh\necho killed >&2\nexit 137\n")
    command.chmod(0o755)
    with pytest.raises(SurveyFailed, match="status 137: killed"):
        surveyed(paths[:1], plan(folder, command=str(command)))


class Server:
    """A web server on loopback with answers in a list for each path; the last one stays."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append((self.path, self.headers["User-Agent"]))
                left = outer.answers[self.path]
                status, body, headers = left.pop(0) if len(left) > 1 else left[0]
                self.send_response(status)
                for name, value in {"Content-Length": len(body), **headers}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def pauses(monkeypatch):
    slept = []
    monkeypatch.setattr(fetching.time, "sleep", slept.append)
    return slept


def test_a_survey_over_http(crawl, tmp_path, pauses):
    folder, paths = crawl
    modified = {"Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT"}
    bodies = {path: (folder / path).read_bytes() for path in paths}
    served = {f"/{path}": [(200, body, modified)] for path, body in bodies.items()}
    served[f"/{paths[1]}"].insert(0, (503, b"slow down", {}))
    served[f"/{paths[2]}"].insert(0, (200, bodies[paths[2]][:99], {"Content-Length": len(bodies[paths[2]])}))
    served[f"/{paths[3]}"] = [(404, b"no", {})]
    served[f"/{paths[4]}"] = [(503, b"no", {})]
    with Server(served) as server:
        found = surveyed(paths, plan(server.url))
    asked = [path.removeprefix("/") for path, agent in server.asked if agent.startswith("polite-robots")]
    assert [asked.count(path) for path in paths] == [1, 2, 2, 1, 5, 1]
    assert pauses == [1.0, 1.0, 1.0, 2.0, 4.0, 8.0]
    assert [(failure.path, failure.error.split(":")[0]) for failure in found.failures] == [
        (paths[3], "HTTPError"),
        (paths[4], "HTTPError"),
    ]
    # The files that came, with the time that the server states.
    for path in paths[:3] + paths[5:]:
        there = tmp_path / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(bodies[path])
        os.utime(there, (1767323045, 1767323045))
    assert counted(found.json) == warcs.one_machine(tmp_path, paths, tmp_path / "one.json", status=(2,))


def test_no_connection_is_a_failure_after_five_tries(crawl, pauses):
    with Server({}) as server:
        url = server.url
    found = surveyed(["a.warc.gz"], plan(url))
    assert len(pauses) == 4
    assert [failure.path for failure in found.failures] == ["a.warc.gz"]


def test_other_schemes_are_failures(crawl):
    folder, paths = crawl
    found = surveyed(["ftp://example.com/x.warc.gz", paths[0]], plan(folder))
    assert [failure.error.split(":")[0] for failure in found.failures] == ["ValueError"]


def test_s3_needs_boto3_only_when_it_is_asked(monkeypatch, tmp_path, crawl):
    folder, paths = crawl
    asked = []

    class Client:
        def download_file(self, bucket, key, destination):
            asked.append((bucket, key))
            with open(destination, "wb") as file:
                file.write((folder / key).read_bytes())

        def head_object(self, Bucket, Key):
            import datetime

            return {"LastModified": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)}

    import types

    monkeypatch.setitem(__import__("sys").modules, "boto3", types.SimpleNamespace(client=lambda name: Client()))
    found = surveyed([paths[0]], plan("s3://commoncrawl"))
    assert asked == [("commoncrawl", paths[0])] and found.failures == []
    assert found.to_dict()["inputs"][0]["path"] == paths[0]


class Frame:
    """As much of a data frame as `survey` uses, on lists: the plan of its tree is seen without Spark."""

    def __init__(self, tables, levels):
        self.tables, self.levels = tables, levels

    def mapInArrow(self, function, schema):
        batches = [batch for table in self.tables for batch in function(iter(table.to_batches()))]
        return Frame([pa.Table.from_batches([batch]) for batch in batches], self.levels)

    def __getitem__(self, name):
        return Node()

    def select(self, node, *columns):
        return self

    def groupBy(self, name):
        return self

    def applyInArrow(self, function, schema):
        nodes = {}
        for table in self.tables:
            nodes.setdefault(table.column("node")[0].as_py() // FAN_IN, []).append(table)
        self.levels.append([len(tables) for tables in nodes.values()])
        tables = []
        for node, parts in nodes.items():
            parts = [part.set_column(0, "node", pa.array([node], pa.int64())) for part in parts]
            tables.append(function(pa.concat_tables(parts)))
        return Frame(tables, self.levels)

    def collect(self):
        return [row for table in self.tables for row in table.to_pylist()]


class Node:
    def __truediv__(self, other):
        assert other == FAN_IN
        return self

    def cast(self, kind):
        return self

    alias = cast


def test_workers_without_the_wheel_are_named():
    class Session:
        def range(self, *_):
            return self

        def mapInArrow(self, *_):
            return self

        def collect(self):
            raise RuntimeError("from a worker: ModuleNotFoundError: No module named 'polite_robots'")

    with pytest.raises(SurveyFailed, match="PYSPARK_PYTHON"):
        survey(Session(), ["a.warc.gz"])


def test_parts_are_added_up_as_a_tree(tmp_path, monkeypatch):
    """No task holds more than some parts, however many there are, and the driver neither."""
    names = []
    for number in range(FAN_IN + 3):
        name = f"{number}.warc.gz"
        (tmp_path / name).write_bytes(gzip.compress(warcs.capture(f"{number}.example", warcs.response(warcs.ROBOTS_TXT))))
        names.append(name)
    levels = []

    class Session:
        def range(self, start, end, step, partitions):
            assert partitions == end == len(names)
            return Frame([pa.table({"id": [number]}) for number in range(start, end, step)], levels)

    # A relative folder is one of the driver.
    monkeypatch.chdir(tmp_path.parent)
    found = survey(Session(), names, base_url=tmp_path.name, files_per_task=1)
    assert found.failures == []
    assert levels == [[FAN_IN, 3]]
    assert counted(found.json) == warcs.one_machine(tmp_path, names, tmp_path / "one.json")
