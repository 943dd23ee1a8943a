"""The rows of `RobotsTxtSource`, without Spark: what they say is what the command says."""

import datetime
import gzip
import json
import os
import pickle

import pyarrow as pa
import pytest
import warcs
from hypothesis import given, settings
from hypothesis import strategies as st

from polite_robots import InvalidToken
from polite_robots.spark import RobotsTxtSource
from polite_robots.spark._captures import captures
from polite_robots.spark._rows import COLUMNS
from polite_robots.spark._source import RobotsTxtReader

AGENTS = ["GPTBot", "ExampleBot", "OtherBot", "*"]
URLS = ["/", "/about", "/search?q=1", "https://ok-1.example/robots.txt"]


def rows(options, columns=tuple(COLUMNS)):
    # Options and partitions travel to the workers.
    reader = pickle.loads(pickle.dumps(RobotsTxtReader({name: str(value) for name, value in options.items()}, columns)))
    found = []
    for partition in reader.partitions():
        for batch in reader.read(pickle.loads(pickle.dumps(partition))):
            assert isinstance(batch, pa.RecordBatch) and batch.schema.names == list(columns)
            found += batch.to_pylist()
    return found


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    return folder / warcs.write(folder, 1)


def by_kind(found):
    return {row["host"].removesuffix("-1.example"): row for row in found}


def test_there_is_a_row_for_each_response_that_the_survey_counts(archive, tmp_path):
    found = rows({"path": archive})
    summary = warcs.one_machine(tmp_path, [str(archive)], tmp_path / "one.json")["summary"]
    assert len(found) == summary["responses"] == 16
    assert sum(row["groups"] is not None for row in found) == summary["files"] == 13
    assert sum(row["is_html"] is True for row in found) == summary["texts"]["html"] == 1
    statuses = summary["statuses"]
    for status in (200, 301, 404, 503):
        assert sum(row["status"] == status for row in found) == statuses["by_status"][str(status)]
    assert by_kind(found)["page"]["is_html"] is True


def test_bodies_are_without_their_codings(archive):
    text = warcs.ROBOTS_TXT + b"Disallow: /1\n"
    found = {capture.url.split("-")[0].removeprefix("https://"): capture for capture in captures(str(archive), 1 << 20)}
    for kind in ("ok", "gzip", "br", "zlib", "chunks", "decoded", "never", "http2", "query", "brackets"):
        assert found[kind].body == text, kind
    assert found["open"].body == b"" and found["long"].body.startswith(text)
    assert found["missing"].body == b"<h1>Not found</h1>"


def test_a_row_says_where_and_when_it_was_found(archive):
    row = by_kind(rows({"path": archive}))["ok"]
    assert row["url"] == "https://ok-1.example/robots.txt" and row["warc"] == str(archive)
    assert row["fetched"] == datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    assert row["digest"] == "sha1:DIGEST" and row["error"] is None
    with open(archive, "rb") as file:
        file.seek(row["offset"])
        assert b"https://ok-1.example/robots.txt" in gzip.GzipFile(fileobj=file).read(300)


def test_a_row_says_what_the_command_says(archive, tmp_path):
    robots_txt = tmp_path / "robots.txt"
    found = rows({"path": archive, "agents": ",".join(AGENTS), "urls": " ".join(URLS)})
    named = rows({"path": archive})
    bodies = {capture.url: capture.body for capture in captures(str(archive), 1 << 20)}
    files = [pair for pair in zip(found, named, strict=True) if pair[0]["status"] == 200]
    for row, by_file in files:
        robots_txt.write_bytes(bodies[row["url"]])
        listed = json.loads(warcs.robots(tmp_path, "agents", "--json", "robots.txt"))["agents"]
        assert [
            (agent["token"], agent["may"], agent["complete"], agent["line"], agent["crawl_delay"])
            for agent in by_file["agents"]
        ] == [
            (agent["agent"], agent["access"], agent["complete"], agent["line"], agent["crawl_delay_seconds"])
            for agent in listed
        ]
        stated = {(use["agent"], use["category"]): use["preference"] for use in by_file["usage"]}
        for agent in listed:
            for category in ("search", "ai_input", "ai_training"):
                preference = stated.get((agent["agent"], category.replace("_", "-")), "unstated")
                assert preference == agent["usage"][category]
        expected = []
        for agent in AGENTS:
            out = warcs.robots(tmp_path, "check", "--json", "--agent", agent, "robots.txt", *URLS, status=(0, 1))
            for result in json.loads(out)["results"]:
                expected.append({"agent": agent} | {name: result[name] for name in ("url", "allowed", "line", "reason")})
        assert row["verdicts"] == expected
        lint = json.loads(warcs.robots(tmp_path, "lint", "--format", "json", "robots.txt", status=(0, 1)))
        lines = [(found["code"], found["start"]["line"]) for file in lint["files"] for found in file["findings"]]
        assert sorted((finding["code"], finding["line"]) for finding in row["findings"]) == sorted(lines)
    assert len(files) == 13


