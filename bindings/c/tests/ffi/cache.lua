-- luajit cache.lua HEADER LIBRARY: polite_robots_ffi.h as it is, by LuaJIT's FFI.
local ffi = require 'ffi'
local header, library = ...
ffi.cdef(assert(io.open(header)):read '*a')
local c = ffi.load(library)
local function str(text) return ffi.new('polite_str', text, #text) end
local function new(type) return ffi.new(type, { size = ffi.sizeof(type) }) end
local url, now = 'https://example.com/private', 1767225600000ULL
local agents, cache = ffi.new('polite_str[1]', { str 'ExampleBot' }), ffi.new 'polite_cache *[1]'
assert(c.polite_cache_new(agents, 1, nil, cache) == c.POLITE_OK)
local access = new 'polite_access'
local function ask(fetch)
  assert(c.polite_cache_ask(cache[0], url, #url, c.POLITE_PAGE_ALONE, now, access, nil, fetch) == c.POLITE_OK)
  return access.answer
end
local fetch = ffi.new 'polite_fetch *[1]'
assert(ask(fetch) == c.POLITE_ANSWER_FETCH)
local step = new 'polite_fetch_step'
c.polite_fetch_next(fetch[0], now, step)
assert(ffi.string(step.url.data, step.url.length) == 'https://example.com/robots.txt')
local headers = ffi.new('polite_header[1]', { { str 'Retry-After', str '120' } })
c.polite_fetch_response(fetch[0], 503, headers, 1, nil, 0, c.POLITE_BODY_COMPLETE, now)
assert(c.polite_cache_end(cache[0], fetch[0], now) == c.POLITE_OK)
assert(ask(nil) == c.POLITE_ANSWER_CLOSED and access.status == 503 and access.retry_at_ms == now + 120000)
c.polite_cache_free(cache[0])
print 'closed by 503'
