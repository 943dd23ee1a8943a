"""Names of groups as the models of the drop-ins compare them: whole, and not by their product token.

`User-agent: Mozilla/5.0 (compatible; ExampleBot/1.0)` has the token `Mozilla`, which is in the header of every browser. The
models compare the whole name, which is in that of one crawler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from polite_robots import Extension, Group, Robot, RobotsTxt, product_token


def is_browser(token: str) -> bool:
    """Whether a token, such as `Mozilla`, is in the headers of browsers or of HTTP libraries, and so names no crawler."""
    # A guess takes such a token only if the header has no other.
    return token != "*" and product_token(f"a/1 {token}/1") == "a"


def groups_of(document: RobotsTxt) -> list[Group]:
    """The groups of a document, by a copy: a document keeps those that it was asked for, and a crawler has many documents."""
    return RobotsTxt(bytes(document), dialect=document.dialect).groups


def robot_named(document: RobotsTxt, is_named: Callable[[str], bool]) -> Robot:
    """The robot of the groups with a name that counts; that of `*` if there are none."""
    groups = [group for group in groups_of(document) if any(map(is_named, group.user_agents))]
    if not groups:
        return document.robot("*")
    return robot_of_groups(groups, (record for record in document.extensions if any(map(is_named, record.agents))))


def robot_of_groups(groups: Iterable[Group], records: Iterable[Extension]) -> Robot:
    """The robot of some groups and records alone, in a file that has them for a name that is a token."""
    rules = (str(rule) for group in groups for rule in group.rules)
    return Robot("a", "\n".join(["User-agent: a", *rules, *(f"{record.field}: {record.value}" for record in records)]))