def test_agents_that_are_asked_for_are_in_each_row(archive):
    row = by_kind(rows({"path": archive, "agents": " GPTBot, OtherBot"}))["ok"]
    gptbot, other = row["agents"]
    assert (gptbot["token"], gptbot["named"], gptbot["may"], gptbot["line"]) == ("GPTBot", True, "nothing", 8)
    assert (other["token"], other["named"], other["may"], other["line"]) == ("OtherBot", False, "part", None)
    assert other["crawl_delay"] == row["crawl_delay"] == 2.0 and gptbot["crawl_delay"] is None
    assert {"agent": "OtherBot", "category": "ai-training", "preference": "disallowed"} in row["usage"]
    assert row["sitemaps"] == ["https://example.com/sitemap.xml"] and row["groups"] == 3


def test_an_allow_of_the_home_page_alone_is_a_part(archive):
    """Asked about `/` alone, this file seems open to everyone."""
    row = by_kind(rows({"path": archive, "agents": "ExampleBot", "urls": "/"}))["ok"]
    assert row["agents"][0]["may"] == "part" and row["verdicts"][0]["allowed"] is True


def test_columns_of_the_file_are_null_without_one(archive):
    found = by_kind(rows({"path": archive}))
    for kind in ("missing", "busy", "moved"):
        of_file = [name for name, column in COLUMNS.items() if column.of_file]
        assert len(of_file) == 9 and all(found[kind][name] is None for name in of_file), kind
    assert found["open"]["agents"] == [] and found["open"]["groups"] == 0


def test_a_body_is_cut_at_the_limit(archive):
    found = by_kind(rows({"path": archive, "max_bytes": 40}))
    assert found["ok"]["truncated_at"] is not None and found["ok"]["truncated_at"] <= 40
    assert found["ok"]["bytes"] == 41, "one byte more shows that there was more"
    assert found["open"]["truncated_at"] is None
    assert by_kind(rows({"path": archive}))["long"]["truncated_at"] is None


def test_the_dialect_is_that_of_the_option(tmp_path):
    text = b"User-agent: *\nDisallow: /a\nAllow: /index.html\nDisallow: /\n"
    (tmp_path / "x.warc.gz").write_bytes(gzip.compress(warcs.capture("a.example", warcs.response(text))))
    asked = {"path": tmp_path / "x.warc.gz", "agents": "*", "urls": "/"}
    verdicts = {dialect: rows(asked | {"dialect": dialect})[0]["verdicts"][0] for dialect in ("rfc9309", "google")}
    assert verdicts["rfc9309"]["allowed"] is False and verdicts["google"]["allowed"] is True


def test_columns_that_nobody_asks_for_are_left_out(archive, monkeypatch):
    monkeypatch.delattr("polite_robots.spark._rows.RobotsTxt")
    found = rows({"path": archive}, ["host", "status"])
    assert len(found) == 16 and list(found[0]) == ["host", "status"]


def test_archives_that_cannot_be_read_are_rows(tmp_path, archive):
    (tmp_path / "a.warc.gz").write_bytes(b"<html>")
    (tmp_path / "b.warc").write_bytes(b"".join(gzip.decompress(member) for member in warcs.members(2)[:5]))
    paths = [str(tmp_path), str(archive)]
    found = rows({"paths": json.dumps(paths), "files_per_task": 1})
    errors = [row for row in found if row["error"]]
    assert [row["warc"] for row in errors] == [str(tmp_path / "a.warc.gz")]
    assert "no WARC archive" in errors[0]["error"] and errors[0]["url"] is None
    assert len(found) == 1 + 3 + 16
    assert rows({"path": tmp_path / "a.warc.gz"}, ["url"]) == [{"url": None}]


