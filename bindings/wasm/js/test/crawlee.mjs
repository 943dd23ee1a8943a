// Crawlee with the drop-in in the place of robots-parser, by `overrides` of npm: node test/crawlee.mjs
//
// Two projects crawl a site of this machine with Crawlee's own crawler, one as it is installed, one with the drop-in. The second
// one crawls with `crawleeHooks` too, also beside handlers of its own. The server's log is the judge. Run by `bindings/run crawlee` and by `.ci/long crawlee`.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const CRAWLEE = '3.18.1';
const AGENT = 'ExampleBot';

/** Pages with a rule's answer: right is what the line of the rule says, so that no library is the judge. */
const SITE = {
  robots: `User-agent: OtherBot
Disallow: /

User-agent: ${AGENT}
Disallow: /private/
Allow: /private/open/
Disallow: /*.pdf$
Disallow: /*?session=
Disallow: /caf%C3%A9
Allow: /caf%C3%A9/menu

User-agent: *
Disallow: /open/
`,
  fetched: ['/', '/open/1', '/private/open/1', '/a.pdf?x=1', '/list?page=1', '/caf%C3%A9/menu', ...many('/open/page-', 100)],
  closed: ['/private/1', '/private/', '/a.pdf', '/deep/b.pdf', '/list?session=1', '/caf%C3%A9', ...many('/private/page-', 100)],
};

/** One pattern that is slow for robots-parser, and pages that it is compared with. */
const HOSTILE = {
  robots: `User-agent: *\nDisallow: /${'*a'.repeat(1_000)}b\n`,
  fetched: ['/', ...many(`/${'a'.repeat(2_000)}`, 20)],
  closed: [`/${'a'.repeat(2_000)}b`],
};

const CRAWL = `import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
log.setLevel(log.LEVELS.ERROR);
const skipped = [];
const crawler = new CheerioCrawler({
  respectRobotsTxtFile: { userAgent: '${AGENT}' },
  maxRequestRetries: 0,
  onSkippedRequest: ({ url }) => { skipped.push(url); },
  async requestHandler({ enqueueLinks }) { await enqueueLinks({ strategy: 'same-origin' }); },
}, new Configuration({ persistStorage: false, purgeOnStart: false }));
const start = performance.now();
const { requestsFinished, requestsFailed } = await crawler.run([process.argv[2] + process.argv[3]]);
console.log(JSON.stringify({ requestsFinished, requestsFailed, skipped: skipped.length, ms: Math.round(performance.now() - start) }));
`;

/** The same crawler, whose pages wait for the turns of their host. */
const GAP = 30;
const POLITE_CRAWL = `import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { crawleeHooks, politeFetch, Profile } from 'polite-robots/crawl';
log.setLevel(log.LEVELS.OFF);
const polite = politeFetch('${AGENT}', { profile: Profile.rfc9309().withPace({ minDelayMs: ${GAP} }) });
const crawler = new CheerioCrawler({
  ...crawleeHooks(polite),
  async requestHandler({ enqueueLinks }) { await enqueueLinks({ strategy: 'same-origin' }); },
}, new Configuration({ persistStorage: false, purgeOnStart: false }));
const start = performance.now();
const { requestsFinished, requestsFailed } = await crawler.run([process.argv[2] + process.argv[3]]);
console.log(JSON.stringify({ requestsFinished, requestsFailed, ms: Math.round(performance.now() - start) }));
`;

