// Crawls of the zoo of `crates/zoo`, whose judge reads what the hosts saw: node test/zoo.mjs ZOO_SERVER [HOSTS] [CLIENT]
//
// CLIENT is `politeFetch`, or a client of one's own: `wait` of a `RobotsCache` with a bare fetch, `got`, or `crawlee`, each with
// handlers of its own. A third of the calls is cancelled, and the process is killed once and begun again from its saved memory. Run
// by `.ci/long zoo_js`.

import assert from 'node:assert/strict';
import { execFileSync, fork, spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import got from 'got';

import { crawleeHooks, fetcher, politeFetch, politeGot, Profile, RobotsCache } from '../dist/crawl-node.js';

const WORKERS = 32;
const CLIENTS = { politeFetch: byPoliteFetch, wait: byWait, got: byGot, crawlee: byCrawlee };
/** The most calls at the same time: for all pages of 306 hosts. */
const AT_ONCE = 1_224;
const CRAWLEE = '3.18.1';
const USER_AGENT = 'ExampleBot/1.0 (+https://example.com/bot)';
const HEADERS = { from: 'bot@example.com' };
const REDIRECTS = [301, 302, 303, 307, 308];
/** Hosts that never answer must not take long, and hosts that do must not seem to be such where a busy machine reads a long file. */
const PATIENCE = 15_000;
/** The longest time in milliseconds after which a host notices that its client is gone. */
const NOTICE = 200;
const DECODERS = { br: createBrotliDecompress, deflate: createInflate, gzip: createGunzip };

await (process.argv[2] === 'crawl' ? crawl() : judge(...process.argv.slice(2)));

async function judge(server, hosts = '306', client = 'politeFetch') {
  // A client of one's own decides by itself how many requests there are at a time.
  const zoo = spawn(server, [hosts, String(client === 'politeFetch' ? WORKERS : 100_000)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: zoo.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const opened = await next();
  let asked = Promise.resolve();
  const ask = (command) => (asked = asked.then(() => (zoo.stdin.write(`${command}\n`), next())));
  const folder = mkdtempSync(`${tmpdir()}/polite-robots-zoo-`);
  /** The times after which the memory of the crawl was in its file, and how many there were when the client had an answer. */
  const [saves, reads] = [[], new Map()];
  /** The robots.txt that the client gave up as they took too long, with the times; and the longest time for which it was kept from reading. */
  const lates = [];
  let stall = 0;
  const start = () => {
    const crawler = fork(fileURLToPath(import.meta.url), ['crawl']);
    crawler.on('message', ({ cut, sent, read, late, isSaved, stalled = 0 }) => {
      reads.delete(sent);
      stall = Math.max(stall, stalled);
      late && ask('now').then((at) => lates.push({ late, at }));
      return cut ? ask(`cut ${cut}`) : isSaved ? saves.push(ask('now')) : read && reads.set(read, saves.length);
    });
    crawler.send({ ...opened, client, folder });
    return crawler;
  };
  try {
    if (client === 'crawlee') {
      writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: { '@crawlee/cheerio': CRAWLEE } }));
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    }
    const first = start();
    // All that it has sent was heard by then.
    const isOver = once(first, 'disconnect');
    await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 6_000))]);
    first.kill('SIGKILL');
    await isOver;
    const killed = (await ask('cut')) + NOTICE;
    // Nobody remembers what the client had read after the last save but one: it judges an answer a moment after its last byte. A
    // host has sent a long file long before a busy client has read it.
    const [known, lastSave] = [new Map(reads), saves.length - 2];
    const isForgotten = ({ first, url }) => first <= killed && !(known.get(url) <= lastSave);
    // got and Crawlee do not say when they have read a page. Each is short, so it was read by the third save.
    const thirdSave = (await saves.at(-3)) ?? 0;
    // The host had sent all of the file long before, and the client had no time to read it: to the client that is an outage.
    const isLate = ({ first, second, url }) => lates.some(({ late, at }) => late === url && first + PATIENCE / 2 < at && at < second);
    const isExcused = (one) => (one.law === 'Lifetime' && (isForgotten(one) || isLate(one))) || (one.law === 'RetryAfter' && thirdSave < one.first && one.first <= killed);
    const second = start();
    const [code] = await once(second, 'exit');
    assert.equal(code, 0);
    const { violations: found, unfetched: pages, requests, kinds } = await ask(`verdict ${Math.ceil(stall)}`);
    // No host has TLS; the settings of the other clients say the same.
    const unfetched = client === 'crawlee' ? pages.filter(isHttp) : pages;
    const violations = found.filter((violation) => !isExcused(violation));
    found.filter(isExcused).forEach(({ kind }) => (kinds[kind].violations -= 1));
    violations.forEach(({ text }) => console.error(text));
    console.table(kinds);
    console.log(`${client}: ${requests} requests, ${violations.length} violations, ${unfetched.length} pages not fetched`);
    assert.deepEqual([violations.length, unfetched], [0, []]);
    console.log('1 passed, 0 failed');
  } finally {
    zoo.stdin.end();
    rmSync(folder, { recursive: true });
  }
}

