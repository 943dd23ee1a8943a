// `RobotsCache` with fetch functions of all kinds: what they give, what they throw, and what callers do meanwhile.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';

import { Cache, Fetch, Origin, Profile, RobotsCache } from '../dist/cache-node.js';
import { InvalidTokenError, InvalidUrlError } from '../dist/node.js';

const FILE = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2.5\nSitemap: https://e.test/s.xml\n';
const START = Date.UTC(2026, 0, 1);
const [HOUR, DAY] = [3_600_000, 86_400_000];

/** A cache with a clock of its own and a fetch function that counts its calls. */
function made(answer, options) {
  const world = { now: START, asked: [], inits: [] };
  world.cache = new RobotsCache('ExampleBot', (url, init) => {
    world.asked.push(url);
    world.inits.push(init);
    return answer(url, init, world);
  }, { now: () => world.now, ...options });
  return world;
}

const ok = (body = FILE, headers = {}) => async () => ({ status: 200, headers, body });

test('one fetch for many callers, and for its lifetime', async () => {
  const world = made(ok());
  const pages = Array.from({ length: 100 }, (_, page) => `https://e.test/${page % 2 === 0 ? 'a' : 'c'}/${page}`);
  const answers = await Promise.all(pages.map((page) => world.cache.allowed(page)));
  assert.deepEqual(answers, pages.map((page) => page.includes('/c/')));
  assert.deepEqual(world.asked, ['https://e.test/robots.txt']);
  world.now += 18 * HOUR;
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  assert.equal(world.asked.length, 1);
  world.now += DAY;
  assert.equal(await world.cache.allowed('https://E.test:443/a/b'), true);
  assert.equal(world.asked.length, 2);
});

test('an answer has its evidence', async () => {
  const { cache } = made(ok());
  const access = await cache.check(new URL('https://e.test/a'));
  const explanation = 'disallowed by line 2: Disallow: /a in the wildcard group on line 1';
  assert.deepEqual({ ...access }, { allowed: false, closed: false, cause: undefined, retryAt: undefined, line: 2, explanation, error: undefined });
  assert.equal(`${access}`, explanation);
  assert.ok(Object.isFrozen(access));
  assert.equal(await cache.crawlDelay('https://e.test/'), 2.5);
  assert.deepEqual(await cache.sitemaps('https://e.test/'), ['https://e.test/s.xml']);
  assert.match(await cache.explain('https://e.test/'), /^the rules of robots.txt as of 2026-01-01T00:00:00Z/);
  const { cache: gone } = made(async () => ({ status: 404, headers: {} }));
  const { allowed, closed, cause } = await gone.check('https://e.test/a');
  assert.deepEqual([allowed, closed, cause], [true, false, 404]);
});

test('a site that answers with an error is closed, and asked again when the machine says so', async () => {
  const world = made(async () => ({ status: 503, headers: { 'Retry-After': '120' } }));
  const access = await world.cache.check('https://e.test/a');
  assert.deepEqual([access.allowed, access.closed, access.cause, access.line], [false, true, 503, undefined]);
  assert.deepEqual(access.retryAt, new Date(START + 120_000));
  assert.equal(String(access), 'disallowed: robots.txt answered with status 503; next fetch: 2026-01-01T00:02:00Z');
  assert.equal(await world.cache.crawlDelay('https://e.test/'), undefined);
  assert.deepEqual(await world.cache.sitemaps('https://e.test/'), []);
  world.now += 119_000;
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  assert.equal(world.asked.length, 1);
  world.now += 1_000;
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  assert.equal(world.asked.length, 2);
});

test('an outage of days, and the way back', async () => {
  let status = 200;
  const world = made(async () => ({ status, headers: {}, body: FILE }));
  const ask = async () => [await world.cache.allowed('https://e.test/a'), await world.cache.allowed('https://e.test/c')];
  assert.deepEqual(await ask(), [false, true]);
  status = 500;
  world.now += DAY - HOUR;
  // The copy counts until its end.
  assert.deepEqual(await ask(), [false, true]);
  for (world.now += 2 * HOUR; world.now < START + 8 * DAY; world.now += HOUR) {
    assert.deepEqual(await ask(), [false, false]);
  }
  assert.ok(world.asked.length > 20 && world.asked.length < 60, `${world.asked.length}`);
  const { retryAt } = await world.cache.check('https://e.test/c');
  status = 200;
  world.now = Number(retryAt);
  assert.deepEqual(await ask(), [false, true]);
});

