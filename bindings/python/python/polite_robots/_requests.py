"""The connections of requests, shown to a deadline."""

from __future__ import annotations

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
        pool: Any = super().get_connection_with_tls_context(*arguments, **named)
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


def _connect_whole(connection: Any, connect: Callable[[], None]) -> None:
    connect()
    refuse_ragged_end(connection.sock)
