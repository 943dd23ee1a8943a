// The scenarios of `testdata/policy` through the machines, as `crates/policy/tests/suite/cases.rs` replays them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'smol-toml';

import { Entry, Fetch, Origin, Pacer, Profile, RobotsCache, Robot, Scheduler } from '../dist/cache-node.js';

const testdata = new URL('../../../../testdata/policy/', import.meta.url);
const START = Date.UTC(2026, 0, 1);
const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PROFILES = ['rfc9309', 'google', 'ibm'];
const ACTIONS = ['at', 'fetch', 'addresses', 'reset', 'reload', 'lost', 'retry_until', 'start', 'reply', 'replies', 'run', 'crawl_delay', 'hosts', 'host_replies', 'host_crawl_delay'];
const EXPECTATIONS = ['gets', 'urls', 'waits', 'site', 'access', 'denies', 'allows', 'next', 'failures', 'fresh_until', 'robots_date', 'explains', 'hour_of_starts', 'day_of_starts', 'start_ready', 'drive', 'turn', 'level', 'long_crawl_delay', 'host_turns', 'wakeup'];
/** The early retry of an entry without an origin, as the table has it, and of that of this origin: the jitter is a hash of it. */
const EARLY = ['+2s803ms', '+2s570ms'];
/** The runs of each file, and in all those of its first rounds that a `RobotsCache` can have. */
const RUNS = { access: 49, addresses: 30, backoff: 99, clock: 28, codings: 18, copies: 31, crawl_delay: 20, ibm: 24, origins: 4, outage: 65, redirects: 26 };
const ROUNDS = 194;

const files = readdirSync(testdata).sort().map((file) => [file.replace('.toml', ''), parse(readFileSync(new URL(file, testdata), 'utf8'))]);

for (const [file, content] of files) {
  test(`scenarios: ${file}`, () => {
    const { case: cases = [], bodies = [], origins = [] } = content;
    let runs = 0;
    for (const one of cases) {
      for (const profile of one.profiles ?? PROFILES) {
        const world = new World(one, profile);
        one.steps.forEach((step, index) => world.run(step, `${one.name} in ${profile}, step ${index + 1}`));
        runs += 1;
      }
    }
    bodies.forEach(runBodies);
    origins.forEach(runOrigins);
    assert.equal(runs + bodies.length + origins.length, RUNS[file]);
  });
}

test('all files are replayed', () => {
  assert.deepEqual(files.map(([file]) => file), Object.keys(RUNS));
});

test('first rounds through RobotsCache', async () => {
  let rounds = 0;
  for (const one of files.flatMap(([, { case: cases = [] }]) => cases)) {
    const { fetch: answers, addresses, retry_until: retries, at = '0s' } = one.steps[0];
    // A client that connects by name, to whatever address, and reads statuses of HTTP.
    if (answers === undefined || addresses !== undefined || retries !== undefined || answers.some(({ status = 200 }) => status < 100 || status > 999)) {
      continue;
    }
    for (const name of one.profiles ?? PROFILES) {
      const world = new World(one, name);
      world.now = moment(at);
      world.fetch(answers);
      const expected = access(world.entry.robot('ExampleBot', world.profile, 'unknown', world.now).check('/'));
      rounds += 1;
      assert.equal(await first(answers, world.profile, moment(at), world.now), expected, `${one.name} in ${name}`);
    }
  }
  assert.equal(rounds, ROUNDS);
});

/** The access after a round that began at one time and ended at another. */
async function first(answers, profile, start, end) {
  let [now, asked] = [start, 0];
  const cache = new RobotsCache('ExampleBot', async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer.error !== undefined || answer.refused) {
      throw Object.assign(new Error('x'), { code: { local: 'ENETDOWN' }[answer.error] });
    }
    const { status, headers, body, end: ended } = event(answer, 600_000);
    return { status, headers, body: ended === 'cut_short' ? breaking(body) : body };
  }, { profile, now: () => now });
  const url = 'https://example.com/';
  for (let access = await cache.check(url); access.cause === 'not_fetched' && now < end; access = await cache.check(url)) {
    now = Number(access.retryAt);
  }
  const { allowed, cause } = await cache.check(url);
  return cause === undefined ? 'rules' : `${allowed ? 'allow' : 'disallow'} ${typeof cause === 'number' ? `Status(${cause})` : pascal(cause)}`;
}

async function* breaking(body) {
  yield body;
  throw new Error('broken');
}

