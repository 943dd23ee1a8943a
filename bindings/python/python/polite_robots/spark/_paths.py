"""The paths of archives: lists of them, the name that a survey counts an archive under, and the place to fetch it from."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

__all__ = ["COMMON_CRAWL", "absolute", "checked", "is_local", "name_of", "read_paths", "source_of"]

COMMON_CRAWL = "https://data.commoncrawl.org/"
"""The folder that the lists of Common Crawl are relative to."""

_GZIP = b"\x1f\x8b"

_FILE_URL = "file://"


def read_paths(file: str | os.PathLike[str]) -> list[str]:
    """The paths in a list, one for each line, such as Common Crawl's `robotstxt.paths.gz`. Blank lines and lines that
    start with `#` are skipped."""
    content = Path(file).read_bytes()
    if content.startswith(_GZIP):
        content = gzip.decompress(content)
    lines = (line.strip() for line in content.decode("utf-8-sig").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def is_local(path: str) -> bool:
    """Whether every worker can open the path as it is: it is absolute."""
    return path.startswith(("/", _FILE_URL))


def absolute(base_url: str | os.PathLike[str]) -> str:
    """A URL as it is, and a folder as an absolute path: a worker has another current folder."""
    base_url = os.fspath(base_url)
    return base_url if "://" in base_url else os.path.abspath(base_url)


def name_of(path: str, base_url: str) -> str:
    """The name that a survey counts an archive under: its path below `base_url`, or its absolute path.

    It is the same on every worker, so that an archive that is given twice shows.

    Raises `ValueError` for a path that cannot be the name of a file.
    """
    if is_local(path):
        return os.path.normpath(path.removeprefix(_FILE_URL))
    below = path.removeprefix(base_url.rstrip("/") + "/")
    _, _, below = below.rpartition("://")
    name = PurePosixPath(below)
    if name.is_absolute() or ".." in name.parts or not name.name:
        raise ValueError(f"{path!r} leads out of the folder that archives are fetched to")
    text = str(name)
    # These have another meaning in a list of paths.
    if not text.isprintable() or text != text.strip() or text.startswith("#"):
        raise ValueError(f"{path!r} is not the path of an archive")
    return text


def source_of(path: str, base_url: str) -> str:
    """The URL or the absolute path that an archive is fetched from."""
    if is_local(path) or "://" in path:
        return path
    return f"{base_url.rstrip('/')}/{path}"


def checked(paths: Iterable[str], base_url: str) -> list[str]:
    """The paths, after a check that each is one and that none is given twice.

    Raises `ValueError` otherwise, or if there is none.
    """
    if isinstance(paths, str):
        raise ValueError("give several paths, such as those of `read_paths`, and not one")
    given = list(paths)
    if not given:
        raise ValueError("there are no paths to survey")
    names: set[str] = set()
    for path in given:
        name = name_of(path, base_url)
        if name in names:
            raise ValueError(f"{name!r} is given twice, and would count twice")
        names.add(name)
    return given
