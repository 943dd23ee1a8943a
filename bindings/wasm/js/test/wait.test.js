// `RobotsCache.wait`: the answer about a URL and the turn of its host, for clients of every kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { InvalidUrlError, Profile, RobotsCache } from '../dist/cache-node.js';
import { FILE, GAP, plain, QUICK, sleep, World } from './world.js';

const NO_SECRETS = { allowed: true, closed: false, cause: undefined, retryAt: undefined, line: undefined, error: undefined };

/** A profile that forgives failures soon. */
const MILD = QUICK.withPace({ refusalRestMs: 50, backoff: { levels: { baseMs: 50 } } });

function cacheOf(world, options) {
  return new RobotsCache('ExampleBot', world.fetch, { profile: QUICK, ...options });
}

/** One page by a client of one's own. */
async function visit(robots, world, url, options) {
  const turn = await robots.wait(url, options);
  if (turn.allowed) {
    try {
      turn.finish(await world.fetch(url, { signal: new AbortController().signal }));
    } catch (error) {
      turn.fail(error);
    }
  }
  return turn;
}

test('a turn has the answer and the ways to end it', async () => {
  const world = new World(plain);
  const robots = cacheOf(world);
  const turn = await robots.wait(new URL('https://a.test/x#part'));
  const { url, explanation, finish, fail, cancel, [Symbol.dispose ?? 'none']: dispose, ...answer } = turn;
  assert.deepEqual(answer, NO_SECRETS);
  assert.deepEqual([url, explanation, `${turn}`], ['https://a.test/x', 'allowed: no rule matches in the wildcard group on line 1', explanation]);
  assert.ok(Object.isFrozen(turn));
  // One cache: nothing is fetched for `check`.
  assert.equal(`${await robots.check('https://a.test/x')}`, explanation);
  assert.equal((await robots.check('https://a.test/private')).line, 2);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt']);
  finish({ status: 200, headers: new Headers() });
  cancel();
  fail(new Error('late'));
  dispose?.();
  assert.throws(() => turn.finish({}), /it is a response, or \{ status, headers \}/);
  await assert.rejects(robots.wait('/x'), InvalidUrlError);
  await assert.rejects(robots.wait(5), TypeError);
});

test('turns keep the pace, whatever ends them', async () => {
  const world = new World((host, path) => (path === '/busy' ? { status: 429, headers: { 'retry-after': '1' } } : path === '/reset' ? { error: 'ECONNRESET' } : { ...plain(host, path), takes: 3 }));
  const robots = cacheOf(world, { profile: MILD });
  const turns = await Promise.all(Array.from({ length: 12 }, (_, page) => visit(robots, world, `https://a.test/${page % 4 === 0 ? 'private/' : ''}${page}`)));
  assert.equal(turns.filter(({ allowed }) => allowed).length, 9);
  await visit(robots, world, 'https://c.test/reset');
  const start = Date.now();
  await visit(robots, world, 'https://b.test/busy');
  await Promise.all([visit(robots, world, 'https://b.test/1'), visit(robots, world, 'https://c.test/1')]);
  assert.ok(Date.now() - start > 990, `${Date.now() - start} ms`);
  assert.deepEqual(world.violations(), []);
  assert.deepEqual(world.paths('b.test'), ['/robots.txt', '/busy', '/1']);
});

test('a rule needs no turn, and is the same for both readings of a URL', async () => {
  const world = new World(plain);
  const robots = cacheOf(world);
  const turn = await robots.wait('https://a.test/1');
  for (const url of ['https://a.test/private/1', 'https://a.test/C:/../private', 'https://a.test/c|/../private', 'https://a.test/%2e/private']) {
    const start = Date.now();
    const refused = await robots.wait(url);
    assert.deepEqual([refused.allowed, refused.closed, refused.line, refused.retryAt], [false, false, 2, undefined], url);
    assert.match(String(refused), /^disallowed by line 2: Disallow: \/private /);
    assert.ok(Date.now() - start < 200);
    // They do nothing.
    refused.cancel();
    refused.fail();
  }
  turn.cancel();
});

