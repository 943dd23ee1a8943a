// The processor time of a page of each adapter beside that of the bare client that it is over: node bench/adapters.mjs
//
// 500 hosts of this machine in rounds that alternate; the server is a process of its own. Crawlee is installed for it. With
// ENFORCE=1 more than 1.5 times the time of the bare client is an error.

import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const [HOSTS, PAGES, ROUNDS, AT_ONCE, MOST] = [500, 4, Number(process.env.ROUNDS ?? 8), 64, 1.5];
const CRAWLEE = '3.18.1';

if (process.argv[2] === 'server') {
  const page = 'x'.repeat(8_192);
  const server = createServer(({ url }, response) => response.end(url === '/robots.txt' ? 'User-agent: *\nDisallow: /private\n' : page));
  server.keepAliveTimeout = 60_000;
  // All of 127.0.0.0/8 is this machine, so that each address is a host.
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
} else {
  await times();
}

async function times() {
  const require = createRequire(new URL('../js/package.json', import.meta.url));
  const { default: got } = await import(require.resolve('got'));
  const { crawleeHooks, politeFetch, politeGot, Profile, RobotsCache } = await import('../js/dist/crawl-node.js');
  const { Agent } = await import('node:http');
  const server = fork(fileURLToPath(import.meta.url), ['server']);
  const [port] = await once(server, 'message');
  const urls = Array.from({ length: HOSTS * PAGES }, (_, page) => `http://127.0.${1 + Math.floor((page % HOSTS) / 250)}.${1 + (page % 250)}:${port}/${page}`);
  const profile = Profile.rfc9309().withPace({ minDelayMs: 0 });
  const robots = new RobotsCache('ExampleBot', fetch, { profile });
  const bareGot = got.extend({ agent: { http: new Agent({ keepAlive: true }) }, retry: { limit: 0 } });
  const byGot = bareGot.extend(politeGot(politeFetch('ExampleBot', { profile })));
  const crawler = crawlee();
  const pairs = {
    'fetch with wait': [
      async (url) => (await fetch(url, { redirect: 'manual' })).arrayBuffer(),
      async (url) => {
        const turn = await robots.wait(url);
        const response = await fetch(turn.url, { redirect: 'manual' });
        await response.arrayBuffer();
        turn.finish(response);
      },
    ].map(each),
    'got with politeGot': [bareGot, byGot].map((client) => each((url) => client(url))),
    'Crawlee with crawleeHooks': [crawler((options) => options), crawler((options) => crawleeHooks(politeFetch('ExampleBot', { profile }), options))],
  };
  for (const [title, clients] of Object.entries(pairs)) {
    const ratios = [];
    const perPage = [Infinity, Infinity];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const took = [];
      for (const [index, client] of clients.entries()) {
        const used = process.cpuUsage();
        await client(urls);
        const { user, system } = process.cpuUsage(used);
        took[index] = (user + system) / urls.length;
        perPage[index] = Math.min(perPage[index], took[index]);
      }
      // The first round opens connections, and fetches each robots.txt.
      if (round > 0) {
        ratios.push(took[1] / took[0]);
      }
    }
    ratios.sort((one, other) => one - other);
    const median = ratios[ratios.length >> 1];
    console.log(`${title}: ${median.toFixed(2)} times the processor time of a page in the median of ${ROUNDS} rounds, ${ratios.at(-1).toFixed(2)} in the most; ${perPage.map((time) => Math.round(time)).join(' and ')} µs at least`);
    if (process.env.ENFORCE === '1' && median > MOST) {
      console.error(`${title} misses its limit of ${MOST}`);
      process.exitCode = 1;
    }
  }
  server.kill();
  process.exit();
}

function each(client) {
  return async (urls) => {
    const rest = urls.values();
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const url of rest) {
        await client(url);
      }
    }));
  };
}

/** Makes functions that crawl URLs by a crawler, whose options are those of all crawlers after a change. */
function crawlee() {
  const folder = mkdtempSync(`${tmpdir()}/polite-robots-crawlee-`);
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: { '@crawlee/http': CRAWLEE } }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const { Configuration, HttpCrawler, log } = createRequire(`${folder}/package.json`)('@crawlee/http');
  process.on('exit', () => rmSync(folder, { recursive: true }));
  log.setLevel(log.LEVELS.OFF);
  return (change) => {
    const options = change({ minConcurrency: AT_ONCE, maxConcurrency: AT_ONCE, maxRequestRetries: 0, additionalMimeTypes: ['*/*'], requestHandler() {} });
    const crawler = new HttpCrawler(options, new Configuration({ persistStorage: false, purgeOnStart: false, availableMemoryRatio: 1 }));
    return async (urls) => {
      const { requestsFinished } = await crawler.run(urls);
      if (requestsFinished !== urls.length) {
        throw new Error(`${requestsFinished} pages of ${urls.length}`);
      }
    };
  };
}
