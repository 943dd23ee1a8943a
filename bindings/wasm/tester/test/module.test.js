// The module answers as the libraries do; the page is tested in a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { File, Table, initSync } from '../generated/tester.js';
import { requested } from '../page/requested.js';

initSync({ module: readFileSync(new URL('../generated/tester_bg.wasm', import.meta.url)) });

const bytes = (text) => new TextEncoder().encode(text);
const file = (text) => new File(bytes(text));
const text = (bytes) => new TextDecoder().decode(bytes);

test('the table has both dialects, and knows bad agents', () => {
  const one = file('User-agent: *\nDisallow: /\nAllow: /index.html\nAllow: /a\n');
  assert.deepEqual([...new Table(one, 'ExampleBot\nBad/1').answers(bytes('/\n/a\n/b\n'))], [2, 4, 3, 4, 0, 4]);
  const [bad] = JSON.parse(one.badAgents('ExampleBot\nBad/1'));
  assert.equal(bad.agent, 'Bad/1');
  assert.equal(bad.probablyMeant, 'Bad');
});

test('an explanation marks the deciding and the overruled line', () => {
  const one = file('User-agent: *\nDisallow: /\nAllow: /a\n');
  const { isAllowed, marks } = JSON.parse(one.explain('ExampleBot', '/a', false));
  assert.equal(isAllowed, true);
  const places = marks.map(({ line, isDeciding, isOverruled }) => [line, isDeciding, isOverruled]);
  assert.deepEqual(places, [
    [3, true, false],
    [2, false, true],
    [1, false, false],
  ]);
  assert.ok(JSON.parse(one.explain('Bad/1', '/a', false)).error);
});

test('findings have columns of UTF-16, and one click fixes one of them', () => {
  const one = file('# 😀\nUser-agent: *\nDisallow: /😀é x\nDisalow: /a\nDisalow: /b\n');
  const { found, fixable } = JSON.parse(one.findings());
  const [first, second] = found.filter(({ code }) => code === 'misspelled-field');
  assert.deepEqual([first.line, first.columns, first.suggestion], [4, [0, 7], 'Disallow']);
  assert.ok(fixable >= 2);
  const unencoded = found.find(({ line }) => line === 3);
  assert.ok('Disallow: /😀é x'.slice(...unencoded.columns).startsWith('/😀é'), JSON.stringify(unencoded));
  const fixed = text(one.fixed(second.code, second.start));
  assert.match(fixed, /^Disalow: \/a\nDisallow: \/b$/m);
  assert.doesNotMatch(text(one.fixed('', 0)), /Disalow/);
});

test('a duplicate that moves up to the place of a fixed one stays', () => {
  const one = file('User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a\n');
  const [first] = JSON.parse(one.findings()).found.filter(({ canFix }) => canFix);
  assert.equal(text(one.fixed(first.code, first.start)).match(/Disallow/g).length, 2);
});

test('crawlers and changes', () => {
  const [old, now] = [file('User-agent: *\nDisallow: /a\n'), file('User-agent: GPTBot\nDisallow: /\n')];
  const { purposes, forgotten } = JSON.parse(now.crawlers());
  const crawlers = purposes.flatMap(({ crawlers }) => crawlers);
  const { extent, line } = crawlers.find(({ name }) => name === 'GPTBot');
  assert.deepEqual([extent, line], ['nothing', 2]);
  assert.deepEqual(forgotten.map(({ keptOut }) => keptOut), [['GPTBot']]);
  const changes = JSON.parse(now.changes(old, false));
  assert.deepEqual(changes.agents.map(({ agent, verdicts }) => [agent, verdicts.map(({ url }) => url)]), [
    ['GPTBot', ['/']],
    ['*', ['/a']],
  ]);
  assert.equal(JSON.parse(now.changes(file('User-agent: GPTBot\nDisallow: /\n'), true)).isChange, false);
});

test('any bytes have an answer', () => {
  for (const odd of [[], [0xff, 0xfe, 0x55, 0], [0xef, 0xbb, 0xbf, 0x55, 0x0d, 0x0d], [0x80, 0x3a, 0xff, 0x0a, 0x3a]]) {
    const one = new File(Uint8Array.from(odd));
    for (const answer of [one.summary(), one.findings(), one.crawlers(), one.dialects('*'), one.explain('*', '', true)]) {
      assert.equal(typeof JSON.parse(answer), 'object');
    }
  }
});

test('a rule is shown as it is compared where that is longer than its line', () => {
  const one = file('User-agent: *\nDisallow: /日本語\nDisallow: /plain\n');
  const marks = (url) => JSON.parse(one.explain('*', url, false)).marks;
  assert.equal(marks('/日本語')[0].compared, '/%E6%97%A5%E6%9C%AC%E8%AA%9E');
  assert.equal(marks('/plain')[0].compared, null);
});

test('a URL is asked as it is requested, in both readings', () => {
  const one = new Table(file('User-agent: *\nDisallow: /café/\nDisallow: /x\n'), '*');
  for (const typed of ['/café/menu', '/caf%C3%A9/menu', 'https://www.example.com/café/menu', '/a/../x', '\\x']) {
    assert.deepEqual([...one.answers(bytes(requested(typed).sent))], [0], typed);
  }
});

/** The answers at once, after a day and after a month, for a crawler without and with an earlier copy. */
const outages = (one, url, isGoogle) =>
  Object.fromEntries(JSON.parse(one.outages('ExampleBot', url, isGoogle)).map(({ reply, never, before }) => [reply, [never, before].map((answers) => answers.map(({ isAllowed }) => Number(isAllowed)).join(''))]));

test('the answers where the server sends something else follow RFC 9309 and the documentation of Google', () => {
  const one = file('User-agent: *\nDisallow: /a\n');
  const rfc9309 = { 404: ['111', '111'], 403: ['111', '111'], 429: ['001', '000'], 503: ['001', '000'], redirect: ['000', '000'], loop: ['111', '111'], page: ['111', '111'], late: ['001', '000'] };
  assert.deepEqual(outages(one, '/a', false), rfc9309);
  // The copy counts while it is fresh, and after 30 days.
  assert.deepEqual(outages(one, '/b', false)[503], ['001', '101']);
  const google = { ...rfc9309, 429: ['011', '001'], 503: ['011', '001'], late: ['011', '001'] };
  assert.deepEqual(outages(one, '/a', true), google);
  const [never] = JSON.parse(one.outages('ExampleBot', '/a', false)).find(({ reply }) => reply === '503').never;
  assert.equal(never.cause, 'robots.txt answered with status 503');
  assert.equal(one.outages('Bad/1', '/a', false), 'null');
});
