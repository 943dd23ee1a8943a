// A URL as a browser requests it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pathOf, requested } from '../page/requested.js';

test('a URL is encoded, its dot segments are resolved, and its fragment and its password are not sent', () => {
  for (const [typed, sent] of [
    ['/café/menu', '/caf%C3%A9/menu'],
    ['/a/../x', '/x'],
    ['/a/%2e%2e/x', '/x'],
    ['\\x', '/x'],
    ['/a b?c d#e', '/a%20b?c%20d'],
    ['?q=1', '/?q=1'],
    ['HTTPS://user:secret@Example.COM:443/x#y', 'https://example.com/x'],
    ['http://bücher.example/ü', 'http://xn--bcher-kva.example/%C3%BC'],
    ['//other.example/x', 'https://other.example/x'],
  ]) {
    assert.equal(requested(typed).sent, sent, typed);
    assert.equal(requested(typed).hint, undefined, typed);
  }
});

test('a text that is no URL is not asked about, and says why', () => {
  for (const [typed, hint, instead] of [
    ['not a url', /neither a scheme nor a slash/, '/not%20a%20url'],
    ['mailto:a@b', /not about `mailto:`/, undefined],
    ['ftp://example.com/x', /not about `ftp:`/, undefined],
    ['https://', /host/, undefined],
    ['http://a b/', /host/, undefined],
    ['https://example.com:99999/', /port/, undefined],
  ]) {
    const one = requested(typed);
    assert.equal(one.sent, undefined, typed);
    assert.match(one.hint, hint, typed);
    assert.equal(one.instead, instead, typed);
  }
});

test('a host without a scheme is read as one, and says so', () => {
  assert.equal(requested('example.com/x').sent, 'https://example.com/x');
  assert.equal(requested('localhost:8080/x').sent, 'https://localhost:8080/x');
  assert.match(requested('cart.html').hint, /is read as/);
  assert.equal(requested('cart.html').instead, '/cart.html');
});

test('the path of a URL has its query', () => {
  assert.equal(pathOf('https://example.com/x?y'), '/x?y');
  assert.equal(pathOf('/x?to=https://example.com/'), '/x?to=https://example.com/');
});
