// The parts of the page that need no browser.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { byReason, showDialects } from '../page/dialects.js';
import { pill } from '../page/dom.js';
import { findingsFound, shortened } from '../page/text.js';
import { showAnswer } from '../page/verdict.js';
import { comparedRows, rowsOf, showChanges } from '../page/versions.js';
import { Answers } from '../page/answers.js';
import { elements } from './elements.js';

const page = resolve(dirname(fileURLToPath(import.meta.url)), '../page');
const nothing = () => '';

test('the card of an answer without a deciding line has its sign, its sentence and nothing else', () => {
  const answer = { isAllowed: true, why: 'no group is for this agent', marks: [], note: null, remarks: [], path: '/x' };
  showAnswer('ExampleBot', { text: '/x', sent: '/x' }, answer, nothing, nothing);
  assert.equal(elements.answer.text, 'allowed ExampleBot may fetch /xNo group is for this agent.');
  assert.equal(elements.answer.all('svg').length, 1);
});

test('the card shows what is requested, what was typed, and the path that is compared where it is another one', () => {
  const answer = { isAllowed: false, why: 'line 2 matches', marks: [], note: null, remarks: [], path: '/x.' };
  showAnswer('*', { text: '/a/../x%2E', sent: '/x%2E' }, answer, nothing, nothing);
  assert.match(elements.answer.text, /Any other agent may not fetch \/x%2E/);
  assert.match(elements.answer.text, /Typed as \/a\/\.\.\/x%2E\./);
  assert.match(elements.answer.text, /The path that is compared is \/x\.\./);
});

test('a rule that is compared in a longer form is shown so', () => {
  const marks = [{ line: 2, isDeciding: true, label: 'decides: matches with 28 characters', compared: '/%E6%97%A5%E6%9C%AC%E8%AA%9E' }];
  showAnswer('*', { text: '/x', sent: '/x' }, { isAllowed: false, why: '', marks, note: null, remarks: [], path: '/x' }, () => 'Disallow: /日本語', nothing);
  assert.match(elements.answer.text, /28 characters, as \/%E6%97%A5/);
});

test('allowed and disallowed differ by a word and by a drawing, not by a colour alone', () => {
  const [yes, no] = [true, false].map((isAllowed) => pill(isAllowed));
  assert.deepEqual([yes.text, no.text], ['allowed', 'disallowed']);
  const drawing = (pill) => pill.all('path')[0].attributes.d;
  assert.notEqual(drawing(yes), drawing(no));
});

test('texts of any length have a bounded place, apart from the direction of the text around them', () => {
  assert.ok(shortened('x'.repeat(7_000)).length < 250);
  const answer = { isAllowed: true, why: '', marks: [], note: null, remarks: [], path: `/${'x'.repeat(7_000)}` };
  showAnswer('*', { text: answer.path, sent: answer.path }, answer, nothing, nothing);
  assert.ok(elements.answer.text.length < 1_000);
  assert.ok(elements.answer.all('bdi').some((bdi) => bdi.text.startsWith('/xxx')));
});

test('a count of findings is not repeated', () => {
  assert.equal(findingsFound(0, 0), 'Nothing is odd about this file.');
  assert.equal(findingsFound(1, 1), '1 error');
  assert.equal(findingsFound(3, 1), '3 findings, 1 error among them');
  assert.equal(findingsFound(2, 0), '2 findings');
});

test('a reason stands once, with each of its URLs and all agents of a URL', () => {
  const urls = [{ url: '/', rfc9309: false, google: true, reason: 'an index page' }];
  const agents = ['GPTBot', 'ClaudeBot', '*'].map((agent) => ({ agent, urls, hasMore: false }));
  assert.equal(byReason(agents).length, 1);
  showDialects(agents);
  assert.equal(elements['dialects-list'].text.match(/An index page/g).length, 1);
  assert.match(elements['dialects-list'].text, /GPTBot, ClaudeBot, and Any other agent/);
});

test('the note stands in the card once, and so does the reading of Google', () => {
  const note = "RFC 9309 differs: disallowed by `Disallow: /` (line 2). Google also applies an `Allow` of an index page to its directory";
  const answer = { isAllowed: true, isGoogle: true, why: 'line 3 matches', marks: [], note, statement: null, remarks: [], path: '/' };
  showAnswer('Googlebot', { text: '/', sent: '/' }, answer, nothing, nothing);
  assert.equal(elements.answer.text.match(/RFC 9309 differs: disallowed/g).length, 1);
  assert.match(elements.answer.text, /As Google’s matcher reads the file\./);
});

test('the name of a use is no crawler: the card has no “allowed”', () => {
  const answer = { isAllowed: false, useName: 'AI training', isNamed: true, why: '', marks: [], note: null, remarks: [], path: '/x' };
  showAnswer('__usage_ai-training', { text: '/x', sent: '/x' }, answer, nothing, nothing);
  assert.match(elements.answer.text, /^AI training is not wanted on \/x/);
  assert.match(elements.answer.text, /__usage_ai-training names a use of pages and no crawler/);
  assert.doesNotMatch(elements.answer.text, /allowed|fetch/);
  showAnswer('__usage_ai-training', { text: '/x', sent: '/x' }, { ...answer, isNamed: false }, nothing, nothing);
  assert.match(elements.answer.text, /^The file says nothing about AI training/);
});

test('the summary of two versions speaks of the answers that the table below it has', () => {
  const asked = [{ agent: 'Googlebot-Image', url: '/x', old: false, now: true }];
  showChanges({ isChange: false, isComplete: true, removed: [], added: [], agents: [] }, asked, nothing);
  assert.match(elements.changes.text, /^Answers change for 1 agent, .*The answer changes: 1/);
  showChanges({ isChange: false, isComplete: true, removed: [], added: [], agents: [] }, [], nothing);
  assert.equal(elements.changes.text, 'No answer changes between the earlier version and the file.');
});

test('the rows of two versions: what changes first, each once', () => {
  const sides = [[0, 1], [1, 1]].map((bits) => {
    const answers = new Answers(['ExampleBot'], ['https://www.example.com/a', '/b']);
    answers.add(answers.next(), Uint8Array.from(bits));
    return answers;
  });
  const asked = comparedRows(...sides);
  const verdicts = [{ url: '/a', old: {}, new: {} }, { url: '/c', old: { isAllowed: false }, new: { isAllowed: true, line: 3 } }];
  const { changed, same } = rowsOf([{ agent: 'ExampleBot', verdicts }], asked);
  assert.deepEqual(changed.map(({ url, old, now }) => [url, old, now]), [['https://www.example.com/a', false, true], ['/c', false, true]]);
  assert.deepEqual(same.map(({ url }) => url), ['/b']);
});

test('no part of the page bypasses the filter of what is left out', () => {
  for (const file of readdirSync(page).filter((name) => name.endsWith('.js') && name !== 'dom.js')) {
    assert.doesNotMatch(readFileSync(`${page}/${file}`, 'utf8'), /replaceChildren/, file);
  }
});
