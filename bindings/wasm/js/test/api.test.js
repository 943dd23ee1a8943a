// The interface: arguments, errors, memory, other calls than questions.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';

import * as author from '../dist/author-node.js';
import * as inlineAuthor from '../dist/author.js';
import { Origin } from '../dist/cache-node.js';
import * as inline from '../dist/index.js';
import * as esm from '../dist/node.js';
import * as slim from '../dist/slim.js';

const { GroupBuilder, lint, RobotsTxtBuilder, toCanonical } = author;
const { InvalidRecordError, InvalidTokenError, InvalidUrlError, Robot, RobotsTxt, productToken, robotsUrl } = esm;
const require = createRequire(import.meta.url);
const FILE = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2.5\nRequest-rate: 2/10\nSitemap: https://e.test/s.xml\nHost: e.test\n';

test('both kinds of import share one module', () => {
  assert.equal(require('../dist/node.cjs').Robot, Robot);
  assert.equal(require('../dist/author-node.cjs').GroupBuilder, GroupBuilder);
  const names = (...entries) => [...new Set(entries.flatMap(Object.keys))].sort();
  for (const [commonJs, script, node] of [['index', inline, esm], ['author', inlineAuthor, author]]) {
    assert.deepEqual(names(script), names(node));
    assert.deepEqual(names(require(`../dist/${commonJs}.cjs`)), names(node));
  }
  assert.deepEqual(names(slim), names(esm, author, { init: 1, initAuthor: 1, initAuthorSync: 1, initSync: 1 }));
  assert.equal(author.InvalidRecordError, InvalidRecordError);
});

test('a file is text or bytes of any kind', () => {
  const bytes = new TextEncoder().encode(FILE);
  const padded = new Uint8Array([0, 0, ...bytes, 0]).subarray(2, -1);
  for (const file of [FILE, bytes, padded, bytes.buffer, new DataView(bytes.buffer), Buffer.from(FILE)]) {
    assert.equal(new Robot('ExampleBot', file).allowed('/a'), false);
    assert.equal(new RobotsTxt(file).robot('ExampleBot').allowed('/a'), false);
  }
  // Half of a surrogate pair is no error.
  assert.equal(new Robot('ExampleBot', '\ud800\nUser-agent: *\nDisallow: /\udc00').allowed('/a\ud800'), true);
});

test('a question is about text or a URL', () => {
  const robot = new Robot('ExampleBot', FILE);
  for (const url of ['https://e.test/a', new URL('https://e.test/a'), '/a', '/a'.padEnd(2_730, 'x'), '/a'.padEnd(2_731, 'x'), '/a'.padEnd(5_000, 'é'), '/aé', '/a\ud800']) {
    assert.equal(robot.allowed(url), false, String(url));
    assert.equal(robot.check(url).line, 2, String(url));
  }
  assert.deepEqual(robot.allowedMany(new Set(['/a', new URL('https://e.test/b')])), [false, true]);
  assert.deepEqual(robot.allowedMany([]), []);
  assert.deepEqual(robot.allowedMany(['']), [true]);
  assert.deepEqual(robot.allowedMany(['', '/a', '']), [true, false, true]);
  assert.deepEqual(robot.allowedMany(['/b\n/a', '/a']), [true, false]);
  for (const odd of ['/b\n/a', `/b${'x'.repeat(70_000)}`]) {
    for (const count of [3, 4_000, 4_095, 9_000]) {
      const urls = Array.from({ length: count }, (_, index) => (index % 3 === 0 ? '/a' : '/é'));
      urls.splice(count / 2, 0, odd);
      assert.deepEqual(robot.allowedMany(urls), urls.map((url) => robot.allowed(url)), `${odd.length} ${count}`);
    }
  }
  for (const url of [undefined, null, 1, {}]) {
    assert.throws(() => robot.allowed(url), TypeError);
    assert.throws(() => robot.check(url), TypeError);
    assert.throws(() => robot.allowedMany([url]), TypeError);
  }
});