test('whatever a fetch function throws closes the site, and stands in the check', async () => {
  const errors = [
    new Error('no'),
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
    Object.assign(new Error('x'), { code: 'ECONNRESET' }),
    new DOMException('late', 'TimeoutError'),
    undefined,
    'text',
    { get code() { return Symbol('odd'); } },
  ];
  for (const error of errors) {
    for (const answer of [() => { throw error; }, () => Promise.reject(error)]) {
      const { cache } = made(answer);
      const access = await cache.check('https://e.test/c');
      assert.deepEqual([access.allowed, access.closed, access.cause], [false, true, 'unreachable']);
      assert.ok(access.retryAt > START);
      assert.equal(access.error, error);
    }
  }
  const late = await made(() => new Promise(() => {}), { timeoutMs: 20 }).cache.check('https://e.test/c');
  assert.deepEqual([late.error.name, late.error.message], ['TimeoutError', 'https://e.test/robots.txt took longer than 20 ms']);
  assert.equal((await made(async () => ({ status: 503, headers: {} })).cache.check('https://e.test/c')).error, undefined);
});

/** The errors of a function that throws by itself. */
const thrown = (...functions) => functions.map((one) => {
  try {
    return one();
  } catch (error) {
    return error;
  }
});

test('a bug of a fetch function reaches the callers, and closes the site meanwhile', async () => {
  let nothing;
  const bugs = [
    ...thrown(() => absent, () => new RegExp('('), () => 'x'.repeat(-1), () => nothing.x, () => nothing(), () => new nothing(), () => ({ ...null }).x.y, () => [...5]),
    ...thrown(() => { const { x } = nothing; return x; }, () => { const x = 1; x = 2; }, () => (nothing.x = 1), () => Object.keys(null), () => runInNewContext('absent'), () => runInNewContext('null.x')),
    // The texts of JavaScriptCore and SpiderMonkey.
    ...["undefined is not an object (evaluating 'x.y')", "x is not a function. (In 'x()', 'x' is undefined)", 'can\'t access property "y", x is undefined', 'x.y is undefined'].map((text) => new TypeError(text)),
  ];
  for (const bug of bugs) {
    async function* body() {
      yield 'User-agent: *';
      throw bug;
    }
    for (const answer of [() => { throw bug; }, async () => { throw bug; }, async () => ({ status: 200, headers: {}, body: body() })]) {
      const world = made(answer);
      const found = await Promise.all(Array.from({ length: 3 }, () => world.cache.check('https://e.test/c').catch((error) => error)));
      assert.ok(found.every((error) => error === bug), `${bug}: ${found}`);
      const access = await world.cache.check('https://e.test/c');
      assert.deepEqual([access.closed, access.cause, world.asked.length], [true, 'not_fetched', 1]);
      world.now += 10_000;
      await assert.rejects(world.cache.allowed('https://e.test/c'), (error) => error === bug);
    }
  }
});

test('an error of a client or by a host is no bug', async () => {
  const texts = ['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.', 'The network connection was lost.', 'network error', 'Error in input stream', 'error sending request for url (https://e.test/robots.txt)', 'client error (Connect): dns error', 'cancelled', 'Response body is null', 'Invalid response'];
  const errors = [
    ...texts.map((text) => new TypeError(text)),
    new TypeError('terminated', { cause: new Error('other side closed') }),
    new TypeError('fetch failed', { cause: thrown(() => undefined.x)[0] }),
    ...thrown(() => JSON.parse('<html>'), () => JSON.parse(''), () => JSON.parse('{'), () => new Response('', { status: 999 }), () => new URL('http://'), () => gunzipSync('x'), () => gunzipSync(gzipSync('x'.repeat(99)), { maxOutputLength: 9 })),
    new DOMException('x', 'SyntaxError'),
    Object.assign(new Error('x'), { name: 'constructor' }),
  ];
  for (const error of errors) {
    const { closed, error: found } = await made(async () => { throw error; }).cache.check('https://e.test/c');
    assert.ok(closed && found === error, String(error));
  }
});

test('a status of no known class closes the site', async () => {
  for (const status of [100, 103, 199, 600, 999]) {
    const access = await made(async () => ({ status, headers: {}, body: FILE })).cache.check('https://e.test/c');
    assert.deepEqual([access.closed, access.cause], [true, status]);
    assert.match(String(access), new RegExp(`^disallowed: robots.txt answered with status ${status}; `));
  }
});

