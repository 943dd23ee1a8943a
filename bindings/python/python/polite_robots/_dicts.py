"""The types of the dictionaries that `to_dict` gives."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class RuleDict(TypedDict):
    """A rule of a group or of a robot."""

    access: Literal["allow", "disallow"]
    pattern: str
    line: int
    length: int


class DecidingRuleDict(TypedDict):
    """A rule in a verdict; the overruled one has its line."""

    access: Literal["allow", "disallow"]
    pattern: str
    bytes: int
    line: NotRequired[int]


class VerdictDict(TypedDict):
    """A verdict, with the fields of `robots check --json`."""

    allowed: bool
    line: int | None
    rule: DecidingRuleDict | None
    overruled: DecidingRuleDict | None
    reason: str
    explanation: str


class CheckDict(TypedDict):
    """An answer of a `RobotsCache`."""

    allowed: bool
    closed: bool
    cause: int | str | None
    retry_at: float | None
    line: int | None
    explanation: str


class GroupDict(TypedDict):
    """A group of a file."""

    line: int
    product_token: str | None
    user_agents: list[str]
    rules: list[RuleDict]


class ExtensionDict(TypedDict):
    """A record outside of RFC 9309."""

    field: str
    value: str
    line: int
    scope: Literal["file", "agents", "nobody"]
    agents: list[str]


class VisitTimeDict(TypedDict):
    """A part of the day, as `HH:MM:SS`."""

    start_time: str
    end_time: str


class RequestRateDict(TypedDict):
    """A number of requests in a time."""

    requests: int
    seconds: int
    interval: float
    start_time: str | None
    end_time: str | None


class UsageDict(TypedDict):
    """Preferences about the use of content, and the lines that state them."""

    search: Literal["unstated", "allowed", "disallowed"]
    ai_input: Literal["unstated", "allowed", "disallowed"]
    ai_training: Literal["unstated", "allowed", "disallowed"]
    search_line: int | None
    ai_input_line: int | None
    ai_training_line: int | None
    content_uses: list[tuple[str, int]]


class AgentSummaryDict(TypedDict):
    """The rules and records of one agent in summary."""

    agent: str
    agent_match: Literal["named", "wildcard", "none"]
    group_lines: list[int]
    access: Literal["nothing", "part", "everything"]
    is_complete: bool
    line: int | None
    allow_rules: int
    disallow_rules: int
    crawl_delay: float | None
    search: Literal["unstated", "allowed", "disallowed"]
    ai_input: Literal["unstated", "allowed", "disallowed"]
    ai_training: Literal["unstated", "allowed", "disallowed"]
    content_uses: list[str]


class DiagnosticDict(TypedDict):
    """A finding about a file."""

    code: str
    severity: Literal["note", "warning", "error"]
    line: int
    span: tuple[int, int]
    message: str
    suggestion: str | None
    url: str


class RobotDict(TypedDict):
    """The rules and records of one agent."""

    agent: str | None
    agent_match: Literal["named", "wildcard", "none"]
    group_lines: list[int]
    rules: list[RuleDict]
    sitemaps: list[str]
    licenses: list[str]
    crawl_delay: float | None
    request_rates: list[RequestRateDict]
    visit_times: list[VisitTimeDict]


class RobotsTxtDict(TypedDict):
    """A file."""

    dialect: Literal["rfc9309", "google"]
    truncated_at: int | None
    groups: list[GroupDict]
    sitemaps: list[str]
    extensions: list[ExtensionDict]
    host: str | None
