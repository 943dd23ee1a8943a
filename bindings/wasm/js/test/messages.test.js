// The messages of errors: they speak of values by the names that JavaScript has for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GroupBuilder, lint, RobotsTxtBuilder, toCanonical } from '../dist/author-node.js';
import { Cache, crawleeHooks, Crawl, Entry, Fetch, Origin, Pacer, politeFetch, productToken, Profile, Robot, RobotsCache, robotsUrl, RobotsTxt, Scheduler } from '../dist/crawl-node.js';

/** Words of Rust, of its crates and of its names, which a user of JavaScript cannot know. */
const RUST = /\b(?:[Rr]ust|crate|serde|postcard|varint|discriminant|features?|enum|variants?|struct|tuple|sequence|usize|[iuf](?:8|16|32|64)|Option|JsValue|Target|memory access|unreachable)\b|::|expected one of/;
const WRONG = ['nope', 'Allow', '', 1.5, -1, 1e30, 300, true, null, [], [1], {}, { nope: 1 }];
const PROFILES = [Profile.rfc9309(), Profile.google(), Profile.ibm()];

/** The errors of a call for the values that it refuses. */
function* errorsOf(call, values) {
  for (const value of values) {
    try {
      call(value);
    } catch (error) {
      yield [error, value];
    }
  }
}

/** Each setting of each profile with each way to change it. */
function* settings() {
  for (const profile of PROFILES) {
    for (const [part, change] of [['access', 'with'], ['pace', 'withPace']]) {
      for (const name of Object.keys(profile[part])) {
        yield [name, (value) => profile[change]({ [name]: value })];
      }
    }
  }
}

test('the message about a setting names it, its value, and values that it takes', () => {
  let [messages, named] = [0, 0];
  for (const [name, change] of settings()) {
    for (const [error, value] of errorsOf(change, WRONG)) {
      messages += 1;
      assert.ok(error instanceof TypeError, `${name}: ${error.stack}`);
      assert.doesNotMatch(error.message, RUST);
      if (error.message.startsWith('there is no part')) {
        assert.equal(value.nope, 1);
        continue;
      }
      const [, there] = /^the setting \w+ is .+?; (there are .*|it is a number of milliseconds from 0|it is a whole number from 0 to \d+)$/s.exec(error.message) ?? assert.fail(error.message);
      assert.ok(error.message.startsWith(`the setting ${name} is `), error.message);
      for (const [, choice] of there.matchAll(/"(\w+)"/g)) {
        change(choice);
        named += 1;
      }
      const [, most] = /from 0 to (\d+)$/.exec(there) ?? [];
      [0, Number(most ?? 0)].forEach((number) => there.startsWith('it is') && change(number));
    }
  }
  assert.ok(messages > 500 && named > 500, `${messages} messages, ${named} values`);
});

test('the message about a choice with parts shows its form', () => {
  const message = (settings) => [...errorsOf((changes) => Profile.ibm().withPace(changes), [settings])].map(([error]) => error.message).join();
  assert.equal(message({ backoff: 'nope' }), 'the setting backoff is "nope"; there are "off", { levels: … }, { doubling: … } and { autoThrottle: … }');
  assert.equal(message({ crawlDelay: { window: { minMs: 1 } } }), 'the setting crawlDelay is an object of Object; its part maxMs is missing');
  assert.match(message({ crawlDelay: { window: { minMs: 1, maxMs: 'x' } } }), /it is a number of milliseconds from 0$/);
  assert.match(message({ backoff: { levels: { maxLevel: 'x' } } }), /it is a whole number from 0 to 255$/);
  assert.equal(message({ backof: 'off' }), 'there is no setting "backof"; did you mean backoff?');
  assert.match(message({ colour: 1 }), /^there is no setting "colour"; there are backoff, .*, minDelayMs, /);
  assert.equal(message(5), 'the settings are 5; they are an object such as { minDelayMs: 5000 }');
  const circle = {};
  circle.minDelayMs = circle;
  for (const settings of [undefined, null, 'x', [], circle, { minDelayMs: 1n }]) {
    assert.match(message(settings), /^the settings are /);
  }
});

