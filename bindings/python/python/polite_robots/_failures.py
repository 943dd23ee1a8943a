"""The failures of Python's HTTP clients: their kinds, by the names of their classes, so that none of them is imported."""

from __future__ import annotations

import contextlib
import errno
import itertools
import socket
import sysconfig
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    _Failure: TypeAlias = Literal["dns", "connect", "read", "reset", "tls", "local", "cut_short", "encoded", "other"]


class CutShort(Exception):
    """A response that broke off in its body."""


def failure_of(error: BaseException) -> _Failure:
    """The kind of a failure, by the name that `Event.failed` has for it."""
    errors = list(itertools.islice(_causes(error), 8))
    if any(map(_is_local, errors)):
        return "local"
    kinds = (kind.__name__ for each in errors for kind in type(each).__mro__)
    return next((name for kind in kinds for part, name in _NAMES if part in kind), "other")


def is_bug(error: BaseException, fetch: object) -> bool:
    """Whether a `fetch` failed by a fault of its own code, as by a name that is misspelled. The same kinds come from within HTTP
    clients for servers that are broken or hostile, which must not end a crawl, so the place decides where it was raised: outside
    of libraries, or in the package that `fetch` is of, wherever that is installed.
    """
    if not isinstance(error, _BUGS):
        return False
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    package, file = frame.f_globals.get("__name__", "").partition(".")[0], frame.f_code.co_filename
    is_library = "-packages" in file or file.startswith((sysconfig.get_path("stdlib"), "<frozen "))
    return not is_library or package in ("polite_robots", str(getattr(fetch, "__module__", "")).partition(".")[0])


def fields_of_http_client(headers: Any) -> list[tuple[bytes, bytes]] | None:
    """Header fields that were read by `http.client`, which urllib and requests stand on, as they came; `None` for any others."""
    modules = {kind.__module__.partition(".")[0] for kind in type(headers).__mro__}
    if modules.isdisjoint({"http", "requests", "urllib3"}):
        return None
    return [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in headers.items()]


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


_BUGS = (AttributeError, ImportError, NameError, NotImplementedError, SyntaxError, TypeError)

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
    ("CutShort", "cut_short"),
    ("Chunked", "cut_short"),
    ("IncompleteRead", "cut_short"),
    ("DataLoss", "cut_short"),
    ("ContentLength", "cut_short"),
    ("TransferEncoding", "cut_short"),
    ("Decod", "encoded"),
    ("ContentEncoding", "encoded"),
    ("Connection", "reset"),
]
