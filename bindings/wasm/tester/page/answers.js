// The answers of the table, as they come: no task handles more than `MOST_CELLS` of them.

import { requested } from './requested.js';

/** A task of this many takes far less than the 50 ms that people notice. */
export const MOST_CELLS = 500;

/** Bits of an answer, as in the module. The page adds the last one, for a text that is not a URL. */
const ALLOWED = 1;
const DIFFERS = 2;
const GOOGLE = 4;
const NO_AGENT = 8;
const USE = 16;
const NO_URL = 32;

const WHY = { [NO_AGENT]: 'no such agent', [USE]: 'no crawler', [NO_URL]: 'no URL' };

/** The facts about a row: an answer of it is disallowed, or RFC 9309 and Google's matcher differ about it. */
export const FILTERS = {
  all: () => true,
  disallowed: (bits) => bits < NO_AGENT && (bits & ALLOWED) === 0,
  differ: (bits) => bits < NO_AGENT && (bits & DIFFERS) !== 0,
};

export class Answers {
  constructor(agents, texts) {
    this.agents = agents;
    this.texts = texts;
    this.urls = [];
    /** The scheme and the host of all URLs so far, or nothing where they have several. */
    this.origin = '';
    this.bits = new Uint8Array(agents.length * texts.length);
    /** The rows of each filter, and how many answers hold it. */
    this.found = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, { rows: [], cells: 0 }]));
    // They are known before their answers, so that the table has its length.
    this.found.all.rows = [...texts.keys()];
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
      for (const [name, holds] of Object.entries(FILTERS)) {
        const count = answers.reduce((sum, bits) => sum + holds(bits), 0);
        this.found[name].cells += count;
        if (count > 0 && name !== 'all') {
          this.found[name].rows.push(row);
        }
      }
    }
  }

  /** One answer, and whose would be another one; `isAllowed` is `undefined` where there is none, and `why` says so. */
  at(row, column) {
    if (row >= this.urls.length) {
      return { why: '…' };
    }
    const bits = this.bits[row * this.agents.length + column];
    if (bits >= NO_AGENT) {
      return { why: WHY[bits] };
    }
    const other = (bits & GOOGLE) === 0 ? 'Google' : 'RFC 9309';
    return { isAllowed: (bits & ALLOWED) !== 0, differs: FILTERS.differ(bits) ? other : undefined };
  }
}

/** The URLs of a task as they were typed, with a line feed after each. A text that is not a URL has a line too. */
export const joined = (urls) => urls.map(({ text, sent }) => `${sent === undefined ? '/' : text}\n`).join('');

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
