// `politeFetch` beside the bare `fetch` that it is over: node bench/crawl.mjs
//
// Pages a second of 500 hosts of this machine in rounds that alternate, by the clock and by the client's processor time, and the
// memory of 100,000 hosts that are known. The server is a process of its own. With ENFORCE=1 a rate below 0.7 of that of
// `fetch`, and memory of the process above 100 MB, is an error.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

// The memory of every module that is compiled from here on.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memories.push(this.exports.memory);
  }
};
const { politeFetch, Profile } = await import('../js/dist/crawl-node.js');

const [HOSTS, PAGES, ROUNDS, AT_ONCE, KNOWN] = [500, 10, Number(process.env.ROUNDS ?? 8), 64, 100_000];
const FILE = 'User-agent: *\nDisallow: /private\nDisallow: /search\nAllow: /search/about\n';

if (process.argv[2] === 'server') {
  const page = 'x'.repeat(8_192);
  const server = createServer(({ url }, response) => response.end(url === '/robots.txt' ? FILE : page));
  server.keepAliveTimeout = 60_000;
  // All of 127.0.0.0/8 is this machine, so that each address is a host.
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
} else if (process.argv[2] === 'memory') {
  memory();
} else {
  await rates();
  const child = fork(fileURLToPath(import.meta.url), ['memory'], { execArgv: ['--expose-gc'] });
  const [code] = await once(child, 'exit');
  process.exitCode ||= code;
}

/** Notes a figure that misses its limit. */
function hold(title, isMet) {
  if (!isMet && process.env.ENFORCE === '1') {
    console.error(`${title} misses its limit`);
    process.exitCode = 1;
  }
}

async function rates() {
  const server = fork(fileURLToPath(import.meta.url), ['server']);
  const [port] = await once(server, 'message');
  const urls = (page) => Array.from({ length: HOSTS }, (_, host) => `http://127.0.${1 + Math.floor(host / 250)}.${1 + (host % 250)}:${port}/${page}`);
  const pages = Array.from({ length: PAGES }, (_, page) => urls(page)).flat();
  const quick = Profile.rfc9309().withPace({ minDelayMs: 0 });
  const polite = politeFetch('ExampleBot', { profile: quick, maxInFlight: AT_ONCE });
  const clients = { fetch, politeFetch: polite };
  const rounds = { clock: [], processor: [] };
  const rates = { fetch: [], politeFetch: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const took = {};
    for (const [name, client] of Object.entries(clients)) {
      const [start, used] = [performance.now(), process.cpuUsage()];
      await drain(pages, client);
      const { user, system } = process.cpuUsage(used);
      took[name] = { clock: performance.now() - start, processor: (user + system) / 1_000 };
      rates[name].push((1_000 * pages.length) / took[name].clock);
    }
    // The first round opens connections, and fetches each robots.txt.
    for (const clock of round > 0 ? Object.keys(rounds) : []) {
      rounds[clock].push(took.fetch[clock] / took.politeFetch[clock]);
    }
  }
  server.kill();
  const [bare, ours] = Object.values(rates).map((list) => Math.round(Math.max(...list)));
  console.log(`${HOSTS} hosts, ${AT_ONCE} at once: fetch ${bare} a second, politeFetch ${ours}`);
  for (const [clock, ratios] of Object.entries(rounds)) {
    ratios.sort((a, b) => a - b);
    const [least, median] = [ratios[0], ratios[ratios.length >> 1]];
    console.log(`rate of politeFetch by the ${clock}: ${median.toFixed(2)} of that of fetch in the median of ${ratios.length} rounds, ${least.toFixed(2)} in the least`);
    hold(`the rate by the ${clock}`, median >= 0.7);
  }
}

async function drain(urls, client) {
  const rest = urls.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const url of rest) {
      await (await client(url)).arrayBuffer();
    }
  }));
}

/**
 * The memory of the process over that of one that asks as often by the same function alone: the heap of JavaScript has room for
 * the objects that were left, whoever left them.
 */
async function memory() {
  const site = async (url) => new Response(url.endsWith('/robots.txt') ? `${FILE}Disallow: /${url.length}\n` : 'a page');
  const polite = politeFetch('ExampleBot', {
    fetch: site,
    profile: Profile.rfc9309().withPace({ minDelayMs: 0 }),
    maxInFlight: AT_ONCE,
    // Nothing is forgotten meanwhile.
    now: () => 1_767_225_600_000 + performance.now() / 1_000,
  });
  await crawl(site, 2 * KNOWN);
  const before = used();
  await crawl(polite, KNOWN);
  const [heap, module, resident] = used().map((bytes, index) => (bytes - before[index]) / 1e6);
  console.log(`${polite.hosts} hosts known: the process has ${resident.toFixed(1)} MB more, the heap of JavaScript ${heap.toFixed(1)} and the module ${module.toFixed(1)}; ${(polite.save().length / 1e6).toFixed(1)} MB saved`);
  hold('the memory of the process', resident <= 100);
}

async function crawl(client, hosts) {
  let host = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (host < hosts) {
      host += 1;
      await (await client(`https://h${host}.example/`)).text();
    }
  }));
}

/** The bytes of the heap, of the module and of the process. */
function used() {
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return [heapUsed, memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0), rss];
}
