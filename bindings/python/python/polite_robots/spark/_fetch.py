"""Fetching an archive into a file."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from polite_robots.spark._paths import is_local

__all__ = ["Fetch", "fetch"]

Fetch: TypeAlias = Callable[[str, str], None]
"""Writes the archive of a URL or path (the first argument) to a new file (the second)."""

_TRIES = 5
_FIRST_PAUSE = 1.0
_TIMEOUT = 60.0
_USER_AGENT = "polite-robots (+https://github.com/polite-robots/polite-robots)"

# The statuses by which a server asks to come back later. Common Crawl's says 403 as well as 503 to those in a hurry.
_LATER = frozenset({403, 408, 429, 500, 502, 503, 504})


def fetch(source: str, destination: str) -> None:
    """Fetches by HTTP and HTTPS, from S3 with `boto3`, or links to a local file.

    An answer that asks to come back later, and a connection that breaks, are tried five times within about 15 seconds. The
    file gets the time of `Last-Modified`, so that two runs have the same.
    """
    if is_local(source):
        _link(source, destination)
    elif source.startswith("s3://"):
        _from_s3(source, destination)
    elif source.startswith(("http://", "https://")):
        _patiently(source, destination)
    else:
        raise ValueError(f"{source!r} is neither a path nor a URL of http, https or s3")


def _link(source: str, destination: str) -> None:
    source = source.removeprefix("file://")
    # A link to nothing would not be noticed here.
    os.stat(source)
    os.symlink(source, destination)


def _from_s3(source: str, destination: str) -> None:
    import boto3

    bucket, _, key = source.removeprefix("s3://").partition("/")
    client = boto3.client("s3")
    client.download_file(bucket, key, destination)
    modified = client.head_object(Bucket=bucket, Key=key)["LastModified"].timestamp()
    os.utime(destination, (modified, modified))


def _patiently(source: str, destination: str) -> None:
    pause = _FIRST_PAUSE
    for left in reversed(range(_TRIES)):
        try:
            return _by_http(source, destination)
        except HTTPError as error:
            error.close()
            if error.code not in _LATER or not left:
                raise
        except (OSError, HTTPException):
            if not left:
                raise
        time.sleep(pause)
        pause *= 2


def _by_http(source: str, destination: str) -> None:
    request = Request(source, headers={"User-Agent": _USER_AGENT})
    with urlopen(request, timeout=_TIMEOUT) as answer, open(destination, "wb") as file:
        shutil.copyfileobj(answer, file, 1 << 20)
        stated = answer.headers.get("Content-Length")
        if stated is not None and stated.isdigit() and int(stated) != file.tell():
            raise ConnectionError(f"{file.tell()} of {stated} bytes came")
        modified = _seconds(answer.headers.get("Last-Modified"))
    os.utime(destination, (modified, modified))


def _seconds(date: str | None) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() if date else 0.0
    except ValueError:
        return 0.0
