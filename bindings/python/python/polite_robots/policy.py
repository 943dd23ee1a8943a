"""When to fetch robots.txt, what the answer means, and when a host may be asked: state machines without I/O, with time as float
seconds."""

from polite_robots._native import (
    Cache,
    Check,
    Entry,
    Event,
    Fetch,
    HostId,
    HostRule,
    Lookup,
    Origin,
    Outcome,
    Pacer,
    Profile,
    Reply,
    Scheduler,
    Step,
    Ticket,
    _Crawl,
)

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
