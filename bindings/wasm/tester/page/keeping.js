// Keeps the work on this machine a moment after it changes, and says so.

import { by } from './dom.js';
import { length, question } from './question.js';
import { forget, keep } from './store.js';

let timer;

export function keepSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => sayKept(keep(length(), question)), 300);
}

export function sayKept(isKept) {
  by('kept').textContent = isKept ? 'Your work is kept in this browser, on this machine alone.' : 'Your work is not kept: it is too long, or the browser keeps nothing.';
  by('clear').hidden = !isKept;
}

export function clearKept() {
  clearTimeout(timer);
  forget();
  by('kept').textContent = 'Nothing is kept on this machine.';
  by('clear').hidden = true;
}
