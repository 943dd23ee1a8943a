// The examples of the READMEs print what their comments say.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

const READMES = [
  [new URL('../README.md', import.meta.url), 'mjs'],
  [new URL('../../js-compat/README.md', import.meta.url), 'cjs'],
];

for (const [readme, extension] of READMES) {
  const examples = [...readFileSync(readme, 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  for (const [index, example] of examples.entries()) {
    test(`${readme.pathname.split('/').at(-2)}: example ${index + 1}`, () => {
      // Within a package, whose own name is one that it may import.
      const folder = mkdtempSync(new URL('example-', readme).pathname);
      try {
        const file = `${folder}/example.${extension}`;
        writeFileSync(file, example);
        const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
        const inline = [...example.matchAll(/^.*console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map(([, comment]) => comment);
        const below = [...example.matchAll(/^\/\/ (\d.*)$/gm)].map(([, comment]) => comment);
        const expected = inline.filter((comment) => comment !== undefined).concat(below);
        assert.ok(expected.length > 0, 'an example says what it prints');
        assert.equal(printed, `${expected.join('\n')}\n`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
}
