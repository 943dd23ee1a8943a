// The answers of the table, as they come: no task handles more than `MOST_CELLS` of them.

import { requested } from './requested.js';

/** A task of so many is far below the 50 ms that are felt. */
export const MOST_CELLS = 500;

/** Bits of an answer; the last one is of the page: for a text that is no URL. */
const RFC9309 = 1;
const GOOGLE = 2;
const NO_AGENT = 4;
const NO_URL = 8;

/** What is known about a row: that an answer of it is disallowed, by either reading, or that the readings differ. */
export const FILTERS = {
  all: () => true,
  disallowed: (bits, bit) => bits < NO_AGENT && (bits & bit) === 0,
  differ: (bits) => bits === RFC9309 || bits === GOOGLE,
};

const bitOf = (dialect) => (dialect === 'google' ? GOOGLE : RFC9309);

export class Answers {
  constructor(agents, texts) {
    this.agents = agents;
    this.texts = texts;
    this.urls = [];
    /** The scheme and the host of all URLs so far, or nothing where they have several. */
    this.origin = '';
    this.bits = new Uint8Array(agents.length * texts.length);
    /** The rows of each filter by each reading, and how many answers hold it. */
    this.found = Object.fromEntries(['rfc9309', 'google'].map((dialect) => [dialect, Object.fromEntries(Object.keys(FILTERS).map((name) => [name, { rows: [], cells: 0 }]))]));
    for (const found of Object.values(this.found)) {
      // They are known before their answers, so that the table has its length.
      found.all.rows = [...texts.keys()];
    }
  }

  /** The URLs of the next task, as they are requested; none at the end. */
  next() {
    const rows = Math.max(1, Math.floor(MOST_CELLS / this.agents.length));
    return this.texts.slice(this.urls.length, this.urls.length + rows).map(requested);
  }

  /** Takes the answers about the URLs of a task, row by row. */
  add(urls, bits) {
    for (const [at, url] of urls.entries()) {
      const row = this.urls.length;
      const begin = at * this.agents.length;
      const answers = url.sent === undefined ? new Uint8Array(this.agents.length).fill(NO_URL) : bits.subarray(begin, begin + this.agents.length);
      this.bits.set(answers, row * this.agents.length);
      const origin = /^https?:\/\/[^/]*/.exec(url.sent ?? '')?.[0] ?? '';
      this.origin = row === 0 || origin === this.origin ? origin : '';
      this.urls.push(url);
      for (const [dialect, found] of Object.entries(this.found)) {
        for (const [name, holds] of Object.entries(FILTERS)) {
          const count = answers.reduce((sum, bits) => sum + holds(bits, bitOf(dialect)), 0);
          found[name].cells += count;
          if (count > 0 && name !== 'all') {
            found[name].rows.push(row);
          }
        }
      }
    }
  }

  /** One answer; `isAllowed` is `undefined` where there is none, and `why` says so. */
  at(row, column, dialect) {
    if (row >= this.urls.length) {
      return { why: '…' };
    }
    const bits = this.bits[row * this.agents.length + column];
    return bits >= NO_AGENT ? { why: bits === NO_URL ? 'no URL' : 'no such agent' } : { isAllowed: (bits & bitOf(dialect)) !== 0, differs: FILTERS.differ(bits) };
  }
}

/** The URLs of a task, with a line feed after each. A text that is none has a place too. */
export const joined = (urls) => urls.map(({ sent }) => `${sent ?? '/'}\n`).join('');

/** Asks for one part after the other. Ends where a newer table took the place of this one. */
export async function gather(answers, { ask, isCurrent, changed }) {
  for (let urls = answers.next(); urls.length > 0; urls = answers.next()) {
    const bits = await ask(joined(urls));
    if (!bits || !isCurrent()) {
      return;
    }
    answers.add(urls, bits);
    changed();
  }
}
