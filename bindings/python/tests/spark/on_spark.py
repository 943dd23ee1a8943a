"""On Spark: the tasks of `test_survey.py` and the rows of `test_rows.py`, run by its workers. `run` installs what it needs."""

import datetime
import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import venv

import pytest
import warcs
from pyspark import cloudpickle
from pyspark.sql import SparkSession, functions

from polite_robots.spark import RobotsTxtSource, fetch, read_paths, survey
from polite_robots.spark._rows import COLUMNS
from polite_robots.spark._source import RobotsTxtReader
from polite_robots.spark._survey import FAN_IN

# The workers do not have this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

# More than one level of the tree.
FILES = FAN_IN + 4


def session(master):
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.sql.session.timeZone", "UTC")
    spark = builder.config("spark.executor.memory", "512m").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl")
    paths = [warcs.write(folder, number) for number in range(FILES)]
    return folder, paths, warcs.one_machine(folder, paths, folder / "one.json")


@pytest.fixture(scope="module", params=["local[2, 4]", "local-cluster[2, 1, 512]"])
def spark(request):
    spark = session(request.param)
    yield spark
    spark.stop()


def counted(found):
    return warcs.without_timings(json.loads(found.json))


@pytest.mark.parametrize("files_per_task", [1, 7, 64])
def test_the_survey_is_that_of_one_machine(spark, crawl, files_per_task):
    folder, paths, expected = crawl
    found = survey(spark, paths, base_url=folder, files_per_task=files_per_task)
    assert counted(found) == expected and found.failures == []


def test_archives_that_cannot_be_read_are_rows_of_the_result(spark, crawl, tmp_path):
    folder, paths, _ = crawl
    (folder / "page.warc.gz").write_bytes(b"<html>slow down</html>")
    given = ["gone.warc.gz", *paths, "page.warc.gz"]
    found = survey(spark, given, base_url=folder, files_per_task=1)
    assert counted(found) == warcs.one_machine(folder, given, tmp_path / "one.json", status=(2,))
    assert sorted(failure.path for failure in found.failures) == ["gone.warc.gz", "page.warc.gz"]


def kill(pid_of, mark):
    """A fetch that kills a process the first time that it gets the tenth archive."""

    def fetch_and_kill(source, destination):
        fetch(source, destination)
        if source.endswith("00010.warc.gz") and not mark.exists():
            mark.touch()
            os.kill(pid_of(), signal.SIGKILL)

    return fetch_and_kill


def executor():
    """The Java process above this worker: its parent is the daemon that forks the workers."""
    parent = pathlib.Path(f"/proc/{os.getppid()}/status").read_text()
    return int(parent.split("PPid:")[1].split()[0])


def test_a_worker_that_is_killed_changes_nothing(spark, crawl, tmp_path):
    folder, paths, expected = crawl
    mark = tmp_path / "killed"
    found = survey(spark, paths, base_url=folder, files_per_task=3, fetch=kill(os.getpid, mark))
    assert mark.exists() and counted(found) == expected and found.failures == []


def test_an_executor_that_is_killed_changes_nothing(spark, crawl, tmp_path):
    if spark.sparkContext.master.startswith("local["):
        pytest.skip("its executor is the driver")
    folder, paths, expected = crawl
    mark = tmp_path / "killed"
    found = survey(spark, paths, base_url=folder, files_per_task=3, fetch=kill(executor, mark))
    assert mark.exists() and counted(found) == expected and found.failures == []


def test_rows_are_those_without_spark(spark, crawl):
    folder, paths, expected = crawl
    spark.dataSource.register(RobotsTxtSource)
    options = {"path": str(folder / "crawl-data"), "agents": "GPTBot,ExampleBot", "urls": "/ /about"}
    frame = spark.read.format("robotstxt").options(**options, files_per_task="3").load()
    assert frame.columns == list(COLUMNS)
    found = [row.asDict(recursive=True) for row in frame.collect()]
    reader = RobotsTxtReader(options, list(COLUMNS))
    direct = [row for files in reader.partitions() for batch in reader.read(files) for row in batch.to_pylist()]
    for row in direct:
        row["fetched"] = row["fetched"].replace(tzinfo=None)
    for row in found:
        # Spark gives local times.
        row["fetched"] = row["fetched"].astimezone(datetime.timezone.utc).replace(tzinfo=None)

    def key(row):
        return row["warc"], row["offset"]

    assert sorted(found, key=key) == sorted(direct, key=key)
    assert len(found) == expected["summary"]["responses"]


