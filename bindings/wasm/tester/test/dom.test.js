// The parts of the page that need no browser, with elements that keep their children.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const page = resolve(dirname(fileURLToPath(import.meta.url)), '../page');

class Element {
  children = [];
  setAttribute() {}
  addEventListener() {}
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  // A browser writes whatever is no element as text.
  get text() {
    return this.children.map((child) => (child instanceof Element ? child.text : String(child))).join(' ');
  }
}

const elements = {};
globalThis.document = {
  createElement: () => new Element(),
  getElementById: (id) => (elements[id] ??= new Element()),
};

test('the card of an answer without a deciding line has its sentence and nothing else', async () => {
  const { showAnswer } = await import('../page/verdicts.js');
  const answer = { isAllowed: true, why: 'no group is for this agent', marks: [], path: '/x' };
  showAnswer('ExampleBot', '/x', answer, () => '', () => {});
  assert.equal(elements.answer.text, 'ExampleBot may fetch /x No group is for this agent.');
});

test('the card shows the path that is compared where it is another one', async () => {
  const { showAnswer } = await import('../page/verdicts.js');
  const answer = { isAllowed: false, why: 'line 2 matches', marks: [], path: '/x' };
  showAnswer('*', '/a/../x', answer, () => '', () => {});
  assert.match(elements.answer.text, /The path that is compared is /);
  assert.match(elements.answer.text, / \/x \.$/);
});

test('no part of the page bypasses the filter of what is left out', () => {
  for (const file of readdirSync(page).filter((name) => name.endsWith('.js') && name !== 'dom.js')) {
    assert.doesNotMatch(readFileSync(`${page}/${file}`, 'utf8'), /replaceChildren/, file);
  }
});
