// The tests of robots-parser itself on the drop-in. The package comes from the registry, so nothing of it is kept here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { parse } from 'smol-toml';

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

/** What mocha prints; it ends with the number of failures. */
function report(command) {
  try {
    return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', stdio: 'pipe' }));
  } catch (error) {
    return JSON.parse(error.stdout);
  }
}
