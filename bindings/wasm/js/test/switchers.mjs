// Two crawlers of the npm registry, as they are and with a `RobotsCache`: node test/switchers.mjs
//
// Each is asked for an open and a private page of sites whose robots.txt fails in ways that crawlers meet. The servers' log is
// the judge. The page docs/robots-in-my-crawler.md shows what it prints. Run by `.ci/long crawlee`, after `bindings/run wasm`.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const FILE = 'User-agent: *\nDisallow: /private\n';
const HTML = '<!doctype html><title>Sorry</title><p>Please try again later.';

/** The answer of each site for robots.txt, the one of its two pages that may be asked for, and its answers for the pages. */
const SITES = {
  'a file': [(response) => response.end(FILE), ['/open']],
  503: [(response) => response.writeHead(503, { 'retry-after': '120' }).end(), []],
  'a timeout': [() => {}, []],
  '500 with HTML': [(response) => response.writeHead(500, { 'content-type': 'text/html' }).end(HTML), []],
  429: [(response) => response.writeHead(429, { 'retry-after': '60' }).end(), []],
  'a file, and `/open` redirects to `/private`': [(response) => response.end(FILE), ['/open'], (response, path) => (path === '/open' ? response.writeHead(302, { location: '/private' }).end() : page(response))],
  'a redirect to another host': [(response) => response.writeHead(301, { location: `${sites['a file'].base}/robots.txt` }).end(), ['/open']],
};
const PAGES = ['/open', '/private'];
const page = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>A page.</body></html>');

/** The pages that they ask for as they are. */
const ALL_OPEN = { 'a file': ['/open'], 'a file, and `/open` redirects to `/private`': PAGES, 503: PAGES, 'a timeout': PAGES, '500 with HTML': PAGES, 429: PAGES, 'a redirect to another host': ['/open'] };
const TODAY = { '@crawlee/http 3.18.1': ALL_OPEN, '@kazuph/mcp-fetch 1.6.3': ALL_OPEN };

const CRAWLEE = `import { Configuration, HttpCrawler, log } from '@crawlee/http';
log.setLevel(log.LEVELS.OFF);
const pages = process.argv.slice(2);
// BEGIN
const crawler = new HttpCrawler({
  respectRobotsTxtFile: { userAgent: 'ExampleBot' },
// END
  requestHandlerTimeoutSecs: 5,
  navigationTimeoutSecs: 5,
  async requestHandler() {},
}, new Configuration({ persistStorage: false, purgeOnStart: false }));
await crawler.run(pages);
`;

const CRAWLEE_CHANGE = `import { fetcher, RobotsCache } from 'polite-robots/cache';

const robots = new RobotsCache('ExampleBot', fetcher({ userAgent: 'ExampleBot/1.0 (+https://example.com/bot)' }), { timeoutMs: 3_000 });
const crawler = new HttpCrawler({
  preNavigationHooks: [async ({ request }, gotOptions) => {
    const ask = async (url) => {
      const access = await robots.check(url);
      if (access.allowed) return;
      // A closed site is an outage, so keep its pages for access.retryAt, in failedRequestHandler.
      request.noRetry = true;
      throw new Error(String(access));
    };
    await ask(request.url);
    // Each redirect is a page of its own.
    gotOptions.hooks = { beforeRedirect: [({ url }) => ask(url)] };
  }],
`;

const MCP_CHANGE = `import { fetcher, RobotsCache } from 'polite-robots/cache';

const guarded = async (url, init) => {
  const safe = await isSafeUrl(url);
  if (!safe.ok) throw new Error(safe.reason);
  return fetch(url, init);
};
const robots = new RobotsCache('ModelContextProtocol', fetcher({ userAgent: DEFAULT_USER_AGENT_AUTONOMOUS, fetch: guarded }), { timeoutMs: 3_000 });
async function checkRobotsTxt(url) {
  const access = await robots.check(url);
  if (!access.allowed) throw new Error(String(access));
}
`;

/** The line of `safeFollowFetch` before it goes on to the target of a redirect. */
const MCP_REDIRECTS = 'await checkRobotsTxt(next);\n';

