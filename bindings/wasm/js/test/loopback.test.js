// `RobotsCache` with real clients against servers of this machine, whose log is the judge: a page that is asked for where
// robots.txt forbids it or could not be read is a fault, and so is a second fetch within a lifetime.
//
// HOSTS=10000 for as many hosts as `.ci/long` takes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import axios from 'axios';

import { axiosFetcher, fetcher, RobotsCache } from '../dist/cache-node.js';

const HOSTS = Number(process.env.HOSTS ?? 400);
const FILE = 'User-agent: *\nDisallow: /private\n';
const HTML = '<!doctype html><title>Sorry</title><p>User-agent: *<p>Allow: /';

const send = (status, headers = {}, body = '') => (_, response) => response.writeHead(status, { connection: 'close', ...headers }).end(body);
const begin = (response, headers = {}) => response.writeHead(200, { connection: 'close', 'content-type': 'text/plain', ...headers });

/** For each server: what it does about robots.txt, and the pages that may be asked for. */
const SERVERS = {
  'a file': [send(200, {}, FILE), ['/open']],
  'a file with gzip': [send(200, { 'content-encoding': 'gzip' }, gzipSync(FILE)), ['/open']],
  'a file with deflate': [send(200, { 'content-encoding': 'deflate' }, deflateSync(FILE)), ['/open']],
  'a file with brotli': [send(200, { 'content-encoding': 'br' }, brotliCompressSync(FILE)), ['/open']],
  'no file': [send(404, {}, HTML), ['/open', '/private']],
  'an empty answer': [send(204), ['/open', '/private']],
  'an error': [send(500), []],
  'an error as a page': [send(500, { 'content-type': 'text/html' }, HTML), []],
  'a bad gateway': [send(502, { 'content-type': 'text/html' }, HTML), []],
  'an outage': [send(503, { 'retry-after': '3600' }), []],
  'too many requests': [send(429, { 'retry-after': '60' }), []],
  'a 304 that nobody asked for': [send(304), []],
  'a redirect to nowhere': [send(302), []],
  'a redirect to another scheme': [send(302, { location: 'ftp://127.0.0.1/robots.txt' }), []],
  'a redirect to a port that nobody has': [send(302, { location: 'http://127.0.0.1:1/robots.txt' }), []],
  'a redirect to another host': [(_, response) => send(301, { location: `${servers['a file'].base}/robots.txt?moved` })(_, response), ['/open']],
  'a redirect to an outage': [(_, response) => send(307, { location: `${servers['an outage'].base}/robots.txt?moved` })(_, response), []],
  // RFC 9309 §2.3.1.2: it may be taken for a site without a file.
  'a redirect in a loop': [send(302, { location: '/robots.txt' }), ['/open', '/private']],
  'silence': [() => {}, []],
  'a reset': [(request) => request.socket.resetAndDestroy(), []],
  'a body that breaks off': [(_, response) => begin(response, { 'content-length': '1000' }).write(FILE, () => response.socket.destroy()), []],
  'a coding that is none': [send(200, { 'content-encoding': 'gzip' }, FILE.repeat(9)), []],
  'a coding that breaks off': [(_, response) => begin(response, { 'content-encoding': 'gzip', 'content-length': '1000' }).write(gzipSync(FILE).subarray(0, 20), () => response.socket.destroy()), []],
  // No client reports that compressed data is incomplete, so the cache asks for none.
  'half of a coding, on request': [(request, response) => (/gzip/.test(request.headers['accept-encoding']) ? send(200, { 'content-encoding': 'gzip' }, gzipSync(FILE).subarray(0, 20)) : send(200, {}, FILE))(request, response), ['/open']],
  'a coding without a word': [send(200, {}, gzipSync(FILE)), []],
  'a coding that nobody knows': [send(200, { 'content-encoding': 'compress' }, Buffer.from('1f9d90550a', 'hex')), []],
  'a body without an end': [(_, response) => flood(begin(response), FILE), ['/open']],
  'a body that trickles': [(_, response) => trickle(begin(response)), []],
};

