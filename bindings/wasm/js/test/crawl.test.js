// `politeFetch` in worlds of this process.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';

import { BusyError, ClosedError, crawleeHooks, DisallowedError, InvalidUrlError, politeFetch, Profile, RedirectError, TooLargeError } from '../dist/crawl-node.js';
import { FILE, GAP, plain, QUICK, sleep, World } from './world.js';

test('a page after its robots.txt, with the name of the crawler', async () => {
  const world = new World(plain);
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, headers: { from: 'bot@e.test' } });
  const page = await polite('https://a.test/x?y#z', { headers: { accept: 'text/html' } });
  assert.deepEqual([page.status, page.ok, page.url, page.redirected, page.hops, await page.text()], [200, true, 'https://a.test/x?y', false, [], 'page /x?y']);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/x?y']);
  assert.deepEqual(world.violations(), []);
  const [robots, asked] = world.hits.map(({ headers }) => headers);
  assert.deepEqual([robots['user-agent'], asked['user-agent'], robots.from, asked.from, asked.accept], ['ExampleBot', 'ExampleBot', 'bot@e.test', 'bot@e.test', 'text/html']);
  assert.equal(polite.hosts, 1);
});

test('errors say which line or when to come back', async () => {
  const world = new World((host, path) => {
    const robots = { 'closed.test': { status: 503 }, 'broken.test': { error: 'ECONNREFUSED' } }[host] ?? { body: FILE };
    const pages = { '/busy': { status: 429, headers: { 'retry-after': '3600' } }, '/large': { body: 'x'.repeat(2_000) }, '/gone': { error: 'ECONNRESET' } };
    return path === '/robots.txt' ? robots : pages[path];
  });
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, pageLimit: 1_000, maxWaitMs: 60_000 });
  const error = (url, init) => polite(url, init).then(() => assert.fail(url), (found) => found);

  const disallowed = await error('https://a.test/private/1');
  assert.ok(disallowed instanceof DisallowedError, String(disallowed));
  assert.deepEqual([disallowed.code, disallowed.line, disallowed.url, disallowed.robotsUrl], ['DISALLOWED', 2, 'https://a.test/private/1', 'https://a.test/robots.txt']);
  assert.match(disallowed.message, /^https:\/\/a\.test\/private\/1 is disallowed by line 2: Disallow: \/private .*\(https:\/\/a\.test\/robots\.txt\)$/);

  const closed = await error('https://closed.test/');
  assert.ok(closed instanceof ClosedError && closed.code === 'CLOSED' && closed.reason === 503, String(closed));
  assert.ok(closed.retryAt > new Date() && closed.message.includes(closed.retryAt.toISOString()));
  assert.equal((await error('https://broken.test/')).code, 'CLOSED');

  assert.equal((await polite('https://a.test/busy')).status, 429);
  const busy = await error('https://a.test/1');
  assert.ok(busy instanceof BusyError && busy.retryAt > Date.now() + 3_500_000, String(busy));
  // A rule needs no turn.
  assert.equal((await error('https://a.test/private/2')).code, 'DISALLOWED');

  const large = await error('https://b.test/large');
  assert.ok(large instanceof TooLargeError && large.limit === 1_000, String(large));
  assert.equal((await error('https://b.test/gone')).cause.code, 'ECONNRESET');
  assert.equal((await polite('https://b.test/1')).status, 200);
  assert.ok((await error('mailto:a@b.test')) instanceof InvalidUrlError);
  assert.ok((await error('nonsense')) instanceof InvalidUrlError);
  assert.deepEqual(world.violations(), []);
  assert.deepEqual(world.paths('closed.test'), ['/robots.txt']);
});

