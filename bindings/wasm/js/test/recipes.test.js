// The recipes of docs/robots-in-my-crawler.md that keep the pace, each run against a server of this machine. That for Crawlee is
// run by `test/crawlee.mjs`, as it has to be installed.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { promisify } from 'node:util';

const page = readFileSync(new URL('../../../../docs/robots-in-my-crawler.md', import.meta.url), 'utf8');
const section = /### With the pace of each host\n(.*?)\n### /s.exec(page)[1];
const recipes = [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).filter((code) => !code.includes('@crawlee/'));

test('there are recipes', () => assert.equal(recipes.length, 3));

for (const recipe of recipes) {
  test(`a recipe: ${/import (?:got|\{ \w+)/.exec(recipe)}`, async (t) => {
    const log = [];
    const server = createServer(({ url, headers }, response) => {
      log.push([url, headers['user-agent']]);
      response.end(url === '/robots.txt' ? 'User-agent: *\nDisallow: /private' : 'a page');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => (server.closeAllConnections(), server.close()));
    // Within the package, whose own name and tools it may import.
    const folder = mkdtempSync(new URL('recipe-', import.meta.url).pathname);
    t.after(() => rmSync(folder, { recursive: true }));
    const program = recipe.replaceAll(/https:\/\/example\.com\/(?=open|private)/g, `http://127.0.0.1:${server.address().port}/`);
    writeFileSync(`${folder}/recipe.mjs`, program);
    const { stdout } = await promisify(execFile)(process.execPath, [`${folder}/recipe.mjs`]);
    const expected = [...recipe.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => `${comment}\n`);
    assert.equal(stdout, expected.join(''));
    assert.deepEqual(log, ['/robots.txt', '/open'].map((url) => [url, 'ExampleBot/1.0 (+https://example.com/bot)']));
  });
}
