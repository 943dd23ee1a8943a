"""When to fetch robots.txt and what the answer means: state machines without I/O, with time as float seconds."""

from polite_robots._native import (
    Cache,
    Check,
    Entry,
    Event,
    Fetch,
    Lookup,
    Origin,
    Outcome,
    Profile,
    Step,
    Ticket,
)

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
