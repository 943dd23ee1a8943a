// The tests of robots-parser itself on the drop-in. The package comes from the registry, so nothing of it is kept here.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { parse } from 'smol-toml';

const require = createRequire(import.meta.url);
const modules = new URL('../node_modules/', import.meta.url).pathname;
const dropIn = new URL('../../js-compat/index.js', import.meta.url).pathname;
const deviations = new URL('../../../peers/robots-parser.toml', import.meta.url);

test('all but the listed deviations pass, and those fail', () => {
  const expected = parse(readFileSync(deviations, 'utf8')).deviation.map(({ test }) => test);
  const folder = mkdtempSync(`${tmpdir()}/robots-parser-`);
  try {
    // Their tests ask for `../index`.
    mkdirSync(`${folder}/test`);
    writeFileSync(`${folder}/test/Robots.js`, readFileSync(`${modules}robots-parser/test/Robots.js`));
    writeFileSync(`${folder}/index.js`, `module.exports = require(${JSON.stringify(dropIn)});\n`);
    symlinkSync(modules, `${folder}/node_modules`);
    const { tests, failures } = report([`${modules}mocha/bin/mocha.js`, '--reporter', 'json', `${folder}/test/Robots.js`]);
    assert.equal(tests.length, 41);
    assert.deepEqual(failures.map(({ title }) => title), expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a rule with a character that one of the two encodes matches its own path', () => {
  const ask = (parser, path) => parser('https://e.test/robots.txt', `User-agent: *\nDisallow: ${path}`).isAllowed(`https://e.test${path}`, 'a');
  for (const path of ['/a[b]', '/a]', '/a^b', '/a|b']) {
    assert.deepEqual([ask(require('../../js-compat/index.js'), path), ask(require('robots-parser'), path)], [false, true], path);
  }
});

test('a relative link, and blanks that `URL` removes, are read as robots-parser reads them', () => {
  const [ours, theirs] = [require('../../js-compat/index.js'), require('robots-parser')];
  const links = ['private', 'private/x', './private', 'a/../private', '../private', '?private', '#private', '', '/\tprivate', '\t/private', ' /private', '/ private', '/private\t', '\u0001/private', '//e.test/private', '/C:/../private', 'http:private', 'private:x', 'https:/e.test/private'];
  const urls = ['/\tprivate', '/C:/../private', '/c|/../private', '/\\/../private', '\\private', '/a/..\\private', '/%2e%2e/private'].map((path) => `https://e.test${path}`);
  const answers = new Set();
  for (const file of ['https://e.test/robots.txt', 'http://e.test/robots.txt', '/robots.txt', 'robots.txt']) {
    const [one, other] = [ours, theirs].map((parser) => parser(file, 'User-agent: *\nDisallow: /private'));
    for (const url of [...links, ...urls]) {
      assert.equal(one.isAllowed(url, 'a'), other.isAllowed(url, 'a'), JSON.stringify([file, url]));
      answers.add(one.isAllowed(url, 'a'));
    }
  }
  assert.deepEqual([...answers].sort(), [false, true, undefined]);
});

test('the benchmark beside it says what it needs', () => {
  const { status, stderr } = spawnSync(process.execPath, [new URL('../../bench/peers.mjs', import.meta.url).pathname], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /FOLDER has robots.txt files/);
});

/** The output of mocha, which ends with the number of failures. */
function report(command) {
  try {
    return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', stdio: 'pipe' }));
  } catch (error) {
    return JSON.parse(error.stdout);
  }
}
