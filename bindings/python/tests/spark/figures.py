"""Figures of a survey and of rows on Spark, from folders of robots.txt files: `run figures FOLDER…`.

Packs the files into WARC archives and compares: Spark with one machine, rows with the command, the speed with that of the
usual jobs, on one thread and on Spark, and 1, 4 and 16 times as many records. Speed is judged by the processor time in user
mode, so that other work on the machine counts for little.
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from operator import add

import warcs
from fastwarc.warc import ArchiveIterator, WarcRecordType
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from polite_robots import RobotsTxt
from polite_robots.spark import RobotsTxtSource, survey

cloudpickle.register_pickle_by_value(sys.modules[__name__])

ARCHIVES = 40
RECORDS = 12_000
RECORDS_OF_THREAD = 28_000
AGENTS = ["GPTBot", "CCBot", "*"]
URLS = ["/", "/search?q=1", "/a/b.html"]


def pack(files, folder, archives=ARCHIVES):
    """Writes robots.txt files as captures, one gzip member each; gives the paths of the archives below the folder."""
    members = {}
    for number, file in enumerate(files):
        body = file.read_bytes()
        content = warcs.response(
            body, Content_Type="text/plain", Server="test", Date="Fri, 02 Jan 2026 03:04:05 GMT", Content_Length=len(body)
        )
        record = warcs.record(f"https://{number}.{file.name}/robots.txt", content)
        members.setdefault(number % archives, []).append(gzip.compress(record, 6, mtime=0))
    paths = []
    for number, packed in sorted(members.items()):
        path = f"crawl-data/{number:05}.warc.gz"
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"".join(packed))
        paths.append(path)
    return paths


# The usual jobs, as a study would write them, and ours in their form: a function from an archive to pairs, which Spark
# adds up.


def by_reading(path):
    """Counts the captures and reads their bodies: the least that a job in Python takes."""
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is not None and record.http_headers.status_code == 200:
                yield ("robotstxt", bool(record.reader.read())), 1


def by_regex(path):
    """Counts the fields and the agents of each line by a regular expression."""
    line_of = re.compile(r"^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$")
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is None or record.http_headers.status_code != 200:
                continue
            yield ("robotstxt", ""), 1
            agents = set()
            for line in record.reader.read().decode("utf-8", "replace").splitlines():
                found = line_of.match(line)
                if found:
                    field, value = found[1].lower(), found[2]
                    yield ("field", field), 1
                    if field == "user-agent":
                        agents.add(value.lower())
            for agent in agents:
                yield ("agent", agent), 1


def by_two_regexes(path):
    """Finds the agents and a `Disallow` of everything in the bodies, by two regular expressions."""
    agents = re.compile(rb"(?im)^[ \t]*user-agent[ \t]*:[ \t]*([^\s#]+)").findall
    closes = re.compile(rb"(?im)^[ \t]*disallow[ \t]*:[ \t]*/[ \t]*\r?$").search
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is None or record.http_headers.status_code != 200:
                continue
            body = record.reader.read()
            yield ("robotstxt", closes(body) is not None), 1
            for agent in set(agents(body)):
                yield ("agent", agent.lower()), 1


def by_robotparser(path):
    """Asks the parser of the standard library about the home page, for ten crawlers."""
    from urllib.robotparser import RobotFileParser

    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is None or record.http_headers.status_code != 200:
                continue
            parser = RobotFileParser()
            parser.parse(record.reader.read().decode("utf-8", "replace").splitlines())
            yield ("robotstxt", ""), 1
            for agent in CRAWLERS:
                yield (agent, parser.can_fetch(agent, "/")), 1


def by_access(path):
    """Counts how much ten crawlers may fetch, as `examples/cc_pyspark_job.py` does."""
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            if record.http_headers is None or record.http_headers.status_code != 200:
                continue
            for agent in RobotsTxt(record.reader.read()).agents(CRAWLERS):
                yield (agent.agent, agent.access), 1


def usual(spark, job, files, tasks):
    paths = spark.sparkContext.parallelize(files, tasks)
    return dict(paths.flatMap(job).reduceByKey(add).collect())


def rows(spark, folder, agents=None, columns=None, files_per_task=8):
    reader = spark.read.format("robotstxt").option("files_per_task", str(files_per_task))
    if columns:
        reader = reader.schema(columns)
    if agents:
        reader = reader.option("agents", ",".join(agents)).option("urls", " ".join(URLS))
    return reader.load(str(folder / "crawl-data"))


def equality(spark, folder, paths):
    expected = warcs.one_machine(folder, paths, folder / "one.json")
    found = survey(spark, paths, base_url=folder, files_per_task=3)
    same = warcs.without_timings(json.loads(found.json)) == expected and not found.failures
    leaves = str(expected).count(":")
    print(f"survey on Spark = survey on one machine: {same}; {len(paths)} archives, {expected['summary']['files']} files,")
    print(f"  {len(found.json)} bytes of JSON with about {leaves} values")
    assert same


def answers(spark, folder, files, count):
    sample = files[:: max(1, len(files) // count)][:count]
    with tempfile.TemporaryDirectory() as other:
        other = pathlib.Path(other)
        pack(sample, other)
        by_file = {row["host"]: row for row in rows(spark, other).collect()}
        asked = {row["host"]: row for row in rows(spark, other, AGENTS).collect()}
    agents = verdicts = 0
    for number, file in enumerate(sample):
        host = f"{number}.{file.name}".lower()
        listed = json.loads(warcs.robots("/", "agents", "--json", str(file)))["agents"]
        expected = [
            (agent["agent"], agent["access"], agent["complete"], agent["line"], agent["crawl_delay_seconds"])
            for agent in listed
        ]
        found = [
            (agent["token"], agent["may"], agent["complete"], agent["line"], agent["crawl_delay"])
            for agent in by_file[host]["agents"]
        ]
        assert found == expected, file
        agents += len(found)
        expected = []
        for agent in AGENTS:
            out = warcs.robots("/", "check", "--json", "--agent", agent, str(file), *URLS, status=(0, 1))
            expected += [
                (agent, answer["url"], answer["allowed"], answer["line"], answer["reason"])
                for answer in json.loads(out)["results"]
            ]
        found = [tuple(verdict) for verdict in asked[host]["verdicts"]]
        assert found == expected, file
        verdicts += len(found)
    print(f"rows = `robots agents --json` and `robots check --json`: all, on {len(sample)} files")
    print(f"  {agents} agents, {verdicts} verdicts")


def thread(files, rounds):
    """One thread and one archive, without Spark. Each job is a process of its own, and starts when all modules are loaded."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = [files[number % len(files)] for number in range(RECORDS_OF_THREAD)]
        (path,) = pack(files, folder, archives=1)
        path = str(folder / path)
        survey_of_thread = [warcs.ROBOTS, "survey", "--threads", "1", path]
        jobs = {
            "survey": lambda: os.execv(warcs.ROBOTS, [*survey_of_thread, "--sampled"]),
            "survey --thorough": lambda: os.execv(warcs.ROBOTS, [*survey_of_thread, "--thorough"]),
            "FastWARC, nothing but reading": lambda: counted(by_reading, path),
            "FastWARC, two regexes a body": lambda: counted(by_two_regexes, path),
            "FastWARC, a regex a line": lambda: counted(by_regex, path),
            "FastWARC, urllib.robotparser": lambda: counted(by_robotparser, path),
        }
        seconds = {name: [] for name in jobs}
        for _ in range(rounds):
            for name, job in jobs.items():
                seconds[name].append(seconds_of(job))
        print(f"processor seconds for {RECORDS_OF_THREAD} records on one thread, {rounds} rounds that take turns:")
        for name, times in seconds.items():
            ratios = [of(times) / of(seconds["survey"]) for of in (min, statistics.median)]
            print(
                f"  {name:35} {min(times):6.2f} s, median {statistics.median(times):6.2f} s;"
                f" survey is {ratios[0]:5.2f} times as fast, median {ratios[1]:5.2f}"
            )


