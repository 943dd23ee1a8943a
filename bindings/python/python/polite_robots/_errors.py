"""The exceptions of the package."""

from __future__ import annotations

__all__ = ["InvalidToken", "InvalidUrl"]


class InvalidToken(ValueError):
    """A name that is not a product token of a crawler."""

    token: str
    probably_meant: str | None

    def __init__(self, message: str, token: str = "", probably_meant: str | None = None) -> None:
        super().__init__(message)
        self.token = token
        self.probably_meant = probably_meant

    def __reduce__(self) -> tuple[type[InvalidToken], tuple[str, str, str | None]]:
        return type(self), (str(self), self.token, self.probably_meant)


class InvalidUrl(ValueError):
    """A URL that has no robots.txt."""

    url: str

    def __init__(self, message: str, url: str = "") -> None:
        super().__init__(message)
        self.url = url

    def __reduce__(self) -> tuple[type[InvalidUrl], tuple[str, str]]:
        return type(self), (str(self), self.url)


InvalidToken.__module__ = InvalidUrl.__module__ = "polite_robots"
