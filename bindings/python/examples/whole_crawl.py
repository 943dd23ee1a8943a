"""Surveys the robots.txt files of a whole crawl.

    curl -LO https://data.commoncrawl.org/crawl-data/CC-MAIN-2026-01/robotstxt.paths.gz
    spark-submit --conf spark.task.maxFailures=8 whole_crawl.py robotstxt.paths.gz survey.json

On EMR or elsewhere in the region of the bucket, read from it: `--base-url s3://commoncrawl/`, with `boto3` on the workers.
`robots survey compare` and `robots survey merge --report page.html` read the result.
"""

import argparse
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from polite_robots.spark import COMMON_CRAWL, read_paths, survey


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", help="the list of archives, such as robotstxt.paths.gz")
    arguments.add_argument("out", type=Path, help="the JSON of the survey; archives that failed go to OUT.failed")
    arguments.add_argument("--base-url", default=COMMON_CRAWL, help="where the paths lead: a URL or a folder")
    arguments.add_argument("--files-per-task", type=int, default=64)
    arguments.add_argument("--first", type=int, help="the first archives only, to try it out")
    given = arguments.parse_args()

    spark = SparkSession.builder.appName("robots.txt of a crawl").getOrCreate()
    paths = read_paths(given.paths)[: given.first]
    found = survey(spark, paths, base_url=given.base_url, files_per_task=given.files_per_task)
    spark.stop()

    given.out.write_bytes(found.json)
    failed = given.out.with_name(given.out.name + ".failed")
    # The same form as the list, so that those can be given again.
    failed.write_text("".join(f"# {' '.join(failure.error.split())}\n{failure.path}\n" for failure in found.failures))
    summary = found.to_dict()["summary"]
    print(f"{summary['responses']} responses, {summary['files']} files; {len(found.failures)} archives failed: {failed}")
    return 2 if found.failures else 0


if __name__ == "__main__":
    sys.exit(main())