test('a URL is read as `fetch` sends it, by every way to ask', () => {
  const file = 'User-agent: *\nDisallow: /search';
  const robot = new Robot('ExampleBot', file);
  const dropIn = require('../../js-compat/index.js')('https://e.test/robots.txt', file);
  const spellings = ['//e.test/a/../search', '//e.test/./search', '\\\\e.test\\search', '//e.test/\tsearch', '//e.test/a/%2e%2e/search', '/e.test/search', '///e.test/a\\..\\search', '//u@e.test:443/a/.%2E/search'];
  const urls = spellings.map((rest) => `https:${rest}`);
  for (const url of [...urls, ...urls.map((text) => new URL(text))]) {
    assert.equal(new URL(url).pathname, '/search');
    assert.equal(robot.allowed(url), false, String(url));
    assert.equal(robot.check(url).line, 2, String(url));
    assert.equal(dropIn.isAllowed(url, 'ExampleBot'), false, String(url));
    assert.equal(dropIn.getMatchingLineNumber(url, 'ExampleBot'), 2, String(url));
  }
  assert.deepEqual(robot.allowedMany(urls), urls.map(() => false));
  assert.deepEqual(robot.allowedMany(urls.map((text) => new URL(text))), urls.map(() => false));
  // A path alone has no blanks that `fetch` would remove.
  for (const path of ['/a/../search', '/./search', '\\search', '/a/%2e%2e/search', '/a\\..\\search']) {
    assert.equal(robot.allowed(path), false, path);
  }
});

/** Texts of hostile parts: drive letters, backslashes, dots in every spelling, blanks, users, ports. */
function* hostileUrls(count) {
  let random = 11;
  const pick = (list) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((random / 2 ** 32) * list.length)];
  };
  const parts = ['/..', '/../', '\\../', '\\/../', '/', '\\', '..', '.', '/%2e%2e/', '/.%2E', '%5c', '%2f', '/C:/', '/c|', 'private', 'private', '/private', '/private', 'a', '//', '\t', ' ', '\u00e9', ';', '%', '|', '@'];
  for (let index = 0; index < count; index += 1) {
    const path = Array.from({ length: 1 + (index % 7) }, () => pick(parts)).join('');
    yield `${pick(['http:', 'HTTPS:', 'https:'])}${pick(['//', '//', '/', '\\\\', '///'])}${pick(['', '', 'u@', 'u:p@'])}h${pick(['', '', ':80', ':8080'])}${pick(['/', '/', '\\', '//'])}${path}${pick(['', '', '?/../private', '#/private', '?\\'])}`;
  }
}

