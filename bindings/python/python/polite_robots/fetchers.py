"""The `fetch` of a `RobotsCache` by the HTTP client at hand.

Each sends one GET request without cookies, follows no redirect, undoes gzip and deflate, and reads no more than `max_bytes`,
that of the profile. `seconds` are for all of a fetch with an async client; a thread waits that long for each read too. Further
options are those of the client's own function, such as proxies.
"""

from __future__ import annotations

import http.cookiejar
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeAlias

from polite_robots._errors import InvalidUrl
from polite_robots._failures import ends_in_header
from polite_robots._rounds import Answer
from polite_robots._unpack import CODINGS, Unpacking
from polite_robots.policy import Origin

__all__ = ["aiohttp", "httpx", "httpx_async", "requests"]


Read: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]
"""An answer as it is read here."""


def requests(
    user_agent: str, *, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Answer]:
    """By `requests.get`, for `polite_robots.RobotsCache`; it needs urllib3 2."""
    import requests as client
    from urllib3 import HTTPResponse

    if not hasattr(HTTPResponse, "read1"):
        raise ImportError("urllib3 2 or later is needed, to read a body as it comes")

    def fetch(url: str) -> Answer:
        reading = Reading(max_bytes, seconds)
        sent = _headers(user_agent)
        with client.get(url, headers=sent, timeout=seconds, stream=True, allow_redirects=False, **options) as response:
            fields = list(response.raw.headers.items())
            reading.begin(response.status_code, ((one.encode("latin-1"), other.encode("latin-1")) for one, other in fields))
            while reading.goes_on and (chunk := response.raw.read1(_CHUNK, decode_content=False)):
                reading.take(chunk)
        answer = reading.answer()
        if ends_in_header(response.status_code, fields, answer[2]):
            raise ConnectionError("the connection ended before the header did")
        return answer

    return fetch


def httpx(
    user_agent: str, *, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Answer]:
    """By a `httpx.Client`, for `polite_robots.RobotsCache`."""
    import httpx as client

    session = client.Client(headers=_headers(user_agent), timeout=seconds, cookies=no_cookies(), **options)

    def fetch(url: str) -> Answer:
        reading = Reading(max_bytes, seconds)
        with session.stream("GET", url, follow_redirects=False) as response:
            reading.begin(response.status_code, response.headers.raw)
            chunks = response.iter_raw()
            while reading.goes_on and (chunk := next(chunks, b"")):
                reading.take(chunk)
        return reading.answer()

    return fetch


def httpx_async(
    user_agent: str, *, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Awaitable[Answer]]:
    """By a `httpx.AsyncClient`, for `polite_robots.aio.RobotsCache`."""
    import asyncio

    import httpx as client

    session = client.AsyncClient(headers=_headers(user_agent), timeout=seconds, cookies=no_cookies(), **options)

    async def fetch(url: str) -> Answer:
        async with asyncio.timeout(seconds):
            return await by_httpx(session, url, {}, Reading(max_bytes))

    return fetch


def aiohttp(
    user_agent: str, *, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Awaitable[Answer]]:
    """By an `aiohttp.ClientSession` for each fetch, for `polite_robots.aio.RobotsCache`."""
    import aiohttp as client

    async def fetch(url: str) -> Answer:
        limit = client.ClientTimeout(total=seconds)
        async with client.ClientSession(
            cookie_jar=client.DummyCookieJar(), auto_decompress=False, timeout=limit
        ) as session:
            return await by_aiohttp(session, url, _headers(user_agent), Reading(max_bytes), **options)

    return fetch


async def by_httpx(session: Any, url: str, headers: Mapping[str, str], reading: Reading) -> Read:
    """One request by a `httpx.AsyncClient`."""
    async with session.stream("GET", url, headers=headers, follow_redirects=False) as response:
        reading.begin(response.status_code, response.headers.raw)
        chunks = response.aiter_raw()
        while reading.goes_on and (chunk := await anext(chunks, b"")):
            reading.take(chunk)
    return reading.answer()


