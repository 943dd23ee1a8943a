"""The part that is missing, by the name that pip has for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needs(extra: str) -> Iterator[None]:
    """Says how to install the packages that are imported here, where one is missing."""
    try:
        yield
    except ImportError as missing:
        raise type(missing)(f"{missing}: pip install 'polite-robots[{extra}]'", name=missing.name) from missing