const folder = mkdtempSync(`${tmpdir()}/polite-robots-switchers-`);
const sites = {};
let passed = 0;
try {
  for (const [name, [answer, , answerPage = page]] of Object.entries(SITES)) {
    const log = [];
    const server = createServer((request, response) => {
      log.push(request.url);
      request.url === '/robots.txt' ? answer(response) : answerPage(response, request.url);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    sites[name] = { server, log, base: `http://127.0.0.1:${server.address().port}` };
  }
  const crawlers = {
    '@crawlee/http 3.18.1': [install('crawlee', { '@crawlee/http': '3.18.1' }), crawlee],
    '@kazuph/mcp-fetch 1.6.3': [install('mcp', { '@kazuph/mcp-fetch': '1.6.3' }), mcpFetch],
  };
  for (const [name, [project, run]] of Object.entries(crawlers)) {
    const today = await asked(() => run(project, false));
    const changed = await asked(() => run(project, true));
    console.log(`\n| robots.txt of the site | ${name} asks for | with the change |\n|---|---|---|`);
    const list = (paths) => paths.map((path) => `\`${path}\``).join(', ') || 'nothing';
    for (const site of Object.keys(SITES)) {
      console.log(`| ${site} | ${list(today[site])} | ${list(changed[site])} |`);
      assert.deepEqual(changed[site], SITES[site][1], `${name}, ${site}`);
      passed += 1;
    }
    assert.deepEqual(today, TODAY[name], `${name} as it is: the page in docs shows other answers`);
    passed += 1;
  }
} finally {
  Object.values(sites).forEach(({ server }) => {
    server.closeAllConnections();
    server.close();
  });
  rmSync(folder, { recursive: true });
}
console.log(`\n${passed} passed, 0 failed`);

/** The pages that each site was asked for. */
async function asked(run) {
  Object.values(sites).forEach(({ log }) => log.splice(0));
  await run();
  return Object.fromEntries(Object.entries(sites).map(([name, { log }]) => [name, PAGES.filter((page) => log.includes(page))]));
}

/** A project with a crawler and this package, as its user has them. */
function install(name, dependencies) {
  const project = `${folder}/${name}`;
  mkdirSync(project);
  const pack = ['pack', '--json', '--pack-destination', project];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: new URL('../', import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  const manifest = { private: true, type: 'module', dependencies: { ...dependencies, 'polite-robots': `file:${filename}` } };
  writeFileSync(`${project}/package.json`, JSON.stringify(manifest));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  return project;
}

async function crawlee(project, isChanged) {
  const script = isChanged ? CRAWLEE.replace(/\/\/ BEGIN\n.*\/\/ END\n/s, () => CRAWLEE_CHANGE) : CRAWLEE;
  writeFileSync(`${project}/crawl.js`, script);
  // Each site for itself, as Crawlee waits a minute for a robots.txt, and asks for the pages then.
  const crawls = Object.values(sites).map(({ base }) =>
    promisify(execFile)(process.execPath, ['crawl.js', ...PAGES.map((page) => base + page)], { cwd: project, timeout: 400_000 }),
  );
  await Promise.all(crawls);
}

async function mcpFetch(project, isChanged) {
  const script = `${project}/node_modules/@kazuph/mcp-fetch/dist/index.js`;
  cpSync(script, `${script}.orig`, { force: false });
  const original = readFileSync(`${script}.orig`, 'utf8');
  const [theirs] = /async function checkRobotsTxt\(.*?\n}\n/s.exec(original);
  writeFileSync(script, isChanged ? original.replace(theirs, () => MCP_CHANGE).replace('current = next;', (go) => `${MCP_REDIRECTS}${go}`) : original);
  // The guard against addresses of the own network would refuse the sites of this test.
  const server = spawn(process.execPath, [script], { cwd: project, env: { ...process.env, MCP_FETCH_DISABLE_SSRF_GUARD: '1' }, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const say = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answer = async (id) => {
    for (;;) {
      const { value, done } = await answers.next();
      assert.ok(!done, 'the server goes on');
      const message = JSON.parse(value);
      if (message.id === id) {
        return message;
      }
    }
  };
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
  await answer(0);
  say({ method: 'notifications/initialized' });
  let id = 0;
  for (const { base } of Object.values(sites)) {
    for (const page of PAGES) {
      id += 1;
      say({ id, method: 'tools/call', params: { name: 'imageFetch', arguments: { url: base + page, images: false } } });
      await answer(id);
    }
  }
  server.kill();
}