test('a response is as that of fetch', async () => {
  const world = new World((_, path) => (path === '/empty' ? { status: 204 } : { body: '\ufeff{"a":"ä"}', headers: { 'content-type': 'application/json' } }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  const page = () => polite('https://a.test/');
  assert.ok((await page()) instanceof Response);
  assert.deepEqual(await (await page()).json(), { a: 'ä' });
  assert.equal((await (await page()).arrayBuffer()).byteLength, 13);
  const blob = await (await page()).blob();
  assert.deepEqual([blob.size, blob.type], [13, 'application/json']);
  const read = await page();
  assert.equal(read.bodyUsed, false);
  const copy = read.clone();
  let length = 0;
  for await (const chunk of read.body) {
    length += chunk.length;
  }
  assert.deepEqual([length, read.bodyUsed, copy.bodyUsed, await copy.text()], [13, true, false, '{"a":"ä"}']);
  await assert.rejects(read.text(), TypeError);
  await assert.rejects(copy.bytes(), TypeError);
  assert.throws(() => copy.clone(), TypeError);
  // A copy does not change when a reader writes into its bytes.
  const written = await page();
  const unwritten = written.clone();
  new Uint8Array(await written.arrayBuffer()).fill(0);
  assert.deepEqual(await unwritten.json(), { a: 'ä' });
  const empty = await polite('https://a.test/empty');
  assert.deepEqual([empty.status, empty.body, await empty.text()], [204, null, '']);
});

test('each redirect is a page of its own', async () => {
  const to = (location, status = 302) => ({ status, headers: { location } });
  const world = new World((_, path) => ({
    '/robots.txt': { body: FILE },
    '/1': to('/2'),
    '/2': to('https://b.test/3#part', 307),
    '/closed': to('https://b.test/private/'),
    '/loop': to('/loop2'),
    '/loop2': to('/loop'),
    '/elsewhere': to('ftp://b.test/'),
    '/form': to('/2', 303),
  })[path] ?? (path.startsWith('/many') ? to(`/many${Number(path.slice(5)) + 1}`) : { body: 'there' }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  const page = await polite('https://a.test/1', { headers: { Authorization: 'x', accept: 'text/html' } });
  assert.deepEqual([page.url, page.redirected, page.hops, await page.text()], ['https://b.test/3', true, ['https://a.test/1', 'https://a.test/2'], 'there']);
  assert.deepEqual(world.paths('b.test'), ['/robots.txt', '/3']);
  const secrets = world.hits.filter(({ path }) => path !== '/robots.txt').map(({ headers }) => [headers.authorization, headers.accept]);
  assert.deepEqual(secrets, [['x', 'text/html'], ['x', 'text/html'], [undefined, 'text/html']]);

  const disallowed = await polite('https://a.test/closed').catch((error) => error);
  assert.deepEqual([disallowed.code, disallowed.url, disallowed.hops], ['DISALLOWED', 'https://b.test/private/', ['https://a.test/closed']]);
  for (const [path, reason] of [['/loop', /circle/], ['/elsewhere', /no URL of http/], ['/many1', /more than 5/]]) {
    await assert.rejects(polite(`https://a.test${path}`), (error) => error instanceof RedirectError && reason.test(error.message), path);
  }
  await polite('https://a.test/form', { method: 'POST', body: 'a=b', headers: { 'content-type': 'text/plain' } });
  const sent = world.hits.slice(-3).map(({ path, method, headers }) => [path, method, headers['content-type']]);
  assert.deepEqual(sent, [['/form', 'POST', 'text/plain'], ['/2', 'GET', undefined], ['/3', 'GET', undefined]]);
  assert.deepEqual(world.violations(), []);

  // As a browser's `fetch` has it.
  const hidden = politeFetch('ExampleBot', { profile: QUICK, fetch: async (url) => (url.endsWith('.txt') ? new Response(FILE) : { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null }) });
  await assert.rejects(hidden('https://a.test/'), RedirectError);
});

test('robots.txt may redirect to another host, in that host\'s turn', async () => {
  const world = new World((host, path) => (host === 'a.test' && path === '/robots.txt' ? { status: 301, headers: { location: 'https://b.test/rules' } } : { body: FILE }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  await Promise.all(['https://b.test/1', 'https://a.test/1', 'https://b.test/2'].map((url) => polite(url)));
  assert.deepEqual(world.violations(), []);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/1']);
  assert.deepEqual(world.paths('b.test').sort(), ['/1', '/2', '/robots.txt', '/rules']);
});

test('hosts whose robots.txt redirect to each other', async () => {
  const other = { 'a.test': 'b.test', 'b.test': 'a.test' };
  const world = new World((host, path) => (path === '/robots.txt' ? { status: 301, headers: { location: `https://${other[host]}/rules` } } : { body: FILE }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 900 });
  await Promise.all(Object.keys(other).map((host) => polite(`https://${host}/1`)));
  assert.deepEqual(world.violations(), []);
  assert.deepEqual(world.paths('a.test').sort(), ['/1', '/robots.txt', '/rules']);
});

test('the process may end while no caller waits', () => {
  const script = `import { politeFetch, Profile } from '${new URL('../dist/crawl-node.js', import.meta.url)}';
const polite = politeFetch('ExampleBot', { fetch: async (url) => (url.endsWith('.txt') ? new Response('') : new Response('', { status: 429, headers: { 'retry-after': '60' } })) , profile: Profile.rfc9309().withPace({ minDelayMs: 0 }) });
await polite('https://a.test/1');
await polite('https://a.test/2', { signal: AbortSignal.timeout(1) }).catch(() => {});`;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
  assert.deepEqual([status, signal], [0, null]);
});

test('a round that has begun goes on without its callers', async () => {
  const world = new World((host, path) => (host === 'a.test' && path === '/robots.txt' ? { status: 301, headers: { location: 'https://b.test/rules' } } : { body: FILE }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  // The target of the redirect waits for its host.
  const permit = await polite.permit('https://b.test/1');
  const ending = new AbortController();
  const call = polite('https://a.test/1', { signal: ending.signal });
  await sleep(3 * GAP);
  ending.abort();
  await assert.rejects(call, { name: 'AbortError' });
  permit.finish({ status: 200 });
  assert.equal((await polite('https://a.test/2')).status, 200);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/2']);
});

test('the judge: a third of the calls cancelled, one kill and restart', { timeout: 120_000 }, async () => {
  const numberOf = (host) => Number(/\d+/.exec(host)[0]);
  const delayed = (host) => numberOf(host) % 4 > 1;
  const answer = (host, path, hits) => {
    const number = numberOf(host);
    const takes = (number * 7 + path.length + hits.length) % 15;
    if (path === '/robots.txt') {
      const moved = { status: 301, headers: { location: `https://h${number - 1}.test/robots.txt` } };
      return { takes, ...[{ body: FILE }, { status: 404 }, { body: 'User-agent: *\nCrawl-delay: 0.06' }, moved][number % 4] };
    }
    return { takes, ...(hits.length % 17 === 0 ? { error: 'ECONNRESET' } : hits.length % 13 === 0 ? { status: 302, headers: { location: `https://h${(number + 1) % 40}.test/to` } } : { body: 'x' }) };
  };
  const world = new World(answer);
  const crawl = (killed, maxWaitMs) => politeFetch('ExampleBot', {
    // A process that was killed hears of nothing any more.
    fetch: (url, init) => (killed.signal.aborted ? new Promise(() => {}) : world.fetch(url, init)),
    profile: QUICK,
    maxInFlight: 16,
    maxWaitMs,
    timeoutMs: 5_000,
  });
  let random = 7;
  const next = (below) => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const ends = { page: 0, cancelled: 0, failed: 0 };
  const call = async (polite, killed, url) => {
    const signal = next(3) === 0 ? AbortSignal.timeout(next(300)) : undefined;
    try {
      await (await polite(url, { signal })).text();
      ends.page += 1;
    } catch (error) {
      ends[signal?.aborted ? 'cancelled' : 'failed'] += 1;
      assert.ok(killed.signal.aborted || signal?.aborted || error.cause?.code === 'ECONNRESET' || error.code === 'REDIRECT', error.stack);
    }
  };
  const calls = (polite, killed, from) => Array.from({ length: 240 }, (_, number) => call(polite, killed, `https://h${number % 40}.test/${from + number}`));
  const polite = crawl(world.killed, 5_000);
  const first = calls(polite, world.killed, 0);
  await sleep(150);
  const saved = polite.save();
  await sleep(10);
  world.killed.abort(Object.assign(new TypeError('killed'), { cause: { code: 'ECONNRESET' } }));
  world.killed = new AbortController();
  // A host that was reset some times in a row rests for more than five seconds, and its calls wait for it.
  const later = crawl(world.killed, 60_000);
  later.load(saved);
  await Promise.all(calls(later, world.killed, 1_000));
  assert.ok(ends.page > 20 && ends.cancelled > 20, JSON.stringify(ends));
  // No host is lost.
  const last = await Promise.allSettled(Array.from({ length: 40 }, (_, number) => later(`https://h${number}.test/last`)));
  const lost = last.filter(({ status, reason }) => status === 'rejected' && reason.cause?.code !== 'ECONNRESET' && reason.code !== 'REDIRECT');
  assert.deepEqual(lost, []);
  assert.deepEqual(world.violations(({ host, path }) => (path !== '/robots.txt' && delayed(host) ? 60 : GAP)), []);
  await Promise.all(first);
});

test('a call may be cancelled at any time', async () => {
  const world = new World((_, path) => ({ ...plain(_, path), takes: 5 }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  for (let wait = 0; wait < 60; wait += 3) {
    const host = `h${wait}.test`;
    const [ending, reason] = [new AbortController(), new Error('enough')];
    const call = polite(`https://${host}/1`, { signal: ending.signal });
    const other = polite(`https://${host}/2`);
    await sleep(wait);
    ending.abort(reason);
    await call.catch((error) => assert.equal(error, reason));
    assert.equal((await other).status, 200);
    assert.equal((await polite(`https://${host}/3`)).status, 200);
  }
  await assert.rejects(polite('https://a.test/', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.deepEqual(world.paths('a.test'), []);
  assert.deepEqual(world.violations(), []);
});

test('the memory of a crawl', async () => {
  const world = new World((_, path) => (path === '/busy' ? { status: 503 } : plain(_, path)));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  await polite('https://a.test/1');
  await polite('https://b.test/busy');
  const later = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  later.load(polite.save());
  assert.equal(later.hosts, 2);
  // Hosts that are not in it may have been asked since.
  await Promise.all(['https://a.test/2', 'https://c.test/1'].map((url) => later(url)));
  assert.deepEqual(world.violations(), []);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/1', '/2']);
  // The back-off level is kept: a gap of four seconds.
  const quick = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 1_000 });
  quick.load(polite.save());
  await assert.rejects(quick('https://b.test/1'), BusyError);
  assert.throws(() => later.load(new Uint8Array(3)), TypeError);
});

test('hosts that need no memory are forgotten', async () => {
  const world = new World(plain);
  let ahead = 0;
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, now: () => Date.now() + ahead });
  await Promise.all(Array.from({ length: 100 }, (_, number) => polite(`https://h${number}.test/`)));
  assert.equal(polite.hosts, 100);
  for (let minutes = 0; minutes < 4; minutes += 1) {
    ahead += 61_000;
    await polite('https://a.test/');
  }
  assert.ok(polite.hosts <= 2, String(polite.hosts));
});

test('limits of callers and requests', async () => {
  const world = new World((_, path) => ({ ...plain(_, path), takes: 10 }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxInFlight: 3, maxQueue: 2 });
  await Promise.all(Array.from({ length: 20 }, (_, number) => polite(`https://h${number}.test/`)));
  const most = world.hits.map(({ start }) => world.hits.filter((hit) => hit.start <= start && start < hit.end).length);
  assert.equal(Math.max(...most), 3);
  const ends = await Promise.allSettled(Array.from({ length: 5 }, (_, number) => polite(`https://a.test/${number}`)));
  assert.ok(ends.filter(({ reason }) => reason instanceof BusyError && /2 requests wait/.test(reason.message)).length >= 2);
  assert.equal((await politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: Infinity })('https://b.test/')).status, 200);
  for (const [options, error] of [[{ maxWaitMs: 0 }, RangeError], [{ timeoutMs: -1 }, RangeError], [{ pageLimit: NaN }, TypeError]]) {
    assert.throws(() => politeFetch('ExampleBot', options), error);
  }
});

test('a mistake of the fetch function reaches the callers', async () => {
  const polite = politeFetch('ExampleBot', { fetch: async () => 'nonsense', profile: QUICK });
  await assert.rejects(polite('https://a.test/'), /the fetch function gave/);
  const bug = politeFetch('ExampleBot', { fetch: async () => absent, profile: QUICK });
  const found = await Promise.allSettled([1, 2, 3].map((page) => bug(`https://a.test/${page}`)));
  assert.ok(found.every(({ reason }) => reason instanceof ReferenceError), String(found[0].reason));
  await assert.rejects(bug('https://a.test/4'), (error) => error instanceof ClosedError && error.reason === 'not_fetched');
  // A host is not to blame for a bug beside its page.
  const world = new World(plain);
  const beside = politeFetch('ExampleBot', { fetch: (url, init) => (url.endsWith('/bug') ? Promise.reject(new ReferenceError('x')) : world.fetch(url, init)), profile: QUICK, maxWaitMs: 1_000 });
  await assert.rejects(beside('https://a.test/bug'), ReferenceError);
  assert.equal((await beside('https://a.test/1')).status, 200);
});

test('all who wait hear at once that a site is closed or disallows them', async () => {
  const answers = { 'closed.test': { status: 503, headers: { 'retry-after': '600' } }, 'odd.test': { status: 999 }, 'forbidden.test': { body: 'User-agent: *\nCrawl-delay: 20\nDisallow: /' } };
  const world = new World((host) => answers[host]);
  const fetch = async (url, init) => (url.startsWith('https://odd.test/') ? { status: 999, headers: new Headers(), body: null } : world.fetch(url, init));
  const polite = politeFetch('ExampleBot', { fetch, maxWaitMs: 12_000 });
  for (const [host, kind] of [['closed.test', ClosedError], ['odd.test', ClosedError], ['forbidden.test', DisallowedError]]) {
    const start = Date.now();
    const ends = await Promise.allSettled(Array.from({ length: 50 }, (_, page) => polite(`https://${host}/${page}`)));
    assert.ok(ends.every(({ reason }) => reason instanceof kind), `${host}: ${ends.map(({ reason }) => reason)}`);
    assert.ok(Date.now() - start < 1_000, `${host}: ${Date.now() - start} ms`);
  }
  assert.deepEqual(world.hits.map(({ host, path }) => host + path), ['closed.test/robots.txt', 'forbidden.test/robots.txt']);
});

test('some pages of a line hear that they are disallowed, and the others have their turns', async () => {
  let body = '';
  const world = new World((_, path) => (path === '/robots.txt' ? { body, takes: 20 } : {}));
  let ahead = 0;
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: Profile.rfc9309().withPace({ minDelayMs: 100 }), now: () => Date.now() + ahead });
  const ends = [];
  const page = (path) => polite(`https://a.test${path}`).then(() => ends.push(path), ({ code }) => ends.push(`${code} ${path}`));
  await page('/1');
  // The copy is too old, and the file is another one.
  ahead += 48 * 3_600_000;
  body = FILE;
  await Promise.all(['/2', '/private/1', '/3', '/private/2'].map(page));
  assert.deepEqual(ends, ['/1', 'DISALLOWED /private/1', 'DISALLOWED /private/2', '/2', '/3']);
  assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/1', '/robots.txt', '/2', '/3']);
});

test('a busy host has a time to come back', async () => {
  const world = new World((_, path) => ({ ...plain(_, path), takes: 30 }));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 300, maxQueue: 50 });
  const ends = await Promise.allSettled(Array.from({ length: 60 }, (_, page) => polite(`https://a.test/${page}`)));
  const busy = ends.filter(({ reason }) => reason instanceof BusyError);
  assert.ok(busy.length > 40 && busy.length < 60, String(busy.length));
  for (const { reason } of busy) {
    const wait = reason.retryAt - Date.now();
    assert.ok(wait > -1_000 && wait <= 1_000, String(reason));
  }
});

test('a clock that jumps ends no waits, and makes none longer', async () => {
  for (const jump of [25 * 3_600_000, -25 * 3_600_000]) {
    const world = new World(plain);
    let ahead = 0;
    const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 5_000, now: () => Date.now() + ahead });
    const pages = Array.from({ length: 20 }, (_, page) => polite(`https://a.test/${page}`));
    await pages[5];
    // Between two requests: one that seems to take a day slows its host down.
    ahead = jump;
    assert.ok((await Promise.all(pages)).every(({ status }) => status === 200));

    const quick = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 300, now: () => Date.now() + ahead });
    const permit = await quick.permit('https://b.test/1');
    const start = Date.now();
    const late = quick('https://b.test/2').catch((error) => error);
    await sleep(100);
    ahead = 2 * jump;
    const other = quick('https://b.test/3').catch((error) => error);
    for (const [call, wait] of [[late, 300], [other, 400]]) {
      assert.ok((await call) instanceof BusyError);
      assert.ok(Date.now() - start >= wait - 2 && Date.now() - start < wait + 500, `${Date.now() - start} ms`);
    }
    permit.cancel();
  }
});