/** All pages, each again until it has an end. */
async function crawl() {
  const [{ addresses, urls, settings, client, folder }] = await once(process, 'message');
  const { min_delay: minDelay, backoff: { levels: { base } }, retry_first_503: retryFirst503, retry_first: retryFirst } = settings;
  const profile = Profile.rfc9309()
    .withPace({ minDelayMs: 1_000 * minDelay, backoff: { levels: { baseMs: 1_000 * base } } })
    .with({ retryFirstMs: 1_000 * retryFirst, retryFirst503Ms: 1_000 * retryFirst503 });
  const { memory, pages } = CLIENTS[client](addresses, profile, folder);
  const saved = `${folder}/saved`;
  if (existsSync(saved)) {
    memory.load(readFileSync(saved));
  }
  const delay = monitorEventLoopDelay();
  delay.enable();
  const save = () => {
    writeFileSync(`${saved}.new`, memory.save());
    renameSync(`${saved}.new`, saved);
    process.send({ isSaved: true, stalled: delay.max / 1e6 });
  };
  const saving = setInterval(save, 200);
  await pages(urls);
  clearInterval(saving);
  process.disconnect();
}

function byPoliteFetch(addresses, profile) {
  const memory = politeFetch('ExampleBot', { fetch: connecting(addresses), profile, userAgent: USER_AGENT, headers: HEADERS, maxInFlight: WORKERS, timeoutMs: PATIENCE });
  return { memory, pages: eachBy((url, signal) => memory(url, { signal })) };
}

/** A `RobotsCache` beside a fetch that follows no redirects. */
function byWait(addresses, profile) {
  const fetch = connecting(addresses);
  const memory = new RobotsCache('ExampleBot', fetcher({ fetch, userAgent: USER_AGENT, headers: HEADERS }), { profile, timeoutMs: PATIENCE, maxWaitMs: 2 * PATIENCE });
  const ask = async (asked, signal) => {
    for (let [url, hops] = [asked, 0]; ; hops += 1) {
      const turn = await memory.wait(url, { signal });
      if (!turn.allowed) {
        throw Object.assign(new Error(String(turn)), { code: turn.closed ? 'CLOSED' : 'DISALLOWED', retryAt: turn.retryAt });
      }
      let response;
      try {
        const late = AbortSignal.timeout(PATIENCE);
        response = await fetch(turn.url, { headers: { 'user-agent': USER_AGENT, ...HEADERS }, signal: signal ? AbortSignal.any([signal, late]) : late });
        // The turn ends with the last byte.
        await response.arrayBuffer();
        turn.finish(response);
      } catch (error) {
        if (signal?.aborted) {
          turn.cancel();
        } else {
          turn.fail(error);
        }
        throw error;
      }
      const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
      if (location === null || hops === 5 || !URL.canParse(location, url) || !new URL(location, url).protocol.startsWith('http')) {
        return response;
      }
      url = new URL(location, url).href;
    }
  };
  return { memory, pages: eachBy(ask) };
}

function byGot(addresses, profile) {
  const memory = politeFetch('ExampleBot', { fetch: connecting(addresses), profile, userAgent: USER_AGENT, headers: HEADERS, timeoutMs: PATIENCE });
  const client = got.extend(politeGot(memory), {
    headers: { 'user-agent': USER_AGENT, ...HEADERS },
    request: plainly(addresses),
    throwHttpErrors: false,
    maxRedirects: 5,
    timeout: { request: PATIENCE },
    retry: { limit: 1, calculateDelay: ({ computedValue }) => (computedValue ? 100 : 0) },
    hooks: { beforeRequest: [() => {}], beforeRedirect: [() => {}], afterResponse: [(response) => response], beforeError: [(error) => error] },
  });
  return { memory, pages: eachBy(async (url, signal) => ({ status: (await client(url, { signal })).statusCode })) };
}