test('no message has words of Rust', () => {
  const profile = Profile.rfc9309();
  const cache = new Cache(profile, ['ExampleBot'], 2 ** 20);
  const crawl = new Crawl(profile, ['ExampleBot'], 2 ** 20, 1, 1, 1);
  const scheduler = new Scheduler(profile);
  const host = scheduler.insert('e.test');
  const origin = Origin.of('https://e.test/');
  const round = new Fetch(origin, profile, 0);
  const freed = Profile.google();
  freed.free();
  freed.free();
  const texts = ['', 'nope', 'Nope', 'a b', 'a\n', 'mailto:a@b', 'http://', 'http://ü ü/', 'https://b\u00fccher.de:x/', '/\tsearch', 'http://h:99999/', 'http://[x]/'];
  const bytes = [[], [1], [7], [1, 2, 3], [1, ...Array(14).fill(255)], [1, ...Array(40).fill(9)]].map((list) => Uint8Array.from(list));
  const group = new GroupBuilder('*');
  const calls = [
    [texts, (text) => new Robot(text, ''), (text) => new RobotsTxt('').robotMerged([text]), (text) => new RobotsCache(text, fetch), (text) => politeFetch(text), robotsUrl, Origin.of],
    [texts, (text) => new Cache(profile, [text], 1), (text) => Robot.allowAll(text), (text) => crawl.enter(text, false, 0, 0), (text) => cache.check(text, 0)],
    [texts, (text) => cache.setSite(origin, text, 0), (text) => cache.setObedience('e.test', text), (text) => round.handle({ kind: text }, 0)],
    [texts, (text) => round.handle({ kind: 'failed', error: text }, 0), (text) => round.handle({ kind: 'response', status: 200, end: text }, 0), (text) => round.handle({ kind: 'resolved', addresses: [text] }, 0)],
    [texts, (text) => crawl.finish(1, { status: 200, signal: text }, 0), (text) => crawl.finish(1, { error: text }, 0), (text) => scheduler.handleReply(host, { error: text, started: 0 }, 0)],
    [texts, (text) => new GroupBuilder(text), (text) => group.allow(text), (text) => group.crawlDelay(text), (text) => group.license(text), (text) => group.contentSignal({ search: text })],
    [texts, (text) => new RobotsTxtBuilder().sitemap(text), (text) => new RobotsTxtBuilder().cleanParam([text], text)],
    [WRONG, ...['minDelayMs', 'minDelay', 'maxInFlight', 'crawlDelay', 'obedience', 'nope'].map((name) => (value) => scheduler.setRule(host, { [name]: value }))],
    [WRONG, (value) => new Cache(value, ['a'], 1), (value) => new Scheduler(value), (value) => new Fetch(value, profile, 0), (value) => profile.with(value), lint, toCanonical, crawleeHooks],
    [WRONG, (value) => new Robot(value, ''), (value) => new RobotsTxt(value), (value) => new Robot('a', '', { dialect: value, maxBytes: value }), productToken, robotsUrl],
    [WRONG, (value) => new RobotsCache('a', value), (value) => new RobotsCache('a', fetch, { timeoutMs: value }), (value) => politeFetch('a', { maxWaitMs: value }), (value) => new RobotsCache('a', fetch, value)],
    [bytes, Entry.load, Pacer.load, Scheduler.load, (saved) => cache.load(saved, 0), (saved) => crawl.load(saved, 0), (saved) => politeFetch('a').load(saved)],
    [[freed], (gone) => gone.access, (gone) => gone.with({}), (gone) => new Scheduler(gone), (gone) => new Fetch(origin, gone, 0), (gone) => new Cache(gone, ['a'], 1)],
  ];
  let messages = 0;
  for (const [values, ...asked] of calls) {
    for (const call of asked) {
      const errors = [...errorsOf(call, values)];
      assert.ok(errors.length > 0, `no error: ${call}`);
      for (const [error, value] of errors) {
        messages += 1;
        // Without the value itself.
        assert.doesNotMatch(error.message.replaceAll(String(value), ''), RUST, `${call} with ${value?.constructor?.name} ${typeof value === 'string' ? value : ''}`);
      }
    }
  }
  assert.ok(messages > 150, `${messages} messages`);
  assert.throws(() => freed.access, /this object was freed/);
  assert.throws(() => new Scheduler({}), /expected instance of Profile/);
});