/** Nobody waits for these for long. */
const ENDLESS = ['silence', 'a body that trickles'];

/** Writes for as long as somebody reads. */
function flood(response, start) {
  const line = `#${'x'.repeat(8_190)}\n`;
  const more = () => {
    while (!response.destroyed && response.write(line));
  };
  response.on('drain', more);
  response.write(start);
  more();
}

function trickle(response) {
  const timer = setInterval(() => response.write('#'), 20);
  response.on('close', () => clearInterval(timer));
}

const servers = {};
const logs = {};
for (const [name, [answer]] of Object.entries(SERVERS)) {
  logs[name] = [];
  const server = createServer((request, response) => {
    logs[name].push(request);
    return request.url.startsWith('/robots.txt') ? answer(request, response) : send(200, {}, 'a page')(request, response);
  });
  servers[name] = { server, base: `http://127.0.0.1:${await listening(server)}` };
}
// A response that is not HTTP at all.
const garbage = createSocketServer((socket) => socket.on('error', () => {}).end('220 ready\r\n'));
servers['no HTTP'] = { server: garbage, base: `http://127.0.0.1:${await listening(garbage)}` };
logs['no HTTP'] = [];
after(() => Object.values(servers).forEach(({ server }) => {
  server.closeAllConnections?.();
  server.close();
}));

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

const CLIENTS = {
  'the global fetch': fetch,
  fetcher: fetcher({ userAgent: 'ExampleBot/1.0 (+https://e.test/bot)', headers: { from: 'bot@e.test' } }),
  axios: axiosFetcher(axios, { userAgent: 'ExampleBot/1.0 (+https://e.test/bot)', headers: { from: 'bot@e.test' } }),
};

for (const [client, given] of Object.entries(CLIENTS)) {
  test(`every server, by ${client}`, { timeout: 300_000 }, async () => {
    Object.values(logs).forEach((log) => log.splice(0));
    const cache = new RobotsCache('ExampleBot', given);
    const impatient = new RobotsCache('ExampleBot', given, { timeoutMs: 300 });
    await Promise.all(Object.entries(servers).map(([name, { base }]) => crawl(ENDLESS.includes(name) ? impatient : cache, name, base)));
    for (const [name, log] of Object.entries(logs)) {
      const allowed = SERVERS[name]?.[1] ?? [];
      const own = log.filter(({ url }) => !url.endsWith('?moved'));
      const pages = new Set(own.map(({ url }) => url).filter((url) => url !== '/robots.txt'));
      assert.deepEqual([...pages].sort(), [...allowed].sort(), name);
      const fetches = own.filter(({ url }) => url === '/robots.txt').length;
      // The time may be over before a request is sent.
      assert.ok(fetches === (name === 'no HTTP' ? 0 : 1) || (ENDLESS.includes(name) && fetches === 0), `${name}: ${fetches} fetches`);
      for (const { headers } of log.filter(({ url }) => url.startsWith('/robots.txt'))) {
        assert.equal(headers.accept, 'text/plain, */*;q=0.1');
        assert.equal(headers['user-agent'], client === 'the global fetch' ? 'ExampleBot' : 'ExampleBot/1.0 (+https://e.test/bot)');
        assert.equal(headers.from, client === 'the global fetch' ? undefined : 'bot@e.test');
        assert.equal(headers.cookie, undefined);
      }
    }
  });
}

