"""requests: an adapter that asks before each request.

.. code-block:: python

    robots = RobotsCache("ExampleBot", fetchers.requests("ExampleBot/1.0 (+https://example.com/bot)"))
    session = requests.Session()
    session.mount("https://", PoliteAdapter(robots))
    session.mount("http://", PoliteAdapter(robots))

The options of `requests.adapters.HTTPAdapter` are its own, and each of its `max_retries` waits for a turn. A response with
`stream=True` holds the turn of its host until its body is read or closed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from polite_robots import _refusals
from polite_robots._missing import needs
from polite_robots.adapters._core import reported

with needs("requests"):
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.exceptions import HTTPError, MaxRetryError
    from urllib3.util import Retry

    from polite_robots._requests import final_only

if TYPE_CHECKING:
    from polite_robots import Permit, RobotsCache

__all__ = ["Busy", "Closed", "Disallowed", "PoliteAdapter"]


# They are errors of the client, too, so that its handlers go on. `_refusals` has their texts.
class Disallowed(_refusals.Disallowed, requests.RequestException): ...


class Closed(_refusals.Closed, requests.RequestException): ...


class Busy(_refusals.Busy, requests.RequestException): ...


class PoliteAdapter(HTTPAdapter):
    """An adapter whose requests wait `max_wait` seconds for their turns; a host is free `timeout` seconds after one began."""

    def __init__(
        self, robots: RobotsCache, *, max_wait: float = 300.0, timeout: float | None = None, max_retries: int | Retry = 0, **options: Any
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self._robots, self._max_wait, self._timeout = robots, max_wait, timeout
        # Below, urllib3 would repeat a request within its turn.
        self._repetitions = Retry(max_retries, read=False) if max_retries == 0 else Retry.from_int(max_retries)

    def get_connection_with_tls_context(self, *arguments: Any, **named: Any) -> Any:
        # An interim response would end the turn while the host still answers.
        return final_only(super().get_connection_with_tls_context(*arguments, **named))

    def send(self, request: requests.PreparedRequest, *arguments: Any, **named: Any) -> requests.Response:
        repetitions = self._repetitions.new()
        method, url = request.method or "GET", request.url or ""
        while True:
            permit = self._robots.wait(url, max_wait=self._max_wait, timeout=self._timeout)
            if not permit:
                error = _refusals.refusal(permit, kinds=_KINDS)
                error.request = request  # type: ignore[attr-defined]
                raise error
            try:
                with reported(permit):
                    response = super().send(request, *arguments, **named)
            except requests.RequestException as error:
                if (cause := _cause(error)) is None or request.body is not None and not isinstance(request.body, str | bytes):
                    raise
                try:
                    repetitions = repetitions.increment(method, url, error=cause)
                except HTTPError:
                    # It has no more of them, or none for this method.
                    raise error from None
                repetitions.sleep()
                continue
            _bind(response, permit)
            if not repetitions.is_retry(method, response.status_code, "Retry-After" in response.headers):
                return response
            try:
                repetitions = repetitions.increment(method, url, response=response.raw)
            except MaxRetryError as error:
                if repetitions.raise_on_status:
                    response.close()
                    raise requests.exceptions.RetryError(error, request=request) from error
                return response
            response.raw.drain_conn()
            response.close()
            repetitions.sleep(response.raw)


def _cause(error: requests.RequestException) -> Exception | None:
    """The error of urllib3 beneath one of requests."""
    cause = error.args[0] if error.args else None
    cause = getattr(cause, "reason", None) or cause
    return cause if isinstance(cause, HTTPError) else None


def _bind(response: requests.Response, permit: Permit) -> None:
    """Ends the permit with the body of the response, when its connection is given back or closed."""
    raw, head = response.raw, (response.status_code, response.headers)

    def ending(end: Callable[[], None]) -> Callable[[], None]:
        def ends() -> None:
            end()
            error = sys.exception()
            if isinstance(error, HTTPError):
                permit.fail(error)
            permit.finish(*head)

        return ends

    raw.release_conn, raw.close = ending(raw.release_conn), ending(raw.close)
    if raw.closed:
        # It has no body.
        permit.finish(*head)


_KINDS = (Disallowed, Closed, Busy)
