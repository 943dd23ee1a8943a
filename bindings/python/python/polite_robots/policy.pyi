from collections.abc import Iterable
from typing import Any, Literal, Self, TypeAlias, final

from polite_robots import Robot, RobotsTxt, _Url
from polite_robots._dicts import CheckDict
from polite_robots._round import Fields

__all__ = [
    "Cache",
    "Check",
    "Entry",
    "Event",
    "Fetch",
    "HostId",
    "HostRule",
    "Lookup",
    "Origin",
    "Outcome",
    "Pacer",
    "Profile",
    "Reply",
    "Scheduler",
    "Step",
    "Ticket",
]

_Site: TypeAlias = Literal["available", "unavailable", "unknown"]
_Next: TypeAlias = float | Literal["now", "never"]
_Turn: TypeAlias = float | Literal["ready", "busy", "skip", "other"]
_Failure: TypeAlias = Literal["dns", "connect", "read", "reset", "tls", "invalid_response", "local", "cut_short", "encoded", "other"]
_Headers: TypeAlias = Fields | Iterable[tuple[str | bytes, str | bytes]]

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
        """The hash by which a fleet divides hosts among its workers: worker
        `partition_key() % workers` gets the host. The hash of a host never changes."""
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
    @property
    def pace(self) -> dict[str, Any]:
        """The settings about the pace of a host, in the same way."""
    def replace(self, **settings: Any) -> Profile:
        """The same profile with other settings of `access` and `pace`:
        `Profile.rfc9309().replace(forbidden="disallow", min_delay=5)`. `max_retry_after` is one of
        both. A choice that has parts is a dictionary, as `backoff={"levels": {"base": 2}}`, and the
        parts that it leaves out have their defaults.

        Raises `TypeError` for an unknown setting, and `ValueError` for a value that a setting
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
        headers: _Headers,
        body: bytes | bytearray | memoryview,
        *,
        end: Literal["complete", "cut_short", "limit_reached", "undecodable", "unproven"] = "complete",
    ) -> Event:
        """A response, with the bytes of its body as they came. `headers` are a mapping, or pairs of a
        name and a value, each `str` or `bytes`. `end` is `"complete"`, `"cut_short"`,
        `"limit_reached"`, `"undecodable"` where a decoder of the client failed, or `"unproven"`
        where the client hides whether the header came to its end, as `http.client` does.
        """
    @staticmethod
    def failed(error: _Failure, /) -> Event:
        """No response. `error` is `"dns"`, `"connect"`, `"read"`, `"reset"`, `"tls"`,
        `"invalid_response"`, `"local"`, `"cut_short"`, `"encoded"` or `"other"`. `"local"` is a
        fault of the crawler's own network, which says nothing about the site; `"cut_short"` is a
        body that broke off, `"encoded"` one in a coding that cannot be undone.
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
        """An empty memory of an origin, whose host spreads its retries."""
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

    Raises `InvalidToken` for the first of `agents` that is not a product token.
    """

    def __new__(cls, profile: Profile, agents: Iterable[str], capacity: int, *, documents: bool = False) -> Self: ...
    def poll(self, origin: Origin, now: float, /) -> Lookup:
        """The access to the origin, or a ticket if a fetch is due."""
    def poll_ahead(self, origin: Origin, now: float, /) -> Lookup:
        """Like `poll`, for a page that has to wait for its turn and then asks again by `poll`."""
    def check(
        self, url: str, now: float, /, page: Literal["alone", "in_line", "in_turn"] = "alone", *, sent: _Url | None = None
    ) -> Check | Ticket | None:
        """The answer about a URL; a ticket if a fetch is due; or `None` while a fetch is under way and
        nothing may be fetched before its end.

        `page` is `"alone"` if the crawler keeps no queue of the origin's pages, so that the origin
        is released; `"in_line"` for a page that waits for its turn and asks again, `"in_turn"`,
        when it has. `sent` is the URL or the request target that the client sends: both must be
        allowed.

        Raises `InvalidUrl` if the URL has no origin, or if the client sends it to another one.
        """
    def begin(self, ticket: Ticket, now: float, /) -> Fetch:
        """The round to run for a ticket: the one that paused, or a new one by the profile of the
        cache. Afterwards give both to `end`.

        Raises `ValueError` if the ticket was used already.
        """
    def end(self, ticket: Ticket, fetch: Fetch, now: float, /) -> None:
        """Takes a ticket back with its round, at whatever step the round is. The outcome of a round
        that is done counts, and a round that waits is paused. Any other round counts as given up,
        so that robots.txt is due again.

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
    def renew(self, ticket: Ticket, now: float, /) -> None:
        """Keeps a ticket alive whose round waits for its turn: one that is older than the
        `ticket_lease` of the profile counts as lost, and another round begins beside it.
        """
    def hold(self, origin: Origin, /) -> None:
        """Notes that pages of the origin are queued: it is not forgotten until `release`."""
    def release(self, origin: Origin, /) -> None:
        """Notes that the queue of the origin is empty, so that the origin is forgotten first."""
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
        not one answer for the whole site.
        """
    def insert(self, origin: Origin, entry: Entry, now: float, /) -> None:
        """Takes the memory of an origin that was saved."""
    def save(self) -> bytes:
        """The memory of all origins, forgotten ones too, to save it."""
    def load(self, saved: bytes, now: float, /) -> None:
        """Loads the bytes that `save` gave; they replace the memory of the same origins. Rules for
        other agents, or in another dialect, are left out: robots.txt is due then.

        Raises `ValueError` if the bytes are not of this release.
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
    @property
    def error(self) -> BaseException | None:
        """The exception that the fetch of robots.txt ended with, if the answer waited for it. It shows
        whether the crawler or the site was at fault."""
    def _after(self, error: BaseException, /) -> Check:
        """The same answer with an `error`, for `RobotsCache`."""
    def to_dict(self) -> CheckDict:
        """The attributes but `robot` and `error`, and `explanation`, as `json` writes them."""
    def __bool__(self) -> bool: ...

