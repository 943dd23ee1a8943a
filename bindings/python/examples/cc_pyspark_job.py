"""A job for cc-pyspark: how much each of some crawlers may fetch, counted over all robots.txt files.

    spark-submit --py-files sparkcc.py,sparkcc_fastwarc.py cc_pyspark_job.py robotstxt.paths crawlers
"""

from fastwarc.warc import WarcRecordType
from sparkcc_fastwarc import CCFastWarcSparkJob

from polite_robots import RobotsTxt


class RobotsTxtJob(CCFastWarcSparkJob):
    """Yields `GPTBot nothing`, `GPTBot part` or `GPTBot everything` for each file and crawler."""

    name = "RobotsTxtJob"
    fastwarc_record_filter = WarcRecordType.response
    crawlers = ["GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Bingbot", "*"]

    def process_record(self, record):
        if not self.is_response_record(record) or record.http_headers.status_code != 200:
            return
        document = RobotsTxt(self.get_payload_stream(record).read(), max_bytes=5 << 20)
        for agent in document.agents(self.crawlers):
            yield f"{agent.agent} {agent.access}", 1


if __name__ == "__main__":
    RobotsTxtJob().run()