/** One site and its crawler, and the hosts of a scheduler. */
class World {
  constructor({ set = {} }, name) {
    this.name = name;
    this.profile = Profile[name]();
    for (const [key, value] of Object.entries(set)) {
      const name = isDuration(value) ? `${camel(key)}Ms` : camel(key);
      const changes = { [name]: setting(value) };
      const { access, pace } = this.profile;
      const halves = [
        [name in access, (profile) => profile.with(changes)],
        [name in pace, (profile) => profile.withPace(changes)],
        [name in pace.backoff.levels, (profile) => profile.withPace({ backoff: { levels: { ...pace.backoff.levels, ...changes } } })],
      ].filter(([isThere]) => isThere);
      assert.notEqual(halves.length, 0, key);
      this.profile = halves.reduce((profile, [, change]) => change(profile), this.profile);
    }
    this.origin = Origin.of('https://example.com/');
    this.entry = new Entry(this.origin);
    this.now = START;
    this.pacer = new Pacer();
    this.started = START;
    this.scheduler = new Scheduler(this.profile);
    this.hosts = {};
    this.hostStarted = new Map();
    this.groupStarts = [];
  }

  run(step, title) {
    for (const key of Object.keys(step)) {
      assert.ok([...ACTIONS, ...EXPECTATIONS].includes(key), key);
    }
    this.now = step.at === undefined ? this.now : moment(step.at);
    if (step.reset) {
      this.entry.reset();
    }
    if (step.reload) {
      this.entry = Entry.load(this.entry.save());
      this.pacer = Pacer.load(this.pacer.save());
      this.scheduler = Scheduler.load(this.scheduler.save());
    }
    if (step.lost) {
      this.entry = new Entry(this.origin);
      this.pacer = Pacer.afterGap(this.now);
    }
    const round = step.fetch === undefined ? {} : this.fetch(step.fetch, step.addresses);
    if (step.retry_until !== undefined) {
      const end = moment(step.retry_until);
      for (;;) {
        const retry = this.entry.nextFetch(this.profile, this.now);
        if (!(retry instanceof Date) || retry >= end) {
          break;
        }
        this.now = Number(retry);
        this.fetch(step.fetch, step.addresses);
      }
      this.now = end;
    }
    this.requestPages(step);
    this.changeHosts(step);
    for (const key of EXPECTATIONS.filter((name) => name in step && name !== 'site')) {
      const value = step[key];
      const isOfProfile = typeof value === 'object' && PROFILES.some((profile) => profile in value);
      const expected = isOfProfile ? value[this.name] : value;
      assert.notEqual(expected, undefined, `${title}: nothing is expected of ${this.name}`);
      this.expect(key, expected, round, step.site ?? 'unknown', `${title}: ${key}`);
    }
  }

  /** One round against a server that gives the answers in order and repeats the last. */
  fetch(answers, addresses = ['192.0.2.1']) {
    const fetch = new Fetch(this.origin, this.profile, this.now, this.entry.etag, this.entry.lastModified);
    const [urls, waits] = [[], []];
    for (let step = fetch.poll(this.now); step.kind !== 'done'; step = fetch.poll(this.now)) {
      if (step.kind === 'resolve') {
        fetch.handle(addresses.length === 0 ? { kind: 'failed', error: 'dns' } : { kind: 'resolved', addresses }, this.now);
      } else if (step.kind === 'wait') {
        waits.push(written(step.until - this.now));
        assert.ok(step.until > this.now);
        this.now = Number(step.until);
      } else {
        const answer = answers[Math.min(urls.length, answers.length - 1)];
        urls.push(step.url);
        fetch.handle(event(answer, step.maxBytes), this.now);
      }
    }
    this.entry.handle(fetch.intoOutcome(), this.profile, this.now);
    return { urls, waits };
  }

  requestPages({ crawl_delay: delay, start = 0, reply, replies = 1, run }) {
    if (delay !== undefined) {
      this.pacer.setCrawlDelay(crawlDelay(delay));
    }
    for (let count = 0; count < start; count += 1) {
      this.start();
    }
    for (let count = 0; reply !== undefined && count < replies; count += 1) {
      this.pacer.handleReply(replyOf(reply, this.started), this.profile, this.now);
    }
    for (let count = 0; count < (run?.count ?? 0); count += 1) {
      this.waitForTurn();
      this.start();
      this.now += duration(run.takes);
      this.pacer.handleReply(replyOf(run.reply, this.started), this.profile, this.now);
    }
  }

  start() {
    this.started = this.now;
    this.pacer.handleStart(this.now);
  }

  waitForTurn() {
    const turn = this.pacer.poll(this.profile, this.now);
    if (turn !== 'ready') {
      assert.ok(turn > this.now, String(turn));
      this.now = Number(turn);
    }
  }

  /** The requests that fit into the time. */
  startsWithin(time) {
    const end = this.now + duration(time);
    for (let starts = 0; ; starts += 1) {
      assert.ok(starts <= duration(time) / 1_000, 'the pace has no gap');
      this.waitForTurn();
      if (this.now >= end) {
        return starts;
      }
      this.start();
      this.pacer.handleReply({ status: 200, started: this.now }, this.profile, this.now);
    }
  }

