// The work that is kept on this machine.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { forget, keep, kept } from '../page/store.js';

let items;

beforeEach(() => {
  items = new Map();
  globalThis.localStorage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
});

test('a question is kept until it is cleared', () => {
  assert.equal(kept(), undefined);
  assert.equal(keep(20, () => ({ file: 'User-agent: *' })), true);
  assert.deepEqual(kept(), { file: 'User-agent: *' });
  forget();
  assert.equal(items.size, 0);
});

test('a question that is too long leaves no older one in its place', () => {
  keep(20, () => ({ file: 'a' }));
  assert.equal(keep(3_000_000, assert.fail), false);
  assert.equal(kept(), undefined);
});

test('a browser that keeps nothing, and a store that holds something else, break nothing', () => {
  items.set('polite-robots-tester', '{"cut');
  assert.equal(kept(), undefined);
  items.set('polite-robots-tester', '"text"');
  assert.equal(kept(), undefined);
  const refuse = () => {
    throw new Error('denied');
  };
  globalThis.localStorage = { getItem: refuse, setItem: refuse, removeItem: refuse };
  assert.deepEqual([keep(1, Object), kept(), forget()], [false, undefined, undefined]);
});