test('a result that is none is a mistake, and nothing is known of the site', async () => {
  const results = [
    undefined,
    null,
    'text',
    [200, {}, ''],
    { status: '200', headers: {}, body: '' },
    { status: 0, headers: {}, body: '' },
    { status: 99, headers: {}, body: '' },
    { status: 1000, headers: {}, body: '' },
    { status: 200.5, headers: {}, body: '' },
    { status: 200, headers: {} },
    { status: 200, headers: {}, body: null },
    { status: 200, headers: {}, body: 5 },
    { status: 200, headers: {}, body: {} },
    { status: 200, body: '' },
    { status: 200, headers: 'a: b', body: '' },
    { status: 200, headers: [['a']], body: '' },
    { status: 200, headers: ['a', 'b'], body: '' },
    { status: 200, headers: {}, body: '', redirected: true, url: 'https://other.test/' },
    { status: 200, headers: {}, body: '', url: 'https://other.test/robots.txt' },
    // Bodies that were read already.
    async () => {
      const response = new Response('User-agent: *\nDisallow: /');
      await response.text();
      return response;
    },
    async () => {
      const body = Readable.from(['User-agent: *\nDisallow: /']);
      await body.toArray();
      return { status: 200, headers: {}, body };
    },
    { status: 200, headers: {}, get body() { return Readable.from([5]); } },
  ];
  for (const result of results) {
    const world = made(async () => (typeof result === 'function' ? result() : result));
    await assert.rejects(world.cache.check('https://e.test/c'), TypeError, JSON.stringify(result));
    // Not asked again at once, and never allowed.
    const access = await world.cache.check('https://e.test/c');
    assert.deepEqual([access.allowed, access.closed, access.cause, world.asked.length], [false, true, 'not_fetched', 1]);
    world.now += 10_000;
    await assert.rejects(world.cache.allowed('https://e.test/c'), TypeError);
  }
  assert.throws(() => new RobotsCache('ExampleBot'), /fetch function is undefined/);
  assert.throws(() => new RobotsCache('Example Bot', fetch), InvalidTokenError);
  assert.throws(() => new RobotsCache(undefined, fetch), TypeError);
  for (const options of [{ timeoutMs: 0 }, { timeoutMs: NaN }, { timeoutMs: 'soon' }, { timeoutMs: Infinity }, { capacity: -1 }, { capacity: NaN }, { profile: 'google' }]) {
    assert.throws(() => new RobotsCache('ExampleBot', fetch, options), Error, JSON.stringify(options));
  }
  assert.equal(await made(ok(), { timeoutMs: 3_600_000, capacity: Infinity }).cache.allowed('https://e.test/a'), false);
  const { cache } = made(ok());
  for (const ask of ['allowed', 'check', 'crawlDelay', 'sitemaps', 'explain']) {
    await assert.rejects(cache[ask]('/a'), InvalidUrlError);
    await assert.rejects(cache[ask]('ftp://e.test/'), InvalidUrlError);
    await assert.rejects(cache[ask](undefined), TypeError);
  }
  // Longer than the place for URLs.
  await assert.rejects(cache.allowed('x'.repeat(9_000)), InvalidUrlError);
  assert.equal(await cache.allowed(`https://e.test/a${'x'.repeat(9_000)}`), false);
});

test('headers and bodies of all kinds', async () => {
  const bytes = new TextEncoder().encode(FILE);
  const stream = () => new ReadableStream({ start(controller) { controller.enqueue(bytes.subarray(0, 9)); controller.enqueue(bytes.subarray(9)); controller.close(); } });
  const bodies = [() => FILE, () => bytes, () => Buffer.from(FILE), () => bytes.buffer, () => new DataView(bytes.buffer), stream, () => Readable.from([FILE.slice(0, 5), Buffer.from(FILE.slice(5))])];
  const headers = [{ 'Cache-Control': 'max-age=600' }, { 'cache-control': ['max-age=600', undefined] }, new Map([['cache-control', 'max-age=600']]), [['Cache-Control', 'max-age=600']], new Headers({ 'cache-control': 'max-age=600' })];
  for (const body of bodies) {
    for (const one of headers) {
      const world = made(async () => ({ status: 200, headers: one, body: body() }));
      assert.equal(await world.cache.allowed('https://e.test/a'), false);
      // Within the `Crawl-delay` an answer is not used up.
      world.now += 3_000;
      assert.equal(await world.cache.allowed('https://e.test/a/b'), true);
      world.now += 700_000;
      await world.cache.allowed('https://e.test/a/b');
      assert.equal(world.asked.length, 2);
    }
  }
  const { cache } = made(async () => new Response(FILE));
  assert.equal(await cache.allowed('https://e.test/a'), false);
  for (const empty of [new Response(null), { status: 204, headers: {}, body: null }, { status: 200, headers: {}, body: '' }]) {
    assert.equal(await made(async () => empty).cache.allowed('https://e.test/a'), true);
  }
  let destroyed = false;
  const late = Object.assign(Readable.from([]), { destroy() { destroyed = true; } });
  assert.equal(await made(async () => ({ status: 500, headers: {}, body: late })).cache.allowed('https://e.test/a'), false);
  assert.equal(destroyed, true);
});

