<?php
// php cache.php HEADER LIBRARY: polite_robots_ffi.h as it is, by PHP's FFI.
$c = FFI::cdef(file_get_contents($argv[1]), $argv[2]);
$str = function (string $text) use ($c) {
    $made = $c->new('polite_str');
    $bytes = $c->new('char[' . (strlen($text) + 1) . ']', false);
    FFI::memcpy($bytes, $text, strlen($text));
    $made->data = FFI::cast('char *', FFI::addr($bytes[0]));
    $made->length = strlen($text);
    return $made;
};
$new = function (string $type) use ($c) {
    $made = $c->new($type);
    $made->size = FFI::sizeof($made);
    return $made;
};
$url = 'https://example.com/private';
$now = 1767225600000;
$agent = $str('ExampleBot');
$cache = $c->new('polite_cache *');
assert($c->polite_cache_new(FFI::addr($agent), 1, null, FFI::addr($cache)) === $c->POLITE_OK);
$access = $new('polite_access');
$ask = function ($fetch) use ($c, $cache, $url, $now, $access) {
    $asked = $c->polite_cache_ask($cache, $url, strlen($url), $c->POLITE_PAGE_ALONE, $now, FFI::addr($access), null, $fetch);
    assert($asked === $c->POLITE_OK);
    return $access->answer;
};
$fetch = $c->new('polite_fetch *');
assert($ask(FFI::addr($fetch)) === $c->POLITE_ANSWER_FETCH);
$step = $new('polite_fetch_step');
$c->polite_fetch_next($fetch, $now, FFI::addr($step));
assert(FFI::string($step->url->data, $step->url->length) === 'https://example.com/robots.txt');
$header = $c->new('polite_header[1]');
$header[0]->name = $str('Retry-After');
$header[0]->value = $str('120');
$c->polite_fetch_response($fetch, 503, FFI::addr($header[0]), 1, null, 0, $c->POLITE_BODY_COMPLETE, $now);
assert($c->polite_cache_end($cache, $fetch, $now) === $c->POLITE_OK);
assert($ask(null) === $c->POLITE_ANSWER_CLOSED && $access->status === 503 && $access->retry_at_ms === $now + 120000);
$c->polite_cache_free($cache);
echo "closed by 503\n";