/** Crawlee with handlers and hooks of its own, which keep the pages of closed sites. */
function byCrawlee(addresses, profile, folder) {
  const { CheerioCrawler, Configuration, log } = createRequire(`${folder}/package.json`)('@crawlee/cheerio');
  log.setLevel(log.LEVELS.OFF);
  // Its got has a way of its own to send a request, so names are looked up here.
  const { lookup } = dns;
  dns.lookup = (name, options, callback) => lookup(addresses[name] ?? name, options, callback);
  const memory = politeFetch('ExampleBot', { fetch: connecting(addresses), profile, userAgent: USER_AGENT, headers: HEADERS, timeoutMs: PATIENCE, maxWaitMs: 2 * PATIENCE });
  const retried = async (error) => {
    const retryAt = error.cause?.retryAt ?? error.retryAt;
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(retryAt - Date.now(), 0) || 0, 5_000)));
  };
  const options = crawleeHooks(memory, {
    // Each page is asked for until it has an end, so that all hosts have their turns at the same time.
    minConcurrency: 200,
    maxConcurrency: 200,
    autoscaledPoolOptions: { desiredConcurrency: 200 },
    maxRequestRetries: 10,
    maxSessionRotations: 0,
    useSessionPool: false,
    navigationTimeoutSecs: 60,
    requestHandlerTimeoutSecs: 300,
    additionalMimeTypes: ['*/*'],
    ignoreHttpErrorStatusCodes: Array.from({ length: 200 }, (_, status) => 400 + status),
    preNavigationHooks: [
      ({ request }, gotOptions) => {
        const isCut = Math.random() < 1 / 3 && request.retryCount < 8;
        const signal = isCut ? AbortSignal.timeout(Math.floor(Math.random() * 3_000)) : undefined;
        signal?.addEventListener('abort', () => process.send({ cut: new URL(request.url).hostname }));
        Object.assign(gotOptions, { useHeaderGenerator: false, timeout: { request: PATIENCE }, headers: { 'user-agent': USER_AGENT, ...HEADERS }, maxRedirects: 5, ...(isCut && { signal }) });
      },
    ],
    requestHandler({ response }) {
      if (response.statusCode === 429 || response.statusCode === 503) {
        throw new Error('asked again');
      }
    },
    errorHandler: (_, error) => retried(error),
    failedRequestHandler() {},
  });
  const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false, purgeOnStart: false, availableMemoryRatio: 1 }));
  return { memory, pages: (urls) => crawler.run(urls.filter(isHttp).map((url, index) => ({ url, uniqueKey: String(index) }))) };
}

function isHttp(url) {
  return url.startsWith('http:');
}

/** Asks for each page until it has an end, and cuts a third of the calls off. */
function eachBy(ask) {
  return (urls) => {
    const rest = urls.values();
    return Promise.all(urls.slice(0, AT_ONCE).map(async () => {
      for (const url of rest) {
        await page(ask, url);
      }
    }));
  };
}

async function page(ask, url) {
  // Calls that are cut off do not count: on a busy machine there are more of them.
  for (let tries = 0; tries < 8; ) {
    const isCut = Math.random() < 1 / 3;
    const signal = isCut ? AbortSignal.timeout(Math.floor(Math.random() * 3_000)) : undefined;
    try {
      const response = await ask(url, signal);
      if (response.status !== 429 && response.status !== 503) {
        return;
      }
      tries += 1;
    } catch (error) {
      if (signal?.aborted) {
        process.send({ cut: new URL(url).hostname });
        continue;
      }
      tries += 1;
      if (['DISALLOWED', 'REDIRECT', 'TOO_LARGE', 'ERR_TOO_MANY_REDIRECTS'].includes(error.code)) {
        return;
      }
      const retryAt = error.cause?.retryAt ?? error.retryAt;
      if (retryAt > Date.now()) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(retryAt - Date.now(), 5_000)));
      }
    }
  }
}

/** The function by which got sends a request, which knows the addresses of the zoo. Its hosts have no TLS. */
function plainly(addresses) {
  const agent = new Agent({ keepAlive: true });
  return ({ host, hostname, port, pathname, search }, { method, headers, signal }) =>
    request({ agent, method, signal, host: addresses[hostname] ?? addresses[host] ?? hostname, port, path: pathname + search, headers: { ...headers, host } });
}

/** A `fetch` that knows the addresses of the zoo. */
function connecting(addresses) {
  const agent = new Agent({ keepAlive: true });
  return (url, { headers, signal, method = 'GET' }) => new Promise((resolve, reject) => {
    const { host, hostname, port, pathname, search } = new URL(url);
    const address = addresses[hostname] ?? addresses[host] ?? hostname;
    const report = (what) => process.connected && process.send({ [what]: hostname + pathname });
    report('sent');
    const message = request({ agent, signal, method, host: address, port, path: pathname + search, headers: { ...headers, host } }, (response) => {
      const fields = Object.entries(response.headersDistinct).flatMap(([name, values]) => values.map((value) => [name, value]));
      const { statusCode: status } = response;
      // As `fetch` has it.
      const decoded = DECODERS[response.headers['content-encoding']]?.() ?? new PassThrough();
      const body = [204, 304].includes(status) ? (response.resume(), null) : Readable.toWeb(pipeline(response, decoded, () => {}));
      try {
        resolve(new Response(body, { status, headers: fields }));
      } catch (error) {
        reject(error);
      }
    });
    message.on('error', reject).on('close', () => (report('read'), signal?.reason?.name === 'TimeoutError' && report('late'))).end();
  });
}
