from collections.abc import Iterable
from datetime import time
from typing import Any, Literal, Protocol, Self, TypeAlias, final

from polite_robots._dicts import (
    AgentSummaryDict,
    DiagnosticDict,
    ExtensionDict,
    GroupDict,
    RequestRateDict,
    RobotDict,
    RobotsTxtDict,
    RuleDict,
    UsageDict,
    VerdictDict,
    VisitTimeDict,
)
from polite_robots._admission import Permit as Permit
from polite_robots._cache import RobotsCache as RobotsCache
from polite_robots._errors import InvalidToken as InvalidToken, InvalidUrl as InvalidUrl
from polite_robots.policy import Check as Check

__all__ = [
    "AgentSummary",
    "Check",
    "Diagnostic",
    "Extension",
    "Group",
    "InvalidToken",
    "InvalidUrl",
    "Permit",
    "RequestRate",
    "Robot",
    "RobotsCache",
    "RobotsTxt",
    "Rule",
    "Usage",
    "Verdict",
    "VisitTime",
    "__version__",
    "product_token",
    "robots_url",
]

_Bytes: TypeAlias = bytes | bytearray | memoryview

class _Parsed(Protocol):
    def geturl(self) -> str | bytes: ...

class _UrlObject(Protocol):
    @property
    def scheme(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...

_Url: TypeAlias = str | _Bytes | _Parsed | _UrlObject

__version__: str

@final
class Robot:
    """A robots.txt for one agent, compiled. Immutable, and safe to share between threads.

    `agent` is a product token such as `ExampleBot`, or `*`. `robots_txt` may hold any bytes: lines
    that cannot be read are skipped. `dialect` is `"rfc9309"` or `"google"`, which answers as
    Google's matcher does. At most `max_bytes` of the file are read.

    Raises `InvalidToken` if `agent` is neither a product token nor `*`.
    """

    def __new__(
        cls,
        agent: str,
        robots_txt: _Bytes | str,
        /,
        *,
        dialect: Literal["rfc9309", "google"] = "rfc9309",
        max_bytes: int | None = None,
    ) -> Self: ...
    @staticmethod
    def allow_all(cause: int | str = "configured") -> Robot:
        """Allows everything, for a site without a robots.txt. `cause` is an HTTP status or the name of
        a cause."""
    @staticmethod
    def disallow_all(cause: int | str = "configured") -> Robot:
        """Disallows everything but `/robots.txt`. `cause` is an HTTP status or the name of a cause."""
    def allowed(self, url: _Url, /, *, sent: bool = False, absolute: bool = False) -> bool:
        """Whether the agent may fetch the URL. Resolve links first, by `urllib.parse.urljoin`: a text
        without a scheme is a path, and in `private/x.html` the first word is a host. With
        `absolute` such a text raises `InvalidUrl`. Whatever the scheme, only the path counts;
        `robots_url` raises where a URL has no robots.txt. With `sent` it is the target of a request
        line as it stood on the wire: no dot segment of it is resolved.
        """
    def _allowed_without_blanks(self, url: _Url, /) -> bool:
        """The answer about a URL as `urllib.parse` reads it, for the drop-ins: without the blanks and
        control characters before it, and without tabs and line ends.
        """
    def check(self, url: _Url, /, *, sent: bool = False, absolute: bool = False) -> Verdict:
        """Whether the agent may fetch the URL, and why. `sent` and `absolute` are those of `allowed`."""
    def allowed_many(self, urls: Iterable[_Url], /, *, absolute: bool = False) -> list[bool]:
        """Whether the agent may fetch each of the URLs. Other threads run meanwhile if there are many.
        `absolute` is that of `allowed`.
        """
    def check_many(self, urls: Iterable[_Url], /, *, absolute: bool = False) -> list[Verdict]:
        """Whether the agent may fetch each of the URLs, and why. `absolute` is that of `allowed`."""
    def usage(self, url: _Url, /) -> Usage:
        """The preferences of the site about the use of the URL's content. A preference never changes a
        verdict."""
    def named_only(self) -> Robot:
        """Leaves the wildcard groups out: if no group names the agent, nothing applies."""
    @property
    def agent(self) -> str | None:
        """The agent that the robot was made for; `None` if it was made for several, or for a whole
        site."""
    @property
    def agent_match(self) -> Literal["named", "wildcard", "none"]:
        """`"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent."""
    @property
    def group_lines(self) -> list[int]:
        """The lines of the `User-agent` records by which groups apply."""
    @property
    def rules(self) -> list[Rule]:
        """The rules that apply, in precedence order: the first that matches a URL decides about it."""
    @property
    def sitemaps(self) -> list[str]:
        """The values of the `Sitemap` records, as written."""
    @property
    def licenses(self) -> list[str]:
        """The licenses for the agent, as absolute URIs."""
    @property
    def crawl_delay(self) -> float | None:
        """The `Crawl-delay` for the agent, in seconds. It has no upper bound, so cap it."""
    @property
    def request_rate(self) -> RequestRate | None:
        """The first `Request-rate` record for the agent."""
    @property
    def request_rates(self) -> list[RequestRate]:
        """The `Request-rate` records for the agent, in the order of the file."""
    @property
    def visit_time(self) -> VisitTime | None:
        """The first `Visit-time` record for the agent."""
    @property
    def visit_times(self) -> list[VisitTime]:
        """The `Visit-time` records for the agent, in the order of the file."""
    def to_dict(self) -> RobotDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class AgentSummary:
    """The rules and records of one agent in summary, as `robots agents` lists them."""

    @property
    def agent(self) -> str:
        """The product token, `*` for everyone."""
    @property
    def agent_match(self) -> Literal["named", "wildcard", "none"]:
        """`"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent."""
    @property
    def group_lines(self) -> list[int]:
        """The lines of the `User-agent` records by which groups apply."""
    @property
    def access(self) -> Literal["nothing", "part", "everything"]:
        """`"nothing"`, `"part"` or `"everything"`: how much the agent may fetch, found by an exact
        walk of all its rules."""
    @property
    def is_complete(self) -> bool:
        """Whether every URL was taken into account. Some rules meet in more ways than can be walked
        through; `access` is then the most probable answer.
        """
    @property
    def line(self) -> int | None:
        """The line of the rule that closes the whole site to the agent, if one does."""
    @property
    def allow_rules(self) -> int:
        """The number of rules with `Allow`."""
    @property
    def disallow_rules(self) -> int:
        """The number of rules with `Disallow`."""
    @property
    def crawl_delay(self) -> float | None:
        """The `Crawl-delay` for the agent, in seconds. It has no upper bound, so cap it."""
    @property
    def search(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about search, for the home page: `"unstated"`, `"allowed"` or `"disallowed"`."""
    @property
    def ai_input(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about input of AI models at the time of an answer, for the home page."""
    @property
    def ai_training(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about the training of AI models, for the home page."""
    @property
    def content_uses(self) -> list[str]:
        """The values of the key `use` of `Content-Signal`, for the home page."""
    def to_dict(self) -> AgentSummaryDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RobotsTxt:
    """A robots.txt for every agent. Immutable, and safe to share between threads.

    `robots_txt` may hold any bytes: lines that cannot be read are skipped. `dialect` is `"rfc9309"`
    or `"google"`, which answers as Google's matcher does. At most `max_bytes` of the file are read.
    """

    def __new__(
        cls,
        robots_txt: _Bytes | str,
        /,
        *,
        dialect: Literal["rfc9309", "google"] = "rfc9309",
        max_bytes: int | None = None,
    ) -> Self: ...
    def robot(self, agent: str, /) -> Robot:
        """Compiles the rules of one agent.

        Raises `InvalidToken` if `agent` is neither a product token nor `*`.
        """
    @staticmethod
    def from_status(
        status: int,
        body: _Bytes | str,
        /,
        *,
        dialect: Literal["rfc9309", "google"] = "rfc9309",
        max_bytes: int | None = None,
    ) -> RobotsTxt:
        """Reads a response to `GET /robots.txt` by its status: the rules of `body` count for 200
        to 299 but 206; nothing is forbidden for 400 to 499 but 429, and everything for any other.

        `body` is whole, and decoded from gzip and the like. Follow redirects first. For no response
        at all, as after a time-out, there is `RobotsTxt.disallow_all("unreachable")`. When to ask
        again, and bodies that break off, are questions for a `RobotsCache`.
        """
    @staticmethod
    def allow_all(cause: int | str = "configured") -> RobotsTxt:
        """Allows everything to every agent, for a site without a robots.txt. `cause` is an HTTP status
        or the name of a cause."""
    @staticmethod
    def disallow_all(cause: int | str = "configured") -> RobotsTxt:
        """Disallows everything but `/robots.txt` to every agent. `cause` is an HTTP status or the name
        of a cause."""
    def robot_of_header_or_wildcard(self, user_agent: str, /) -> Robot:
        """Compiles the rules of the agent that a whole `User-Agent` header names, such as `ExampleBot`
        in `ExampleBot/1.0 (+https://example.com)`, or those of `*` if it names none."""
    def robot_first(self, agents: Iterable[str], /) -> Robot:
        """Compiles the rules of the first agent that the file names, else those of `*`.

        Raises `InvalidToken` for the first of `agents` that is not a product token.
        """
    def robot_merged(self, agents: Iterable[str], /) -> Robot:
        """Compiles the rules of several agents as one set.

        Raises `InvalidToken` for the first of `agents` that is not a product token.
        """
    def agents(self, agents: Iterable[str] | None = None, /) -> list[AgentSummary]:
        """How much each agent may fetch: of `agents`, or of those that the file names, in its order.
        A use such as `__usage_ai-training` is no agent.

        Raises `InvalidToken` for the first of `agents` that is not a product token.
        """
    @property
    def groups(self) -> list[Group]:
        """The groups as the file has them. They are made once, and kept with the document."""
    @property
    def merged_groups(self) -> list[Group]:
        """The groups as they apply: one for each agent that the file names. They are kept as `groups`
        are."""
    @property
    def sitemaps(self) -> list[str]:
        """The values of the `Sitemap` records, as written."""
    @property
    def extensions(self) -> list[Extension]:
        """The records outside of RFC 9309, valid or not, in the order of the file."""
    @property
    def host(self) -> str | None:
        """The preferred host: the first valid `Host` record."""
    @property
    def truncated_at(self) -> int | None:
        """The number of bytes that were read, if the file was cut at `max_bytes`."""
    @property
    def dialect(self) -> Literal["rfc9309", "google"]:
        """`"rfc9309"` or `"google"`."""
    def clean_url(self, url: str, /) -> str:
        """The URL without the query parameters that, by the `Clean-param` records, do not change the
        page."""
    def lint(self, *, opinions: bool = False) -> list[Diagnostic]:
        """The findings about the file, in the order of its lines.

        A file that was cut at `max_bytes` is linted up to there. With `opinions` there are also
        findings that many owners would not share, such as a file without a sitemap.
        """
    def to_canonical(self) -> str:
        """The file in canonical form, with its comments. It answers every question as the file does."""
    def to_dict(self) -> RobotsTxtDict:
        """The attributes, as `json` writes them."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str:
        """The file with line numbers."""

@final
class Verdict:
    """Whether an agent may fetch a URL, and why. True if it may."""

    @property
    def allowed(self) -> bool:
        """Whether the agent may fetch the URL."""
    @property
    def reason(
        self,
    ) -> Literal[
        "rule",
        "directory_of_index",
        "no_rule_matches",
        "no_group",
        "robots_txt_itself",
        "blanket",
        "other",
    ]:
        """`"rule"`, `"directory_of_index"`, `"no_rule_matches"`, `"no_group"`, `"robots_txt_itself"`
        or `"blanket"`."""
    @property
    def cause(self) -> int | str | None:
        """The cause of an answer for the whole site: the HTTP status of robots.txt, or a name such as
        `"unreachable"`."""
    @property
    def rule(self) -> Rule | None:
        """The rule that decides."""
    @property
    def overruled(self) -> Rule | None:
        """The best rule against the verdict, which the deciding rule overrules."""
    @property
    def line(self) -> int | None:
        """The line of the deciding rule, from 1."""
    @property
    def group_line(self) -> int | None:
        """The line of the `User-agent` record by which the rule's group applies."""
    @property
    def agent_match(self) -> Literal["named", "wildcard", "none"]:
        """`"named"`, `"wildcard"` or `"none"`: the groups that apply to the agent."""
    def to_dict(self) -> VerdictDict:
        """The fields of a check in `robots check --json`."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str:
        """The sentence, and the file with the deciding line marked if the document is still there."""

@final
class Rule:
    """One rule of a file."""

    @property
    def access(self) -> Literal["allow", "disallow"]:
        """`"allow"` or `"disallow"`."""
    @property
    def pattern(self) -> str:
        """The path pattern. In a robot it is in the form that is compared; in a group it is as the
        file has it."""
    @property
    def line(self) -> int:
        """The line in the file, from 1."""
    @property
    def length(self) -> int:
        """The bytes of the pattern, by which rules take precedence."""
    def to_dict(self) -> RuleDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Group:
    """A group of a file: its agents and its rules, as the file has them."""

    @property
    def line(self) -> int:
        """The line of the first `User-agent` record, from 1."""
    @property
    def product_token(self) -> str | None:
        """The agent of a merged group, `"*"` for everyone; `None` for a group as the file has it."""
    @property
    def user_agents(self) -> list[str]:
        """The values of the `User-agent` records, as the file has them."""
    @property
    def rules(self) -> list[Rule]:
        """The rules in the order of the file, also those without effect."""
    def to_dict(self) -> GroupDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Extension:
    """A record outside of RFC 9309, valid or not."""

    @property
    def field(self) -> str:
        """The name of the field in its usual spelling: `"Crawl-delay"`, `"Sitemap"`,
        `"Content-Signal"`."""
    @property
    def value(self) -> str:
        """The value, with U+FFFD for bytes that are not UTF-8."""
    @property
    def raw(self) -> bytes:
        """The bytes of the value."""
    @property
    def line(self) -> int:
        """The line in the file, from 1."""
    @property
    def scope(self) -> Literal["file", "agents", "nobody"]:
        """`"file"`, `"agents"` or `"nobody"`: the agents that the record applies to."""
    @property
    def agents(self) -> list[str]:
        """The values of the `User-agent` records that the record belongs to."""
    def to_dict(self) -> ExtensionDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class RequestRate:
    """A number of requests in a time, the value of a `Request-rate` record."""

    @property
    def requests(self) -> int:
        """The number of requests."""
    @property
    def seconds(self) -> int:
        """The time for them, in seconds."""
    @property
    def interval(self) -> float:
        """The seconds from one request to the next."""
    @property
    def start_time(self) -> time | None:
        """The first minute of the part of the day in which the rate holds, if it names one."""
    @property
    def end_time(self) -> time | None:
        """The last minute of that part."""
    def to_dict(self) -> RequestRateDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class VisitTime:
    """A part of the day in UTC, the value of a `Visit-time` record."""

    @property
    def start_time(self) -> time:
        """The first minute, as a `datetime.time`."""
    @property
    def end_time(self) -> time:
        """The last minute, as a `datetime.time`; before the first one if the part goes over midnight."""
    def to_dict(self) -> VisitTimeDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Usage:
    """The preferences of a site about the use of a page's content: `"unstated"`, `"allowed"` or
    `"disallowed"`."""

    @property
    def search(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about search."""
    @property
    def ai_input(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about input of AI models at the time of an answer."""
    @property
    def ai_training(self) -> Literal["unstated", "allowed", "disallowed"]:
        """The preference about the training of AI models."""
    @property
    def search_line(self) -> int | None:
        """The line that states the preference about search."""
    @property
    def ai_input_line(self) -> int | None:
        """The line that states the preference about AI input."""
    @property
    def ai_training_line(self) -> int | None:
        """The line that states the preference about AI training."""
    @property
    def content_uses(self) -> list[tuple[str, int]]:
        """The values of the key `use` of `Content-Signal`, each with its line."""
    def to_dict(self) -> UsageDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Diagnostic:
    """A finding about a file: where, how bad, and why."""

    @property
    def code(self) -> str:
        """The stable code, such as `"misspelled-field"`."""
    @property
    def severity(self) -> Literal["note", "warning", "error"]:
        """`"note"`, `"warning"` or `"error"`."""
    @property
    def line(self) -> int:
        """The line in the file, from 1."""
    @property
    def span(self) -> tuple[int, int]:
        """The first byte in the file that the finding is about, and the one after the last."""
    @property
    def message(self) -> str:
        """One sentence."""
    @property
    def suggestion(self) -> str | None:
        """The text that would be better in the span; empty if the span should be removed."""
    @property
    def url(self) -> str:
        """The page that explains the code."""
    def to_dict(self) -> DiagnosticDict:
        """The attributes, as `json` writes them."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def robots_url(url: str, /) -> str:
    """The URL of the robots.txt that governs a page, with a host outside of ASCII in punycode.

    Raises `InvalidUrl` if the URL has none: it is not http or https, or its host is not one.
    """
def product_token(user_agent: str, /) -> str | None:
    """The product token in a `User-Agent` header, if there is one: `ExampleBot` in `ExampleBot/1.0
    (+https://example.com)`."""