def test_rows_answer_questions_in_sql(spark, crawl):
    folder, _, expected = crawl
    spark.dataSource.register(RobotsTxtSource)
    frame = spark.read.format("robotstxt").schema("status int, agents " + COLUMNS["agents"].spark)
    frame = frame.option("agents", "GPTBot").load(str(folder / "crawl-data"))
    assert frame.columns == ["status", "agents"]
    shut = frame.where("status = 200").select(functions.explode("agents").alias("agent")).groupBy("agent.may").count()
    counts = {row["may"]: row["count"] for row in shut.collect()}
    assert sum(counts.values()) == expected["summary"]["files"]
    # All but the HTML pages' first records, and the empty files, name GPTBot.
    assert counts["nothing"] == 12 * FILES and counts["everything"] == FILES


def test_lists_of_paths_and_several_paths(spark, crawl):
    folder, paths, expected = crawl
    spark.dataSource.register(RobotsTxtSource)
    (folder / "robotstxt.paths").write_text("\n".join(paths))
    reader = spark.read.format("robotstxt").schema("url string")
    listed = reader.option("paths", str(folder / "robotstxt.paths")).option("base_url", str(folder)).load()
    assert listed.count() == expected["summary"]["responses"]
    two = spark.read.format("robotstxt").load([str(folder / path) for path in paths[:2]])
    assert two.count() == 2 * 16


def test_wrong_options_are_named(spark, crawl):
    spark.dataSource.register(RobotsTxtSource)
    with pytest.raises(Exception, match="not a product token"):
        spark.read.format("robotstxt").option("agents", "Gpt Bot").load(str(crawl[0])).count()


def test_a_folder_without_archives_is_an_error_that_says_so(spark, tmp_path):
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /")
    spark.dataSource.register(RobotsTxtSource)
    with pytest.raises(Exception, match="there is no WARC archive .* for a folder of robots.txt files"):
        spark.read.format("robotstxt").load(str(tmp_path)).count()


def test_workers_without_the_wheel_are_named(crawl, tmp_path):
    venv.create(tmp_path / "bare", with_pip=False)
    folder, paths, _ = crawl
    code = f"import on_spark; on_spark.survey(on_spark.session('local[1]'), {paths[:1]}, base_url={str(folder)!r})"
    environment = os.environ | {"PYSPARK_PYTHON": str(tmp_path / "bare/bin/python"), "PYTHONPATH": os.path.dirname(__file__)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "SurveyFailed: the Python of the workers has no wheel `polite-robots`" in ran.stderr


EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def test_the_job_for_a_whole_crawl(crawl, tmp_path):
    folder, paths, expected = crawl
    (folder / "robotstxt.paths.gz").write_bytes(gzip.compress("\n".join([*paths, "gone.warc.gz"]).encode()))
    ran = subprocess.run(
        [
            pathlib.Path(sys.executable).with_name("spark-submit"),
            *("--master", "local[2]", "--conf", "spark.ui.enabled=false", EXAMPLES / "whole_crawl.py"),
            *(folder / "robotstxt.paths.gz", tmp_path / "survey.json", "--base-url", folder, "--files-per-task", "7"),
        ],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2, ran.stderr[-2000:]
    found = warcs.without_timings(json.loads((tmp_path / "survey.json").read_bytes()))
    assert found["summary"]["files"] == expected["summary"]["files"]
    # The archives that failed are a list that the job reads.
    assert read_paths(tmp_path / "survey.json.failed") == ["gone.warc.gz"]


def test_the_notebook_draws_its_figures(spark, crawl, monkeypatch):
    folder, _, expected = crawl
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("ARCHIVES", str(folder / "crawl-data"))
    names = {}
    cells = json.loads((EXAMPLES / "study.ipynb").read_bytes())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for number, source in enumerate(code):
        exec(compile(source, f"cell {number}", "exec"), names)
    assert names["number"] == expected["summary"]["files"] - FILES
    assert names["access"].loc["GPTBot", "nothing"] == 100 * 11 / 12
    assert dict(names["statuses"].values.tolist()) == {200: 13 * FILES, 301: FILES, 404: FILES, 503: FILES}
    assert len(names["stated"]) == 2 and len(names["findings"]) > 0