test('a closed site is waited for, if it may be asked again in time', async () => {
  const answers = [{ status: 503, headers: { 'retry-after': '1' } }, { body: FILE }];
  const world = new World((host, path) => (path !== '/robots.txt' ? {} : host === 'gone.test' ? { status: 503, headers: { 'retry-after': '60' } } : host === 'reset.test' ? { error: 'ECONNRESET' } : (answers.length > 1 ? answers.shift() : answers[0])));
  const robots = cacheOf(world, { profile: MILD.with({ retryFirst503Ms: 1_000 }) });
  const start = Date.now();
  const turns = await Promise.all([1, 2, 3].map((page) => visit(robots, world, `https://a.test/${page}`)));
  assert.ok(turns.every(({ allowed }) => allowed), turns.join());
  assert.ok(Date.now() - start > 950, `${Date.now() - start} ms`);
  assert.deepEqual(world.paths('a.test').slice(0, 2), ['/robots.txt', '/robots.txt']);
  assert.equal(world.paths('a.test').length, 5);

  const gone = await robots.wait('https://gone.test/', { maxWaitMs: 500 });
  assert.deepEqual([gone.allowed, gone.closed, gone.cause], [false, true, 503]);
  assert.ok(gone.retryAt - Date.now() > 50_000);
  assert.match(String(gone), /^disallowed: robots.txt answered with status 503; next fetch: /);
  const reset = await robots.wait('https://reset.test/', { maxWaitMs: 100 });
  assert.deepEqual([reset.closed, reset.cause, reset.error?.cause?.code], [true, 'unreachable', 'ECONNRESET']);
  // A caller may leave in the middle of such a wait.
  const leaving = new AbortController();
  const waiting = robots.wait('https://gone.test/', { maxWaitMs: 3_600_000, signal: leaving.signal });
  await sleep(20);
  leaving.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
});

test('a host that has no turn in time is busy', async () => {
  const world = new World(plain);
  const robots = cacheOf(world, { maxWaitMs: 100 });
  const first = await robots.wait('https://a.test/1');
  const start = Date.now();
  // Each waits as long as it says, whoever came first.
  const [long, short] = await Promise.all([robots.wait('https://a.test/2', { maxWaitMs: 300 }).then((turn) => [turn, Date.now() - start]), robots.wait('https://a.test/3').then((turn) => [turn, Date.now() - start])]);
  for (const [[turn, took], least] of [[long, 300], [short, 100]]) {
    assert.deepEqual([turn.allowed, turn.closed, turn.cause, turn.line], [false, true, 'busy', undefined]);
    assert.ok(turn.retryAt instanceof Date);
    assert.match(String(turn), /^the host of https:\/\/a\.test\/\d is busy: its turn did not come in time; retry at 20/);
    assert.ok(took >= least - 2 && took < least + 150, `${took} ms`);
  }
  first.finish({ status: 429, headers: { 'retry-after': '60' } });
  const later = await robots.wait('https://a.test/4');
  assert.deepEqual([later.cause, later.retryAt - Date.now() > 50_000], ['busy', true]);
  assert.match(String(later), /its turn comes too late/);
});

test('a turn that nobody ends frees itself', async () => {
  const world = new World(plain);
  const robots = cacheOf(world, { timeoutMs: 100 });
  const forgotten = await robots.wait('https://a.test/1');
  const start = Date.now();
  const next = await robots.wait('https://a.test/2', { timeoutMs: 50 });
  assert.ok(next.allowed && Date.now() - start >= 100 - 2, `${Date.now() - start} ms`);
  forgotten.finish({ status: 503 });
  assert.ok((await robots.wait('https://a.test/3', { maxWaitMs: 1_000 })).allowed);
});

