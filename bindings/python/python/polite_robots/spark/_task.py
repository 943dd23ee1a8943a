"""The work of one task: some archives surveyed by the command, or some parts of a survey added up.

Nothing here needs Spark. A part is a line of JSON, which the command takes and gives through pipes, and a task gives it
back as a value, so that it may run twice.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from polite_robots.spark._fetch import Fetch
from polite_robots.spark._paths import is_local, name_of, source_of

__all__ = ["Failure", "Plan", "Survey", "SurveyFailed", "merged", "surveyed"]


class Failure(NamedTuple):
    """An archive that could not be read, or not to its end. The survey says so among its inputs."""

    path: str
    error: str


class Survey(NamedTuple):
    """A survey: the JSON that `robots survey --out -` writes, on one line, and the archives that could not be read."""

    json: bytes
    failures: list[Failure]

    def to_dict(self) -> dict[str, Any]:
        """The JSON, read."""
        read: dict[str, Any] = json.loads(self.json)
        return read


class SurveyFailed(RuntimeError):
    """The command `robots` or this library is missing on a worker, or the command has stopped without a part."""


@dataclass(frozen=True)
class Plan:
    """The options that all tasks of a survey share."""

    base_url: str
    depth: Literal["sampled", "thorough"]
    max_bytes: int | None
    command: str | None
    fetch: Fetch


def surveyed(paths: Sequence[str], plan: Plan) -> Survey:
    """Surveys some archives, which are fetched into a folder that is gone afterwards."""
    failures: dict[str, Failure] = {}
    with TemporaryDirectory(prefix="polite-robots-") as folder:
        names = {name_of(path, plan.base_url): path for path in paths}
        for name, path in names.items():
            if is_local(path):
                continue
            try:
                _fetched(source_of(path, plan.base_url), Path(folder, name), plan.fetch)
            except Exception as error:
                failures[name] = Failure(path, f"{type(error).__name__}: {error}")
        options = ["--max-bytes", str(plan.max_bytes)] if plan.max_bytes is not None else []
        # Spark gives a core to each task.
        ran = _run(
            plan.command,
            ["survey", f"--{plan.depth}", "--threads", "1", *options, "--out", "-", "--paths", "-"],
            "".join(f"{name}\n" for name in names).encode(),
            folder,
        )
        part = _written(ran)
    if ran.returncode != 0:
        for name in _unreadable(part):
            path = names.get(name, name)
            failures.setdefault(name, Failure(path, _said_about(name, _said(ran))))
    return Survey(part, list(failures.values()))


def merged(parts: Iterable[bytes], command: str | None, threads: int | None = 1) -> bytes:
    """Adds parts of a survey up, with all cores if `threads` is `None`."""
    options = [] if threads is None else ["--threads", str(threads)]
    return _written(_run(command, ["survey", "merge", "-", "--out", "-", *options], b"".join(parts)))


def _fetched(source: str, destination: Path, fetch: Fetch) -> None:
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        fetch(source, str(destination))
    except Exception:
        # Half of an archive would be counted.
        destination.unlink(missing_ok=True)
        raise


def _run(
    command: str | None, arguments: Sequence[str], given: bytes, folder: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [command or _command(), *arguments],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
    )


def _written(ran: subprocess.CompletedProcess[bytes]) -> bytes:
    # With the status 2 there is a part, if it was an input that could not be read.
    if ran.returncode in (0, 2) and ran.stdout:
        return ran.stdout
    raise SurveyFailed(f"`robots survey` stopped with status {ran.returncode}: {_said(ran).strip()[-2000:]}")


def _said(ran: subprocess.CompletedProcess[bytes]) -> str:
    return ran.stderr.decode("utf-8", "replace")


def _command() -> str:
    """The command of the wheel beside this interpreter, else the one in the path."""
    beside = Path(sys.executable).with_name("robots")
    found = str(beside) if beside.exists() else shutil.which("robots")
    if found is None:
        raise SurveyFailed("the command `robots` is not on this worker: pip install polite-robots-cli")
    return found


def _unreadable(part: bytes) -> list[str]:
    """The inputs that could not be read, or not to their end."""
    return [found["path"] for found in json.loads(part)["inputs"] if found["state"] != "done"]


def _said_about(name: str, said: str) -> str:
    lines = [line for line in said.splitlines() if name in line]
    return lines[0] if lines else "it cannot be read"
