// 10,000 URLs for 40 agents: the work is counted, not timed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Answers, MOST_CELLS, gather } from '../page/answers.js';
import { sizesOf } from '../page/area.js';
import { showGrid } from '../page/grid.js';
import { placeAfter } from '../page/keys.js';
import { elements } from './elements.js';

const AGENTS = Array.from({ length: 40 }, (_, at) => `Bot${at}`);
const URLS = Array.from({ length: 10_000 }, (_, at) => `https://www.example.com/page-${at}`);

/** Answers of which every fifth is disallowed in both dialects, and every seventh by RFC 9309 alone. */
const bitsOf = (count, from) => Uint8Array.from({ length: count }, (_, at) => ((from + at) % 5 === 0 ? 0 : (from + at) % 7 === 0 ? 2 : 1));

async function gathered(agents, texts) {
  const answers = new Answers(agents, texts);
  const parts = [];
  const ask = async (urls) => {
    const cells = urls.split('\n').slice(0, -1).length * agents.length;
    parts.push(cells);
    return bitsOf(cells, parts.slice(0, -1).reduce((sum, cells) => sum + cells, 0));
  };
  await gather(answers, { ask, isCurrent: () => true, changed: () => {} });
  return { answers, parts };
}

test('no part of the question has more than 500 cells, and all of them are asked', async () => {
  assert.equal(MOST_CELLS, 500);
  let taken = 0;
  let most = 0;
  const { answers, parts } = await gathered(AGENTS, URLS);
  assert.ok(Math.max(...parts) <= MOST_CELLS, `${Math.max(...parts)}`);
  assert.equal(parts.reduce((sum, cells) => sum + cells, 0), 400_000);
  const added = new Answers(AGENTS, URLS);
  for (let urls = added.next(); urls.length > 0; urls = added.next()) {
    most = Math.max(most, urls.length * AGENTS.length);
    taken += urls.length;
    added.add(urls, new Uint8Array(urls.length * AGENTS.length));
  }
  assert.ok(most <= MOST_CELLS && taken === URLS.length);
  assert.equal(answers.found.disallowed.cells, [...bitsOf(400_000, 0)].filter((bits) => (bits & 1) === 0).length);
  assert.deepEqual(answers.at(1, 5), { isAllowed: false, differs: undefined });
  assert.deepEqual(answers.at(1, 9), { isAllowed: false, differs: 'Google' });
  assert.equal(answers.origin, 'https://www.example.com');
});

test('a filter counts URLs, and the summary answers', async () => {
  const { answers } = await gathered(['A', 'B'], ['/1', '/2', 'mailto:a@b']);
  const { all, disallowed, differ } = answers.found;
  assert.deepEqual([all.rows, all.cells], [[0, 1, 2], 6]);
  assert.deepEqual([disallowed.rows, disallowed.cells], [[0], 1]);
  assert.deepEqual(differ.rows, []);
  assert.deepEqual(answers.at(2, 0), { why: 'no URL' });
});

test('a table that a newer one replaced takes no answers', async () => {
  const answers = new Answers(['A'], URLS);
  let asked = 0;
  await gather(answers, { ask: async () => bitsOf(500, (asked += 1)), isCurrent: () => asked < 3, changed: () => {} });
  assert.deepEqual([asked, answers.urls.length], [3, 1_000]);
});

test('the table has the cells in view as elements, at most 500 of any screen, and one tab stop', async () => {
  const { answers } = await gathered(AGENTS, URLS);
  globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => ({ '--row': '38px', '--column': '150px', '--first': '260px' })[name] });
  const box = document.getElementById('table');
  for (const [clientWidth, clientHeight, scrollLeft, scrollTop] of [
    [700, 494, 0, 0],
    [700, 494, 3_000, 200_000],
    [350, 500, 0, 379_506],
    [20_000, 20_000, 0, 0],
  ]) {
    Object.assign(box, { clientWidth, clientHeight, scrollLeft, scrollTop });
    showGrid(answers, answers.found.all.rows, () => {});
    const cells = box.all('td').filter(({ attributes }) => attributes.role === 'gridcell');
    assert.ok(cells.length > 0 && cells.length <= MOST_CELLS, `${cells.length} cells of ${clientWidth} × ${clientHeight}`);
    const stops = box.all('button').filter(({ attributes }) => attributes.tabindex === '0').length;
    assert.ok(box.all('button').every(({ attributes }) => ['0', '-1'].includes(attributes.tabindex)));
    assert.ok(stops <= 1);
    const [table] = box.all('table');
    assert.deepEqual([table.attributes['aria-rowcount'], table.attributes['aria-colcount']], ['10001', '41']);
  }
  assert.equal(elements.table.all('tbody').length, 1);
});

test('whole columns fit into the table, and the first column takes what they leave', () => {
  for (const [clientWidth, column, least, columns, first] of [
    // Three agents beside the file, on a desktop of 1280 pixels.
    [686, 158, 180, 3, 212],
    [779, 158, 180, 1, 621],
    [570, 158, 180, 3, 254],
    // A phone of 360.
    [326, 106, 112, 3, 114],
    [200, 106, 112, 3, 112],
    [686, 158, 180, 0, 528],
  ]) {
    globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => `${{ '--row': 38, '--column': column, '--first': least }[name]}px` });
    assert.equal(sizesOf({ clientWidth }, columns).first, first, `${clientWidth}`);
  }
});

test('an answer of Google’s matcher is one from which RFC 9309 differs', () => {
  const answers = new Answers(['Googlebot', 'GPTBot', 'a b'], ['/']);
  answers.add(answers.next(), Uint8Array.from([1 | 2 | 4, 2, 8]));
  assert.deepEqual([0, 1, 2].map((column) => answers.at(0, column)), [{ isAllowed: true, differs: 'RFC 9309' }, { isAllowed: false, differs: 'Google' }, { why: 'no such agent' }]);
  assert.deepEqual([answers.found.disallowed.cells, answers.found.differ.cells, answers.found.differ.rows], [1, 2, [0]]);
});

test('keys go from cell to cell, and stay within the table', () => {
  const to = (key, place, ctrlKey = false) => placeAfter({ key, ctrlKey }, place, { rows: 10_000, columns: 40, page: 11 });
  for (const [key, place, expected] of [
    ['ArrowUp', [0, 3], [0, 3]],
    ['ArrowDown', [0, 3], [1, 3]],
    ['ArrowLeft', [5, 0], [5, 0]],
    ['ArrowRight', [5, 39], [5, 39]],
    ['PageDown', [9_995, 1], [9_999, 1]],
    ['PageUp', [20, 1], [9, 1]],
    ['Home', [5, 8], [5, 0]],
    ['End', [5, 8], [5, 39]],
    ['Tab', [5, 8], undefined],
  ]) {
    assert.deepEqual(to(key, place), expected, key);
  }
  assert.deepEqual([to('Home', [5, 8], true), to('End', [5, 8], true)], [[0, 0], [9_999, 39]]);
  assert.equal(to('ArrowDown', [5, 8], true), undefined);
  assert.equal(placeAfter({ key: 'Home' }, [0, 0], { rows: 0, columns: 40, page: 1 }), undefined);
});
