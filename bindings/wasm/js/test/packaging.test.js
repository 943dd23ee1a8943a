// The package as it is published: its types, its entries, its size, and what bundlers and edge runtimes make of it.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const here = new URL('../', import.meta.url).pathname;
const compat = new URL('../../js-compat/', import.meta.url).pathname;
const bin = (name) => `${here}node_modules/.bin/${name}`;
const folder = mkdtempSync(`${tmpdir()}/polite-robots-`);
after(() => rmSync(folder, { recursive: true }));

/** Installs both packages from their tarballs, as a user would. */
const installed = (() => {
  for (const [from, name] of [[here, 'polite-robots'], [compat, '@polite-robots/robots-parser']]) {
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const target = `${folder}/node_modules/${name}`;
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['xzf', `${folder}/${filename}`, '-C', target, '--strip-components=1']);
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json']) {
      assert.ok(existsSync(`${target}/${file}`), `${name} holds ${file}`);
    }
  }
  return folder;
})();

const PROGRAM = "if (new Robot('ExampleBot', 'User-agent: *\\nDisallow: /a').allowed('/a')) throw new Error('wrong');\nconsole.log('right');\n";

function run(file, content) {
  writeFileSync(`${installed}/${file}`, content);
  return execFileSync(process.execPath, [`${installed}/${file}`], { encoding: 'utf8' });
}

test('Node.js, ESM', () => {
  assert.equal(run('a.mjs', `import { Robot } from 'polite-robots';\n${PROGRAM}`), 'right\n');
});

test('Node.js, CommonJS', () => {
  assert.equal(run('a.cjs', `const { Robot } = require('polite-robots');\n${PROGRAM}`), 'right\n');
});

test('Node.js, own loading', () => {
  const load = `import { readFileSync } from 'node:fs';
import { initSync, Robot } from 'polite-robots/slim';
initSync(readFileSync(new URL(import.meta.resolve('polite-robots/polite_robots.wasm'))));
`;
  assert.equal(run('slim.mjs', load + PROGRAM), 'right\n');
});

test('own loading of the module for authors, which crawlers never load', () => {
  const load = `import { readFileSync } from 'node:fs';
import { GroupBuilder, initAuthor, initSync, lint, RobotsTxt, toCanonical } from 'polite-robots/slim';
const bytes = (name) => readFileSync(new URL(import.meta.resolve('polite-robots/' + name)));
initSync(bytes('polite_robots.wasm'));
const robotsTxt = new RobotsTxt('Disalow: /');
for (const call of [() => lint(robotsTxt), () => toCanonical(robotsTxt), () => new GroupBuilder('*')]) {
  try {
    call();
    throw new Error('no error');
  } catch (error) {
    if (!error.message.includes('initAuthor()')) throw error;
  }
}
await initAuthor(bytes('polite_robots_author.wasm'));
if (lint(robotsTxt).length > 0) console.log('right');
`;
  assert.equal(run('author.mjs', load), 'right\n');
});

const CACHE = `const cache = new RobotsCache('ExampleBot', async () => ({ status: 200, headers: {}, body: 'User-agent: *\\nDisallow: /a' }));
cache.allowed('https://e.test/a').then((allowed) => {
  if (allowed) throw new Error('wrong');
  return cache.check('/a');
}).catch((error) => {
  if (!(error instanceof InvalidUrlError)) throw error;
  console.log('right');
});
`;

test('the entry for caches, both ways, with the errors of the package', () => {
  assert.equal(run('cache.mjs', `import { InvalidUrlError } from 'polite-robots';\nimport { RobotsCache } from 'polite-robots/cache';\n${CACHE}`), 'right\n');
  assert.equal(run('cache.cjs', `const { InvalidUrlError } = require('polite-robots');\nconst { RobotsCache } = require('polite-robots/cache');\n${CACHE}`), 'right\n');
  const same = "import * as esm from 'polite-robots/cache';\nimport { createRequire } from 'node:module';\nconsole.log(esm.RobotsCache === createRequire(import.meta.url)('polite-robots/cache').RobotsCache);\n";
  assert.equal(run('same.mjs', same), 'true\n');
});

