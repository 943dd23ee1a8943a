"""One round for one robots.txt, and the answers that it gets."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from polite_robots.policy import Fetch, Origin, Ticket

class Fields(Protocol):
    """The header fields of a client: those of `http.client` are no mapping."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Answer: TypeAlias = tuple[int, Fields | Iterable[tuple[str | bytes, str | bytes]], bytes | bytearray | memoryview]


@dataclass(eq=False)
class Round:
    """One round for one robots.txt that waits for no turn. `end` is what callers wait for, and `None` until the first of them runs
    it; `error` is the last failure of a fetch.
    """

    origin: Origin
    ticket: Ticket | None
    fetch: Fetch
    end: Any = None
    error: BaseException | None = None
    began: float = field(default_factory=time.monotonic)
    runner: int = 0
    callers: int = 0