test('a body is read up to the limit and then cancelled', async () => {
  const chunk = new TextEncoder().encode(`User-agent: *\nDisallow: /a\n#${'x'.repeat(60_000)}\n`);
  let [sent, cancelled] = [0, 0];
  const web = () => new ReadableStream({ pull(controller) { sent += chunk.length; controller.enqueue(chunk); }, cancel() { cancelled += 1; } });
  async function* endless() {
    try {
      for (;;) {
        sent += chunk.length;
        yield chunk;
      }
    } finally {
      cancelled += 1;
    }
  }
  for (const body of [web, endless, () => Readable.from(endless())]) {
    [sent, cancelled] = [0, 0];
    const { cache } = made(async () => ({ status: 200, headers: {}, body: body() }));
    assert.equal(await cache.allowed('https://e.test/a'), false);
    assert.equal(await cache.allowed('https://e.test/c'), true);
    await new Promise((resolve) => setTimeout(resolve));
    assert.ok(sent > 512_000 && sent < 2_000_000 && cancelled === 1, `${sent} bytes, ${cancelled}`);
  }
  // A rule beyond the limit is not read, and one that is cut is none.
  const late = `${'#'.repeat(511_990)}\nDisallow: /\n`;
  for (const body of [late, Buffer.from(late)]) {
    assert.equal(await made(ok(`User-agent: *\n${body}`)).cache.allowed('https://e.test/'), true);
  }
  // The body of an answer that is not a file is not read.
  const error = made(async () => ({ status: 500, headers: {}, body: web() }));
  cancelled = 0;
  assert.equal((await error.cache.check('https://e.test/')).cause, 500);
  assert.equal(cancelled, 1);
});

test('a body that breaks off closes the site', async () => {
  async function* broken(error) {
    yield 'User-agent: *\nAllow: /';
    throw error;
  }
  const gzip = { 'Content-Encoding': 'gzip' };
  for (const [code, headers, cause] of [
    ['ECONNRESET', {}, 'truncated'],
    ['ECONNRESET', gzip, 'truncated'],
    ['Z_DATA_ERROR', gzip, 'encoded'],
    ['Z_DATA_ERROR', {}, 'truncated'],
    ['Z_DATA_ERROR', [['content-encoding', ' Identity'], ['content-encoding', '']], 'truncated'],
    // Compressed data that ends too early.
    ['Z_BUF_ERROR', gzip, 'truncated'],
    ['ENETDOWN', {}, 'not_fetched'],
  ]) {
    const error = Object.assign(new Error('x'), { code });
    const cut = await made(async () => ({ status: 200, headers, body: broken(error) })).cache.check('https://e.test/c');
    assert.deepEqual([cut.closed, cut.cause, cut.error], [true, cause, error], `${code} ${JSON.stringify(headers)}`);
  }
});

test('a length counts for bytes alone that came as they are', async () => {
  const bytes = Buffer.from(`\ufeff${FILE}`);
  const cause = async (body, headers = {}) => (await made(ok(body, { 'Content-Length': bytes.length, ...headers })).cache.check('https://e.test/a')).cause;
  for (const body of [bytes, Readable.from([bytes]), FILE, Readable.from([FILE]), Readable.from([Buffer.from(FILE.slice(0, 9)), FILE.slice(9)])]) {
    assert.equal(await cause(body), undefined);
  }
  for (const half of [bytes.subarray(0, -1), Readable.from([bytes.subarray(0, -1)])]) {
    assert.equal(await cause(half), 'truncated');
  }
  assert.equal(await cause(Buffer.from(FILE), { 'content-encoding': 'gzip' }), undefined);
  // Nobody reads more than the limit.
  const large = Buffer.from(`${FILE}${'#'.repeat(600_000)}`);
  assert.equal(await cause(large, { 'Content-Length': large.length }), undefined);
});

