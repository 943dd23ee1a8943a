// `politeFetch` in the zoo of `crates/zoo`, whose judge reads what the hosts saw: node test/zoo.mjs ZOO_SERVER [HOSTS]
//
// A third of the calls is cancelled, and the process is killed once and begun again from its saved memory. Run by
// `.ci/long zoo_js`.

import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { politeFetch, Profile } from '../dist/crawl-node.js';

const WORKERS = 32;
const DECODERS = { br: createBrotliDecompress, deflate: createInflate, gzip: createGunzip };

await (process.argv[2] === 'crawl' ? crawl() : judge(...process.argv.slice(2)));

async function judge(server, hosts = '306') {
  const zoo = spawn(server, [hosts, String(WORKERS)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: zoo.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const opened = await next();
  let asked = Promise.resolve();
  const ask = (command) => (asked = asked.then(() => (zoo.stdin.write(`${command}\n`), next())));
  const folder = mkdtempSync(`${tmpdir()}/polite-robots-zoo-`);
  /** The times after which the memory of the crawl was in its file. */
  const saves = [];
  const start = () => {
    const crawler = fork(fileURLToPath(import.meta.url), ['crawl']);
    crawler.on('message', ({ cut, isSaved }) => (isSaved ? ask('now').then((now) => saves.push(now)) : ask(`cut ${cut}`)));
    crawler.send({ ...opened, saved: `${folder}/saved` });
    return crawler;
  };
  try {
    const first = start();
    const isOver = once(first, 'exit');
    await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 6_000))]);
    first.kill('SIGKILL');
    await ask('cut');
    await isOver;
    // The time of the last one may be that of the kill.
    const [, remembered = 0] = saves.toReversed();
    const second = start();
    const [code] = await once(second, 'exit');
    assert.equal(code, 0);
    const { violations: found, unfetched, requests } = await ask('verdict');
    // Nobody remembers a round or a Retry-After that came after the last save before the kill.
    const violations = found.filter(({ law, first }) => !(['Lifetime', 'RetryAfter'].includes(law) && first > remembered));
    violations.forEach(({ text }) => console.error(text));
    console.log(`${requests} requests, ${violations.length} violations, ${unfetched.length} pages not fetched`);
    assert.deepEqual([violations.length, unfetched], [0, []]);
    console.log('1 passed, 0 failed');
  } finally {
    zoo.stdin.end();
    rmSync(folder, { recursive: true });
  }
}

/** All pages, each again until it has an end. */
async function crawl() {
  const [{ addresses, urls, settings, saved }] = await once(process, 'message');
  const { min_delay: minDelay, backoff, retry_first_503: retryFirst503, retry_first: retryFirst } = settings;
  const profile = Profile.rfc9309().withPace({ minDelay, backoff }).with({ retryFirst, retryFirst503 });
  const polite = politeFetch('ExampleBot', { fetch: connecting(addresses), profile, userAgent: 'ExampleBot/1.0 (+https://example.com/bot)', headers: { from: 'bot@example.com' }, maxInFlight: WORKERS, timeout: 5 });
  if (existsSync(saved)) {
    polite.load(readFileSync(saved));
  }
  const save = () => {
    writeFileSync(`${saved}.new`, polite.save());
    renameSync(`${saved}.new`, saved);
    process.send({ isSaved: true });
  };
  const saving = setInterval(save, 200);
  await Promise.all(urls.map((url) => page(polite, url)));
  clearInterval(saving);
  process.disconnect();
}

async function page(polite, url) {
  // Calls that are cut off do not count: on a busy machine there are more of them.
  for (let tries = 0; tries < 8; ) {
    const isCut = Math.random() < 1 / 3;
    const signal = isCut ? AbortSignal.timeout(Math.floor(Math.random() * 3_000)) : undefined;
    try {
      const response = await polite(url, { signal });
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
      if (['DISALLOWED', 'REDIRECT', 'TOO_LARGE'].includes(error.code)) {
        return;
      } else if (error.retryAt > Date.now()) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(error.retryAt - Date.now(), 5_000)));
      }
    }
  }
}

/** A `fetch` that knows the addresses of the zoo. */
function connecting(addresses) {
  const agent = new Agent({ keepAlive: true });
  return (url, { headers, signal, method = 'GET' }) => new Promise((resolve, reject) => {
    const { host, hostname, port, pathname, search } = new URL(url);
    const address = addresses[hostname] ?? addresses[host] ?? hostname;
    request({ agent, signal, method, host: address, port, path: pathname + search, headers: { ...headers, host } }, (response) => {
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
    }).on('error', reject).end();
  });
}