test('a text is never more open than the request that `fetch` sends for it', () => {
  const robot = new Robot('ExampleBot', 'User-agent: *\nDisallow: /private');
  let [asked, closed, stricter] = [0, 0, 0];
  for (const text of hostileUrls(20_000)) {
    let url;
    try {
      url = new URL(text);
    } catch {
      continue;
    }
    const [byText, bySent] = [robot.allowed(text), robot.allowed(url)];
    // The judge knows paths that `fetch` sends, and reads no URL.
    assert.equal(bySent, !url.pathname.startsWith('/private'), text);
    const hasTwoReadings = text.slice(text.indexOf('h', 5)).replace(/[?#].*/s, '').includes('\\');
    assert.ok(byText === bySent || (hasTwoReadings && bySent), `${JSON.stringify(text)}: ${byText}, and ${url.href}: ${bySent}`);
    [asked, closed, stricter] = [asked + 1, closed + !bySent, stricter + (byText !== bySent)];
  }
  assert.ok(asked > 15_000 && closed > 1_000 && stricter > 100, `${asked} asked, ${closed} closed, ${stricter} by the second reading`);
});

test('a question about a link that is not resolved', () => {
  const robot = new Robot('ExampleBot', 'User-agent: *\nDisallow: /private');
  // The first word would be a host.
  assert.equal(robot.allowed('private/x'), true);
  for (const link of ['private/x', 'private', '', '../private', '?x', '#x', '/\tprivate', ' /private', '\u0000/private', 'www.e.test/private']) {
    for (const ask of [(url) => robot.allowed(url, { absolute: true }), (url) => robot.check(url, { absolute: true }), (url) => robot.allowedMany(['/', url], { absolute: true })]) {
      assert.throws(() => ask(link), (error) => error instanceof InvalidUrlError && error.url === link && !error.message.includes('Target'), link);
    }
  }
  assert.throws(() => robot.allowed('private/x', { absolute: true }), /resolve the link against the URL of its page/);
  for (const url of ['https://e.test/private/x', new URL('https://e.test/private'), '/private', '/private/'.padEnd(9_000, 'x'), ' https://e.test/\tprivate']) {
    assert.equal(robot.allowed(url, { absolute: true }), false);
    assert.equal(robot.check(url, { absolute: true }).line, 2);
    assert.deepEqual(robot.allowedMany([url, url], { absolute: true }), [false, false]);
  }
  assert.equal(robot.allowed('private/x', {}), true);
});

test('a URL that is asked after the memory grew', () => {
  const robot = new Robot('ExampleBot', FILE);
  assert.equal(robot.allowed('/a'), false);
  const large = new RobotsTxt(`User-agent: *\n${'Disallow: /x\n'.repeat(1_000_000)}`);
  assert.equal(robot.allowed('/a'), false);
  assert.equal(large.robot('ExampleBot').allowed('/x'), false);
  large.free();
  assert.equal(robot.allowed('/b'), true);
});

test('files around the size of the place that they are written to', () => {
  for (const letter of ['x', '\u00e9', '\u4e2d']) {
    for (const bytes of [65_535, 65_537, 196_600, 196_608, 196_609, 300_000]) {
      const units = Math.ceil(bytes / Buffer.byteLength(letter));
      const text = `#${letter.repeat(units)}\nUser-agent: ExampleBot\nDisallow: /${letter}`;
      for (const file of [text, Buffer.from(text)]) {
        const document = new RobotsTxt(file);
        assert.equal(Buffer.from(document.bytes).toString(), text);
        assert.equal(new Robot('ExampleBot', file).check(`/${letter}`).line, 3);
        assert.throws(() => new Robot('Example Bot', file), InvalidTokenError);
        document.free();
      }
    }
  }
  const urls = Array.from({ length: 20_000 }, (_, index) => `/${index}\u00e9`);
  assert.ok(new Robot('ExampleBot', 'User-agent: *\nDisallow: /').allowedMany(urls).every((answer) => !answer));
});

test('arguments that use the module themselves', () => {
  const nested = { get dialect() { new Robot('OtherBot', 'User-agent: *\nDisallow: /other'); return 'google'; } };
  const robot = new Robot('ExampleBot', FILE, nested);
  assert.deepEqual([robot.allowed('/a'), robot.allowed('/other')], [false, true]);
});

test('objects that lie about themselves', async () => {
  const { runInNewContext } = await import('node:vm');
  const robot = new Robot('ExampleBot', FILE);
  const bytes = new TextEncoder().encode(FILE);
  for (const length of [5, 5_000]) {
    Object.defineProperty(bytes, 'length', { value: length, configurable: true });
    assert.deepEqual(Buffer.from(new RobotsTxt(bytes).bytes).toString(), FILE);
  }
  const url = new URL('https://e.test/a');
  Object.defineProperty(url, 'href', { value: 5 });
  assert.throws(() => robot.check(url), TypeError);
  // An object of another realm.
  assert.equal(new Robot('ExampleBot', runInNewContext(`new TextEncoder().encode(${JSON.stringify(FILE)})`, { TextEncoder })).allowed('/a'), false);
  assert.equal(new Robot('ExampleBot', runInNewContext('new Uint8Array([35, 10])')).allowed('/a'), true);
  assert.equal(robot.allowed({ [Symbol.toStringTag]: 'URL', href: '/a' }), false);
  assert.throws(() => robot.allowedMany('/a'), /a list of strings and URLs/);
  assert.throws(() => robot.allowedMany(5), /a list of strings and URLs/);
  // An argument that frees the robot before it is asked.
  const doomed = new Robot('ExampleBot', FILE);
  const freeing = { [Symbol.toStringTag]: 'URL', get href() { doomed.free(); return '/a'; } };
  assert.throws(() => doomed.check(freeing), /was freed/);
  const group = new GroupBuilder('*');
  group.free();
  assert.throws(() => new RobotsTxtBuilder().group(group), /was freed/);
});

test('the parts of a robot', () => {
  const robot = new Robot('ExampleBot', FILE);
  assert.equal(robot.agentMatch, 'wildcard');
  assert.deepEqual(robot.groupLines, [1]);
  assert.equal(robot.crawlDelay, 2.5);
  assert.deepEqual(robot.requestRates, [{ documents: 2, seconds: 10 }]);
  assert.deepEqual(robot.sitemaps, ['https://e.test/s.xml']);
  assert.deepEqual(
    robot.rules.map(({ access, pattern, line }) => [access, pattern, line]),
    [['allow', '/a/b', 3], ['disallow', '/a', 2]],
  );
  assert.equal(robot.namedOnly().allowed('/a'), true);
  assert.ok(Object.isFrozen(robot.check('/a')) && Object.isFrozen(robot.rules[0]));
});

test('the parts of a document', () => {
  const document = new RobotsTxt(FILE);
  assert.equal(document.host, 'e.test');
  assert.deepEqual([document.dialect, new RobotsTxt(FILE, { dialect: 'google' }).dialect], ['rfc9309', 'google']);
  assert.equal(document.truncatedAt, undefined);
  assert.equal(new RobotsTxt(FILE, { maxBytes: 30 }).truncatedAt, 27);
  assert.deepEqual(Buffer.from(document.bytes).toString(), FILE);
  assert.equal(document.robotMerged(['ExampleBot', 'OtherBot']).allowed('/a'), false);
  assert.equal(document.robotFirst(['ExampleBot', 'OtherBot']).allowed('/a'), false);
  assert.equal(new RobotsTxt('Clean-param: ref /').cleanUrl('/a?ref=1&x=2'), '/a?x=2');
  const canonical = new TextDecoder().decode(toCanonical(new RobotsTxt('user-agent:a #x\ndisallow:/'), { comments: 'drop' }));
  assert.equal(canonical, 'User-agent: a\nDisallow: /\n');
});

test('findings, with the one about a limit', () => {
  const codes = (file, options) => lint(new RobotsTxt(file, options)).map(({ code }) => code);
  assert.deepEqual(codes('User-agent: *\nDisalow: /x\n'), ['misspelled-field']);
  assert.ok(codes(`User-agent: *\nDisallow: /x\n${'#\n'.repeat(50)}`, { maxBytes: 40 }).includes('truncated'));
  // However the part that is read ends.
  for (const [file, maxBytes, at] of [['ab\ncd', 2, 2], ['ab\r\ncd', 3, 2], ['ab\rcd', 4, 3], ['ab\ncd', 4, 3], ['ab\ncd', 0, 0], ['abc', 2, 0]]) {
    const document = new RobotsTxt(file, { maxBytes });
    assert.equal(document.truncatedAt, at, file);
    const [{ start, end, message }] = lint(document).filter(({ code }) => code === 'truncated');
    assert.deepEqual([start, end], [at, at]);
    assert.ok(message.includes(`the first ${at} bytes`), message);
    assert.equal(lint(new RobotsTxt(document.bytes)).some(({ code }) => code === 'truncated'), false);
  }
});

test('blanket robots', () => {
  assert.equal(Robot.allowAll(404).check('/x').explanation, 'allowed: robots.txt answered with status 404');
  assert.equal(Robot.disallowAll().check('/x').reason, 'configured');
  assert.equal(Robot.disallowAll('unreachable').check('/x').reason, 'unreachable');
  assert.throws(() => Robot.allowAll(0), RangeError);
  assert.throws(() => Robot.allowAll(4.5), RangeError);
  assert.throws(() => Robot.allowAll('bored'), /the cause is "bored"/);
});

test('the file of a response, by its status', () => {
  const body = 'User-agent: *\nDisallow: /x';
  const kinds = { rules: [200, 201, 205, 207, 299], allow: [400, 401, 403, 404, 410, 428, 430, 499], disallow: [100, 103, 206, 300, 302, 304, 429, 500, 503, 599, 600, 999] };
  for (const [kind, statuses] of Object.entries(kinds)) {
    for (const status of statuses) {
      for (const given of [body, new TextEncoder().encode(body)]) {
        const robot = RobotsTxt.fromStatus(status, given).robot('ExampleBot');
        assert.deepEqual([robot.allowed('/x'), robot.allowed('/y')], { rules: [false, true], allow: [true, true], disallow: [false, false] }[kind], String(status));
        assert.equal(robot.check('/x').reason, kind === 'rules' ? 'rule' : 'status');
      }
    }
  }
  const google = RobotsTxt.fromStatus(200, `${body}\nDisallow: /y`, { dialect: 'google', maxBytes: 30 });
  assert.deepEqual([google.dialect, google.truncatedAt, google.robot('ExampleBot').allowed('/y')], ['google', 27, true]);
  for (const status of [0, 99, 1000, 200.5, NaN, '200', undefined]) {
    assert.throws(() => RobotsTxt.fromStatus(status, body), /an HTTP status has three digits/);
  }
  // Without a body a file would have no rules.
  for (const wrong of [undefined, null, 5, {}]) {
    assert.throws(() => RobotsTxt.fromStatus(200, wrong), TypeError);
  }
  assert.equal(RobotsTxt.allowAll(404).robot('ExampleBot').check('/x').explanation, 'allowed: robots.txt answered with status 404');
  assert.equal(RobotsTxt.disallowAll('unreachable').robot('*').check('/x').reason, 'unreachable');
  assert.equal(RobotsTxt.disallowAll().robotMerged(['A', 'B']).check('/x').reason, 'configured');
  assert.throws(() => RobotsTxt.disallowAll('bored'), /the cause is "bored"/);
  // Whoever keeps the bytes of a closed site opens nothing by them.
  const closed = RobotsTxt.disallowAll(503);
  assert.equal(new RobotsTxt(closed.bytes).robot('ExampleBot').allowed('/'), false);
  assert.equal(Buffer.from(toCanonical(closed)).toString(), 'User-agent: *\nDisallow: /\n');
  assert.deepEqual(RobotsTxt.allowAll(404).bytes, new Uint8Array());
  RobotsTxt.allowAll().free();
});

test('errors name the offender and the way out', () => {
  assert.throws(
    () => new Robot('Mozilla/5.0 (compatible; ExampleBot/2.1)', ''),
    (error) => error instanceof InvalidTokenError && error.probablyMeant === 'ExampleBot' && error.name === 'InvalidTokenError' && error.code === 'INVALID_TOKEN',
  );
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  assert.throws(() => new Robot(chrome, ''), (error) => error.probablyMeant === undefined && error.message.endsWith('it is the header of a browser and names no crawler'));
  assert.throws(() => new RobotsTxt('').robot(''), InvalidTokenError);
  assert.throws(() => robotsUrl('mailto:a@b'), (error) => error instanceof InvalidUrlError && error.url === 'mailto:a@b' && error.code === 'INVALID_URL');
  assert.throws(() => new Robot('ExampleBot', undefined), /the robots.txt is undefined/);
  assert.throws(() => new Robot(undefined, ''), /the agent is undefined/);
  assert.throws(() => new Robot('ExampleBot', '', { dialect: 'bing' }), /there are "rfc9309" and "google"/);
  assert.throws(() => new Robot('ExampleBot', '', { maxBytes: -1 }), /maxBytes is -1/);
  assert.throws(() => new RobotsTxt('').robotMerged('ExampleBot'), /a list of strings/);
  assert.throws(() => toCanonical(new RobotsTxt(''), { comments: true }), /"keep" and "drop"/);
  assert.throws(() => lint(5), /the robots.txt is 5; it is a string or a Uint8Array/);
  assert.throws(() => toCanonical(undefined), /the robots.txt is undefined/);
});

test('files that programs write', () => {
  const group = new GroupBuilder('ExampleBot')
    .userAgent('OtherBot')
    .comment('ours')
    .allow('/*.pdf$')
    .disallow({ prefix: '/a*' })
    .disallow({ exact: '/b' })
    .crawlDelay(2.5)
    .requestRate(1, 10)
    .contentSignal({ search: 'yes' })
    .contentUsage({ 'train-ai': 'n' }, '/photos/')
    .license('https://e.test/license.xml');
  const text = new RobotsTxtBuilder()
    .comment('a file')
    .contentSignal({ 'ai-train': 'no' })
    .license('https://e.test/all.xml')
    .group(group)
    .cleanParam(['ref'], '/')
    .sitemap('https://e.test/map.xml')
    .build();
  const robot = new Robot('OtherBot', text);
  assert.equal(robot.allowed('/a*x'), false);
  assert.equal(robot.allowed('/ax'), true);
  assert.equal(robot.allowed('/b/c'), true);
  assert.equal(robot.crawlDelay, 2.5);
  assert.equal(robot.usage('/photos/x').aiTraining.preference, 'disallowed');
  assert.deepEqual(lint(new RobotsTxt(text)).filter(({ severity }) => severity === 'error'), []);
  assert.throws(() => group.disallow('search'), (error) => error instanceof InvalidRecordError && error.field === 'Disallow' && error.value === 'search' && error.code === 'INVALID_RECORD');
  assert.throws(() => new RobotsTxtBuilder().sitemap('map.xml'), /`map.xml` is not a valid http or https URL/);
  assert.throws(() => group.crawlDelay(-1), TypeError);
  assert.throws(() => group.requestRate(0, 1), TypeError);
  assert.throws(() => group.disallow(undefined), TypeError);
  assert.throws(() => new RobotsTxtBuilder().group({}), /it is a GroupBuilder/);
});

test('the console shows what objects hold', () => {
  const robot = new Robot('ExampleBot', FILE);
  assert.match(inspect(robot), /^Robot \{\s+agentMatch: 'wildcard',\s+groupLines: \[ 1 \],\s+rules: \[ 'allow \/a\/b \(line 3\)', 'disallow \/a \(line 2\)' \],/);
  assert.match(inspect(new RobotsTxt(FILE)), /^RobotsTxt \{\s+dialect: 'rfc9309',\s+groups: \[ \{ line: 1, userAgents: \[Array\], rules: 2 \} \],\s+sitemaps: \[ 'https:\/\/e.test\/s.xml' \]/);
  assert.equal(inspect([robot], { depth: 0 }), '[ [Robot] ]');
  assert.match(inspect(robot.check('/a')), /allowed: false,\s+line: 2,/);
  robot.free();
  assert.match(inspect(robot), /^Robot \{ this object was freed/);
});

test('names', () => {
  assert.equal(productToken('Mozilla/5.0 (compatible; ExampleBot/2.1)'), 'ExampleBot');
  assert.equal(productToken('()'), undefined);
  assert.equal(robotsUrl(new URL('https://e.test:8443/a?b#c')), 'https://e.test:8443/robots.txt');
  assert.equal(robotsUrl('https://b\u00fccher.de/x'), 'https://xn--bcher-kva.de/robots.txt');
  // The same address as a `RobotsCache` asks for.
  for (const url of ['https://B\u00dcCHER.de:8443/x', 'http://u@\u4f8b\u3048.\u30c6\u30b9\u30c8/', 'https://b%C3%BCcher.de/', 'https://fa\u00df.de/', 'http://\uff11\uff12\uff17.1/', 'https://e.test/\u00fc', 'https:\\\\b\u00fccher.de\\x', 'http://b\u00fccher.de:80']) {
    assert.equal(robotsUrl(url), Origin.of(url).robotsUrl, url);
  }
  for (const url of ['https://b\u00fccher.de:x/', 'https://b\u00fc cher.de/', 'ftp://b\u00fccher.de/', 'b\u00fccher.de/x', '/b\u00fccher']) {
    assert.throws(() => robotsUrl(url), (error) => error instanceof InvalidUrlError && error.url === url, url);
  }
});

test('the parts for authors take text and bytes', () => {
  const text = 'Disalow: /a\nUser-agent: *\n';
  const found = lint(new RobotsTxt(text));
  assert.ok(found.length > 0);
  for (const file of [text, Buffer.from(text), new TextEncoder().encode(text).buffer]) {
    assert.deepEqual(lint(file), found);
    assert.deepEqual(toCanonical(file), toCanonical(new RobotsTxt(text)));
  }
});

test('robots as text and as JSON, and no empty clones of them', () => {
  const file = new RobotsTxt('User-agent: *\nDisallow: /\nAllow: /open\nSitemap: https://e.test/s.xml\n');
  const robot = file.robot('ExampleBot');
  assert.equal(String(robot), '2 rules of 1 group; "/" is disallowed by line 2: Disallow: / in the wildcard group on line 1');
  assert.equal(String(Robot.allowAll(404)), '0 rules of 0 groups; "/" is allowed: robots.txt answered with status 404');
  assert.equal(String(file), 'a robots.txt with 1 group and 1 sitemap');
  assert.deepEqual(JSON.parse(JSON.stringify(robot)).rules, ['allow /open (line 3)', 'disallow / (line 2)']);
  assert.deepEqual(JSON.parse(JSON.stringify(file)).sitemaps, ['https://e.test/s.xml']);
  for (const one of [robot, file]) {
    assert.throws(() => structuredClone(one), { name: 'DataCloneError' });
  }
  // The way to another thread.
  assert.deepEqual(new RobotsTxt(structuredClone(file.bytes)).groups, file.groups);
});

test('a host of any letters has its robots.txt', () => {
  assert.equal(robotsUrl('https://b\u00fccher.de/x'), 'https://xn--bcher-kva.de/robots.txt');
});
