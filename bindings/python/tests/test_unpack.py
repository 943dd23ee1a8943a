"""Packed pages of a `PoliteSession`."""

import contextlib
import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polite_robots._unpack import unpacked

LIMIT = 1000
RULES = b"User-agent: *\nDisallow: /private\n"


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def two_members(data):
    return gzip.compress(data[:9]) + gzip.compress(data[9:])


PACKERS = [("gzip", gzip.compress), ("x-gzip", two_members), ("deflate", zlib.compress), ("deflate", raw_deflate)]


def page(coding, body):
    return unpacked([(b"Content-Encoding", coding.encode()), (b"X", b"\xff")], body, LIMIT)


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
def test_a_page_is_unpacked_up_to_the_limit(coding, pack):
    for text in (RULES, b"", b"#" * LIMIT, b"#" * 10**6):
        assert page(coding.upper(), pack(text)) == ([(b"X", b"\xff")], text[:LIMIT])
    with pytest.raises(EOFError):
        page(coding, pack(RULES)[:-1])
    if coding != "deflate":
        assert page(coding, pack(RULES) + b"\0\0")[1] == RULES
        with pytest.raises(EOFError):
            page(coding, pack(RULES) + b"\x1f\x8b")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, gzip", ""])
def test_a_page_in_another_coding_is_given_as_it_came(coding):
    for body in (b"", RULES, b"<html>"):
        assert page(coding, body) == ([(b"Content-Encoding", coding.encode()), (b"X", b"\xff")], body)


def test_a_page_that_grows_is_not_unpacked():
    """64 MB in 64 KB: no more of them are unpacked than are kept."""
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    tracemalloc.start()
    assert page("gzip", bomb)[1] == bytes(LIMIT) and tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


@settings(deadline=None)
@given(st.sampled_from(["gzip", "x-gzip", "deflate"]), st.binary(max_size=40), st.integers(0, 20))
def test_no_bytes_raise_another_error(coding, noise, length):
    with contextlib.suppress(EOFError):
        assert len(page(coding, gzip.compress(RULES)[:length] + noise)[1]) <= LIMIT


def test_a_page_of_many_members_is_bounded():
    fields, members = [(b"Content-Encoding", b"gzip")], gzip.compress(b"text") * 1024
    assert unpacked(fields, members, 10 << 20) == ([], b"text" * 1024)
    # Half a million: each copied the rest of the body.
    many = gzip.compress(b"") * 500_000
    assert unpacked(fields, many, 10 << 20) == (fields, many)
