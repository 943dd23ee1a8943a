"""python cache.py HEADER LIBRARY: polite_robots_ffi.h as it is, by cffi."""

import pathlib
import sys

import cffi

header, library = sys.argv[1:]
ffi = cffi.FFI()
ffi.cdef(pathlib.Path(header).read_text())
c = ffi.dlopen(library)
texts = [ffi.from_buffer(text) for text in (b"ExampleBot", b"Retry-After", b"120")]
agent, name, value = ([text, len(text)] for text in texts)


def new(kind):
    made = ffi.new(f"{kind} *")
    made.size = ffi.sizeof(kind)
    return made


URL, NOW = b"https://example.com/private", 1767225600000
cache, access, fetch = ffi.new("polite_cache **"), new("polite_access"), ffi.new("polite_fetch **")
assert c.polite_cache_new(ffi.new("polite_str[]", [agent]), 1, ffi.NULL, cache) == c.POLITE_OK


def ask(fetch):
    asked = c.polite_cache_ask(cache[0], URL, len(URL), c.POLITE_PAGE_ALONE, NOW, access, ffi.NULL, fetch)
    assert asked == c.POLITE_OK
    return access.answer


assert ask(fetch) == c.POLITE_ANSWER_FETCH
step = new("polite_fetch_step")
c.polite_fetch_next(fetch[0], NOW, step)
assert ffi.string(step.url.data, step.url.length) == b"https://example.com/robots.txt"
headers = ffi.new("polite_header[]", [[name, value]])
c.polite_fetch_response(fetch[0], 503, headers, 1, ffi.NULL, 0, c.POLITE_BODY_COMPLETE, NOW)
assert c.polite_cache_end(cache[0], fetch[0], NOW) == c.POLITE_OK
assert ask(ffi.NULL) == c.POLITE_ANSWER_CLOSED and access.status == 503 and access.retry_at_ms == NOW + 120_000
c.polite_cache_free(cache[0])
print("closed by 503")
