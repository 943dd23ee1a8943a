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

/** Bits of an answer. */
const [ALLOWED, DIFFERS, GOOGLE, NO_AGENT, USE] = [1, 2, 4, 8, 16];

const READINGS = ['crawler', 'rfc9309', 'google'];

test('the table has the crawler’s own answer, and whether the other dialect differs', () => {
  const one = file('User-agent: *\nDisallow: /\nAllow: /index.html\nAllow: /a\n');
  const answers = (reading) => [...new Table(one, 'ExampleBot\nGooglebot\nBad/1', reading).answers('/\n/a\n/b\n')];
  assert.deepEqual(answers('crawler'), [DIFFERS, ALLOWED | DIFFERS | GOOGLE, NO_AGENT, ALLOWED, ALLOWED | GOOGLE, NO_AGENT, 0, GOOGLE, NO_AGENT]);
  assert.deepEqual(answers('rfc9309').slice(0, 2), [DIFFERS, DIFFERS]);
  assert.deepEqual(answers('google').slice(0, 2), [ALLOWED | DIFFERS | GOOGLE, ALLOWED | DIFFERS | GOOGLE]);
  const [bad] = JSON.parse(one.badAgents('ExampleBot\nBad/1'));
  assert.equal(bad.agent, 'Bad/1');
  assert.equal(bad.probablyMeant, 'Bad');
});

test('an explanation marks the deciding and the overruled line', () => {
  const one = file('User-agent: *\nDisallow: /\nAllow: /a\n');
  const { isAllowed, marks } = JSON.parse(one.explain('ExampleBot', '/a', 'crawler'));
  assert.equal(isAllowed, true);
  const places = marks.map(({ line, isDeciding, isOverruled }) => [line, isDeciding, isOverruled]);
  assert.deepEqual(places, [
    [3, true, false],
    [2, false, true],
    [1, false, false],
  ]);
  assert.ok(JSON.parse(one.explain('Bad/1', '/a', 'crawler')).error);
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
  const { purposes, forgotten } = JSON.parse(now.crawlers('crawler'));
  const crawlers = purposes.flatMap(({ crawlers }) => crawlers);
  const { extent, line } = crawlers.find(({ name }) => name === 'GPTBot');
  assert.deepEqual([extent, line], ['nothing', 2]);
  assert.deepEqual(forgotten.map(({ keptOut }) => keptOut), [['GPTBot']]);
  const changes = JSON.parse(now.changes(old, 'crawler'));
  assert.deepEqual(changes.agents.map(({ agent, verdicts }) => [agent, verdicts.map(({ url }) => url)]), [
    ['GPTBot', ['/']],
    ['*', ['/a']],
  ]);
  assert.equal(JSON.parse(now.changes(file('User-agent: GPTBot\nDisallow: /\n'), 'google')).isChange, false);
});

test('any bytes have an answer', () => {
  for (const odd of [[], [0xff, 0xfe, 0x55, 0], [0xef, 0xbb, 0xbf, 0x55, 0x0d, 0x0d], [0x80, 0x3a, 0xff, 0x0a, 0x3a]]) {
    const one = new File(Uint8Array.from(odd));
    for (const answer of [one.summary(), one.findings(), one.crawlers('crawler'), one.dialects('*', 'crawler'), one.explain('*', '', 'google')]) {
      assert.equal(typeof JSON.parse(answer), 'object');
    }
  }
});

test('a rule is shown as it is compared where that is longer than its line', () => {
  const one = file('User-agent: *\nDisallow: /日本語\nDisallow: /plain\n');
  const marks = (url) => JSON.parse(one.explain('*', url, 'crawler')).marks;
  assert.equal(marks('/日本語')[0].compared, '/%E6%97%A5%E6%9C%AC%E8%AA%9E');
  assert.equal(marks('/plain')[0].compared, null);
});

/** Texts that a client changes before it requests them, with one that stays. */
const TYPED = ['/café/menu', '/caf%C3%A9/menu', '/caf%c3%a9/menu', 'https://www.example.com/café/menu', '/x/../b', '\\b', '/b/%2e%2e/x', '?q=é', '//other.example/b', 'example.com/b', '/robots.txt', '/'];

const FILES = [
  'User-agent: *\nDisallow: /café/\nDisallow: /b\n',
  'User-agent: *\nDisallow: /\nAllow: /index.html\n',
  'User-agent: Googlebot\nDisallow: /b\nUser-agent: *\nDisallow: /caf%C3%A9/menu\nDisallowAll: /\n',
  'User-agent: *\nDisallow: /two words/\nDisallow: /%62\nDisallow: /*?q=é\n',
];

const AGENTS = ['ExampleBot', 'Googlebot', 'Googlebot-Image', 'AdsBot-Google', 'GPTBot', 'bingbot', '*'];