test('a permit for another client', async () => {
  const world = new World(plain);
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxInFlight: 1, maxWaitMs: 2_000 });
  const permit = await polite.permit('https://a.test/1');
  let isOver = false;
  const waiting = polite('https://a.test/2').then(() => assert.ok(isOver));
  await sleep(3 * GAP);
  // Its place is another client's.
  assert.equal((await polite('https://b.test/')).status, 200);
  isOver = true;
  permit.finish({ status: 200 });
  permit.cancel();
  await waiting;
  (await polite.permit('https://a.test/3')).finish({ status: 429, headers: { 'Retry-After': '60' } });
  await assert.rejects(polite.permit('https://a.test/4'), BusyError);
  await assert.rejects(polite.permit('https://b.test/private'), DisallowedError);
});

test('each header of a page by which its host asks to wait', async () => {
  const served = Date.UTC(2020, 0, 1);
  const date = (seconds) => new Date(served + seconds * 1_000).toUTCString();
  for (const headers of [
    { 'retry-after': '60' },
    // By the clock of the host.
    { 'Retry-After': date(60), date: date(0) },
    { RateLimit: '"burst";r=0;t=60' },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '60' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(served / 1_000 + 60), date: date(0) },
  ]) {
    const world = new World((_, path) => (path === '/robots.txt' ? { body: FILE } : { body: 'x', status: path === '/429' ? 429 : 200, headers }));
    const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 10_000 });
    await polite('https://a.test/429');
    const busy = await polite('https://a.test/1').catch((error) => error);
    const seconds = (busy.retryAt - Date.now()) / 1_000;
    assert.ok(busy instanceof BusyError && seconds > 50 && seconds < 90, `${JSON.stringify(headers)}: ${busy} in ${seconds} s`);
  }
});