const CRAWL = `
const site = (url) => new Response(url.endsWith('/robots.txt') ? 'User-agent: *\\nDisallow: /a' : 'page');
const polite = politeFetch('ExampleBot', { fetch: async (url) => site(url) });
polite('https://e.test/a').catch((error) => {
  if (!(error instanceof DisallowedError) || error.line !== 2 || !(Origin.of('https://e.test/') instanceof Same)) throw error;
  console.log('right');
});
`;

test('the entry for crawls, both ways, with the machines of that for caches', () => {
  const asked = ['DisallowedError, Origin, politeFetch', 'Origin: Same'];
  assert.equal(run('crawl.mjs', `import { ${asked[0]} } from 'polite-robots/crawl';\nimport { Origin as Same } from 'polite-robots/cache';\n${CRAWL}`), 'right\n');
  assert.equal(run('crawl.cjs', `const { ${asked[0]} } = require('polite-robots/crawl');\nconst { ${asked[1]} } = require('polite-robots/cache');\n${CRAWL}`), 'right\n');
  const same = "import * as esm from 'polite-robots/crawl';\nimport { createRequire } from 'node:module';\nconst cjs = createRequire(import.meta.url)('polite-robots/crawl');\nconsole.log(esm.BusyError === cjs.BusyError, esm.Scheduler === cjs.Scheduler);\n";
  assert.equal(run('same.mjs', same), 'true true\n');
});

const AUTHOR = "if (lint(new RobotsTxt('Disalow: /')).length === 0) throw new Error('wrong');\nconsole.log('right');\n";

test('the entry for authors, both ways', () => {
  assert.equal(run('author.mjs', `import { RobotsTxt } from 'polite-robots';\nimport { lint } from 'polite-robots/author';\n${AUTHOR}`), 'right\n');
  assert.equal(run('author.cjs', `const { RobotsTxt } = require('polite-robots');\nconst { lint } = require('polite-robots/author');\n${AUTHOR}`), 'right\n');
});

test('the drop-in, both ways', () => {
  const ask = "if (robotsParser('/robots.txt', 'User-agent: *\\nDisallow: /a').isAllowed('/a') !== false) throw new Error('wrong');\nconsole.log('right');\n";
  assert.equal(run('b.mjs', `import robotsParser from '@polite-robots/robots-parser';\n${ask}`), 'right\n');
  assert.equal(run('b.cjs', `const robotsParser = require('@polite-robots/robots-parser');\n${ask}`), 'right\n');
});

test('the drop-in knows its site by scheme and host', () => {
  const asks = [
    ['file:///robots.txt', 'data:,x'],
    ['foo://a/robots.txt', 'file:///x'],
    ['http://a.test/robots.txt', 'blob:http://a.test/x'],
    ['http://a.test/robots.txt', 'https://a.test/x'],
    ['http://a.test/robots.txt', 'http://a.test:8080/x'],
    ['http://a.test/robots.txt', 'http://A.TEST:80/x'],
  ];
  const ask = `const robotsParser = require('@polite-robots/robots-parser');
console.log(JSON.stringify(${JSON.stringify(asks)}.map(([file, page]) => robotsParser(file, '').isAllowed(page) ?? null)));
`;
  assert.equal(run('origin.cjs', ask), '[null,null,null,null,null,true]\n');
});