test('a coding that nobody has undone opens nothing, also as text', async () => {
  const files = Array.from({ length: 40 }, (_, rules) => `User-agent: *\n${'Disallow: /\n'.repeat(1)}${Array.from({ length: rules }, (_, rule) => `Disallow: /${rule}\n`).join('')}`);
  const codings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
  let closed = 0;
  for (const file of files) {
    for (const [coding, compress] of Object.entries(codings)) {
      const bytes = compress(file);
      for (const body of [bytes, bytes.toString('utf8'), bytes.toString('latin1'), Readable.from([bytes]), new Response(bytes).body]) {
        const { cache } = made(ok(body, { 'Content-Encoding': coding }));
        const access = await cache.check('https://e.test/a');
        assert.deepEqual([access.allowed, access.cause], [false, 'encoded'], `${coding} of ${JSON.stringify(file)}`);
        closed += 1;
      }
    }
    // Without a word of it.
    for (const body of [gzipSync(file), gzipSync(file).toString('utf8'), gzipSync(file).toString('latin1')]) {
      assert.equal((await made(ok(body)).cache.check('https://e.test/a')).cause, 'encoded');
    }
  }
  assert.equal(closed, 600);
  // Too short for a byte that no text has.
  for (const body of ['K\ufffdxyz', 'K\x85xyz', Buffer.from('4b85', 'hex')]) {
    assert.equal((await made(ok(body, { 'content-encoding': 'br' })).cache.check('https://e.test/a')).cause, 'encoded');
  }
});

test('a coding that was undone may be left in the headers', async () => {
  for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, br']) {
    for (const body of [FILE, Buffer.from(FILE), `# größe\n${FILE}`, Buffer.from(`# größe\n${FILE}`)]) {
      const { cache } = made(ok(body, { 'content-encoding': coding }));
      assert.equal(await cache.allowed('https://e.test/a'), false);
      assert.equal(await cache.allowed('https://e.test/a/b'), true, coding);
    }
  }
  // Text that lost a byte, as a file in Latin-1 does, is text; also where a line that cannot be read would change the meaning.
  const lost = Buffer.from(`# gr\xf6\xdfe\n${FILE.replace(/Crawl.*/s, '')}`, 'latin1').toString('utf8');
  for (const profile of [Profile.rfc9309(), Profile.ibm()]) {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const { cache } = made(ok(lost, headers), { profile });
      assert.deepEqual([await cache.allowed('https://e.test/a'), await cache.allowed('https://e.test/a/b')], [false, true]);
    }
  }
});

test('redirects are hops of the machine, also to other hosts and in a loop', async () => {
  // Clients of JavaScript have a character for each byte of a header.
  const written = Buffer.from('/größe').toString('latin1');
  const hops = { 'https://e.test/robots.txt': 'http://other.test/x', 'http://other.test/x': written, 'http://other.test/gr%C3%B6%C3%9Fe': 'https://third.test/ž' };
  const world = made(async (url) => (hops[url] === undefined ? { status: 200, headers: {}, body: FILE } : { status: 302, headers: { Location: hops[url] } }));
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  assert.deepEqual(world.asked, [...Object.keys(hops), 'https://third.test/%C5%BE']);
  const loop = made(async (url) => ({ status: 301, headers: { location: url } }));
  assert.equal((await loop.cache.check('https://e.test/a')).cause, 'too_many_redirects');
  assert.equal(loop.asked.length, 1);
});

test('a redirect that is hidden closes the site, with its cause', async () => {
  const { cache } = made(async () => ({ status: 0, type: 'opaqueredirect', headers: new Headers(), body: null }));
  const access = await cache.check('https://e.test/a');
  assert.deepEqual([access.allowed, access.closed, access.cause], [false, true, 'opaque_redirect']);
  assert.match(String(access), /^disallowed: the client hides where robots.txt is redirected to; next fetch: /);
});

test('a fetch function gets what a fetch for robots.txt should send', async () => {
  const world = made(async (url, init) => (init.headers['if-none-match'] === '"1"' ? { status: 304, headers: {} } : { status: 200, headers: { ETag: '"1"' }, body: FILE }));
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  world.now += 2 * DAY;
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  const [first, second] = world.inits;
  assert.deepEqual(first.headers, { accept: 'text/plain, */*;q=0.1', 'accept-encoding': 'identity', 'user-agent': 'ExampleBot' });
  assert.deepEqual(second.headers, { ...first.headers, 'if-none-match': '"1"' });
  assert.equal(first.redirect, 'manual');
  assert.ok(first.signal instanceof AbortSignal && first.signal.aborted, 'what is left of a fetch ends with it');
});

