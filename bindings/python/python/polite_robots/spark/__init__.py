"""A whole crawl of the web on Spark, with the numbers of one machine.

`survey` runs the command `robots survey` on the workers and adds the parts up. `RobotsTxtSource` reads the same archives
as rows, one for each capture.

.. code-block:: python

    from polite_robots.spark import RobotsTxtSource, read_paths, survey

    found = survey(spark, read_paths("robotstxt.paths.gz"))

    spark.dataSource.register(RobotsTxtSource)
    captures = spark.read.format("robotstxt").option("agents", "GPTBot,CCBot").load("/data/*.warc.gz")

The workers need the wheels `polite-robots[spark]` and `polite-robots-cli`.
"""

from polite_robots._missing import needs

with needs("spark"):
    from polite_robots.spark._fetch import Fetch, fetch
    from polite_robots.spark._paths import COMMON_CRAWL, read_paths
    from polite_robots.spark._source import RobotsTxtSource
    from polite_robots.spark._survey import survey
    from polite_robots.spark._task import Failure, Survey, SurveyFailed

__all__ = [
    "COMMON_CRAWL",
    "Failure",
    "Fetch",
    "RobotsTxtSource",
    "Survey",
    "SurveyFailed",
    "fetch",
    "read_paths",
    "survey",
]