/** Pages that break off, redirect, or are written so that clients read them in two ways, and those that may be asked for. */
const ODD = {
  robots: 'User-agent: *\nDisallow: /private\nDisallow: /*.pdf$\n',
  asked: ['/1', '/reset', '/2', '/image', '/hop', '/hop/open', '/hop/pdf', '/C:/../private', '/c|/../private', '/\\/../private', '/3'],
  fetched: ['/1', '/reset', '/2', '/image', '/hop', '/hop/open', '/hop/pdf', '/open', '/3'],
  handled: ['/1', '/2', '/3', '/hop/open'],
  // As the handler of the user gets them: path, code, whether another try is no use.
  failed: [['//private', 'DISALLOWED', true], ['/hop', 'DISALLOWED', true], ['/hop/pdf', 'DISALLOWED', true], ['/image', null, true], ['/private', 'DISALLOWED', true], ['/private', 'DISALLOWED', true], ['/reset', null, false]],
  answers: {
    '/reset': (request) => request.socket.resetAndDestroy(),
    // Crawlee refuses it before any hook after the navigation is called.
    '/image': (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(),
    '/hop': redirect('/private/hop'),
    '/hop/open': redirect('/open'),
    '/hop/pdf': redirect('/a.pdf'),
  },
};

/** Handlers of one's own: given to the hooks, or set after them, where they replace the hooks' own. */
const OWN = `async failedRequestHandler({ request }, error) { failed.push([new URL(request.url).pathname, error.code, request.noRetry]); },
  async errorHandler() { retried += 1; }`;
const OWN_HANDLERS = {
  'handlers given to the hooks': `...crawleeHooks(polite, {
    ${OWN},
    preNavigationHooks: [({ request }) => { hooks.push('before ' + request.url.slice(base.length)); }],
    postNavigationHooks: [({ request }) => { hooks.push('after ' + request.url.slice(base.length)); }],
  })`,
  'handlers behind the hooks': `...crawleeHooks(polite), ${OWN}`,
};
const ownCrawl = (options) => `import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { crawleeHooks, politeFetch, Profile } from 'polite-robots/crawl';
log.setLevel(log.LEVELS.OFF);
const [base, ...paths] = process.argv.slice(2);
const [failed, hooks] = [[], []];
let retried = 0;
const polite = politeFetch('${AGENT}', { profile: Profile.rfc9309().withPace({ minDelayMs: ${GAP} }), maxWaitMs: 15_000 });
const crawler = new CheerioCrawler({
  maxRequestRetries: 0,
  maxSessionRotations: 0,
  navigationTimeoutSecs: 3,
  ${options},
  requestHandler() {},
}, new Configuration({ persistStorage: false, purgeOnStart: false }));
const start = performance.now();
const { requestsFinished, requestsFailed } = await crawler.run(paths.map((path) => ({ url: base + path, uniqueKey: path })));
console.log(JSON.stringify({ failed, hooks, retried, requestsFinished, requestsFailed, ms: Math.round(performance.now() - start) }));
`;

/** The recipe of the page, with the address of the server and without the log. */
const page = readFileSync(new URL('../../../../docs/robots-in-my-crawler.md', import.meta.url), 'utf8');
const [, shown] = /```js\n(import \{ CheerioCrawler \}.*?)```/s.exec(page);
const RECIPE = {
  robots: 'User-agent: *\nDisallow: /private\n',
  fetched: ['/open'],
  answers: { '/open': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('a page') },
  program: `import { log } from '@crawlee/cheerio';\nlog.setLevel(log.LEVELS.OFF);\nconst [, , base] = process.argv;\n${shown.replaceAll(/'https:\/\/example\.com(\/open|\/private)'/g, "base + '$1'")}`,
};

const folder = mkdtempSync(`${tmpdir()}/polite-robots-crawlee-`);
try {
  const tarball = (from) =>
    JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: new URL(from, import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))[0].filename;
  const overrides = { 'robots-parser': `file:../${tarball('../../js-compat/')}`, 'polite-robots': `file:../${tarball('../')}` };
  const projects = { 'robots-parser': install('theirs', undefined), 'the drop-in': install('ours', overrides) };
  for (const [title, site] of Object.entries({ 'a site with rules': SITE, 'a site with a hostile pattern': HOSTILE })) {
    for (const [parser, project] of Object.entries(projects)) {
      const { log, times: _, ...figures } = await crawl(project, site);
      // Each page once, and no other: what is not fetched was closed, as each page links to all.
      assert.deepEqual(log.sort(), ['/robots.txt', ...site.fetched].sort(), `${parser}, ${title}`);
      assert.deepEqual([figures.requestsFinished, figures.requestsFailed], [site.fetched.length, 0]);
      assert.ok(figures.skipped >= site.closed.length, `${figures.skipped} skipped`);
      console.log(`${title}, ${parser}: ${log.length - 1} pages fetched, ${site.closed.length} left alone, ${figures.ms} ms`);
    }
  }
  const { log, times, ...figures } = await crawl(projects['the drop-in'], SITE, 'polite.js');
  assert.deepEqual(log.sort(), ['/robots.txt', ...SITE.fetched].sort(), 'with turns');
  assert.deepEqual([figures.requestsFinished, figures.requestsFailed], [SITE.fetched.length, SITE.closed.length]);
  const shortest = Math.min(...times.slice(1).map(({ start }, index) => start - times[index].end));
  // The server hears of a request a moment after it was sent.
  assert.ok(shortest >= GAP - 5, `a gap of ${shortest} ms`);
  console.log(`a site with rules, with turns: ${log.length - 1} pages fetched, no gap below ${Math.floor(shortest)} ms, ${figures.ms} ms`);
  for (const [title, options] of Object.entries(OWN_HANDLERS)) {
    writeFileSync(`${projects['the drop-in']}/own.js`, ownCrawl(options));
    const { log, failed, hooks, retried, ms } = await crawl(projects['the drop-in'], ODD, 'own.js', ODD.asked);
    assert.deepEqual(log.sort(), ['/robots.txt', ...ODD.fetched].sort(), title);
    assert.deepEqual([failed.sort(), retried], [ODD.failed, 0], title);
    if (title === 'handlers given to the hooks') {
      const [before, after] = ['before', 'after'].map((place) => hooks.filter((call) => call.startsWith(place)).map((call) => call.slice(place.length + 1)).sort());
      assert.deepEqual([before, after], [ODD.asked.toSorted(), ODD.handled], title);
    }
    console.log(`odd pages, ${title}: ${log.length - 1} asked for, ${failed.length} failed, ${ms} ms`);
    // A page that broke off keeps no other waiting: a turn that it had kept would be free after half a minute.
    writeFileSync(`${projects['the drop-in']}/own.js`, ownCrawl(options).replace('TimeoutSecs: 3', 'TimeoutSecs: 30'));
    const broken = await crawl(projects['the drop-in'], ODD, 'own.js', ['/1', '/reset', '/2', '/3']);
    assert.deepEqual([broken.log.sort(), broken.failed, broken.requestsFinished], [['/1', '/2', '/3', '/reset', '/robots.txt'], [['/reset', null, false]], 3], title);
    assert.ok(broken.ms < 15_000, `${broken.ms} ms`);
    console.log(`one page of four breaks off, ${title}: ${broken.requestsFinished} read, ${broken.ms} ms`);
  }
  const recipe = await crawl(projects['the drop-in'], RECIPE, 'recipe.js');
  assert.deepEqual(recipe.log, ['/robots.txt', '/open']);
  assert.deepEqual(recipe.times.map(({ agent }) => agent), Array(2).fill('ExampleBot/1.0 (+https://example.com/bot)'));
  // A rule is known before the page has its turn.
  const [opened, refused] = recipe.stdout.split('\n').sort().filter((line) => line !== '');
  assert.match(opened, /^http:\/\/127\.0\.0\.1:\d+\/open a page$/);
  assert.match(refused, /^http:\/\/127\.0\.0\.1:\d+\/private is disallowed by line 2: Disallow: \/private .* undefined$/);
  console.log('the recipe of docs/robots-in-my-crawler.md: right');
} finally {
  rmSync(folder, { recursive: true });
}