test('a wait may be cut off at any time, and no turn is lost', async () => {
  const world = new World((host, path) => ({ ...plain(host, path), takes: 5 }));
  const robots = cacheOf(world);
  for (let wait = 0; wait < 60; wait += 3) {
    const host = `h${wait}.test`;
    const ending = new AbortController();
    const call = visit(robots, world, `https://${host}/1`, { signal: ending.signal });
    const other = visit(robots, world, `https://${host}/2`);
    await sleep(wait);
    ending.abort(new Error('enough'));
    await call.catch(({ message }) => assert.equal(message, 'enough'));
    assert.ok((await other).allowed);
    assert.ok((await visit(robots, world, `https://${host}/3`)).allowed);
  }
  await assert.rejects(robots.wait('https://a.test/', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.deepEqual(world.paths('a.test'), []);
  assert.deepEqual(world.violations(), []);
});

test('`check` beside `wait` asks in a turn too, and once', async () => {
  const world = new World((host, path) => ({ ...plain(host, path), takes: 10 }));
  let ahead = 0;
  const robots = cacheOf(world, { now: () => Date.now() + ahead });
  const turn = await robots.wait('https://a.test/1');
  // Another origin of the same host, in whose turn its robots.txt is asked for.
  const checks = Promise.all(Array.from({ length: 10 }, (_, page) => robots.check(`http://a.test/${page % 2 === 0 ? 'private/' : ''}${page}`)));
  assert.equal(await Promise.race([checks, sleep(3 * GAP)]), undefined);
  turn.finish({ status: 200 });
  assert.deepEqual((await checks).map(({ allowed }) => allowed), Array.from({ length: 10 }, (_, page) => page % 2 === 1));
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/robots.txt']);
  // Both at once about a site that nobody knows, and a copy that is too old.
  await Promise.all([visit(robots, world, 'https://b.test/1'), robots.check('https://b.test/2'), robots.crawlDelay('https://b.test/3')]);
  // A clock that is set ahead ends the gap.
  await sleep(GAP);
  ahead = 48 * 3_600_000;
  await Promise.all([robots.check('https://b.test/2'), robots.allowed('https://b.test/4'), visit(robots, world, 'https://b.test/5')]);
  assert.deepEqual(world.paths('b.test'), ['/robots.txt', '/1', '/robots.txt', '/5']);
  assert.deepEqual(world.violations(), []);
  // A round of `check` that is under way when the first turn is waited for.
  const late = cacheOf(world);
  const [access, first] = await Promise.all([late.check('https://c.test/1'), late.wait('https://c.test/2')]);
  assert.ok(access.allowed && first.allowed);
  assert.deepEqual(world.paths('c.test'), ['/robots.txt']);
});

test('errors of the fetch function reach those who wait and those who check', async () => {
  const failing = cacheOf({ fetch: async () => { throw Object.assign(new Error('x'), { code: 'ENOTFOUND' }); } }, { maxWaitMs: 100 });
  const turn = await failing.wait('https://a.test/');
  assert.deepEqual([turn.closed, turn.error.code], [true, 'ENOTFOUND']);
  assert.equal((await failing.check('https://b.test/')).error.code, 'ENOTFOUND');
  const buggy = cacheOf({ fetch: async () => absent });
  await assert.rejects(buggy.wait('https://a.test/'), ReferenceError);
  await assert.rejects(buggy.check('https://b.test/'), ReferenceError);
});

test('the pace of hosts is in the memory of a cache', async () => {
  const world = new World((host, path) => (path === '/busy' ? { status: 503, headers: { 'retry-after': '60' } } : plain(host, path)));
  const robots = cacheOf(world);
  await visit(robots, world, 'https://a.test/busy');
  const next = cacheOf(world, { maxWaitMs: 100 });
  next.load(robots.save());
  assert.equal((await next.wait('https://a.test/1')).cause, 'busy');
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/busy']);
});

test('options have their units, and names that are not known are errors', async () => {
  const made = (options) => new RobotsCache('ExampleBot', fetch, options);
  for (const [call, kind, message] of [
    [() => made({ timeout: 30 }), TypeError, 'there is no option "timeout", as durations are in milliseconds: write timeoutMs: 30000'],
    [() => made({ timeout: 30_000 }), TypeError, /write timeoutMs: 30000$/],
    [() => made({ timeout: '30' }), TypeError, /write timeoutMs$/],
    [() => made({ timeoutMs: '30' }), TypeError, 'the option timeoutMs is "30"; it is a number of milliseconds from 10 to 3600000'],
    [() => made({ timeoutMs: 3_600_001 }), RangeError, 'the option timeoutMs is 3600001; it is a number of milliseconds from 10 to 3600000'],
    [() => made({ timeoutMs: 9 }), RangeError, /from 10 to 3600000$/],
    [() => made({ maxwaitMs: 5 }), TypeError, 'there is no option "maxwaitMs"; did you mean maxWaitMs?'],
    [() => made({ colour: 5 }), TypeError, 'there is no option "colour"; there are profile, capacity, timeoutMs, maxWaitMs, now'],
    [() => made(5), TypeError, /^the options are 5; they are an object/],
    [() => made(null), TypeError, /^the options are null/],
    [() => Profile.rfc9309().withPace({ minDelay: 5 }), TypeError, 'there is no setting "minDelay", as durations are in milliseconds: write minDelayMs: 5000'],
    [() => Profile.rfc9309().withPace({ backoff: { levels: { base: 0.1 } } }), TypeError, 'there is no part "base", as durations are in milliseconds: write baseMs: 100'],
  ]) {
    assert.throws(call, (error) => error instanceof kind && (typeof message === 'string' ? error.message === message : message.test(error.message)), `${call}`);
  }
  const robots = made();
  for (const options of [{ timeout: 1 }, { maxWait: 1 }, { maxWaitMs: 9 }, { maxWaitMs: NaN }, { singal: undefined }]) {
    await assert.rejects(robots.wait('http://127.0.0.1:1/', options), (error) => error instanceof TypeError || error instanceof RangeError);
  }
  await assert.rejects(robots.check('http://127.0.0.1:1/', { timeoutMs: 50 }), /there is no option "timeoutMs"/);
});
