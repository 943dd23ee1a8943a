"""A limit for the whole of a request by a client that blocks, whose own limits are for each read."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from types import TracebackType
from typing import Self


class Deadline:
    """Shuts the sockets of one request down once its time is over, which wakes the thread that reads them. Raises `TimeoutError`
    at the end of the `with` block then, whatever the client made of it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._is_over = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._end)
        self._timer.daemon = True

    def watch(self, connection: socket.socket) -> None:
        """Takes a socket as soon as it is connected."""
        # A copy of its own: clients wrap the socket for TLS, and `http.client` drops it while the body still comes.
        self._sockets.append(connection.dup())
        if self._is_over:
            self._end()

    def _end(self) -> None:
        self._is_over = True
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._timer.cancel()
        self._timer.join()
        for each in self._sockets:
            each.close()
        if self._is_over and (error is None or isinstance(error, Exception)):
            raise TimeoutError(f"the response did not end within {self._seconds} seconds") from error


def refuse_ragged_end(connection: object) -> None:
    """Makes the end of a connection by TLS an error where no close_notify came, as Python would take it for the end of a body
    without a length (RFC 9112 §9.8).
    """
    if isinstance(connection, ssl.SSLSocket):
        connection.suppress_ragged_eofs = False  # type: ignore[attr-defined]