test('the cell, the card and the examples of the rules have one answer, in each reading', () => {
  for (const text of FILES) {
    const one = file(text);
    for (const reading of READINGS) {
      const table = new Table(one, AGENTS.join('\n'), reading);
      const cells = (url) => [...table.answers(url)];
      for (const url of TYPED) {
        for (const [at, agent] of AGENTS.entries()) {
          const { isAllowed, isGoogle, note } = JSON.parse(one.explain(agent, url, reading));
          const bits = cells(url)[at];
          assert.deepEqual([(bits & ALLOWED) !== 0, (bits & GOOGLE) !== 0], [isAllowed, isGoogle], `${text} ${agent} ${url} ${reading}`);
          assert.equal((bits & DIFFERS) !== 0, /(RFC 9309|Google's matcher) differs: /.test(note ?? ''), `${text} ${agent} ${url} ${note}`);
        }
      }
      for (const { agent, urls } of JSON.parse(one.dialects(AGENTS.join('\n'), reading))) {
        for (const { url, rfc9309, google } of urls) {
          const bits = cells(url)[AGENTS.indexOf(agent)];
          assert.equal(bits, DIFFERS | ((bits & GOOGLE) !== 0 ? GOOGLE | Number(google) : Number(rfc9309)), `${text} ${agent} ${url}`);
          // A browser sends it as it stands.
          assert.equal(requested(url).sent, url);
        }
      }
    }
  }
});

test('a rule that no client can request word for word makes no difference', () => {
  const one = file('User-agent: *\nDisallow: /café/\n');
  assert.deepEqual(JSON.parse(one.dialects('Googlebot\nExampleBot', 'crawler')), []);
  assert.deepEqual([...new Table(one, 'Googlebot\nExampleBot', 'crawler').answers('https://a.com/café/x')], [GOOGLE, 0]);
  const { isAllowed, note } = JSON.parse(one.explain('Googlebot', 'https://a.com/café/x', 'crawler'));
  assert.deepEqual([isAllowed, note], [false, null]);
});

test('the URL that the page shows has the answer to the text as it was typed', () => {
  for (const text of FILES) {
    for (const reading of READINGS) {
      const table = new Table(file(text), AGENTS.join('\n'), reading);
      // Clients read `\` in two ways, and the answer is the stricter one.
      for (const typed of TYPED.filter((typed) => !typed.includes('\\'))) {
        assert.deepEqual([...table.answers(typed)], [...table.answers(requested(typed).sent)], `${text} ${typed}`);
      }
    }
  }
});

test('a crawler obeys the groups that its operator says it obeys, and the card says so', () => {
  const one = file('User-agent: Googlebot\nDisallow: /\n');
  const images = (reading) => JSON.parse(one.explain('Googlebot-Image', '/x', reading));
  assert.equal(images('crawler').isAllowed, false);
  assert.match(images('crawler').note, /Google says that Googlebot-Image obeys the rules for Googlebot/);
  assert.equal(images('rfc9309').isAllowed, true);
  const crawlers = (reading) => JSON.parse(one.crawlers(reading)).purposes.flatMap(({ crawlers }) => crawlers);
  assert.deepEqual(READINGS.map((reading) => crawlers(reading).find(({ name }) => name === 'Googlebot-Image').extent), ['nothing', 'everything', 'everything']);
});

test('each crawler’s changes are those of its own reading', () => {
  const [old, now] = [file(''), file('User-agent: Googlebot\nUser-agent: GPTBot\nDisallow: /\nAllow: /index.html\n')];
  const urls = JSON.parse(now.changes(old, 'crawler')).agents.map(({ agent, verdicts }) => [agent, verdicts.some(({ url }) => url === '/')]);
  assert.deepEqual(urls, [['Googlebot', false], ['GPTBot', true]]);
});

test('the name of a use is no crawler', () => {
  const one = file('User-agent: __usage_AI-training\nDisallow: /art/\n\nUser-agent: *\nDisallow: /x\n');
  assert.deepEqual(JSON.parse(one.crawlers('crawler')).uses, [{ name: 'AI training', extent: 'part', isCertain: true, line: 1 }]);
  assert.deepEqual(JSON.parse(file('User-agent: *\nDisallow: /\n').crawlers('crawler')).uses, []);
  const answer = (url) => JSON.parse(one.explain('__usage_ai-training', url, 'crawler'));
  assert.deepEqual([answer('/art/1').useName, answer('/art/1').isAllowed, answer('/x').isAllowed], ['AI training', false, true]);
  assert.equal(JSON.parse(file('User-agent: *\nDisallow: /').explain('__usage_ai-training', '/x', 'crawler')).isNamed, false);
  assert.equal(JSON.parse(one.explain('ExampleBot', '/x', 'crawler')).useName, null);
  assert.deepEqual([...new Table(one, '__usage_ai-training\nExampleBot', 'crawler').answers('/art/1')], [USE, ALLOWED]);
  assert.deepEqual(JSON.parse(file('User-agent: *\nDisallow: /').dialects('__usage_ai-training', 'crawler')), []);
  assert.equal(one.outages('__usage_ai-training', '/x', 'crawler'), 'null');
});

/** The answers at once, after a day and after a month, for a crawler without and with an earlier copy. */
const outages = (one, url, reading, agent = 'ExampleBot') =>
  Object.fromEntries(JSON.parse(one.outages(agent, url, reading)).map(({ reply, never, before }) => [reply, [never, before].map((answers) => answers.map(({ isAllowed }) => Number(isAllowed)).join(''))]));

test('the answers where the server sends something else follow RFC 9309 and the documentation of Google', () => {
  const one = file('User-agent: *\nDisallow: /a\n');
  const rfc9309 = { 404: ['111', '111'], 403: ['111', '111'], 429: ['001', '000'], 503: ['001', '000'], redirect: ['000', '000'], loop: ['111', '111'], page: ['111', '111'], late: ['001', '000'] };
  assert.deepEqual(outages(one, '/a', 'crawler'), rfc9309);
  // The copy counts while it is fresh, and after 30 days.
  assert.deepEqual(outages(one, '/b', 'crawler')[503], ['001', '101']);
  const google = { ...rfc9309, 429: ['011', '001'], 503: ['011', '001'], late: ['011', '001'] };
  assert.deepEqual(outages(one, '/a', 'google'), google);
  assert.deepEqual(outages(one, '/a', 'crawler', 'Googlebot'), google);
  const [never] = JSON.parse(one.outages('ExampleBot', '/a', 'crawler')).find(({ reply }) => reply === '503').never;
  assert.equal(never.cause, 'robots.txt answered with status 503');
  assert.equal(one.outages('Bad/1', '/a', 'crawler'), 'null');
});
