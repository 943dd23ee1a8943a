"""The failures of Python's HTTP clients: their kinds, by the names of their classes, so that none of them is imported, and the one
that looks like a response.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import socket
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    _Failure: TypeAlias = Literal["dns", "connect", "read", "reset", "tls", "local", "encoded", "other"]


def failure_of(error: BaseException) -> _Failure:
    """The kind of a failure, by the name that `Event.failed` has for it."""
    errors = list(itertools.islice(_causes(error), 8))
    if any(map(_is_local, errors)):
        return "local"
    kinds = (kind.__name__ for each in errors for kind in type(each).__mro__)
    return next((name for kind in kinds for part, name in _NAMES if part in kind), "other")


def is_by_http_client(headers: object) -> bool:
    """Whether header fields were read by `http.client`, which urllib and requests stand on."""
    modules = {kind.__module__.partition(".")[0] for kind in type(headers).__mro__}
    return not modules.isdisjoint({"http", "requests", "urllib3"})


def ends_in_header(status: int, fields: Iterable[tuple[str, str]], body: bytes | bytearray | memoryview) -> bool:
    """Whether a response of `http.client` may be the beginning of one: it takes the end of a connection for that of the header,
    and such a 200 has no body. A whole response without a body says so, by a length of 0 or by chunks.
    """
    if body or not 200 <= status < 300 or status == 204:
        return False
    values = {name.lower(): value.strip().lower() for name, value in fields}
    length = values.get("content-length", "")
    return not (length.isascii() and length.isdecimal() or values.get("transfer-encoding") == "chunked")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_local(error: BaseException) -> bool:
    """Whether the fault is this machine's, and says nothing about the site."""
    if isinstance(error, socket.gaierror) or isinstance(error, OSError) and error.errno in _NO_WAY:
        return not _has_route()
    return isinstance(error, OSError) and error.errno in _LOCAL


def _has_route() -> bool:
    """Whether this machine knows a way to the Internet. A datagram socket that is connected sends nothing."""
    # Addresses for documentation: nobody is there, but the default route leads there.
    for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            return True
    return False


_NO_WAY = {errno.ENETUNREACH, errno.EHOSTUNREACH}
_LOCAL = {errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.EADDRINUSE, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

# Parts of the names of exceptions: of the standard library, requests, urllib3, httpx, aiohttp, Scrapy and Twisted. Clients
# whose name for a broken body says "encoding" mean its chunks.
_NAMES: list[tuple[str, _Failure]] = [
    ("Resol", "dns"),
    ("DNS", "dns"),
    ("gaierror", "dns"),
    ("Refused", "connect"),
    ("ConnectTimeout", "connect"),
    ("ConnectError", "connect"),
    ("Timeout", "read"),
    ("SSL", "tls"),
    ("Certificate", "tls"),
    ("Chunked", "reset"),
    ("Decod", "encoded"),
    ("ContentEncoding", "encoded"),
    ("Connection", "reset"),
    ("DataLoss", "reset"),
    ("IncompleteRead", "reset"),
]
