// The package as it is published, in a real browser: node test/browsers.mjs
//
// BROWSER=firefox takes Firefox, EXECUTABLE another program. Run by `.ci/long tester`, whose packages have the driver.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(new URL('../../tester/package.json', import.meta.url));
const puppeteer = (await import(pathToFileURL(require.resolve('puppeteer-core')).href)).default;

const name = process.env.BROWSER ?? 'chrome';
const programs = name === 'firefox' ? ['/usr/bin/firefox-esr', '/usr/bin/firefox'] : ['/usr/bin/chromium', '/usr/bin/google-chrome'];
const executablePath = process.env.EXECUTABLE ?? programs.find(existsSync);
if (!executablePath) {
  console.error(`${name} is not installed`);
  process.exit(2);
}

const folder = mkdtempSync(`${tmpdir()}/polite-robots-browsers-`);
const [{ filename }] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: new URL('../', import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
);
mkdirSync(`${folder}/node_modules/polite-robots`, { recursive: true });
execFileSync('tar', ['xzf', `${folder}/${filename}`, '-C', `${folder}/node_modules/polite-robots`, '--strip-components=1']);

/** Questions to every part of the package, whose answers the page shows. */
const QUESTIONS = `
  const { GroupBuilder, lint, Robot, RobotsTxt, RobotsTxtBuilder, toCanonical } = polite;
  const file = 'User-agent: *\\nDisallow: /a\\nAllow: /a/b\\nDisalow: /caf\\u00e9\\n';
  const robot = new Robot('ExampleBot', file);
  const large = new RobotsTxt(file + '# ' + 'x'.repeat(1e6));
  return {
    allowed: ['/a', '/a/b', new URL('https://e.test/caf%C3%A9'), '/caf\\u00e9'].map((url) => robot.allowed(url)),
    many: robot.allowedMany(['/a', '/b']),
    line: robot.check('https://e.test/a?b').line,
    large: large.robot('ExampleBot').allowed('/a'),
    codes: lint(new RobotsTxt(new TextEncoder().encode(file))).map(({ code }) => code),
    canonical: new TextDecoder().decode(toCanonical(new RobotsTxt('user-agent:a\\ndisallow:/'))),
    built: new RobotsTxtBuilder().group(new GroupBuilder('*').disallow({ prefix: '/x' })).build(),
  };`;
const ANSWERS = {
  allowed: [false, true, false, false],
  many: [false, true],
  line: 2,
  large: false,
  codes: ['misspelled-field', 'non-ascii-in-path'],
  canonical: 'User-agent: a\nDisallow: /\n',
  built: 'User-agent: *\nDisallow: /x\n',
};

/** The answers of a browser's own `fetch` to the robots.txt of this server, and to one that redirects it. */
const CACHED = `
  const { fetcher, InvalidUrlError, RobotsCache } = cache;
  const ask = async (robots, url) => {
    const { allowed, closed, cause, line } = await robots.check(url);
    return [allowed, closed, cause ?? null, line ?? null];
  };
  const robots = new RobotsCache('ExampleBot', fetch);
  return {
    open: await ask(robots, location.origin + '/open'),
    private: await ask(new RobotsCache('ExampleBot', fetcher()), location.origin + '/private'),
    moved: await ask(robots, MOVED),
    error: await robots.check('/a').catch((error) => error instanceof InvalidUrlError),
  };`;
const CACHED_ANSWERS = { open: [true, false, null, null], private: [false, false, null, 2], moved: [false, true, 'opaque_redirect', null], error: true };

// Another site, which any page may ask.
const moved = createServer((request, response) => {
  const permission = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  request.method === 'OPTIONS' ? response.writeHead(204, permission).end() : response.writeHead(301, { ...permission, location: '/moved.txt' }).end();
}).listen(0, '127.0.0.1');
await once(moved, 'listening');

const shown = 'window.answers = answers; document.title = "done";';
const WHOLE = "import * as rules from 'polite-robots';\nimport * as author from 'polite-robots/author';\nconst polite = { ...rules, ...author };\n";
const PAGES = {
  // The whole package in one classic script.
  script: `${WHOLE}const answers = (() => {${QUESTIONS}\n})();\n${shown}`,
  // The two modules as files of a server.
  slim: `import * as polite from 'polite-robots/slim';
await polite.init(fetch('./node_modules/polite-robots/dist/polite_robots.wasm'));
await polite.initAuthor('./node_modules/polite-robots/dist/polite_robots_author.wasm');
const answers = (() => {${QUESTIONS}\n})();\n${shown}`,
  cache: `import * as cache from 'polite-robots/cache';
const MOVED = 'http://127.0.0.1:${moved.address().port}/a';\n(async () => {${CACHED}\n})().then((answers) => { ${shown} });`,
  // Everything in a worker.
  worker: `const worker = new Worker('./worker-script.js');\nworker.onmessage = ({ data: answers }) => { ${shown} };`,
  'worker-script': `${WHOLE}postMessage((() => {${QUESTIONS}\n})());`,
};
for (const [page, source] of Object.entries(PAGES)) {
  const isModule = page === 'slim';
  await build({ stdin: { contents: source, resolveDir: folder }, bundle: true, format: isModule ? 'esm' : 'iife', target: 'es2022', outfile: `${folder}/${page}.js`, logLevel: 'error' });
  writeFileSync(`${folder}/${page}.html`, `<!doctype html><meta charset="utf-8"><title>not yet</title><script src="./${page}.js"${isModule ? ' type="module"' : ''}></script>`);
}

const TYPES = { '.html': 'text/html', '.txt': 'text/plain', '.js': 'text/javascript', '.wasm': 'application/wasm' };
writeFileSync(`${folder}/robots.txt`, 'User-agent: *\nDisallow: /private\n');
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, origin);
  const path = `${folder}${pathname}`;
  if (!existsSync(path)) {
    response.writeHead(404).end();
    return;
  }
  const policy = searchParams.has('policy') ? { 'content-security-policy': `script-src 'self' ${searchParams.get('policy')}` } : {};
  response.writeHead(200, { 'content-type': TYPES[extname(path)], ...policy }).end(readFileSync(path));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await puppeteer.launch({ browser: name, executablePath, args: name === 'chrome' ? ['--no-sandbox'] : [], protocolTimeout: 300_000 });
try {
  for (const address of [`${pathToFileURL(folder).href}/script.html`, `${origin}/script.html`, `${origin}/script.html?policy='wasm-unsafe-eval'`, `${origin}/slim.html`, `${origin}/worker.html`, `${origin}/cache.html`]) {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && errors.push(message.text()));
    await page.goto(address);
    await page.waitForFunction(() => document.title === 'done', { timeout: 60_000 }).catch((error) => {
      throw new Error(`${address}: ${errors.join('; ')}`, { cause: error });
    });
    assert.deepEqual(await page.evaluate(() => window.answers), address.endsWith('cache.html') ? CACHED_ANSWERS : ANSWERS, address);
    await page.close();
  }
  const refused = await browser.newPage();
  const error = new Promise((resolve) => refused.on('pageerror', resolve));
  await refused.goto(`${origin}/script.html?policy=`);
  assert.match(String(await error), /CompileError|Content Security Policy/);
  console.log(`${await browser.version()}: a script from a file and from a server, a policy with wasm-unsafe-eval, own loading, a worker and a cache give the answers`);
} finally {
  await browser.close();
  server.close();
  moved.close();
  rmSync(folder, { recursive: true });
}
