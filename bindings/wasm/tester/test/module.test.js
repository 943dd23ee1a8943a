// The module answers as the libraries do; the page is tested in a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { File, initSync } from '../generated/tester.js';

initSync({ module: readFileSync(new URL('../generated/tester_bg.wasm', import.meta.url)) });

const bytes = (text) => new TextEncoder().encode(text);
const file = (text) => new File(bytes(text));
const text = (bytes) => new TextDecoder().decode(bytes);

test('the table has both dialects, and knows bad agents', () => {
  const one = file('User-agent: *\nDisallow: /\nAllow: /index.html\nAllow: /a\n');
  assert.deepEqual([...one.table(['ExampleBot', 'Bad/1'], bytes('/\n/a\n/b\n'))], [2, 4, 3, 4, 0, 4]);
  const [bad] = JSON.parse(one.badAgents(['ExampleBot', 'Bad/1']));
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
  assert.doesNotMatch(text(one.allFixed()), /Disalow/);
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
    for (const answer of [one.summary(), one.findings(), one.crawlers(), one.dialects(['*']), one.explain('*', '', true)]) {
      assert.equal(typeof JSON.parse(answer), 'object');
    }
  }
});
