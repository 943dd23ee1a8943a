"""The `fetch` of a `RobotsCache` by the HTTP client at hand.

Each sends one GET request without cookies, follows no redirect, and reads no more of the body than `max_bytes`, that of the
profile, or twice as much of one in a coding, which the cache undoes. `headers` are further ones, such as `From`. `seconds` are for
all of a fetch, however slowly its header or body comes; a client for threads may take that long for each address of a host too,
and the look-up of the host's name by the system has no limit. Further options are those of the client's own function, such as
proxies.
"""

from __future__ import annotations

import contextlib
import http.cookiejar
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from polite_robots._deadline import Deadline, refuse_ragged_end
from polite_robots._errors import InvalidUrl
from polite_robots._failures import CutShort, fields_of_http_client
from polite_robots._missing import needs
from polite_robots._round import Answer
from polite_robots._unpack import unpacked
from polite_robots.policy import Origin

__all__ = ["aiohttp", "httpx", "httpx_async", "requests"]


Read: TypeAlias = tuple[int, list[tuple[bytes, bytes]], bytes]
"""An answer as it is read here."""


def requests(
    user_agent: str, *, headers: Mapping[str, str] | None = None, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Answer]:
    """By `requests.get`, for `polite_robots.RobotsCache`; it needs requests 2.32 and urllib3 2."""
    with needs("requests"):
        import requests as client

        from polite_robots._requests import Adapter

    def fetch(url: str) -> Answer:
        reading = Reading(max_bytes)
        sent: dict[str, Any] = {"headers": _headers(user_agent, headers), "timeout": seconds, "stream": True, "allow_redirects": False}
        with Deadline(seconds) as deadline, client.Session() as session:
            session.mount("http://", Adapter(deadline))
            session.mount("https://", Adapter(deadline))
            with session.get(url, **sent, **options) as response, reading.body():
                reading.begin(response.status_code, fields_of_http_client(response.raw.headers) or [])
                if 300 <= response.status_code < 400:
                    # requests has read the body of a redirect, and a byte of it proves that the header has ended.
                    reading.take(response.content[:1])
                    reading.goes_on = False
                while reading.goes_on and (chunk := response.raw.read1(_CHUNK, decode_content=False)):
                    reading.take(chunk)
        status, _, body = reading.answer()
        # Their class says that they are of `http.client`.
        return status, response.raw.headers, body

    return fetch


def httpx(
    user_agent: str, *, headers: Mapping[str, str] | None = None, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Answer]:
    """By a `httpx.Client`, for `polite_robots.RobotsCache`."""
    with needs("httpx"):
        import httpx as client

    # A connection of HTTP/2, which has no `Connection: close`, would serve the next fetch too, whose deadline would not see it.
    options.setdefault("limits", client.Limits(max_keepalive_connections=0))
    session = client.Client(headers=_headers(user_agent, headers), timeout=seconds, cookies=no_cookies(), **options)

    def fetch(url: str) -> Answer:
        reading = Reading(max_bytes)

        def trace(event: str, info: Mapping[str, Any]) -> None:
            if event.endswith("connect_tcp.complete"):
                deadline.watch(info["return_value"].get_extra_info("socket"))
            elif event.endswith("start_tls.complete"):
                refuse_ragged_end(info["return_value"].get_extra_info("socket"))

        with (
            Deadline(seconds) as deadline,
            session.stream("GET", url, follow_redirects=False, extensions={"trace": trace}) as response,
            reading.body(),
        ):
            reading.begin(response.status_code, response.headers.raw)
            chunks = response.iter_raw()
            while reading.goes_on and (chunk := next(chunks, b"")):
                reading.take(chunk)
        return reading.answer()

    return fetch


def httpx_async(
    user_agent: str, *, headers: Mapping[str, str] | None = None, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Awaitable[Answer]]:
    """By a `httpx.AsyncClient`, for `polite_robots.aio.RobotsCache`."""
    import asyncio

    with needs("httpx"):
        import httpx as client

    session = client.AsyncClient(headers=_headers(user_agent, headers), timeout=seconds, cookies=no_cookies(), **options)

    async def fetch(url: str) -> Answer:
        async with asyncio.timeout(seconds):
            return await whole(by_httpx(session, "GET", url, {}), Reading(max_bytes))

    return fetch


