"""One request of a `PoliteSession` by httpx or aiohttp: no redirects, no repetition."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from polite_robots._missing import needs
from polite_robots.fetchers import Exchange, by_aiohttp, by_httpx, no_cookies, sent_by_aiohttp, sent_by_httpx

Sender: TypeAlias = Callable[[str, str, Mapping[str, str], bytes | None], Exchange]
"""Sends a request: its method, URL, header fields and body."""
UrlReader: TypeAlias = Callable[[str], Any]
"""Gives a URL as it is sent."""


def sender_of(client: Any, connections: int) -> tuple[Sender, UrlReader, Callable[[], Awaitable[None]]]:
    """The sender and the URL reader of a client, and the function that closes it: a client of the caller's stays open."""
    own = client if client is not None else _client(connections)
    kinds = {kind.__module__.partition(".")[0] for kind in type(own).__mro__}
    if "httpx" in kinds:
        by, sent, close = by_httpx, sent_by_httpx, own.aclose
    elif "aiohttp" in kinds and not own.auto_decompress:
        by, sent, close = by_aiohttp, sent_by_aiohttp, own.close
    else:
        raise TypeError(f"no httpx.AsyncClient and no aiohttp.ClientSession(auto_decompress=False): {own!r}")
    return partial(by, own), partial(sent, own), _nothing if own is client else close


def _client(connections: int) -> Any:
    try:
        import httpx
    except ImportError:
        # Either will do, and httpx is the first.
        with needs("httpx"):
            import aiohttp

        return aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False)
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=connections)
    return httpx.AsyncClient(timeout=30.0, limits=limits, cookies=no_cookies())


async def _nothing() -> None:
    pass