/** A project with Crawlee, as its user has it. */
function install(name, overrides) {
  const project = `${folder}/${name}`;
  mkdirSync(project);
  const manifest = { private: true, type: 'module', dependencies: { '@crawlee/cheerio': CRAWLEE }, overrides };
  writeFileSync(`${project}/package.json`, JSON.stringify(manifest));
  writeFileSync(`${project}/crawl.js`, CRAWL);
  writeFileSync(`${project}/polite.js`, POLITE_CRAWL);
  writeFileSync(`${project}/recipe.js`, RECIPE.program);
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  const list = JSON.parse(execFileSync('npm', ['ls', '--json', '--all', 'robots-parser'], { cwd: project, encoding: 'utf8' }));
  const parser = find(list, 'robots-parser');
  assert.equal(parser?.resolved?.includes('polite-robots') ?? false, overrides !== undefined, JSON.stringify(parser));
  return project;
}

function find({ dependencies = {} }, name) {
  return dependencies[name] ?? Object.values(dependencies).map((one) => find(one, name)).find(Boolean);
}

/** The figures of a crawl, and the paths that the server was asked for. */
async function crawl(project, { robots, fetched, closed = [], answers = {} }, program = 'crawl.js', paths = ['/']) {
  const [log, times] = [[], []];
  const links = [...fetched, ...closed].map((path) => `<a href="${path}">x</a>`).join('\n');
  const server = createServer((request, response) => {
    log.push(request.url);
    const time = { start: performance.now(), agent: request.headers['user-agent'] };
    times.push(time);
    response.on('finish', () => (time.end = performance.now()));
    const isRobots = request.url === '/robots.txt';
    if (answers[request.url] !== undefined) {
      return answers[request.url](request, response);
    }
    response.writeHead(200, { 'content-type': isRobots ? 'text/plain' : 'text/html' });
    response.end(isRobots ? robots : `<!doctype html><title>x</title>\n${links}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const base = `http://127.0.0.1:${server.address().port}`;
    const { stdout } = await promisify(execFile)(process.execPath, [program, base, ...paths], { cwd: project });
    return { log, times, stdout, ...(program === 'recipe.js' ? {} : JSON.parse(stdout)) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function redirect(location) {
  return (_, response) => response.writeHead(302, { location }).end();
}

function many(prefix, count) {
  return Array.from({ length: count }, (_, number) => `${prefix}${number}`);
}
