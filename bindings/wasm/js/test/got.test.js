// `politeGot` with got itself against a server of this machine, whose log is the judge.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import got from 'got';

import { politeFetch, politeGot } from '../dist/crawl-node.js';
import { FILE, GAP, QUICK, sleep } from './world.js';

/** A server, a got that waits for turns, and the requests with their times. */
async function made(t, answers, options) {
  const log = [];
  const server = createServer((request, response) => {
    const hit = { path: request.url, start: Date.now(), agent: request.headers['user-agent'] };
    log.push(hit);
    response.on('close', () => (hit.end = Date.now()));
    const answer = { '/robots.txt': (_, response) => response.end(FILE), ...answers }[request.url];
    return answer?.(request, response, log) ?? response.end(`page ${request.url}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => (server.closeAllConnections(), server.close()));
  const polite = politeFetch('ExampleBot', { profile: QUICK.withPace({ backoff: 'off', refusals: 255 }), maxWaitMs: 5_000, ...options });
  const calls = [];
  const own = (name) => (one) => (calls.push(name), one);
  // With hooks of the user's own.
  const hooks = { beforeRequest: [() => void calls.push('beforeRequest')], beforeRedirect: [() => void calls.push('beforeRedirect')], afterResponse: [own('afterResponse')], beforeError: [own('beforeError')] };
  const client = got.extend(politeGot(polite), { hooks, headers: { 'user-agent': 'ExampleBot/1.0' }, retry: { limit: 0 } });
  return { base: `http://127.0.0.1:${server.address().port}`, client, log, polite, calls };
}

const paths = (log) => log.map(({ path }) => path);

function assertPace(log) {
  log.slice(1).forEach(({ path, start }, index) => {
    // The server hears of a request a moment after it was sent, and that one was cut off a moment later than the client.
    const before = log[index].path === '/slow' ? log[index].start : log[index].end;
    assert.ok(start - before >= GAP - 5, `${path} ${start - before} ms after ${log[index].path}`);
  });
}

const to = (location, status = 302) => (_, response) => response.writeHead(status, { location }).end();

test('pages, redirects and failures of got, each in a turn', async (t) => {
  const { base, client, log, calls } = await made(t, {
    '/hop': to('/private/hop'),
    '/open': to('/there', 301),
    '/reset': (request) => request.socket.resetAndDestroy(),
    '/missing': (_, response) => response.writeHead(404).end(),
  });
  const ends = await Promise.allSettled(['/1', '/private/1', '/hop', '/open', '/reset', '/missing', '/2'].map((path) => client(base + path)));
  assert.deepEqual(ends.map(({ value, reason }) => value?.body ?? reason.code), ['page /1', 'DISALLOWED', 'DISALLOWED', 'page /there', 'ECONNRESET', 'ERR_NON_2XX_3XX_RESPONSE', 'page /2']);
  assert.equal(ends[2].reason.cause.line, 2);
  assert.deepEqual(paths(log).sort(), ['/1', '/2', '/hop', '/missing', '/open', '/reset', '/robots.txt', '/there']);
  assertPace(log);
  assert.deepEqual(new Set(log.slice(1).map(({ agent }) => agent)), new Set(['ExampleBot/1.0']));
  // Its own hooks are called beside ours; a page that is refused gets none before a request.
  const counts = Object.fromEntries([...new Set(calls)].map((name) => [name, calls.filter((call) => call === name).length]));
  assert.deepEqual(counts, { beforeRequest: 7, beforeRedirect: 2, afterResponse: 4, beforeError: 4 });
});

test('the tries of got, streams, and calls that are cut off', async (t) => {
  let tries = 0;
  const { base, client, log, polite } = await made(t, {
    '/flaky': (_, response) => (tries++ < 2 ? response.writeHead(503).end() : response.end('well')),
    '/slow': () => true,
  });
  const retrying = client.extend({ retry: { limit: 3, calculateDelay: ({ computedValue }) => (computedValue ? 1 : 0) } });
  assert.equal(await retrying(`${base}/flaky`).text(), 'well');
  let streamed = '';
  for await (const chunk of client.stream(`${base}/1`)) {
    streamed += chunk;
  }
  assert.equal(streamed, 'page /1');
  const failing = client.stream(`${base}/private`);
  await assert.rejects(once(failing, 'data'), { code: 'DISALLOWED' });

  for (const cut of [(call) => call.cancel(), undefined]) {
    const ending = new AbortController();
    const call = client(`${base}/slow`, { signal: ending.signal });
    // One that waits for its turn, which it must not take later.
    const other = client(`${base}/never`, { signal: ending.signal });
    const ends = Promise.allSettled([call, other]);
    await sleep(4 * GAP);
    [call, other].forEach((one) => (cut === undefined ? ending.abort() : cut(one)));
    assert.ok((await ends).every(({ status }) => status === 'rejected'));
    assert.equal((await client(`${base}/2`)).body, 'page /2');
  }
  const stream = client.stream(`${base}/slow`);
  await sleep(4 * GAP);
  stream.destroy();
  assert.equal((await polite(`${base}/3`)).status, 200);
  assert.deepEqual(paths(log), ['/robots.txt', '/flaky', '/flaky', '/flaky', '/1', '/slow', '/2', '/slow', '/2', '/slow', '/3']);
  assertPace(log);
  await assert.rejects(client(`${base}/slow`, { timeout: { request: 100 } }), { code: 'ETIMEDOUT' });
  assert.equal((await client(`${base}/4`)).body, 'page /4');
});

test('what is no polite fetch is refused at once', () => {
  assert.throws(() => politeGot('ExampleBot'), /it is what politeFetch\(\) gives/);
});
