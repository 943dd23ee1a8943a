"""The connections of requests: shown to a deadline, and with no response before the final one."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from functools import partial
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from polite_robots._deadline import Deadline, refuse_ragged_end

if not hasattr(HTTPResponse, "read1") or not hasattr(HTTPAdapter, "get_connection_with_tls_context"):
    raise ImportError("requests 2.32 and urllib3 2 or later are needed, to end a fetch in time")


class Adapter(HTTPAdapter):
    """Lets a deadline watch the socket of each connection, to a host or to a proxy of any kind."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def get_connection_with_tls_context(self, *arguments: Any, **named: Any) -> Any:
        pool = final_only(super().get_connection_with_tls_context(*arguments, **named))
        pool.ConnectionCls = partial(self._make, pool.ConnectionCls)
        return pool

    def _make(self, kind: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        connection = kind(*arguments, **named)
        connection._new_conn = partial(self._connect, connection._new_conn)
        connection.connect = partial(_connect_whole, connection, connection.connect)
        return connection

    def _connect(self, connect: Callable[[], Any]) -> Any:
        connection = connect()
        self._deadline.watch(connection)
        return connection


def final_only(pool: Any) -> Any:
    """A pool whose connections skip interim responses."""
    if pool.ConnectionCls is type(pool).ConnectionCls:
        pool.ConnectionCls = partial(_make_final_only, pool.ConnectionCls)
    return pool


def _make_final_only(kind: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    connection = kind(*arguments, **named)
    connection.response_class = _FinalResponse
    return connection


class _FinalResponse(http.client.HTTPResponse):
    """Counts all interim responses as 100, the only one that `http.client` skips. After a 103 the
    final response would be taken for that to the next request of the connection.
    """

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]
        return version, 100 if 101 < status < 200 else status, reason


def _connect_whole(connection: Any, connect: Callable[[], None]) -> None:
    connect()
    refuse_ragged_end(connection.sock)
