"""`PoliteSession` before the judge of the zoo, in short. `tests/long` has it whole."""

import sys

import pytest
import zoo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has every address of 127/8 at hand")


@pytest.mark.parametrize("kind", zoo.CLIENTS)
def test_no_request_is_rude_and_no_page_is_missed(kind):
    with zoo.Zoo(20, zoo.WORKERS) as hosts:
        verdict = zoo.crawl_here(kind, hosts)
    assert not verdict["violations"] and not verdict["unfetched"] and verdict["requests"] > 60, verdict