def counted(job, path):
    counts = Counter()
    for key, number in job(path):
        counts[key] += number


def seconds_of(job):
    """The processor time of a job in a process of its own, whose output nobody reads."""
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        job()
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    assert status == 0
    return used.ru_utime


def seconds_so_far():
    """The processor time of this process and all below it, of which the driver, the executors and the workers are some."""
    used, children = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            # It has ended.
            continue
        process = int(stat.parent.name)
        # Its own time in user mode, and that of its children that it has waited for.
        used[process] = int(fields[11]) + int(fields[13])
        children.setdefault(int(fields[1]), []).append(process)
    total, left = 0, [os.getpid()]
    while left:
        process = left.pop()
        total += used.get(process, 0)
        left += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def speed(spark, files, cores, rounds):
    """Start-up is the time of the same job on one record for each archive; it is excluded."""
    with tempfile.TemporaryDirectory() as folder:
        many, few = pathlib.Path(folder, "many"), pathlib.Path(folder, "few")
        files = [files[number % len(files)] for number in range(RECORDS)]
        paths = {many: pack(files, many), few: pack(files[:ARCHIVES], few)}
        share = ARCHIVES // cores
        columns = "url string, status int, " + COLUMN

        def absolute(folder):
            return [str(folder / path) for path in paths[folder]]

        jobs = {
            "survey": lambda folder: survey(spark, paths[folder], base_url=folder, files_per_task=share),
            "rows, access of ten crawlers": lambda folder: (
                rows(spark, folder, CRAWLERS, columns, share)
                .selectExpr("explode(agents) a")
                .groupBy("a.token", "a.may")
                .count()
                .collect()
            ),
            "the job of cc-pyspark, ten crawlers": lambda folder: usual(spark, by_access, absolute(folder), cores),
            "FastWARC, nothing but reading": lambda folder: usual(spark, by_reading, absolute(folder), cores),
            "FastWARC, two regexes a body": lambda folder: usual(spark, by_two_regexes, absolute(folder), cores),
            "FastWARC, a regex a line": lambda folder: usual(spark, by_regex, absolute(folder), cores),
            "FastWARC, urllib.robotparser": lambda folder: usual(spark, by_robotparser, absolute(folder), cores),
        }
        seconds = {(name, folder): [] for name in jobs for folder in paths}
        for round in range(rounds + 1):
            for name, job in jobs.items():
                for folder in paths:
                    start = seconds_so_far()
                    job(folder)
                    # The first round starts the workers.
                    if round:
                        seconds[name, folder].append(seconds_so_far() - start)

        def each(name, of):
            return (of(seconds[name, many]) - of(seconds[name, few])) / (RECORDS - ARCHIVES)

        print(f"processor time for each of {RECORDS} records, {cores} cores, {rounds} rounds that take turns, without start-up:")
        for name in jobs:
            best, median = each(name, min), each(name, statistics.median)
            ratios = [each(name, of) / each("survey", of) for of in (min, statistics.median)]
            whole, start = statistics.median(seconds[name, many]), statistics.median(seconds[name, few])
            print(
                f"  {name:35} {best * 1e6:4.0f} us, median {median * 1e6:4.0f} us, {1 / best:6.0f} a second;"
                f" survey is {ratios[0]:4.1f} times as fast, median {ratios[1]:4.1f}"
                f"   ({whole:.2f} s, of which start-up {start:.2f} s)"
            )


