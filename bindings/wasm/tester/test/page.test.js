// The properties of the built files, without a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const page = readFileSync(`${root}/dist/index.html`, 'utf8');

test('the module has at most 394 KB, gzipped, and the page 1086 KB and 576 KB', () => {
  const module = readFileSync(`${root}/generated/tester_bg.wasm`);
  for (const [name, length, most] of [
    ['module, gzipped', gzipSync(module, { level: 9 }).length, 394],
    ['page', Buffer.byteLength(page), 1086],
    ['page, gzipped', gzipSync(page, { level: 9 }).length, 576],
  ]) {
    assert.ok(length <= most * 1024, `${name}: ${length} bytes`);
  }
});

test('the page loads nothing: no source, no style sheet, and a policy that forbids both', () => {
  const markup = page.replace(/<script>[^]*<\/script>/, '').replace(/<style>[^]*<\/style>/, '');
  assert.doesNotMatch(markup, /\ssrc=/);
  assert.doesNotMatch(markup, /<link(?! rel="icon" href="data:,")/);
  assert.match(markup, /default-src 'none'/);
  assert.doesNotMatch(page.match(/<style>([^]*)<\/style>/)[1], /url\(|@import/);
  assert.equal(page.split('</script').length, 2);
});

test('the page carries the notice of the list that its table of crawlers restates', () => {
  const notice = readFileSync(`${root}/../../../crates/audit/NOTICE`, 'utf8');
  assert.ok(notice.includes('Copyright (c) 2024 ai.robots.txt') && page.includes(notice.trimEnd()));
});