test('the hooks for Crawlee', async () => {
  const polite = politeFetch('ExampleBot', { fetch: new World(plain).fetch, profile: QUICK, maxWaitMs: 2_000 });
  const { preNavigationHooks: [before], postNavigationHooks: [after], errorHandler } = crawleeHooks(polite);
  const request = { url: 'https://a.test/1' };
  await before({ request });
  await after({ request, response: { statusCode: 200, headers: {} } });
  await before({ request });
  await errorHandler({ request }, new Error('broken'));
  await before({ request });
  // A page of Playwright has methods.
  await after({ request, response: { status: () => 503, headers: () => ({ 'retry-after': '60' }) } });
  await assert.rejects(before({ request }), BusyError);
  const disallowed = { url: 'https://b.test/private' };
  await assert.rejects(before({ request: disallowed }), DisallowedError);
  assert.equal(disallowed.noRetry, true);
  // Crawlee asks for it no more by its own will.
  const unwanted = { url: 'https://a.test/2', noRetry: true };
  await assert.rejects(before({ request: unwanted }), BusyError);
  assert.equal(unwanted.noRetry, true);
  assert.throws(() => crawleeHooks('ExampleBot'), /it is what politeFetch\(\) gives/);
});

/** The milliseconds of a navigation in the stand-in for Crawlee. */
const NAVIGATION = 100;

