// The answer from a `RobotsCache` beside robots-parser 3.0.1 with a Map, and the memory of a full cache:
// node --expose-gc bench/cache.mjs FOLDER ROBOTS-PARSER
//
// FOLDER has robots.txt files; ROBOTS-PARSER is the installed package. Minimum of rounds that alternate. With ENFORCE=1 a
// limit that is missed is an error.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The memory of every module that is compiled from here on.
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memories.push(this.exports.memory);
  }
};
const { RobotsCache } = await import('../js/dist/cache-node.js');

const [folder, peer] = process.argv.slice(2);
if (peer === undefined) {
  console.error('usage: node --expose-gc bench/cache.mjs FOLDER ROBOTS-PARSER');
  process.exit(2);
}
const theirs = createRequire(import.meta.url)(peer);
const AGENT = 'ExampleBot';
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const missed = [];

/** Notes a figure that is over its limit. */
function hold(title, figure, most) {
  if (figure > most) {
    missed.push(`${title}: ${figure} is over ${most}`);
  }
}

await memory();
await speed();
if (missed.length > 0 && process.env.ENFORCE === '1') {
  throw new Error(missed.join('\n'));
}

/** A question for each page of each site, in the order of the sites and mixed. */
async function speed() {
  const files = readdirSync(folder)
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .filter((text) => /^\s*(dis)?allow\s*:/im.test(text));
  const sites = new Map(files.map((text, number) => [`https://www.site${number}.example`, text]));
  const asked = [...sites].flatMap(([site, text]) => {
    const rules = [...text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#]*)/gim)].slice(0, 10);
    const paths = rules.map(([, path]) => path.replaceAll('*', 'x').replace(/\$$/, ''));
    return [...paths, '/', '/a', '/search?q=a', '/index.html', '/img/logo.png', '/p/1/2/3'].map((path) => site + path);
  });
  const cache = new RobotsCache(AGENT, async (url) => ({ status: 200, headers: {}, body: sites.get(new URL(url).origin) }), { capacity: 2 ** 30 });
  const map = new Map([...sites].map(([site, text]) => [site, theirs(`${site}/robots.txt`, text)]));
  const ofTheirs = (url) => map.get(new URL(url).origin).isAllowed(url, AGENT);

  let same = 0;
  for (const url of asked) {
    same += (await cache.allowed(url)) === ofTheirs(url) ? 1 : 0;
  }
  console.log(`${sites.size} sites, ${asked.length} questions, ${((100 * same) / asked.length).toFixed(2)} % of the answers are equal`);

  const ways = {
    'robots-parser with a Map': () => asked.forEach(ofTheirs),
    // As a crawler has it, which awaits the answer of either.
    'robots-parser with a Map, awaited': async () => {
      for (const url of asked) await ofTheirs(url);
    },
    'RobotsCache.allowed': async () => {
      for (const url of asked) await cache.allowed(url);
    },
    'RobotsCache.check': async () => {
      for (const url of asked) await cache.check(url);
    },
  };
  const best = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [title, way] of Object.entries(ways)) {
      const start = process.hrtime.bigint();
      await way();
      best[title] = Math.min(best[title] ?? Infinity, Number(process.hrtime.bigint() - start) / asked.length);
    }
  }
  for (const [title, time] of Object.entries(best)) {
    console.log(`${title}: ${time.toFixed(0)} ns`);
  }
  hold('RobotsCache.allowed', best['RobotsCache.allowed'], best['robots-parser with a Map']);
}

/** 100,000 hosts with files of 3.8 kB each, all different. */
async function memory() {
  const HOSTS = 100_000;
  const start = Date.UTC(2026, 0, 1);
  let now = start;
  let fetched = 0;
  const body = (host) => {
    const rules = Array.from({ length: 100 }, (_, rule) => `Disallow: /${host}/section-${rule}/private-pages/\n`);
    return `User-agent: *\n${rules.join('')}`.slice(0, 3_800);
  };
  const cache = new RobotsCache(AGENT, async (url) => {
    fetched += 1;
    return { status: 200, headers: {}, body: body(new URL(url).hostname.split('.')[0]) };
  }, { now: () => now });
  const sizes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) / 2 ** 20;
  const before = sizes();
  let closed = 0;
  for (let host = 0; host < HOSTS; host += 1) {
    now += 10;
    const { allowed, closed: isClosed } = await cache.check(`https://h${host}.example/h${host}/section-1/private-pages/a`);
    assert.equal(allowed, false);
    closed += isClosed ? 1 : 0;
    // A host that was forgotten asks again, or is closed; it is never open.
    const earlier = Math.floor(host / 2);
    assert.equal(await cache.allowed(`https://h${earlier}.example/h${earlier}/section-1/private-pages/a`), false);
  }
  globalThis.gc?.();
  const [counted, grown, heap] = [cache.bytes / 2 ** 20, sizes() - before, process.memoryUsage().heapUsed / 2 ** 20];
  console.log(`${HOSTS} hosts with ${body('h99999').length} bytes each: ${fetched} fetches, ${closed} closed for want of room, none open`);
  console.log(`${counted.toFixed(1)} MiB of 64 by the cache's own count; the module's memory grew by ${grown.toFixed(1)} MiB, JavaScript has ${heap.toFixed(1)} MiB`);
  hold('MiB of the cache', counted, 64);
  hold('MiB of the module', grown, 64);
}