def test_a_list_of_paths_below_a_folder(tmp_path, monkeypatch):
    names = [warcs.write(tmp_path, number) for number in range(3)]
    (tmp_path / "robotstxt.paths.gz").write_bytes(gzip.compress("\n".join([*names, "gone.warc.gz"]).encode()))
    options = {"paths": tmp_path / "robotstxt.paths.gz", "base_url": tmp_path, "files_per_task": 2}
    reader = RobotsTxtReader({name: str(value) for name, value in options.items()}, ["warc", "error"])
    assert [partition.value for partition in reader.partitions()] == [tuple(names[:2]), (names[2], "gone.warc.gz")]
    found = rows(options)
    assert len(found) == 3 * 16 + 1 and {row["warc"] for row in found} == {*names, "gone.warc.gz"}
    assert found[-1]["error"].startswith("FileNotFoundError")
    # The driver's folder: a worker has another one.
    monkeypatch.chdir(tmp_path.parent)
    reader = RobotsTxtReader({name: str(value) for name, value in (options | {"base_url": tmp_path.name}).items()}, ["error"])
    monkeypatch.chdir("/")
    assert [row for batch in reader.read(reader.partitions()[0]) for row in batch.to_pylist()] == [{"error": None}] * 32


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_half_of_a_record_is_no_row_but_an_error(tmp_path, pack):
    # All but the broken one.
    members = [member for number, member in enumerate(warcs.members(1)) if number != 5]
    is_capture = {row["offset"] for row in rows_of(members)}
    file, start, before, content = tmp_path / "x.warc", 0, 0, b""
    for member in members:
        packed = pack(gzip.decompress(member))
        for length in (0, 1, 2, len(packed) // 4, len(packed) // 2, len(packed) * 3 // 4):
            file.write_bytes(content + packed[:length])
            if content or length:
                found = rows({"path": file}, ["url", "error"])
                errors = [row for row in found if row["error"]]
                assert len(found) - len(errors) == before, (start, length)
                assert len(errors) == (length > 0), (start, length)
                assert not errors or errors[0]["url"] is None and found[-1] is errors[0]
        before += start in is_capture
        start += len(member)
        content += packed
    assert before == len(is_capture) == 16


def test_the_rows_before_an_error_stay(tmp_path):
    members = warcs.members(1)
    (tmp_path / "x.warc.gz").write_bytes(b"".join(members * 17)[:-60])
    found = rows({"path": tmp_path / "x.warc.gz"}, ["url", "error"])
    assert len(found) == 16 * 17 and [row["error"] is None for row in found] == [True] * (len(found) - 1) + [False]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({}, ValueError, "path"),
        ({"path": "x", "paths": "y"}, ValueError, "either"),
        ({"path": "/nowhere/*.warc.gz"}, FileNotFoundError, "nowhere"),
        ({"path": os.path.dirname(__file__)}, FileNotFoundError, "no WARC archive .*robots.txt files"),
        ({"paths": "[]"}, ValueError, "no paths"),
        ({"paths": os.devnull}, ValueError, "no paths"),
        ({"path": "/", "agent": "GPTBot"}, ValueError, "no option agent"),
        ({"path": "x", "agents": "Gpt Bot"}, InvalidToken, "Gpt Bot"),
        ({"path": "x", "dialect": "bing"}, ValueError, "bing"),
        ({"path": "x", "max_bytes": "0"}, ValueError, "max_bytes"),
        ({"path": "x", "files_per_task": "-1"}, ValueError, "files_per_task"),
        ({"path": "x", "urls": "/"}, ValueError, "agents"),
    ],
)
def test_options_that_are_wrong_are_errors_before_there_are_tasks(options, error, says):
    with pytest.raises(error, match=says):
        RobotsTxtReader(options, ["url"])


def test_a_schema_with_another_column_is_an_error(archive):
    with pytest.raises(ValueError, match="no column robots"):
        RobotsTxtReader({"path": str(archive)}, ["url", "robots"])


def test_the_source_names_itself_and_its_columns():
    source = RobotsTxtSource({"path": "x"})
    assert source.name() == "robotstxt"
    assert source.schema().startswith("url string, host string, status int")


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damage_of_any_kind_costs_the_damaged_records_only(tmp_path_factory, data):
    members = [member for member in warcs.members(1)]
    content = bytearray(b"".join(members))
    start = data.draw(st.integers(0, len(content) - 1))
    hole = data.draw(st.binary(min_size=1, max_size=60))
    content[start : start + len(hole)] = hole
    file = tmp_path_factory.mktemp("damage") / "x.warc.gz"
    file.write_bytes(content[: data.draw(st.integers(start, len(content)))])
    found = rows({"path": file}, ["url", "offset", "error"])
    # Members end before the damage, or begin after it.
    ends = [sum(map(len, members[: number + 1])) for number in range(len(members))]
    whole = {row["offset"] for row in rows_of(members) if row["end"] <= start}
    assert whole <= {row["offset"] for row in found}
    assert ends[-1] == len(b"".join(members))


def rows_of(members):
    """The offsets and ends of the members that are rows, if nothing is damaged."""
    at, placed = 0, []
    hosts = ("sent", "target", "dns", "bad", "broken")
    for member in members:
        try:
            head = gzip.decompress(member)[:300]
        except Exception:
            head = b"broken-"
        if b"warcinfo" not in head and not any(f"{host}-".encode() in head for host in hosts):
            placed.append({"offset": at, "end": at + len(member)})
        at += len(member)
    return placed


def test_records_behind_damage_are_found(tmp_path):
    members = warcs.members(1)
    for number in range(len(members)):
        damaged = [warcs.broken(member) if at == number else member for at, member in enumerate(members)]
        (tmp_path / "x.warc.gz").write_bytes(b"".join(damaged))
        found = {row["offset"] for row in rows({"path": tmp_path / "x.warc.gz"}, ["offset", "error"])}
        at = sum(map(len, members[:number]))
        assert found >= {row["offset"] for row in rows_of(members) if row["offset"] != at}, number