test('a fetch that never ends is ended, and nobody waits for it', async () => {
  let ended = 0;
  const world = made((url, { signal }) => new Promise(() => signal.addEventListener('abort', () => (ended += 1))), { timeoutMs: 20 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.cache.check('https://e.test/c')));
  assert.ok(answers.every(({ allowed, closed }) => !allowed && closed));
  assert.deepEqual([world.asked.length, ended], [1, 1]);
  // So is a body that never ends.
  let cancelled = 0;
  const body = () => new ReadableStream({ cancel() { cancelled += 1; } });
  const slow = made(async () => ({ status: 200, headers: {}, body: body() }), { timeoutMs: 20 });
  assert.equal((await slow.cache.check('https://e.test/c')).closed, true);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(cancelled, 1);
});

test('a caller may leave; the fetch goes on for the others', async () => {
  let give;
  const world = made(() => new Promise((resolve) => (give = resolve)));
  const leaving = new AbortController();
  const callers = Array.from({ length: 100 }, (_, caller) => world.cache.allowed('https://e.test/a', caller % 3 === 0 ? { signal: leaving.signal } : {}));
  await new Promise((resolve) => setTimeout(resolve));
  leaving.abort(new Error('I leave'));
  const settled = Promise.allSettled(callers);
  const stays = new Promise((resolve) => setTimeout(resolve, 10_000, 'stays').unref());
  assert.match(String(await Promise.race([callers[0].catch(({ message }) => message), stays])), /I leave/);
  give({ status: 200, headers: {}, body: FILE });
  const left = (await settled).filter(({ status }) => status === 'rejected');
  assert.equal(left.length, 34);
  assert.ok((await settled).every(({ status, value }) => status === 'rejected' || value === false));
  assert.equal(world.asked.length, 1);
  await assert.rejects(world.cache.check('https://new.test/', { signal: AbortSignal.abort(new Error('gone')) }), /gone/);
  assert.equal(world.asked.length, 1);
});

test('a caller whose fetch all others left leaves an answer behind', async () => {
  let give;
  const world = made(() => new Promise((resolve) => (give = resolve)));
  await assert.rejects(world.cache.allowed('https://e.test/a', { signal: AbortSignal.timeout(5) }), { name: 'TimeoutError' });
  const later = world.cache.allowed('https://e.test/a');
  give({ status: 200, headers: {}, body: FILE });
  assert.deepEqual([await later, world.asked.length], [false, 1]);
});

test('the copy answers while it is fetched anew', async () => {
  let give;
  const world = made(() => (give === undefined ? ok()() : new Promise((resolve) => (give = resolve))));
  assert.equal(await world.cache.allowed('https://e.test/a'), false);
  world.now += 3_000;
  await world.cache.allowed('https://e.test/a');
  give = () => {};
  world.now += 20 * HOUR;
  const first = world.cache.allowed('https://e.test/a');
  assert.equal(await world.cache.allowed('https://e.test/a'), false, 'while the first waits');
  assert.equal(world.asked.length, 2);
  give({ status: 200, headers: {}, body: 'User-agent: *\nAllow: /' });
  assert.equal(await first, true);
});

test('a round that waits closes the site until then, and goes on', async () => {
  const statuses = [500, 500, 200];
  const world = made(async () => ({ status: statuses[world.asked.length - 1] ?? 200, headers: {}, body: FILE }), { profile: Profile.ibm() });
  const access = await world.cache.check('https://e.test/c');
  assert.deepEqual([access.allowed, access.closed, access.cause, access.retryAt], [false, true, 'not_fetched', new Date(START + 2_000)]);
  world.now += 1_000;
  assert.equal(await world.cache.allowed('https://e.test/c'), false);
  assert.deepEqual(await world.cache.sitemaps('https://e.test/c'), []);
  assert.equal(world.asked.length, 1);
  world.now += 1_000;
  assert.equal((await world.cache.check('https://e.test/c')).cause, 500);
  assert.equal(world.asked.length, 2);
  world.now += HOUR;
  assert.equal(await world.cache.allowed('https://e.test/c'), true);
  assert.equal(world.asked.length, 3);
});

test('rounds that wait are kept in the memory, and those that it forgets count as failed', async () => {
  const world = made(async () => ({ status: 500, headers: {} }), { profile: Profile.ibm(), capacity: 2 ** 20 });
  const hosts = Array.from({ length: 500 }, (_, host) => `https://h${host}.test/`);
  for (const host of hosts) {
    assert.equal((await world.cache.check(host)).cause, 'not_fetched');
  }
  assert.ok(world.cache.bytes <= 2 ** 20);
  const found = new Set();
  for (const host of hosts) {
    const { closed, cause, retryAt } = await world.cache.check(host);
    assert.ok(closed);
    found.add(`${cause} ${retryAt - START}`);
  }
  assert.deepEqual([...found].sort(), ['not_fetched 2000', `unreachable ${HOUR}`]);
  assert.equal(world.asked.length, 500);
});

