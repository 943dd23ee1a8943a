"""The agent that a `User-Agent` header stands for."""

from __future__ import annotations

import re

from polite_robots import InvalidToken, Robot, RobotsTxt, product_token

_LEADING_NAME = re.compile(r"\s*([A-Za-z0-9_.-]*)").match


def agent_of(user_agent: str) -> str:
    """The product token in a header, else the characters of a token at its start, else `*`."""
    token = product_token(user_agent)
    if token is not None:
        return token
    found = _LEADING_NAME(user_agent)
    return (found and found[1]) or "*"


def robot_of(document: RobotsTxt, user_agent: str) -> Robot:
    """The robot of a header. Names that no file can have, such as `42`, get the rules for everyone."""
    try:
        return document.robot(agent_of(user_agent))
    except InvalidToken:
        return document.robot("*")
