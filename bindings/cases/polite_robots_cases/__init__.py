"""Cases for parsers of robots.txt: URLs, the verdict about each, and the authority for it."""

import base64
import json
import pathlib

__all__ = ["cases", "wrong"]


def cases():
    """All cases, as `schema.json` beside this file describes them."""
    text = (pathlib.Path(__file__).parent / "cases.jsonl").read_text("utf-8")
    # The first line is about the file. `splitlines` would also end a line inside of a robots.txt.
    return [json.loads(line) for line in text.split("\n")[1:-1]]


def wrong(allowed, reading="rfc9309", authority=""):
    """Asks `allowed(robots_txt: bytes, agent: str, url: str) -> bool` about all URLs.

    Returns the name of each case with a wrong answer, the first such URL, and the answer or the
    exception. The reading is "rfc9309" or "google"; only cases count whose authority in it begins
    with `authority`.
    """
    found = []
    for case in cases():
        robots_txt = case["robots"].encode() if "robots" in case else base64.b64decode(case["robots_base64"])
        for check in case["checks"] if case["authority"][reading].startswith(authority) else []:
            try:
                answer = allowed(robots_txt, case["agent"], check["url"])
            except Exception as error:
                answer = error
            if answer is not check[reading]:
                found.append((case["name"], check["url"], answer))
                break
    return found
