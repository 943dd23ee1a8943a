"""The requests of one call of a `PoliteSession`: the first one, and what each redirect makes of it."""

from __future__ import annotations

import json as json_module
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

from polite_robots._errors import InvalidUrl
from polite_robots._refusals import RedirectError
from polite_robots.policy import Origin

Pairs: TypeAlias = Mapping[str, Any] | Iterable[tuple[str, Any]]
"""Names and values, which may be lists of values."""


@dataclass(frozen=True)
class Hop:
    """A request, all of which can be sent again."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None
    hops: tuple[str, ...] = ()

    @classmethod
    def first(
        cls, method: str, url: str, headers: Mapping[str, str] | None, params: Pairs | None,
        content: bytes | str | None, data: Pairs | None, json: Any,
    ) -> Self:  # fmt: skip
        """The request of a caller. Raises `TypeError` for a body that could not be sent again, and for two bodies."""
        if sum(part is not None for part in (content, data, json)) > 1:
            raise TypeError("a request has one body: content, data or json")
        if params:
            address, mark, fragment = url.partition("#")
            url = f"{address}{'&' if '?' in address else '?'}{_encoded(params)}{mark}{fragment}"
        fields, kind, body = dict(headers or {}), None, content.encode() if isinstance(content, str) else content
        if body is not None and not isinstance(body, bytes):
            raise TypeError(f"content is bytes or text, as a redirect may ask for it again, and not {body!r:.200}")
        if data is not None:
            kind, body = "application/x-www-form-urlencoded", _encoded(data).encode()
        elif json is not None:
            kind, body = "application/json", json_module.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
        if kind and "content-type" not in map(str.lower, fields):
            fields["Content-Type"] = kind
        return cls(method.upper(), url, fields, body)

    def after(self, status: int, location: str, read: Callable[[str], object]) -> Self:
        """The request that a redirect asks for, as browsers send it. `read` raises `InvalidUrl` if the client refuses the URL."""
        chain = (*self.hops, self.url)
        if len(chain) > _MOST_REDIRECTS:
            raise RedirectError(chain, f"more than {_MOST_REDIRECTS} redirects")
        try:
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(self.url, location))
            # The site must choose no credentials.
            url = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
            read(url)
        except (InvalidUrl, ValueError):
            raise RedirectError(chain, f"a redirect to {location!r}, which is no URL of http or https") from None
        is_get = status == 303 and self.method not in ("GET", "HEAD") or status in (301, 302) and self.method == "POST"
        # After a POST the same URL is another page.
        if url in chain and not is_get:
            raise RedirectError(chain, "the redirects are a loop")
        lost: tuple[str, ...] = _OF_BODY if is_get else ()
        if Origin.of(url) != Origin.of(self.url):
            # They were given for the other site.
            lost += _CREDENTIALS
        headers = {name: value for name, value in self.headers.items() if name.lower() not in lost}
        method, body = ("GET", None) if is_get else (self.method, self.body)
        return replace(self, method=method, url=url, headers=headers, body=body, hops=chain)


def _encoded(pairs: Pairs) -> str:
    return urllib.parse.urlencode(pairs if isinstance(pairs, Mapping) else list(pairs), doseq=True)


REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_OF_BODY = ("content-encoding", "content-language", "content-length", "content-location", "content-type")
_CREDENTIALS = ("authorization", "cookie", "proxy-authorization")