CRAWLERS = [
    *("GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Bytespider"),
    *("PerplexityBot", "Amazonbot", "Applebot-Extended", "meta-externalagent", "OAI-SearchBot"),
]
COLUMN = "agents array<struct<token: string, named: boolean, may: string, complete: boolean, line: int, crawl_delay: double>>"


def growth(spark, files):
    """A wrapper of the command writes the peak of its memory down."""
    print("growth, 10 archives for each task:")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrapper = folder / "robots"
        log = folder / "peaks"
        wrapper.write_text(
            f"#!{sys.executable}\n"
            "import resource, subprocess, sys\n"
            f"status = subprocess.call([{warcs.ROBOTS!r}, *sys.argv[1:]])\n"
            "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            f"kind = 'merge' if 'merge' in sys.argv else 'survey'\n"
            f"open({str(log)!r}, 'a').write(f'{{kind}} {{used.ru_maxrss}} {{used.ru_utime + used.ru_stime}}\\n')\n"
            "sys.exit(status)\n"
        )
        wrapper.chmod(0o755)
        one = pack(files, folder)
        for times in (1, 4, 16):
            paths = list(one)
            for copy in range(1, times):
                for path in one:
                    name = path.replace("crawl-data/", f"crawl-data/{copy:02}-")
                    if not (folder / name).exists():
                        shutil.copy2(folder / path, folder / name)
                    paths.append(name)
            log.write_text("")
            start = time.perf_counter()
            found = survey(spark, paths, base_url=folder, files_per_task=10, command=str(wrapper))
            seconds = time.perf_counter() - start
            responses = found.to_dict()["summary"]["responses"]
            lines = [line.split() for line in log.read_text().splitlines()]
            peak = {kind: max(int(line[1]) for line in lines if line[0] == kind) for kind in {line[0] for line in lines}}
            used = {kind: sum(float(line[2]) for line in lines if line[0] == kind) for kind in peak}
            print(
                f"  {times:2}x: {responses:7} records, {seconds:6.1f} s, surveys {used['survey']:6.2f} s of a core,"
                f" merges {used.get('merge', 0):5.2f} s, peak of a task {peak['survey'] / 1024:.0f} MiB,"
                f" of a merge {peak.get('merge', 0) / 1024:.0f} MiB, JSON {len(found.json) / 1e6:.1f} MB"
            )


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments.add_argument("--only", nargs="*", default=["thread", "equality", "answers", "speed", "growth"])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--files", type=int, default=1_000)
    given = arguments.parse_args()
    files = [file for folder in given.folders for file in sorted(folder.iterdir()) if file.is_file()]
    if "thread" in given.only:
        thread(files, given.rounds)
    if given.only == ["thread"]:
        return
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.dataSource.register(RobotsTxtSource)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if "equality" in given.only:
            equality(spark, folder, pack(files, folder))
    if "answers" in given.only:
        answers(spark, folder, files, given.files)
    if "speed" in given.only:
        speed(spark, files, 2, given.rounds)
    if "growth" in given.only:
        growth(spark, files)
    spark.stop()


if __name__ == "__main__":
    main()