async def by_aiohttp(
    session: Any, url: str, headers: Mapping[str, str], reading: Reading, **options: Any
) -> Read:
    """One request by an `aiohttp.ClientSession` that does not decompress by itself."""
    # It would ask again at once after a reset, and has no public option for that.
    session._retry_connection = False
    sent = {"headers": headers, "allow_redirects": False, **options}
    async with session.get(sent_by_aiohttp(session, url), **sent) as response:
        reading.begin(response.status, response.raw_headers)
        chunks = response.content.iter_any()
        while reading.goes_on and (chunk := await anext(chunks, b"")):
            reading.take(chunk)
    return reading.answer()


def sent_by_httpx(client: Any, url: str) -> Any:
    """The URL as an `httpx.AsyncClient` sends it, with the `base_url` and the `params` of the client. Raises `InvalidUrl`."""
    return _sent(url, lambda: client.build_request("GET", url).url)


def sent_by_aiohttp(client: Any, url: str) -> Any:
    """The URL as it is sent by aiohttp here: as it stands if that is possible, as a server may have signed its bytes. Raises
    `InvalidUrl`.
    """
    from yarl import URL

    return _sent(url, lambda: URL(url, encoded=url.isascii() and url.isprintable() and " " not in url))


def _sent(url: str, read: Callable[[], Any]) -> Any:
    Origin.of(url)
    try:
        sent = read()
    except Exception as error:
        raise InvalidUrl(f"the client refuses {url!r:.200}: {error}", url) from error
    if not sent.host:
        raise InvalidUrl(f"the client finds no host in {url!r:.200}", url)
    return sent


def _headers(user_agent: str) -> dict[str, str]:
    return {
        "User-Agent": user_agent,
        "Accept": "text/plain, */*;q=0.1",
        # These are undone here, up to the limit.
        "Accept-Encoding": "gzip, deflate",
        # The next one goes to another host.
        "Connection": "close",
    }


def no_cookies() -> http.cookiejar.CookieJar:
    return http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))


class Reading:
    """A response on its way, with its body as far as the limit needs it."""

    # A fetch that is cancelled when its time is over needs no second limit: it would be cancelled again while it closes the
    # connection, and leave that open.
    def __init__(self, max_bytes: int, seconds: float = math.inf, *, is_page: bool = False) -> None:
        self.goes_on = True
        """Whether more of the body is wanted."""
        self._is_page = is_page
        self._deadline = time.monotonic() + seconds
        # One byte more shows that the body is longer.
        self._most = max_bytes + 1
        self._body = bytearray()
        self._status = 0
        self._fields: list[tuple[bytes, bytes]] = []
        self._unpacking: Unpacking | None = None

    def begin(self, status: int, fields: Iterable[tuple[bytes, bytes]]) -> None:
        """Takes the status and the header fields."""
        self._status, self._fields = status, list(fields)
        # For a robots.txt the status counts whatever the body of an error is.
        self.goes_on = self._is_page or 200 <= status < 300
        codings = [value for name, value in self._fields if name.lower() == b"content-encoding"]
        coding = b",".join(codings).decode("latin-1").strip().lower()
        if self.goes_on and coding in CODINGS:
            self._unpacking = Unpacking(coding, self._most)

    def take(self, chunk: bytes) -> None:
        """Takes bytes of the wire."""
        if time.monotonic() > self._deadline:
            raise TimeoutError("the body comes too slowly")
        # A packed body is at most a little longer than its text.
        most = self._most if self._unpacking is None else 2 * self._most
        self._body += chunk[: most - len(self._body)]
        self.goes_on = len(self._body) < most
        if self._unpacking is not None:
            self._unpacking.feed(chunk)
            self.goes_on = self.goes_on and self._unpacking.state != "over"

    def answer(self) -> Read:
        """The answer for the cache. A body that cannot be unpacked is given as it came, with its `Content-Encoding`: it may
        be a text with a wrong header.
        """
        unpacking = self._unpacking
        if unpacking is None or unpacking.state == "broken":
            return self._status, self._fields, bytes(self._body)
        if unpacking.end == "cut_short":
            raise EOFError("the packed body breaks off")
        fields = [(name, value) for name, value in self._fields if name.lower() != b"content-encoding"]
        return self._status, fields, unpacking.body


_CHUNK = 65_536
