from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self, TypeAlias, final

from polite_robots import Robot, RobotsTxt
from polite_robots._dicts import CheckDict

__all__ = [
    "Cache",
    "Check",
    "Entry",
    "Event",
    "Fetch",
    "Lookup",
    "Origin",
    "Outcome",
    "Profile",
    "Step",
    "Ticket",
]

_Site: TypeAlias = Literal["available", "unavailable", "unknown"]
_Next: TypeAlias = float | Literal["now", "never"]

@final
class Origin:
    """Scheme, host and port: the scope of one robots.txt."""

    @staticmethod
    def of(url: str, /) -> Origin:
        """The origin of a URL.

        Raises `InvalidUrl` if the URL has none.
        """
    def robots_url(self) -> str:
        """The URL of its robots.txt."""
    def host(self) -> str:
        """The host: lower case, punycode, an IPv6 address in brackets, without a last dot."""
    def partition_key(self) -> int:
        """A number for the host, to give each worker of a fleet its own hosts. Fixed for ever."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ge__(self, other: Origin, /) -> bool: ...
    def __gt__(self, other: Origin, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __le__(self, other: Origin, /) -> bool: ...
    def __lt__(self, other: Origin, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Profile:
    """Every choice that the sources leave open: what a status, a failure and an age mean."""

    @staticmethod
    def rfc9309() -> Profile:
        """RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is
        silent."""
    @staticmethod
    def google() -> Profile:
        """The rules that Google documents for its crawlers."""
    @staticmethod
    def ibm() -> Profile:
        """The procedure of the IBM Web crawler."""
    def ignore_robots(self) -> Profile:
        """Leaves robots.txt out: it is not fetched and everything is allowed."""
    @property
    def access(self) -> dict[str, Any]:
        """The settings about robots.txt, by the names that they have in Rust: durations are seconds,
        choices are strings."""
    def replace(self, **settings: Any) -> Profile:
        """The same profile with other settings: `Profile.rfc9309().replace(forbidden="disallow",
        min_ttl=60)`.

        Raises `TypeError` for a setting that there is none of, and `ValueError` for a value that it
        cannot have.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Fetch:
    """One round for one robots.txt: redirects, addresses, the meaning of a status and a body.

    `etag` and `last_modified` are the validators of the copy at hand, those of a `Ticket`.
    """

    def __new__(
        cls,
        origin: Origin,
        profile: Profile,
        now: float,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> Self: ...
    def poll(self, now: float, /) -> Step:
        """The next step."""
    def handle(self, event: Event, now: float, /) -> None:
        """Takes the result of a step."""
    def into_outcome(self) -> Outcome:
        """The outcome: that of the last step, or an outage if the round was given up before its end."""

@final
class Step:
    """A step of a round: `kind` is `"get"`, `"wait"`, `"resolve"` or `"done"`."""

    @property
    def kind(self) -> Literal["get", "wait", "resolve", "done", "other"]:
        """`"get"`, `"wait"`, `"resolve"` or `"done"`."""
    @property
    def url(self) -> str | None:
        """The URL to get."""
    @property
    def host(self) -> str | None:
        """The host to ask, or to resolve."""
    @property
    def address(self) -> str | None:
        """The address to ask, if the profile wants a certain one."""
    @property
    def max_bytes(self) -> int | None:
        """The bytes of the body to read at most."""
    @property
    def etag(self) -> str | None:
        """The value of `If-None-Match`."""
    @property
    def last_modified(self) -> str | None:
        """The value of `If-Modified-Since`."""
    @property
    def until(self) -> float | None:
        """The time to wait for."""
    @property
    def outcome(self) -> Outcome | None:
        """The end of the round."""

@final
class Event:
    """The result of a step."""

    @staticmethod
    def response(
        status: int,
        headers: Mapping[str, str] | Iterable[tuple[str | bytes, str | bytes]],
        body: bytes | bytearray | memoryview,
        *,
        end: Literal["complete", "cut_short", "limit_reached"] = "complete",
    ) -> Event:
        """A response. `headers` are a mapping, or pairs of a name and a value, each `str` or `bytes`.
        `end` is `"complete"`, `"cut_short"` or `"limit_reached"`.
        """
    @staticmethod
    def failed(
        error: Literal["dns", "connect", "read", "reset", "tls", "invalid_response", "local", "encoded", "other"],
        /,
    ) -> Event:
        """No response. `error` is `"dns"`, `"connect"`, `"read"`, `"reset"`, `"tls"`,
        `"invalid_response"`, `"local"`, `"encoded"` or `"other"`. `"local"` is a fault of the
        crawler's own network, which says nothing about the site; `"encoded"` is a body in a coding
        that cannot be undone.
        """
    @staticmethod
    def refused() -> Event:
        """An address that the crawler must not ask."""
    @staticmethod
    def resolved(addresses: Iterable[str], /) -> Event:
        """The addresses of a host."""
    @staticmethod
    def by_name() -> Event:
        """In place of the addresses of a host: the client looks names up by itself."""

@final
class Outcome:
    """The end of a round."""

    @property
    def kind(
        self,
    ) -> Literal[
        "parsed",
        "not_modified",
        "unavailable",
        "forbidden",
        "blanket",
        "unreachable",
        "local",
        "other",
    ]:
        """`"parsed"`, `"not_modified"`, `"unavailable"`, `"forbidden"`, `"blanket"`, `"unreachable"`
        or `"local"`."""
    @property
    def robots_txt(self) -> RobotsTxt | None:
        """The file, if there is one."""
    @property
    def cause(self) -> int | str | None:
        """The HTTP status or the name of the cause, if there is no file."""
    def retry_after(self, now: float, /) -> float | None:
        """The end of the pause that the server asked for by `Retry-After`."""

@final
class Entry:
    """The memory of one origin's robots.txt: which rules are in force, also in an outage, and when to
    ask again."""

    def __new__(cls) -> Self: ...
    @staticmethod
    def for_origin(origin: Origin, /) -> Entry:
        """An empty memory of an origin, by whose host its retries are spread."""
    def handle(self, outcome: Outcome, profile: Profile, now: float, /) -> None:
        """Takes the outcome of a round."""
    def robots_txt(self, profile: Profile, site: _Site, now: float, /) -> RobotsTxt:
        """The rules in force. `site` is `"available"`, `"unavailable"` or `"unknown"`: whether pages
        of the site come.

        An entry from a `Cache` without `documents` has the rules of its agents but no file: while
        rules are in force, the answer is "not fetched" then, which disallows everything.
        """
    def next_fetch(self, profile: Profile, now: float, /) -> _Next:
        """When robots.txt is due again: `"now"`, `"never"`, or a time."""
    def set_site(self, site: _Site, profile: Profile, now: float, /) -> None:
        """Notes whether pages of the site come."""
    def failures(self) -> int:
        """The failed rounds in a row."""
    def robots_date(self) -> float | None:
        """When the answer came or was confirmed."""
    def fresh_until(self) -> float | None:
        """The end of the answer's lifetime."""
    def validators(self) -> tuple[str | None, str | None]:
        """The `ETag` and the `Last-Modified` of the copy at hand."""
    def reset(self) -> None:
        """Forgets the failures and the outage, and makes robots.txt due."""
    def explain(self, profile: Profile, site: _Site, now: float, /) -> str:
        """The reasons of the rules in force, as a sentence."""
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Cache:
    """The robots.txt of many origins: compiled once, fetched one at a time, bounded in memory.

    The rules are those of the first of `agents` that a file names, or else of `*`. `capacity` is in
    bytes. With `documents` the files are kept too, for `document` and for entries that other
    crawlers read; each takes three times its length more.

    Raises `InvalidToken` for the first of `agents` that is no product token.
    """

    def __new__(cls, profile: Profile, agents: Iterable[str], capacity: int, *, documents: bool = False) -> Self: ...
    def poll(self, origin: Origin, now: float, /) -> Lookup:
        """The access to the origin, or a ticket if a fetch is due."""
    def poll_ahead(self, origin: Origin, now: float, /) -> Lookup:
        """The same for a page that has to wait for its turn, and asks again by `poll` then."""
    def check(self, url: str, now: float, /) -> Check | Ticket | None:
        """The answer about a URL; a ticket if a fetch is due; or `None` while a fetch is under way and
        nothing may be fetched before its end. The origin is released, as no queue is kept of its
        pages.

        Raises `InvalidUrl` if the URL has no origin.
        """
    def begin(self, ticket: Ticket, now: float, /) -> Fetch:
        """The round to run for a ticket, by the profile of the cache: the one that paused, or a new
        one. Then give both to `end`.

        Raises `ValueError` if the ticket was used already.
        """
    def end(self, ticket: Ticket, fetch: Fetch, now: float, /) -> None:
        """Takes a ticket and its round, wherever that stands: the outcome of one that is done counts,
        one that waits pauses until then, and any other was given up, so that robots.txt is due
        again.

        Raises `ValueError` if the ticket was used already.
        """
    def handle(self, ticket: Ticket, outcome: Outcome, now: float, /) -> None:
        """Takes the outcome of a ticket's fetch.

        Raises `ValueError` if the ticket was used already.
        """
    def give_back(self, ticket: Ticket, now: float, /) -> None:
        """Takes a ticket back without an outcome: nothing is counted, and robots.txt is due again.

        Raises `ValueError` if the ticket was used already.
        """
    def hold(self, origin: Origin, /) -> None:
        """Notes that pages of the origin are queued: it is not forgotten until `release`."""
    def release(self, origin: Origin, /) -> None:
        """Notes that the queue of the origin is empty: it is the first to be forgotten."""
    def reset(self, origin: Origin, /) -> None:
        """Forgets the failures and the outage of an origin, and makes its robots.txt due."""
    def set_site(self, origin: Origin, site: _Site, now: float, /) -> None:
        """Notes whether pages of the site come: `"available"`, `"unavailable"` or `"unknown"`."""
    def set_obedience(self, host: str, obedience: Literal["obey", "ignore"], /) -> None:
        """Makes an exception for all origins of a host: `"obey"` or `"ignore"`, for a site whose owner
        has agreed."""
    def contains(self, origin: Origin, /) -> bool:
        """Whether the origin is known: polled or inserted, and not forgotten since."""
    def entry(self, origin: Origin, /) -> Entry | None:
        """The memory of an origin, to save it."""
    def entries(self) -> list[tuple[Origin, Entry]]:
        """The memory of all origins, to save it."""
    def document(self, origin: Origin, /) -> RobotsTxt | None:
        """The file of an origin, expired or not, from which the rules of other agents can be compiled;
        `None` without `documents`. It is in force if the robot of `poll` has rules of a file, and
        no blanket answer.
        """
    def insert(self, origin: Origin, entry: Entry, now: float, /) -> None:
        """Takes the memory of an origin that was saved."""
    def save(self) -> bytes:
        """The memory of all origins, forgotten ones too, to save it."""
    def load(self, saved: bytes, now: float, /) -> None:
        """Takes what `save` gave, in place of what is known of these origins. Rules for other agents,
        or in another dialect, are left out: robots.txt is due then.

        Raises `ValueError` if it is not of this release.
        """
    def explain(self, origin: Origin, now: float, /) -> str | None:
        """The reasons of the access to a known origin, as a sentence."""
    def next_wakeup(self) -> float | None:
        """The next time at which a robots.txt is due."""
    def due(self, now: float, /) -> list[Origin]:
        """The origins whose robots.txt is due."""
    def forgotten(self) -> int:
        """The number of forgotten origins that are still remembered as unreachable."""
    def bytes(self) -> int:
        """The bytes of memory that count against the capacity."""
    def __len__(self) -> int: ...

@final
class Ticket:
    """The right to fetch one robots.txt, once. One that is dropped is given back."""

    @property
    def origin(self) -> Origin:
        """The origin whose robots.txt to fetch."""
    @property
    def etag(self) -> str | None:
        """The `ETag` of the copy at hand, for `Fetch`."""
    @property
    def last_modified(self) -> str | None:
        """The `Last-Modified` of the copy at hand, for `Fetch`."""

@final
class Lookup:
    """The answer of a cache: `kind` is `"ready"`, `"closed"`, `"fetch"`, `"pending"` or `"full"`."""

    @property
    def kind(self) -> Literal["ready", "closed", "fetch", "pending", "full", "other"]:
        """`"ready"`, `"closed"`, `"fetch"`, `"pending"` or `"full"`."""
    @property
    def robot(self) -> Robot | None:
        """The rules in force, if it is ready; if it is closed, a robot that disallows everything."""
    @property
    def ticket(self) -> Ticket | None:
        """The right to fetch robots.txt, if that is due."""
    @property
    def cause(self) -> int | str | None:
        """The reason why the origin is closed."""
    @property
    def since(self) -> float | None:
        """The beginning of the outage, or else the last try, if the origin is closed."""
    @property
    def retry(self) -> _Next | None:
        """When robots.txt is due again, if the origin is closed: `"now"`, `"never"`, or a time."""

@final
class Check:
    """Whether a crawler may fetch a URL now, and why. True if it may."""

    @property
    def allowed(self) -> bool:
        """Whether the crawler may fetch the URL now."""
    @property
    def closed(self) -> bool:
        """Whether nothing of the site may be fetched although no rule says so: keep the URL until
        `retry_at`."""
    @property
    def cause(self) -> int | str | None:
        """The reason if no rule decides: the HTTP status of robots.txt, the name of a cause such as
        `"unreachable"`, or `"full"` if the cache has no room for another robots.txt."""
    @property
    def retry_at(self) -> float | None:
        """When to ask again if the site is closed, in seconds since 1970; `None` for never."""
    @property
    def line(self) -> int | None:
        """The line of the deciding rule, from 1."""
    @property
    def robot(self) -> Robot:
        """The rules in force; if the site is closed, a robot that disallows everything."""
    def to_dict(self) -> CheckDict:
        """The attributes but `robot`, and `explanation`, as `json` writes them."""
    def __bool__(self) -> bool: ...
