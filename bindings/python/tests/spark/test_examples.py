"""The examples that need no Spark."""

import importlib
import pathlib
import sys
import types
from collections import Counter

import pytest
import warcs
from fastwarc.warc import ArchiveIterator, WarcRecordType

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


class Base:
    """As much of `CCFastWarcSparkJob` as a job uses."""

    @staticmethod
    def get_payload_stream(record):
        return record.reader

    @staticmethod
    def is_response_record(record):
        return record.record_type == WarcRecordType.response


@pytest.fixture
def job(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setitem(sys.modules, "sparkcc_fastwarc", types.SimpleNamespace(CCFastWarcSparkJob=Base))
    return importlib.import_module("cc_pyspark_job").RobotsTxtJob()


def test_the_job_of_cc_pyspark_counts_crawlers(job, tmp_path):
    members = [
        warcs.capture("a.example", warcs.response(warcs.ROBOTS_TXT)),
        warcs.capture("b.example", warcs.response(b"User-agent: *\nDisallow: /\nAllow: /$\n")),
        warcs.capture("c.example", warcs.response(b"User-agent: *\nDisallow: /\n", "404 Not Found")),
        warcs.capture("d.example", b"GET / HTTP/1.1\r\n\r\n", kind="request"),
    ]
    (tmp_path / "x.warc").write_bytes(b"".join(members))
    counted = Counter()
    with open(tmp_path / "x.warc", "rb") as archive:
        for record in ArchiveIterator(archive, record_types=job.fastwarc_record_filter, parse_http=True):
            for key, value in job.process_record(record):
                counted[key] += value
    assert counted["GPTBot nothing"] == counted["GPTBot part"] == counted["CCBot nothing"] == 1
    assert counted["* part"] == counted["Bingbot part"] == 2
    assert sum(counted.values()) == 2 * len(job.crawlers)