test('a bundle for browsers, which runs without a file beside it', () => {
  writeFileSync(`${installed}/page.js`, `import { Robot } from 'polite-robots';\n${PROGRAM}`);
  writeFileSync(`${installed}/crawler.js`, `import { InvalidUrlError } from 'polite-robots';\nimport { RobotsCache } from 'polite-robots/cache';\n${CACHE}`);
  writeFileSync(`${installed}/client.js`, `import { DisallowedError, Origin, politeFetch } from 'polite-robots/crawl';\nimport { Origin as Same } from 'polite-robots/cache';\n${CRAWL}`);
  writeFileSync(`${installed}/editor.js`, `import { RobotsTxt } from 'polite-robots';\nimport { lint } from 'polite-robots/author';\n${AUTHOR}`);
  writeFileSync(`${installed}/required.js`, `const { Robot } = require('polite-robots');\n${PROGRAM}`);
  // A folder where no file of the package is.
  const alone = mkdtempSync(`${tmpdir()}/polite-robots-bundle-`);
  after(() => rmSync(alone, { recursive: true }));
  for (const platform of ['browser', 'node']) {
    for (const name of ['page', 'crawler', 'client', 'editor', 'required']) {
      const out = `${alone}/${name}-${platform}.cjs`;
      execFileSync(bin('esbuild'), [`${installed}/${name}.js`, '--bundle', `--platform=${platform}`, `--outfile=${out}`, '--log-level=error']);
      assert.equal(execFileSync(process.execPath, [out], { encoding: 'utf8' }), 'right\n', `${name} for ${platform}`);
    }
  }
});