  changeHosts({ hosts, host_crawl_delay: delays = {}, host_replies: replies = {}, start_ready: isStarted }) {
    const first = Object.keys(this.hosts).length;
    for (let count = 0; count < (hosts?.count ?? 0); count += 1) {
      const name = `h${first + count}`;
      this.hosts[name] = this.scheduler.insert(name, hosts.group === undefined ? undefined : BigInt(hosts.group));
    }
    for (const [host, delay] of Object.entries(delays)) {
      this.scheduler.setCrawlDelay(this.hosts[host], Origin.of(`https://${host}`), crawlDelay(delay));
    }
    this.found = 0;
    for (let host; isStarted !== undefined && (host = this.scheduler.nextReady(this.now)) !== undefined; this.found += 1) {
      this.scheduler.handleStart(host, this.now);
      this.hostStarted.set(host, this.now);
    }
    for (const [host, reply] of Object.entries(replies)) {
      const id = this.hosts[host];
      this.scheduler.handleReply(id, replyOf(reply, this.hostStarted.get(id) ?? this.now), this.now);
    }
  }

  /** The starts in a time, of which ten at most fall into any minute; no call is for nothing. */
  drive({ lasts }) {
    const end = this.now + duration(lasts);
    let [starts, calls] = [0, 0];
    for (; this.now < end; calls += 1) {
      const host = this.scheduler.nextReady(this.now);
      if (host !== undefined) {
        starts += 1;
        this.scheduler.handleStart(host, this.now);
        this.groupStarts.push(this.now);
        const tenthBefore = this.groupStarts.at(-11) ?? -Infinity;
        assert.ok(this.now - tenthBefore >= 60_000);
        this.scheduler.handleReply(host, { status: 200, started: this.now }, this.now);
      } else {
        const next = this.scheduler.nextWakeup();
        if (next === undefined) {
          break;
        }
        assert.ok(next > this.now, 'the scheduler spins');
        this.now = Number(next);
      }
    }
    assert.ok(calls <= 3 * (starts + 10), `${calls} calls for ${starts} starts`);
    return starts;
  }

  expect(key, expected, { urls, waits }, site, title) {
    const { entry, profile, now } = this;
    const robot = entry.robot('ExampleBot', profile, site, now);
    const offset = (time) => written(time - START);
    switch (key) {
      case 'gets':
        return assert.equal(urls.length, Number(expected), title);
      case 'urls':
        return assert.deepEqual(urls, expected, title);
      case 'waits':
        return assert.equal(waits.join(', '), expected, title);
      case 'access':
        return assert.equal(access(robot.check('/')), expected, title);
      case 'denies':
      case 'allows':
        return expected.forEach((path) => assert.equal(robot.allowed(path), key === 'allows', `${title} ${path}`));
      case 'next': {
        const next = entry.nextFetch(profile, now);
        const found = typeof next === 'string' ? next : expected.startsWith('+') ? `+${written(next - now)}` : offset(next);
        return assert.equal(found, expected === EARLY[0] ? EARLY[1] : expected, title);
      }
      case 'failures':
        return assert.equal(entry.failures, Number(expected), title);
      case 'fresh_until':
        return assert.equal(offset(entry.freshUntil), expected, title);
      case 'robots_date':
        return assert.equal(offset(entry.robotsDate), expected, title);
      case 'explains':
        return assert.ok(entry.explain(profile, site, now).includes(expected), title);
      case 'hour_of_starts':
        return assert.equal(this.startsWithin('1h'), Number(expected), title);
      case 'day_of_starts':
        return assert.equal(this.startsWithin('1d'), Number(expected), title);
      case 'start_ready':
        return assert.equal(this.found, Number(expected), title);
      case 'drive':
        return assert.equal(this.drive(expected), Number(expected.starts), title);
      case 'turn':
        return assert.equal(turnOf(this.pacer.poll(profile, now)), expected, title);
      case 'level':
        return assert.equal(this.pacer.level(profile), Number(expected), title);
      case 'long_crawl_delay': {
        const delay = this.pacer.longCrawlDelay(profile);
        return assert.equal(delay === undefined ? 'none' : written(delay * 1_000), expected, title);
      }
      case 'host_turns':
        return Object.entries(expected).forEach(([host, turn]) => assert.equal(turnOf(this.scheduler.turn(this.hosts[host], now)), turn, `${title} ${host}`));
      case 'wakeup':
        return assert.equal(offset(this.scheduler.nextWakeup()), expected, title);
    }
  }
}