test('sites that were asked about longest ago make room, and what has none is closed', async () => {
  // A `Crawl-delay` would keep answers for the turns of their pages.
  const world = made(ok('User-agent: *\nDisallow: /a\n'), { capacity: 12_000 });
  const ask = async (host) => [(await world.cache.check(`https://h${host}.test/a`)).allowed, world.asked.length];
  for (let host = 0; host < 50; host += 1) {
    world.now += 20_000;
    assert.deepEqual(await ask(host), [false, host + 1]);
    assert.ok(world.cache.bytes <= 12_000);
  }
  // The last is known; the first was forgotten, and never open.
  assert.deepEqual([await ask(49), await ask(0)], [[false, 50], [false, 51]]);
  // All places are those of fetches that are under way.
  const waiting = made(() => new Promise(() => {}), { capacity: 12_000, timeoutMs: 50 });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, host) => waiting.cache.check(`https://h${host}.test/a`)));
  const full = answers.filter(({ cause }) => cause === 'full');
  assert.ok(full.length > 0 && full.length < 20, `${full.length} are full`);
  assert.ok(full.every(({ closed, retryAt }) => closed && Number(retryAt) === START + 10_000));
  assert.equal(String(full[0]), 'disallowed: no room for another robots.txt; next fetch: 2026-01-01T00:00:10Z');
  assert.match(await waiting.cache.explain('https://h19.test/a'), /^disallowed: /);
});

test('what is saved goes on elsewhere, and opens and shortens nothing', async () => {
  const world = made(async (url) => (url.includes('down') ? { status: 503, headers: { 'retry-after': '7200' } } : { status: 200, headers: {}, body: FILE }));
  await world.cache.allowed('https://e.test/a');
  const { retryAt } = await world.cache.check('https://down.test/a');
  const saved = world.cache.save();
  const next = made(() => { throw new Error('asked'); });
  next.now = START + HOUR;
  next.cache.load(saved);
  assert.equal((await next.cache.check('https://e.test/a')).line, 2);
  const access = await next.cache.check('https://down.test/a');
  assert.deepEqual([access.cause, access.retryAt], [503, retryAt]);
  assert.equal(next.asked.length, 0);
  // Rules that were read for another agent are none of this one.
  const other = new RobotsCache('OtherBot', ok('User-agent: *\nAllow: /'), { now: () => START + HOUR });
  other.load(saved);
  assert.equal(await other.allowed('https://e.test/a'), true);
  for (const damaged of [new Uint8Array(), saved.subarray(0, -1), new Uint8Array([...saved, 0]), new Uint8Array([9, ...saved.subarray(1)])]) {
    assert.throws(() => next.cache.load(damaged), TypeError);
  }
  assert.equal((await next.cache.check('https://e.test/a')).line, 2, 'damage changes nothing');
});

test('several agents, and other profiles', async () => {
  const file = 'User-agent: ExampleBot-News\nDisallow: /news\n\nUser-agent: *\nDisallow: /\n';
  const cache = new RobotsCache(['ExampleBot-News', 'ExampleBot'], ok(file));
  assert.equal(await cache.allowed('https://e.test/c'), true);
  assert.equal(await cache.allowed('https://e.test/news'), false);
  const strict = made(async () => ({ status: 403, headers: {} }), { profile: Profile.rfc9309().with({ forbidden: 'disallow' }) });
  assert.equal(await strict.cache.allowed('https://e.test/c'), false);
  const ignoring = made(ok('User-agent: *\nDisallow: /'), { profile: Profile.rfc9309().ignoreRobots() });
  assert.deepEqual([await ignoring.cache.allowed('https://e.test/c'), ignoring.asked.length], [true, 0]);
});