/**
 * One request as Crawlee's crawlers over got make it: hooks, redirects of got, a check of its own before the hooks after the
 * navigation, and the handlers of errors. `test/crawlee.mjs` has Crawlee itself.
 */
async function crawlee(options, world, url) {
  const request = { url, noRetry: false };
  const context = { request, crawler: { navigationTimeoutMillis: NAVIGATION } };
  const gotOptions = {};
  try {
    await chained(options.preNavigationHooks, context, gotOptions);
    context.response = await got(world, url, gotOptions.hooks);
    if (context.response.headers['content-type'] === 'image/png') {
      throw new Error('no page');
    }
    await chained(options.postNavigationHooks, context, gotOptions);
  } catch (error) {
    await options[request.noRetry ? 'failedRequestHandler' : 'errorHandler']?.(context, error);
    return { error, noRetry: request.noRetry };
  }
  return { status: context.response.statusCode, url: context.response.url };
}

async function got(world, given, { beforeRedirect = [], beforeError = [] } = {}) {
  try {
    for (let url = new URL(given); ; ) {
      const response = await world.fetch(url.href, { signal: new AbortController().signal });
      const answer = { statusCode: response.status, headers: Object.fromEntries(response.headers), url: url.href };
      if (!response.headers.has('location')) {
        return answer;
      }
      url = new URL(response.headers.get('location'), url);
      await chained(beforeRedirect, { url }, answer);
    }
  } catch (cause) {
    let error = Object.assign(new Error(cause.message, { cause }), { code: cause.code });
    for (const hook of beforeError) {
      error = await hook(error);
    }
    throw error;
  }
}