def aiohttp(
    user_agent: str, *, headers: Mapping[str, str] | None = None, seconds: float = 30.0, max_bytes: int = 512_000, **options: Any
) -> Callable[[str], Awaitable[Answer]]:
    """By an `aiohttp.ClientSession` for each fetch, for `polite_robots.aio.RobotsCache`."""
    with needs("aiohttp"):
        import aiohttp as client

    async def fetch(url: str) -> Answer:
        limit = client.ClientTimeout(total=seconds)
        async with client.ClientSession(
            cookie_jar=client.DummyCookieJar(), auto_decompress=False, timeout=limit
        ) as session:
            exchange = by_aiohttp(session, "GET", url, _headers(user_agent, headers), **options)
            return await whole(exchange, Reading(max_bytes))

    return fetch


Exchange: TypeAlias = contextlib.AbstractAsyncContextManager[tuple[int, list[tuple[bytes, bytes]], AsyncIterator[bytes]]]
"""A request that was sent, and its response: the status, the fields, and the bytes of the wire as they come."""


@contextlib.asynccontextmanager
async def by_httpx(
    session: Any, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
) -> AsyncIterator[tuple[int, list[tuple[bytes, bytes]], AsyncIterator[bytes]]]:
    """One request by a `httpx.AsyncClient`."""
    async with session.stream(method, url, headers=headers, content=body, follow_redirects=False) as response:
        yield response.status_code, response.headers.raw, response.aiter_raw()


@contextlib.asynccontextmanager
async def by_aiohttp(
    session: Any, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None, **options: Any
) -> AsyncIterator[tuple[int, list[tuple[bytes, bytes]], AsyncIterator[bytes]]]:
    """One request by an `aiohttp.ClientSession` that does not decompress by itself."""
    # It would ask again at once after a reset, and has no public option for that.
    session._retry_connection = False
    sent = {"headers": headers, "data": body, "allow_redirects": False, **options}
    async with session.request(method, sent_by_aiohttp(session, url), **sent) as response:
        if not 100 <= response.status <= 999:
            # It gives 0 for a status line with `000`.
            raise ConnectionError(f"the response has the status {response.status}")
        yield response.status, response.raw_headers, response.content.iter_any()


async def whole(exchange: Exchange, reading: Reading) -> Read:
    """The response with its body, as far as it is wanted."""
    async with exchange as (status, fields, chunks):
        return await reading.read(status, fields, chunks)


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


def _headers(user_agent: str, headers: Mapping[str, str] | None) -> dict[str, str]:
    return {
        "User-Agent": user_agent,
        "Accept": "text/plain, */*;q=0.1",
        # The cache undoes these.
        "Accept-Encoding": "gzip, deflate",
        # The next one goes to another host.
        "Connection": "close",
        **(headers or {}),
    }


def no_cookies() -> http.cookiejar.CookieJar:
    return http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))


class Reading:
    """A response on its way, with its body as it comes and as far as the limit needs it."""

    def __init__(self, max_bytes: int, *, is_page: bool = False) -> None:
        self.goes_on = True
        """Whether more of the body is wanted."""
        self._is_page = is_page
        self._max_bytes = max_bytes
        # One byte more shows that the body is longer.
        self._most = max_bytes + 1
        self._body = bytearray()
        self._status = 0
        self._fields: list[tuple[bytes, bytes]] = []

    def begin(self, status: int, fields: Iterable[tuple[bytes, bytes]]) -> None:
        """Takes the status and the header fields."""
        self._status, self._fields = status, list(fields)
        # For a robots.txt the status counts whatever the body of an error is.
        self.goes_on = self._is_page or 200 <= status < 300
        # A packed body is at most a little longer than its text.
        if any(name.lower() == b"content-encoding" for name, _ in self._fields):
            self._most *= 2

    def take(self, chunk: bytes) -> None:
        """Takes bytes of the wire."""
        self._body += chunk[: self._most - len(self._body)]
        self.goes_on = len(self._body) < self._most

    async def read(self, status: int, fields: Iterable[tuple[bytes, bytes]], chunks: AsyncIterator[bytes]) -> Read:
        """Takes a response, and as much of its body as is wanted."""
        self.begin(status, fields)
        with self.body():
            while self.goes_on and (chunk := await anext(chunks, b"")):
                self.take(chunk)
        return self.answer()

    @contextlib.contextmanager
    def body(self) -> Iterator[None]:
        """Marks a body of a robots.txt that breaks off, as some clients have one error for that and for no response."""
        try:
            yield
        except Exception as error:
            if self._is_page or isinstance(error, TimeoutError):
                raise
            raise CutShort("the response breaks off in its body") from error

    def answer(self) -> Read:
        """The answer for the cache, and of a page the one for its reader, for whom gzip and deflate are undone."""
        fields, body = self._fields, bytes(self._body)
        if self._is_page:
            fields, body = unpacked(fields, body, self._max_bytes + 1)
        return self._status, fields, body


_CHUNK = 65_536
