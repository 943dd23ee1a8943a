"""The end of a request in the words of its permit."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polite_robots import Permit


@contextlib.contextmanager
def reported(permit: Permit) -> Iterator[None]:
    """Reports the failure of a request, and nothing else: its body ends later."""
    try:
        yield
    except Exception as error:
        permit.fail(error)
        raise
    except BaseException:
        permit.cancel()
        raise
