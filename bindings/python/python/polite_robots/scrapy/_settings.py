"""The settings that the middleware and the downloader share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polite_robots.policy import Profile

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def profile_of(settings: BaseSettings) -> Profile:
    """The profile that `POLITE_ROBOTS_PROFILE` names or is."""
    profile = settings.get("POLITE_ROBOTS_PROFILE", "rfc9309")
    profiles = {"rfc9309": Profile.rfc9309, "google": Profile.google, "ibm": Profile.ibm}
    if isinstance(profile, Profile):
        return profile
    if profile in profiles:
        return profiles[profile]()
    raise ValueError(f"POLITE_ROBOTS_PROFILE is {profile!r}, but must be one of {', '.join(profiles)}")