@final
class HostId:
    """The handle of a host in its `Scheduler`. One that outlives its host is stale: calls with it
    change nothing."""

    def index(self) -> int:
        """The slot of the host, to index tables. Another host may get it once this one is removed."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ge__(self, other: HostId, /) -> bool: ...
    def __gt__(self, other: HostId, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __le__(self, other: HostId, /) -> bool: ...
    def __lt__(self, other: HostId, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Pacer:
    """The pace of one host: when the next request may start."""

    def __new__(cls) -> Self: ...
    @staticmethod
    def for_host(host: str, /) -> Pacer:
        """A pacer for a host that was never asked. The name of the host spreads its blocks."""
    @staticmethod
    def after_gap(now: float, /) -> Pacer:
        """A pacer in place of one that was lost: it waits for one whole gap first."""
    def set_crawl_delay(self, delay: float | None, /) -> None:
        """Sets the `Crawl-delay` of the host in seconds, or `None` if it asks for none."""
    def poll(self, profile: Profile, now: float, /) -> _Turn:
        """Whether the host may be asked: `"ready"`, the time not to ask before, `"busy"` while as many
        requests are under way as the profile permits, or `"skip"` if it leaves the host out."""
    def handle_start(self, now: float, /) -> None:
        """Notes that a request was started."""
    def handle_cancelled(self, profile: Profile, now: float, /) -> None:
        """Notes that the crawler gave a request up, or never sent it. The gap is kept."""
    def handle_reply(self, reply: Reply, profile: Profile, now: float, /) -> None:
        """Takes the end of a request."""
    def is_as_new(self, profile: Profile, now: float, /) -> bool:
        """Whether the pacer may be forgotten: a new one in its place would permit no request earlier."""
    def level(self, profile: Profile, /) -> int:
        """The back-off level: 0 is normal, each one doubles the delay."""
    def long_crawl_delay(self, profile: Profile, /) -> float | None:
        """The `Crawl-delay` in seconds, if the profile reads it as a gap and it is longer than its
        `max_crawl_delay`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Reply:
    """The end of a request for a page or for robots.txt, which the pace of a host follows.

    `result` is the status, or the name of the failure that `Event.failed` takes. `started` is the
    time that was given to `handle_start`. `retry_after` and `rate_limit` are seconds, or the value
    of a `Retry-After` header. `signal` is `"challenge"`, `"soft_block"` or `"honeypot"`, if the
    crawler looks for them.
    """

    def __new__(
        cls,
        result: int | _Failure,
        started: float,
        *,
        retry_after: float | str | None = None,
        rate_limit: float | str | None = None,
        signal: Literal["challenge", "soft_block", "honeypot"] | None = None,
    ) -> Self: ...
    @staticmethod
    def of_response(status: int, headers: _Headers, started: float, now: float, /) -> Reply:
        """The reply to a response that came at `now`, with the waits that its headers ask for:
        `Retry-After`, and a rate limit of which nothing remains. `headers` are a mapping, or pairs
        of a name and a value, each `str` or `bytes`."""
    @property
    def started(self) -> float:
        """The time that was given to `handle_start`."""
    @property
    def status(self) -> int | None:
        """The status; `None` if there was no response."""
    def retry_after(self, now: float, /) -> float | None:
        """The end of the wait that the response asks for, if it came at `now`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class HostRule:
    """The exceptions that an operator makes for one host; `None` leaves the profile's answer.

    `min_delay` is in seconds, `crawl_delay` is `"gap"`, `"ignore"` or `{"window": {"min": 1, "max":
    30}}`, and `obedience` is `"obey"` or `"ignore"`, which `Cache.set_obedience` takes.
    """

    def __new__(
        cls,
        *,
        min_delay: float | None = None,
        max_in_flight: int | None = None,
        crawl_delay: str | dict[str, Any] | None = None,
        obedience: Literal["obey", "ignore"] | None = None,
    ) -> Self: ...
    @property
    def min_delay(self) -> float | None:
        """The least time between two requests, in seconds."""
    @property
    def max_in_flight(self) -> int | None:
        """Requests at the same time."""
    @property
    def crawl_delay(self) -> str | dict[str, Any] | None:
        """The meaning of a `Crawl-delay`."""
    @property
    def obedience(self) -> Literal["obey", "ignore"] | None:
        """`"obey"` or `"ignore"`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Scheduler:
    """The paces of many hosts, and which of them is next. It holds hosts, never URLs: those wait in
    the caller's queues.

    A request begins with `handle_start`, and ends with `handle_reply` or `handle_cancelled`, or
    when the `request_lease` of the profile is over. Hosts that share an address may be a group, by
    a number of the caller's, and share its limit.
    """

    def __new__(cls, profile: Profile) -> Self: ...
    @property
    def settings(self) -> dict[str, Any]:
        """The settings of all hosts, which are `pace` of the profile."""
    def insert(self, host: str, group: int | None = None, /) -> HostId:
        """Adds a host that was never asked and waits for its turn. A host that is there already keeps
        its pace."""
    def insert_with(self, host: str, group: int | None, pacer: Pacer, /) -> HostId:
        """Adds a host with the pace that it had elsewhere. If the host is there already, the pace is
        merged as by `join`."""
    def join(self, host: HostId, pacer: Pacer, /) -> None:
        """Merges the pace that another crawler had for the host: the more patient value of each part
        counts."""
    def find(self, host: str, /) -> HostId | None:
        """The host of this name, if it is there."""
    def hosts(self) -> list[HostId]:
        """All hosts, in no order."""
    def contains(self, host: HostId, /) -> bool:
        """Whether the host is there; not once it is removed."""
    def set_group(self, host: HostId, group: int | None, /) -> None:
        """Moves the host to a group, or out of its group."""
    def pacer(self, host: HostId, /) -> Pacer | None:
        """The pace of the host, to take it to another scheduler."""
    def host(self, host: HostId, /) -> str:
        """The name of the host; empty once it is removed."""
    def turn(self, host: HostId, now: float, /) -> _Turn:
        """Whether the host may be asked: `"ready"`, the time not to ask before, `"busy"` while as many
        requests are under way as the profile permits, or `"skip"` if it leaves the host out."""
    def next_ready(self, now: float, /) -> HostId | None:
        """A host that may be asked now and waits for it; `None` if there is none before `next_wakeup`.
        The same one comes again until `handle_start`, `set_idle` or `defer`."""
    def next_wakeup(self) -> float | None:
        """The earliest time at which `next_ready` may have a host again; `None` if no host will be
        ready without a call of another kind."""
    def handle_start(self, host: HostId, now: float, /) -> None:
        """Notes that a request to the host was started."""
    def handle_reply(self, host: HostId, reply: Reply, now: float, /) -> None:
        """Takes the end of a request to the host."""
    def handle_cancelled(self, host: HostId, now: float, /) -> None:
        """Notes that the crawler gave a request up, or never sent it. The gap is kept."""
    def set_crawl_delay(self, host: HostId, origin: Origin, delay: float | None, /) -> None:
        """Sets the `Crawl-delay` of one robots.txt in seconds, or `None` if it asks for none. The
        longest of the host's origins counts."""
    def defer(self, host: HostId, until: float, /) -> None:
        """Gives the host no turn before a time, as the crawler has nothing to ask there."""
    def block(self, host: HostId, until: float, /) -> None:
        """Stops asking the host until a time, by the operator's will; `math.inf` is for ever."""
    def unblock(self, host: HostId, /) -> None:
        """Ends the block by the operator."""
    def set_rule(self, host: HostId, rule: HostRule, /) -> None:
        """Sets the operator's exceptions for the host; `HostRule()` ends them."""
    def rule(self, host: HostId, /) -> HostRule:
        """The operator's exceptions for the host."""
    def set_waiting(self, host: HostId, /) -> None:
        """Lets the host wait for its turn, because it has a URL."""
    def set_idle(self, host: HostId, /) -> None:
        """Gives the host no turn until `set_waiting`, because it has no URL at hand."""
    def remove(self, host: HostId, /) -> None:
        """Takes the host out. It is remembered until its gap and blocks are over."""
    def is_as_new(self, host: HostId, now: float, /) -> bool:
        """Whether the host may be forgotten: inserted again as a new one, it would get no turn
        earlier."""
    def capacity(self, host: HostId, horizon: float, /) -> int:
        """The number of requests that the host will take within `horizon` seconds."""
    def save(self) -> bytes:
        """The memory of all hosts, to save it."""
    @staticmethod
    def load(saved: bytes, /) -> Scheduler:
        """The scheduler that `save` was called on, with its settings. Its requests have ended, and
        their gaps are kept.

        Raises `ValueError` if it is not of this release.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class _Crawl:
    def __new__(cls, profile: Profile, agents: Iterable[str], capacity: int, max_in_flight: float, max_line: float) -> Self: ...
    @property
    def cache(self) -> Cache: ...
    def set_rule(self, host: str, rule: HostRule) -> None: ...
    def enter(self, url: str, sent: _Url | None, max_wait: float, is_patient: bool, steady: float, now: float) -> int: ...
    def poll(self, steady: float, now: float) -> tuple[Literal["turn", "refused", "get", "wait"], int, Check | None, Any]: ...
    def leave(self, page: int, now: float) -> None: ...
    def finish(self, page: int, reply: Reply, now: float) -> None: ...
    def handle(self, round: int, event: Event, now: float) -> None: ...
    def break_off(self, round: int, now: float) -> None: ...
    def pages_of(self, round: int) -> list[int]: ...
    def save(self) -> bytes: ...
    def load(self, cache: bytes, scheduler: bytes, now: float) -> None: ...
    def __len__(self) -> int: ...