/** 100 callers at once, a third of whom leave. Each asks for its page if it may. */
async function crawl(cache, name, base) {
  const leaving = new AbortController();
  const callers = Array.from({ length: 100 }, async (_, caller) => {
    const url = `${base}${caller % 2 === 0 ? '/open' : '/private'}`;
    const access = await cache.check(url, caller % 3 === 0 ? { signal: leaving.signal } : {});
    assert.equal(await cache.allowed(url), access.allowed, `${name}: ${access}`);
    if (access.allowed && caller < 8) {
      await (await fetch(url)).text();
    }
    return access;
  });
  await new Promise((resolve) => setTimeout(resolve, 2));
  leaving.abort();
  const settled = await Promise.allSettled(callers);
  for (const { status, value, reason } of settled) {
    assert.ok(status === 'fulfilled' || reason.name === 'AbortError', `${name}: ${reason}`);
    assert.ok(value === undefined || !value.closed || value.retryAt > new Date(), `${name}: ${value}`);
  }
  assert.ok(settled.filter(({ status }) => status === 'fulfilled').length >= 66, name);
}

test(`${HOSTS} hosts`, { timeout: 600_000 }, async () => {
  // Names that no resolver knows, all served by one server: a fetch function of the caller's.
  const kinds = ['rules', 'gone', 'error', 'reset', 'late', 'gzip', 'moved'];
  const numberOf = (host) => Number(/\d+/.exec(host)[0]);
  const kindOf = (host) => kinds[numberOf(host) % kinds.length];
  const asked = new Map();
  const faults = [];
  const server = createServer((request, response) => {
    const host = request.headers['x-host'];
    const key = `${host}${request.url}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
    if (request.url !== '/robots.txt') {
      const isAllowed = kindOf(host) === 'gone' || (request.url === '/open' && ['rules', 'moved'].includes(kindOf(host)));
      if (!isAllowed) {
        faults.push(key);
      }
      return response.end('a page');
    }
    switch (kindOf(host)) {
      case 'rules':
        return response.end(FILE);
      case 'gone':
        return response.writeHead(404).end();
      case 'error':
        return response.writeHead(503).end();
      case 'reset':
        return request.socket.destroy();
      case 'late':
        return undefined;
      case 'gzip':
        return response.end(gzipSync(FILE));
      default:
        return response.writeHead(302, { location: `http://h${numberOf(host) - 6}.test/robots.txt` }).end();
    }
  });
  const base = `http://127.0.0.1:${await listening(server)}`;
  const of = async (url, init) => {
    const { host, pathname } = new URL(url);
    const { status, headers, body } = await fetch(base + pathname, { ...init, headers: { ...init.headers, 'x-host': host } });
    return { status, headers, body };
  };
  const cache = new RobotsCache('ExampleBot', of);
  const impatient = new RobotsCache('ExampleBot', of, { timeoutMs: 200 });
  const hosts = Array.from({ length: HOSTS }, (_, host) => `h${host}.test`);
  let answers = 0;
  const worker = async () => {
    for (let host = hosts.pop(); host !== undefined; host = hosts.pop()) {
      const leaving = new AbortController();
      const callers = ['/open', '/private', '/open'].map(async (path, caller) => {
        const url = `http://${host}${path}`;
        const allowed = await (kindOf(host) === 'late' ? impatient : cache).allowed(url, caller === 2 ? { signal: leaving.signal } : {});
        answers += 1;
        if (allowed) {
          await (await fetch(base + path, { headers: { 'x-host': host } })).text();
        }
      });
      leaving.abort();
      await Promise.allSettled(callers);
    }
  };
  await Promise.all(Array.from({ length: 100 }, worker));
  server.closeAllConnections();
  server.close();
  assert.deepEqual(faults, []);
  assert.ok(answers >= 2 * HOSTS, `${answers} answers`);
  for (let host = 0; host < HOSTS; host += 1) {
    // A redirect asks its target once more, for the rules of another site.
    const isTarget = kindOf(`h${host}`) === 'rules' && host + 6 < HOSTS;
    const fetches = asked.get(`h${host}.test/robots.txt`) ?? 0;
    assert.ok(fetches === (isTarget ? 2 : 1) || (kindOf(`h${host}`) === 'late' && fetches === 0), `h${host}: ${fetches} fetches`);
  }
});