async function chained(hooks, ...given) {
  for (const hook of hooks) {
    await hook(...given);
  }
}

const to = (location) => ({ status: 302, headers: { location } });
const moving = (_, path) => ({
  '/robots.txt': { body: FILE },
  '/reset': { error: 'ECONNRESET' },
  '/image': { headers: { 'content-type': 'image/png' } },
  '/hop': to('/private/hop'),
  '/far': to('https://closed.test/1'),
  '/open': to('https://b.test/there'),
})[path];

test('the hooks for Crawlee beside handlers of one\'s own', async () => {
  for (const [title, options] of Object.entries({
    'given to the hooks': (polite, own) => crawleeHooks(polite, { ...own, maxRequestRetries: 0 }),
    'behind the hooks': (polite, own) => ({ ...crawleeHooks(polite), errorHandler: own.errorHandler, failedRequestHandler: own.failedRequestHandler, maxRequestRetries: 0 }),
  })) {
    const world = new World(moving);
    const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK.withPace({ backoff: 'off' }), maxWaitMs: 500 });
    const calls = [];
    const note = (name) => ({ request }) => {
      calls.push(`${name} ${new URL(request.url).pathname}`);
    };
    const crawler = options(polite, { preNavigationHooks: [note('before')], postNavigationHooks: [note('after')], errorHandler: note('error'), failedRequestHandler: note('failed') });
    assert.equal(crawler.maxRequestRetries, 0);
    for (const path of ['/1', '/reset', '/2', '/image', '/3', '/hop', '/4']) {
      await crawlee(crawler, world, `https://a.test${path}`);
    }
    assert.deepEqual(world.paths('a.test'), ['/robots.txt', '/1', '/reset', '/2', '/image', '/3', '/hop', '/4'], title);
    assert.deepEqual(world.violations(), [], title);
    assert.deepEqual(calls.filter((call) => /error|failed/.test(call)), ['error /reset', 'error /image', 'failed /hop'], title);
    if (title === 'given to the hooks') {
      assert.deepEqual(calls.filter((call) => call.startsWith('after')), ['after /1', 'after /2', 'after /3', 'after /4']);
      assert.equal(calls.filter((call) => call.startsWith('before')).length, 7);
    }
  }
});