function event({ status, body = '', repeat = 1, end, error, refused, headers = {} }, maxBytes) {
  if (error !== undefined) {
    return { kind: 'failed', error: error.replaceAll(' ', '_') };
  }
  if (refused) {
    return { kind: 'refused' };
  }
  const bytes = new TextEncoder().encode(body.repeat(Math.max(Number(repeat), 1))).subarray(0, maxBytes);
  const fields = Object.entries(headers).map(([name, value]) => [name, value.startsWith('date ') ? new Date(moment(value.slice(5))).toUTCString() : value]);
  const ended = end === undefined ? (bytes.length === maxBytes ? 'limit_reached' : 'complete') : end.replace(' ', '_');
  return { kind: 'response', status: Number(status), headers: fields, body: bytes, end: ended };
}

function replyOf({ status, error, started, retry_after: wait, signal }, began) {
  const headers = wait === undefined ? {} : { 'retry-after': wait.startsWith('date ') ? new Date(moment(wait.slice(5))).toUTCString() : wait };
  const ended = error === undefined ? { status: Number(status), headers } : { error: error.replaceAll(' ', '_') };
  return { ...ended, started: started === undefined ? began : moment(started), signal: signal?.replace(' ', '_') };
}

function turnOf(turn) {
  return turn instanceof Date ? written(turn - START) : turn;
}

/** Through the parser, as a crawler gets it. */
function crawlDelay(value) {
  return new Robot('ExampleBot', `User-agent: *\nCrawl-delay: ${value}\nDisallow: /x\n`).crawlDelay;
}

function access({ reason, allowed, explanation }) {
  const rules = ['rule', 'directory_of_index', 'no_rule_matches', 'no_group', 'robots_txt_itself'];
  if (rules.includes(reason)) {
    return 'rules';
  }
  const name = reason === 'status' ? `Status(${/status (\d+)/.exec(explanation)[1]})` : pascal(reason);
  return `${allowed ? 'allow' : 'disallow'} ${name}`;
}

/** Each body in its profiles: a file has rules, and anything else is an outage. */
function runBodies({ name, is_file: isFile, closes = false, profiles = PROFILES, bodies }) {
  for (const { text, hex, content_encoding: coding } of bodies) {
    const body = text === undefined ? Uint8Array.from(Buffer.from(hex, 'hex')) : new TextEncoder().encode(text);
    for (const profile of profiles) {
      const fetch = new Fetch(Origin.of('https://example.com/'), Profile[profile](), START);
      fetch.handle({ kind: 'resolved', addresses: ['192.0.2.1'] }, START);
      fetch.handle({ kind: 'response', status: 200, headers: coding === undefined ? [] : [['Content-Encoding', coding]], body }, START);
      const [outcome, entry] = [fetch.intoOutcome(), new Entry(Origin.of('https://example.com/'))];
      // This module undoes no coding, as the clients of JavaScript do: what is still in one opens nothing.
      assert.equal(outcome.kind !== 'unreachable', isFile && !closes, `${name} in ${profile}: ${text ?? hex}`);
      entry.handle(outcome, Profile[profile](), START);
      const isClosed = !entry.robot('ExampleBot', Profile[profile](), 'unknown', START).allowed('/x');
      assert.ok(!closes || isClosed, `${name} in ${profile} is open: ${text ?? hex}`);
    }
  }
}

/** URLs of one class have one origin, those of two classes have two. */
function runOrigins({ name, classes, host }) {
  const all = classes.map((urls) => urls.map((url) => Origin.of(url)));
  const keys = all.map((origins) => new Set(origins.map(String)));
  assert.ok(keys.every(({ size }) => size === 1), name);
  assert.equal(new Set(keys.flatMap((one) => [...one])).size, classes.length, name);
  if (host !== undefined) {
    assert.ok(all.flat().every((origin) => origin.host === host), name);
    assert.equal(new Set(all.flat().map(({ partitionKey }) => partitionKey)).size, 1, name);
  }
}

/** `1h30m` in milliseconds. */
function duration(text) {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  assert.equal(parts.map(([part]) => part).join(''), text, `${text} is no duration`);
  return parts.reduce((sum, [, number, unit]) => sum + number * UNITS[unit], 0);
}

function moment(text) {
  return text.startsWith('-') ? START - duration(text.slice(1)) : START + duration(text);
}

function written(milliseconds) {
  let [rest, text] = [milliseconds, ''];
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(rest / UNITS[unit]);
    text += count > 0 ? `${count}${unit}` : '';
    rest %= UNITS[unit];
  }
  return text || '0s';
}

function isDuration(value) {
  return typeof value === 'string' && /^(?:\d+(?:ms|s|m|h|d))+$/.test(value);
}

function setting(value) {
  if (typeof value === 'string') {
    return isDuration(value) ? duration(value) : value.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  }
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [camel(key[0].toLowerCase() + key.slice(1)) + (isDuration(part) ? 'Ms' : ''), setting(part)]));
  }
  return Number(value);
}

function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

function pascal(name) {
  return name[0].toUpperCase() + camel(name.slice(1));
}