test('workerd', async (t) => {
  const workerd = `${here}node_modules/workerd/bin/workerd`;
  const binary = `${here}node_modules/@cloudflare/workerd-linux-64/bin/workerd`;
  const program = existsSync(binary) ? binary : workerd;
  const dist = `${installed}/node_modules/polite-robots/dist`;
  const work = `${installed}/worker`;
  mkdirSync(work);
  for (const file of ['workerd.js', 'author-workerd.js', 'cache-workerd.js', 'polite_robots.wasm', 'polite_robots_author.wasm', 'polite_robots_cache.wasm']) {
    cpSync(`${dist}/${file}`, `${work}/${file}`);
  }
  writeFileSync(
    `${work}/main.js`,
    `import { Robot, RobotsTxt } from 'polite-robots';
import { lint } from './author-workerd.js';
import { RobotsCache } from './cache-workerd.js';
export default {
  async fetch(request) {
    // The worker's own fetch, of a server that nobody runs: closed, and nothing about the site is known.
    const cache = new RobotsCache('ExampleBot', fetch);
    const { closed, cause } = await cache.check(request.url);
    const found = lint(new RobotsTxt('Disalow: /')).length;
    return new Response([found, new Robot('ExampleBot', 'User-agent: *\\nDisallow: /a').check('/a').explanation, closed, cause].join(' '));
  },
};
`,
  );
  const port = await freePort();
  writeFileSync(
    `${work}/config.capnp`,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)], sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
const worker :Workerd.Worker = (
  modules = [
    (name = "main.js", esModule = embed "main.js"),
    (name = "polite-robots", esModule = embed "workerd.js"),
    (name = "author-workerd.js", esModule = embed "author-workerd.js"),
    (name = "cache-workerd.js", esModule = embed "cache-workerd.js"),
    (name = "polite_robots.wasm", wasm = embed "polite_robots.wasm"),
    (name = "polite_robots_author.wasm", wasm = embed "polite_robots_author.wasm"),
    (name = "polite_robots_cache.wasm", wasm = embed "polite_robots_cache.wasm"),
  ],
  compatibilityDate = "2025-01-01",
);
`,
  );
  const server = spawn(program, ['serve', `${work}/config.capnp`], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr.on('data', (data) => (log += data));
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`workerd ended with ${code}: ${log}`);
  });
  ended.catch(() => {});
  t.after(() => server.kill());
  const answer = await Promise.race([ended, answered(`http://127.0.0.1:${port}/`)]);
  assert.equal(answer, '2 disallowed by line 2: Disallow: /a in the wildcard group on line 1 true unreachable');
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The body of the first answer; a server takes a while to begin. */
async function answered(url) {
  for (;;) {
    try {
      return await (await fetch(url)).text();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

test('types', () => {
  writeFileSync(
    `${installed}/types.mts`,
    `import { InvalidTokenError, OutOfMemoryError, Robot, RobotsTxt, robotsUrl, type Verdict } from 'polite-robots';
import { GroupBuilder, lint, RobotsTxtBuilder } from 'polite-robots/author';
import { init } from 'polite-robots/slim';
import { axiosFetcher, Cache, Crawl, fetcher, Fetch, Origin, Pacer, Profile, RobotsCache, Scheduler, type Access, type CrawlStep, type HostId, type Lookup, type Turn } from 'polite-robots/cache';
import { BusyError, crawleeHooks, DisallowedError, politeFetch, politeGot, type HostTurn, type Permit, type PoliteResponse } from 'polite-robots/crawl';
import robotsParser from '@polite-robots/robots-parser';
const robot: Robot = new Robot('ExampleBot', new Uint8Array(), { dialect: 'google', maxBytes: 1 });
const verdict: Verdict = robot.check(new URL('https://e.test/'));
const line: number | undefined = verdict.rule?.line;
const text: string = new RobotsTxtBuilder().group(new GroupBuilder('*').disallow({ prefix: '/' })).build();
const found: string[] = lint(new RobotsTxt(text)).map(({ code }) => code);
export const document: RobotsTxt = RobotsTxt.fromStatus(503, new Uint8Array(), { dialect: 'google' });
export const documents: RobotsTxt[] = [RobotsTxt.allowAll(404), RobotsTxt.disallowAll('unreachable'), RobotsTxt.allowAll()];
const allowed: boolean | undefined = robotsParser(robotsUrl('https://e.test/'), text).isAllowed('https://e.test/', 'a');
const plain = new RobotsCache('ExampleBot', async (url) => ({ status: url.length, headers: { 'retry-after': '1' }, body: new Uint8Array() }));
const caches = [plain, new RobotsCache(['A', 'B'], fetch, { profile: Profile.google(), now: () => new Date() }), new RobotsCache('A', fetcher({ userAgent: 'A/1.0', fetch }))];
export const axios = (client: any) => axiosFetcher(client, { headers: { from: 'a@e.test' } });
export const access: Promise<Access> = plain.check(new URL('https://e.test/'), { signal: AbortSignal.timeout(1) });
export const retry: Promise<Date | undefined> = access.then(({ retryAt, error }) => (error === undefined ? retryAt : undefined));
const lookup: Lookup = new Cache(Profile.ibm(), ['A'], 1).poll(Origin.of('https://e.test/'), new Date());
export const origin: Origin | undefined = lookup.kind === 'fetch' ? lookup.ticket.origin : undefined;
new Fetch(Origin.of('https://e.test/'), Profile.rfc9309(), 0).handle({ kind: 'failed', error: 'dns' }, 0);
const scheduler = new Scheduler(Profile.rfc9309().withPace({ minDelayMs: 5_000, backoff: 'off' }));
const host: HostId = scheduler.insert('e.test', 1n);
scheduler.setRule(host, { minDelayMs: 1_000, crawlDelay: { window: { minMs: 1_000, maxMs: 30_000 } } });
scheduler.handleReply(host, { status: 429, headers: new Headers({ 'retry-after': '1' }), started: new Date() }, 0);
scheduler.handleReply(host, { error: 'reset', started: 0, signal: 'challenge' }, 0);
const turns: Turn[] = [scheduler.turn(host, 0), new Pacer().poll(Profile.ibm(), 0)];
const crawl = new Crawl(Profile.rfc9309(), ['A'], 1, 1, 1, 1);
crawl.finish(crawl.enter('https://e.test/', false, 0, 0), { status: 429, signal: 'challenge' }, 0);
export const step: CrawlStep | undefined = crawl.poll(0, 0);
const asked: boolean[] = [robot.allowed('/', { absolute: true }), ...robot.allowedMany(['/'], { absolute: verdict.allowed })];
const polite = politeFetch('ExampleBot', { userAgent: 'ExampleBot/1.0', fetch, maxInFlight: 8 });
export const page: Promise<PoliteResponse> = polite(new URL('https://e.test/'), { method: 'HEAD', signal: AbortSignal.timeout(1) });
export const permit: Promise<Permit> = polite.permit('https://e.test/', { timeoutMs: 1_000 });
export const client = politeGot(polite).hooks.beforeRequest.length;
export const turn: Promise<HostTurn> = plain.wait('https://e.test/', { maxWaitMs: 1_000, signal: AbortSignal.timeout(1) });
turn.then(async (mine) => {
  using same = mine;
  mine.finish(await fetch(same.url, { redirect: 'manual' }));
  mine.finish({ statusCode: 200, headers: {} });
  return mine.allowed || mine.retryAt?.getTime();
});
export const settings: number | null = Profile.google().with({ forbidden: 'disallow', attempts: { everyAddress: { rounds: 1, pauseMs: 1 } } }).access.minTtlMs;
// @ts-expect-error: durations are in milliseconds, and their names say so
new RobotsCache('A', fetch, { timeout: 30 });
// @ts-expect-error: no such setting
Profile.rfc9309().withPace({ minDelay: 5 });
// @ts-expect-error: no such value
Profile.rfc9309().with({ forbidden: 'maybe' });
// @ts-expect-error: no such part
Profile.rfc9309().withPace({ backoff: { levels: { base: 1 } } });
const options = crawleeHooks(polite, { maxRequestRetries: 1, async requestHandler({ request }) {}, async failedRequestHandler({ request }, error) {} });
export const times: number = options.maxRequestRetries;
/** As Crawlee's crawlers take their options. */
interface Context { request: { url: string } }
interface CrawlerOptions {
  maxRequestRetries?: number;
  requestHandler?: (context: Context) => Promise<void>;
  failedRequestHandler?: (context: Context, error: Error) => void | Promise<void>;
  preNavigationHooks?: ((context: Context, options: { timeout?: number }) => void | Promise<void>)[];
}
export class Crawler { constructor(readonly options: CrawlerOptions) {} }
new Crawler(options);
new Crawler(crawleeHooks(polite, { maxRequestRetries: 1 }));
new Crawler({ ...crawleeHooks(polite), async requestHandler({ request }) { request.url.trim(); } });
new Crawler(crawleeHooks(polite, { async requestHandler({ request }) { request.url.trim(); }, preNavigationHooks: [(_, { timeout }) => { timeout?.toFixed(); }] }));
// @ts-expect-error: no such part of a request
new Crawler(crawleeHooks(polite, { async requestHandler({ request }) { request.uri; } }));
export const retries = [new BusyError(), crawleeHooks(polite), turns].map((one) => (one instanceof BusyError ? one.retryAt?.getTime() : one));
export const forbidding = (error: unknown) => (error instanceof DisallowedError ? error.line : undefined);
// @ts-expect-error: each redirect is followed as a page of its own
polite('https://e.test/', { redirect: 'follow' });
// @ts-expect-error: an origin is made by \`of\`
new Origin();
// @ts-expect-error: no such dialect
new Robot('ExampleBot', '', { dialect: 'bing' });
// @ts-expect-error: a verdict is frozen
verdict.allowed = true;
const code: 'OUT_OF_MEMORY' = new OutOfMemoryError('').code;
export { allowed, asked, caches, code, found, init, InvalidTokenError, line };
`,
  );
  writeFileSync(`${installed}/types.cts`, "import { Robot, RobotsTxt } from 'polite-robots';\nimport { lint } from 'polite-robots/author';\nexport const found = lint(new RobotsTxt(''));\nimport { RobotsCache } from 'polite-robots/cache';\nexport const cache = new RobotsCache('a', fetch);\nimport robotsParser = require('@polite-robots/robots-parser');\nexport const robot = new Robot('a', '');\nexport const parser = robotsParser('', '');\n");
  compile(['--types', '', `${installed}/types.mts`, `${installed}/types.cts`]);
});

test('the types take the examples of the READMEs', () => {
  const examples = [[here, 'mjs'], [compat, 'cjs']].flatMap(([from, extension]) => {
    const codes = readFileSync(`${from}README.md`, 'utf8').matchAll(/```js\n(.*?)```/gs);
    return [...codes].map(([, code], index) => {
      const file = `${installed}/example-${index}.${extension}`;
      writeFileSync(file, code);
      return file;
    });
  });
  assert.ok(examples.length >= 10, `${examples.length} examples`);
  // They are JavaScript, and so name no types of parameters.
  compile(['--allowJs', '--checkJs', '--noImplicitAny', 'false', '--types', 'node', '--typeRoots', `${here}node_modules/@types`, ...examples]);
});

/** Reads what these options of TypeScript say, strictly, and throws what is wrong. */
function compile(options) {
  const always = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,esnext.disposable'];
  try {
    execFileSync(process.execPath, [bin('tsc'), ...always, ...options], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(error.stdout);
  }
}

test('publint and attw find nothing', () => {
  for (const cwd of [here, compat]) {
    execFileSync(bin('publint'), ['--strict'], { cwd, stdio: 'pipe' });
    // The drop-in and the whole package resolve under every mode; `slim` has no CommonJS, as `init` is awaited.
    execFileSync(bin('attw'), ['--pack', cwd, '--ignore-rules', 'cjs-resolves-to-esm', '--exclude-entrypoints', './polite_robots.wasm', './polite_robots_author.wasm', './polite_robots_cache.wasm'], { cwd, stdio: 'pipe' });
  }
});

test('the bytes that the entries load, compressed', () => {
  const files = (entry) => `const fs = require('node:fs');
const { readFileSync } = fs;
const read = new Set();
fs.readFileSync = (file, ...options) => (read.add(String(file)), readFileSync(file, ...options));
require('${entry}');
console.log([...new Set([...read, ...Object.keys(require.cache)])].filter((file) => file.includes('/dist/')).join('\\n'));
`;
  const loaded = (entry) => run('loaded.cjs', files(entry)).trim().split('\n').map((file) => readFileSync(file));
  const bundled = (entry) => {
    const out = `${installed}/bundled.js`;
    writeFileSync(`${installed}/whole.js`, `export * from '${entry}';\n`);
    execFileSync(bin('esbuild'), [`${installed}/whole.js`, '--bundle', '--format=esm', `--outfile=${out}`, '--log-level=error']);
    return [readFileSync(out)];
  };
  const size = (contents) => contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
  for (const [title, bytes, most] of [
    ['crawlers in Node.js', size(loaded('polite-robots')), 100_000],
    ['crawlers elsewhere', size(bundled('polite-robots')), 100_000],
    ['authors in Node.js', size(loaded('polite-robots/author')), 374_000],
    ['authors elsewhere', size(bundled('polite-robots/author')), 390_000],
  ]) {
    assert.ok(bytes < most, `${title}: ${bytes} bytes`);
    // The module is among them.
    assert.ok(bytes > 0.8 * most, `${title}: ${bytes} bytes`);
  }
});

test('the packed size', () => {
  // A module is in it as a file and as a text, for ESM and CommonJS alike.
  const { size } = JSON.parse(execFileSync('npm', ['pack', '--json', '--dry-run'], { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))[0];
  assert.ok(size <= 1_600_000, `${size} bytes`);
});

test('the text of each module is its file', () => {
  for (const name of ['polite_robots', 'polite_robots_author', 'polite_robots_cache']) {
    const found = `${installed}/text.cjs`;
    // Without the right to read the file, or in a bundle without it.
    writeFileSync(found, `const fs = require('node:fs');
const { readFileSync } = fs;
fs.readFileSync = (file, ...options) => {
  if (String(file).endsWith('.wasm')) throw new Error('no right to read');
  return readFileSync(file, ...options);
};
const { Module } = WebAssembly;
const { createHash } = require('node:crypto');
WebAssembly.Module = function compiled(bytes) {
  console.log(createHash('sha256').update(bytes).digest('hex'));
  return new Module(bytes);
};
require('polite-robots${{ polite_robots: '', polite_robots_author: '/author', polite_robots_cache: '/cache' }[name]}');
`);
    const printed = execFileSync(process.execPath, [found], { encoding: 'utf8' }).trim().split('\n');
    const file = createHash('sha256').update(readFileSync(`${here}dist/${name}.wasm`)).digest('hex');
    assert.ok(printed.includes(file), name);
  }
});

test('the sizes of the modules, compressed', () => {
  for (const [name, most] of [['polite_robots', 91_000], ['polite_robots_author', 272_000], ['polite_robots_cache', 346_000]]) {
    const { length } = gzipSync(readFileSync(`${here}dist/${name}.wasm`), { level: 9 });
    assert.ok(length < most, `${name}: ${length} bytes`);
  }
});
