"""One round for one robots.txt, and the answers that it gets."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from polite_robots.policy import Fetch, Origin, Ticket

if TYPE_CHECKING:
    _Page: TypeAlias = Literal["alone", "in_line"]
    """Whether a page waits for its turn after its answer, and asks again then."""


class Fields(Protocol):
    """The header fields of a client: those of `http.client` are no mapping."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Answer: TypeAlias = tuple[int, Fields | Iterable[tuple[str | bytes, str | bytes]], bytes | bytearray | memoryview]


@dataclass(eq=False)
class Round:
    """One round for one robots.txt. `end` is what callers wait for, and `None` until the first of them runs it; `error` is the
    last failure of a fetch. The requests of one that is in line wait for turns, until the `deadline` of the thread that runs it.
    `began` is `None` meanwhile.
    """

    origin: Origin
    ticket: Ticket | None
    fetch: Fetch
    end: Any = None
    error: BaseException | None = None
    began: float | None = field(default_factory=time.monotonic)
    is_in_line: bool = False
    deadline: float = math.inf
    runner: int = 0
    callers: int = 0
