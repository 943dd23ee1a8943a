"""Packed bodies, in pieces of any size."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polite_robots._unpack import CODINGS, Unpacking

LIMIT = 1000
RULES = b"User-agent: *\nDisallow: /private\n"


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def two_members(data):
    return gzip.compress(data[:9]) + gzip.compress(data[9:])


PACKERS = [("gzip", gzip.compress), ("x-gzip", two_members), ("deflate", zlib.compress), ("deflate", raw_deflate)]


def unpack(coding, packed, size):
    unpacking = Unpacking(coding, LIMIT)
    for start in range(0, len(packed), size):
        unpacking.feed(packed[start : start + size])
    return unpacking.body, unpacking.end


@pytest.mark.parametrize(("coding", "pack"), PACKERS)
@pytest.mark.parametrize("size", [1, 2, 3, 10, 100_000])
def test_the_pieces_do_not_matter(coding, pack, size):
    assert unpack(coding, pack(RULES), size) == (RULES, "complete")
    assert unpack(coding, pack(b""), size) == (b"", "complete")
    for length, end in [(LIMIT - 1, "complete"), (LIMIT, "complete"), (LIMIT + 1, "limit_reached"), (10**6, "limit_reached")]:
        assert unpack(coding, pack(b"#" * length), size) == (b"#" * min(length, LIMIT), end)
    assert unpack(coding, pack(RULES)[:-1], size)[1] == "cut_short"
    assert unpack(coding, b"", size) == (b"", "complete")
    if coding != "deflate":
        assert unpack(coding, pack(RULES) + b"\0\0", size) == (RULES, "complete")


def test_a_body_that_grows_is_not_unpacked():
    """64 MB in 64 KB: no more of them are unpacked than are kept."""
    packer = zlib.compressobj(wbits=31)
    start = packer.compress(RULES) + packer.flush(zlib.Z_SYNC_FLUSH)
    bomb = start + b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    unpacking = Unpacking("gzip", LIMIT)
    unpacking.feed(bomb)
    assert (len(unpacking.body), unpacking.state) == (LIMIT, "over") and unpacking.body.startswith(RULES)
    unpacking.feed(bomb)
    assert len(unpacking.body) == LIMIT


@settings(deadline=None)
@given(st.sampled_from(sorted(CODINGS)), st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_raise(coding, pieces):
    unpacking = Unpacking(coding, LIMIT)
    for piece in [*pieces, gzip.compress(RULES)[:20], *pieces]:
        unpacking.feed(piece)
    assert len(unpacking.body) <= LIMIT and unpacking.end in ("complete", "cut_short", "limit_reached")
