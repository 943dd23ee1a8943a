"""Lines and blanks as `str` has them. The models end a line at U+2028 and drop no-break spaces; RFC 9309 does neither. URLs as
`urllib.parse` has them.
"""

from __future__ import annotations

from collections.abc import Iterable

_ODD = "\v\f\x1c\x1d\x1e\x1f"
_ODD_BEYOND_ASCII = "".join(filter(str.isspace, map(chr, range(0x80, 0x3001))))


def is_plain(text: str) -> bool:
    """Whether a text has only the blanks and line ends that the library knows."""
    # In 4 KB a search for each of them takes 0.5 to 1.5 µs, and a regular expression 30.
    return not any(odd in text for odd in _ODD) and (text.isascii() or not any(odd in text for odd in _ODD_BEYOND_ASCII))


def without_blanks(url: str) -> str:
    """A URL as `urllib.parse` reads it: without the blanks before it, and without tabs and line ends. A bare path of
    `polite_robots.Robot` keeps them.
    """
    # Nearly all URLs, in a third of the time. Bytes and URL objects are read as they are.
    if not isinstance(url, str) or url.isprintable() and not url.startswith(" "):
        return url
    return url.lstrip(_BLANK).translate(_REMOVED)


_BLANK = "".join(map(chr, range(0x21)))
_REMOVED = dict.fromkeys(map(ord, "\t\r\n"))


def trimmed(lines: Iterable[str]) -> str:
    """A text of the lines, without the blanks around fields and values."""
    return "\n".join(map(_trimmed, lines))


def _trimmed(line: str) -> str:
    record, mark, comment = line.partition("#")
    field, colon, value = record.partition(":")
    record = f"{field.strip()}:{value.strip()}" if colon else " ".join(record.split())
    return f"{record}{mark}{comment}"