test('the settings of a profile', () => {
  const plain = Profile.rfc9309();
  assert.deepEqual([plain.access.maxBytes, plain.access.defaultTtlMs, plain.access.longOutageMs], [512_000, DAY, 30 * DAY]);
  for (const preset of [Profile.google(), Profile.ibm()]) {
    assert.deepEqual(plain.with(preset.access).access, preset.access);
  }
  assert.equal(Profile.ibm().access.longOutageMs, null);
  assert.deepEqual(plain.with({ longOutageMs: Infinity, attempts: { everyAddress: { rounds: 3, pauseMs: 2_500.5 } } }).access.attempts, { everyAddress: { rounds: 3, pauseMs: 2_500.5 } });
  for (const wrong of [{ colour: 1 }, { max_bytes: 1 }, { forbidden: 'maybe' }, { minTtl: 60 }, { minTtlMs: -1 }, { maxBytes: 'many' }, { attempts: { some: 1 } }, { attempts: { everyAddress: { some: 1 } } }, { attempts: { everyAddress: { rounds: 3, pause: 2 } } }]) {
    assert.throws(() => plain.with(wrong), TypeError, JSON.stringify(wrong));
  }
});

test('a cache gives out one ticket, and takes it once', () => {
  const [origin, profile] = [Origin.of('https://example.com/a'), Profile.rfc9309()];
  const cache = new Cache(profile, ['ExampleBot'], 1 << 20);
  const { kind, ticket } = cache.poll(origin, START);
  assert.deepEqual([kind, String(ticket.origin), ticket.etag], ['fetch', 'https://example.com', undefined]);
  assert.equal(cache.poll(origin, new Date(START)).kind, 'pending');
  const fetch = new Fetch(origin, profile, START);
  assert.deepEqual({ ...fetch.poll(START) }, { kind: 'get', url: 'https://example.com/robots.txt', host: 'example.com', address: undefined, maxBytes: 512_000, headers: { accept: 'text/plain, */*;q=0.1', 'accept-encoding': 'identity' } });
  fetch.handle({ kind: 'response', status: 200, headers: new Headers({ ETag: '"1"' }), body: new TextEncoder().encode(FILE) }, START);
  const { outcome } = fetch.poll(START);
  assert.deepEqual([outcome.kind, outcome.cause], ['parsed', undefined]);
  assert.deepEqual([cache.handle(ticket, outcome, START), cache.handle(ticket, outcome, START), ticket.origin], [true, false, undefined]);
  const ready = cache.poll(origin, START);
  assert.deepEqual([ready.kind, ready.robot.allowed('/a'), ready.robot.check('/a').line, ready.robot.crawlDelay], ['ready', false, 2, 2.5]);
  assert.deepEqual([cache.size, cache.contains(origin), cache.forgotten, cache.nextWakeup() > START], [1, true, 0, true]);
  assert.match(cache.explain(origin, START), /robots.txt/);
  assert.equal(cache.explain(Origin.of('http://x.test/'), START), undefined);
  const again = new Cache(profile, ['ExampleBot'], 1 << 20);
  again.insert(origin, cache.entry(origin), START);
  assert.equal(again.poll(origin, START).robot.allowed('/a'), false);
  cache.reset(origin);
  cache.hold(origin);
  cache.release(origin);
  cache.forgo(origin, START);
  cache.setSite(origin, 'available', START);
  cache.setObedience('example.com', 'ignore');
  assert.equal(cache.poll(origin, START + 9 * DAY).kind, 'ready');
  cache.setObedience('example.com', 'obey');
  const due = cache.pollAhead(origin, START + 9 * DAY).ticket;
  cache.renew(due, START + 9 * DAY);
  cache.giveBack(due, START + 9 * DAY);
  assert.equal(cache.begin(due, START + 9 * DAY), undefined);
  const { ticket: last } = cache.poll(origin, START + 9 * DAY);
  const round = cache.begin(last, START + 9 * DAY);
  assert.equal(round.poll(START + 9 * DAY).headers['if-none-match'], '"1"');
  round.handle({ kind: 'failed', error: 'read' }, START + 9 * DAY);
  assert.deepEqual([cache.end(last, round, START + 9 * DAY), cache.end(last, round, START + 9 * DAY)], [true, false]);
  assert.equal(cache.poll(origin, START + 9 * DAY).kind, 'closed');
  for (const wrong of [() => cache.setSite(origin, 'open', START), () => cache.setObedience('a', 'maybe'), () => fetch.handle({ kind: 'weather' }, START), () => fetch.handle({ kind: 'failed', error: 'weather' }, START), () => fetch.handle({ kind: 'response', status: 200, end: 'soon' }, START)]) {
    assert.throws(wrong, TypeError);
  }
  const full = new Cache(profile, ['ExampleBot'], 1);
  assert.deepEqual([full.poll(origin, START).kind, full.poll(Origin.of('http://b.test/'), START).kind], ['fetch', 'full']);
});