test('each redirect of a page in Crawlee is asked about, in a turn of its own', async () => {
  const world = new World((host, path) => (host === 'closed.test' ? { status: 503 } : moving(host, path)));
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK });
  const crawler = crawleeHooks(polite);
  const hop = await crawlee(crawler, world, 'https://a.test/hop');
  assert.deepEqual([hop.error.code, hop.noRetry, hop.error.cause instanceof DisallowedError], ['DISALLOWED', true, true]);
  const far = await crawlee(crawler, world, 'https://a.test/far');
  assert.deepEqual([far.error.code, far.noRetry], ['CLOSED', false]);
  assert.deepEqual(await crawlee(crawler, world, 'https://a.test/open'), { status: 200, url: 'https://b.test/there' });
  assert.deepEqual(world.paths('b.test'), ['/robots.txt', '/there']);
  assert.deepEqual(world.violations(), []);

  // A browser follows redirects by itself: the page that it ends at is asked about, and refused.
  const request = { url: 'https://a.test/1', noRetry: false };
  const context = { request, page: {}, crawler: {} };
  const gotoOptions = { timeout: 1_000 };
  const arrived = (url) => ({ status: () => 200, headers: () => ({}), url: () => url });
  await chained(crawler.preNavigationHooks, context, gotoOptions);
  assert.deepEqual(gotoOptions, { timeout: 1_000 });
  await chained(crawler.postNavigationHooks, { ...context, response: arrived('https://b.test/2#part') });
  await chained(crawler.preNavigationHooks, context, gotoOptions);
  await assert.rejects(chained(crawler.postNavigationHooks, { ...context, response: arrived('https://b.test/private/2') }), DisallowedError);
  assert.equal(request.noRetry, true);
  // The hosts have their turns back.
  assert.equal((await polite('https://a.test/last')).status, 200);
  assert.equal((await polite('https://b.test/last')).status, 200);
});

test('a turn of Crawlee ends with the last byte of the body, which is read after the hooks', async () => {
  const polite = politeFetch('ExampleBot', { fetch: new World(plain).fetch, profile: QUICK, maxWaitMs: 2_000 });
  const { preNavigationHooks: [before], postNavigationHooks: [after] } = crawleeHooks(polite);
  for (const end of [(body) => body.resume().end(), (body) => body.destroy()]) {
    const body = Object.assign(new PassThrough(), { statusCode: 200, headers: {} });
    const request = { url: 'https://a.test/1' };
    await before({ request });
    body.write('x');
    await after({ request, response: body });
    const next = polite('https://a.test/2');
    assert.equal(await Promise.race([next, sleep(4 * GAP)]), undefined);
    end(body);
    assert.equal((await next).status, 200);
  }
});

test('a turn of Crawlee frees itself after the time limit of its navigation', async () => {
  const world = new World(plain);
  const polite = politeFetch('ExampleBot', { fetch: world.fetch, profile: QUICK, maxWaitMs: 2_000 });
  const { preNavigationHooks: [before], postNavigationHooks: [after], errorHandler } = crawleeHooks(polite);
  for (const [crawler, options] of [[{ navigationTimeoutMillis: NAVIGATION }], [{}, { timeout: NAVIGATION }], [{}, { timeout: { request: NAVIGATION } }]]) {
    const start = Date.now();
    await before({ request: { url: 'https://a.test/1' }, crawler }, options);
    assert.equal((await polite('https://a.test/2')).status, 200);
    assert.ok(Date.now() - start >= NAVIGATION, `${Date.now() - start} ms`);
  }
  // A request that fails while it waits for its turn gets none later.
  const permit = await polite.permit('https://a.test/3');
  const request = { url: 'https://a.test/4' };
  const waiting = before({ request });
  await errorHandler({ request }, new Error('timed out'));
  await assert.rejects(waiting, { name: 'AbortError' });
  permit.finish({ status: 200 });
  assert.equal((await polite('https://a.test/5')).status, 200);
  // Hooks of the user in the place of ours are no silence.
  await assert.rejects(after({ request: { url: 'https://a.test/6' }, response: {} }), /nobody asked about https:\/\/a\.test\/6: give your hooks to crawleeHooks/);
});

test('a permit may end by itself', async () => {
  const polite = politeFetch('ExampleBot', { fetch: new World(plain).fetch, profile: QUICK, maxWaitMs: 2_000 });
  await polite.permit('https://a.test/1', { timeoutMs: NAVIGATION });
  const late = await polite.permit('https://a.test/2', { timeoutMs: NAVIGATION });
  await sleep(2 * NAVIGATION);
  // An end that comes too late ends nobody else's turn.
  const other = await polite.permit('https://a.test/3');
  late.finish({ status: 200 });
  const waiting = polite('https://a.test/4');
  assert.equal(await Promise.race([waiting, sleep(2 * NAVIGATION)]), undefined);
  other.finish({ status: 200 });
  assert.equal((await waiting).status, 200);
  await assert.rejects(polite.permit('https://a.test/5', { timeoutMs: 0 }), RangeError);
});

test('a URL is asked about as it is sent and as it was given', async (t) => {
  const log = [];
  const server = createServer(({ url }, response) => {
    log.push(url);
    response.end(url === '/robots.txt' ? FILE : 'page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base = `http://127.0.0.1:${server.address().port}`;
  const polite = politeFetch('ExampleBot', { profile: QUICK });
  const crawler = crawleeHooks(polite);
  // The first reading is that of the client, the second one that of the text alone.
  for (const path of ['/C:/../private', '/c|/../private', '/\\/../private', '/a/..\\private', '/%2e/private']) {
    const url = base + path;
    const refused = await polite(url).catch((error) => error);
    assert.ok(refused instanceof DisallowedError, `${path}: ${refused}`);
    assert.ok(refused.message.startsWith(`${url} is disallowed by line 2: Disallow: /private`), refused.message);
    await assert.rejects(polite.permit(url), DisallowedError);
    await assert.rejects(chained(crawler.preNavigationHooks, { request: { url } }, {}), DisallowedError);
  }
  assert.equal((await polite(`${base}/C:/../open`)).url, `${base}/open`);
  assert.deepEqual(log, ['/robots.txt', '/open']);
});

/** `fetch` and got drop it, so that a rule with an end closes what a text with a `?` leaves open. */
test('an empty query is asked about as it is sent: not at all', async (t) => {
  const log = [];
  const server = createServer(({ url }, response) => {
    log.push(url);
    response.end(url === '/robots.txt' ? 'User-agent: *\nDisallow: /private$' : 'page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base = `http://127.0.0.1:${server.address().port}`;
  const polite = politeFetch('ExampleBot', { profile: QUICK });
  const hooks = crawleeHooks(polite).preNavigationHooks;
  for (const url of [`${base}/private?`, `${base}/private?#top`, `${base}/a/../private?`]) {
    await assert.rejects(polite(url), DisallowedError);
    await assert.rejects(chained(hooks, { request: { url } }, {}), DisallowedError);
  }
  await polite(`${base}/private?x`);
  await polite(`${base}/open?`);
  assert.deepEqual(log, ['/robots.txt', '/private?x', '/open']);
});

test('over the global fetch', async (t) => {
  const log = [];
  const server = createServer(({ url }, response) => {
    log.push(url);
    const answers = { '/robots.txt': [200, {}, FILE], '/moved': [302, { location: '/there' }, 'moved'], '/empty': [204, {}, ''] };
    const [status, headers, body] = answers[url] ?? [200, { 'content-type': 'text/plain' }, 'there'];
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base = `http://127.0.0.1:${server.address().port}`;
  const polite = politeFetch('ExampleBot', { profile: QUICK });
  const page = await polite(`${base}/moved`);
  assert.deepEqual([page.url, page.headers.get('content-type'), await page.text()], [`${base}/there`, 'text/plain', 'there']);
  assert.equal((await polite(`${base}/empty`)).status, 204);
  assert.equal((await polite(`${base}/x`, { method: 'HEAD' })).status, 200);
  await assert.rejects(polite(`${base}/private`), DisallowedError);
  assert.deepEqual(log, ['/robots.txt', '/moved', '/there', '/empty', '/x']);
});
