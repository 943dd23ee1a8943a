// The objects that the module of the machines makes.

import { show } from '../arguments.js';
import { unknownName as messageOf } from '../names.js';

export const unknown = (what, name) => new TypeError(`there is no ${what} ${show(name)}`);

export const unknownName = (what, name, given, known) => new TypeError(messageOf(what, name, given, known));

export const notSaved = (message) => new TypeError(`these bytes were not saved by this release: ${message}`);

export const noSettings = (written = 'no data') => new TypeError(`the settings are ${written.slice(0, 60)}; they are an object such as { minDelayMs: 5000 }`);

/** The error of a value that the machines cannot read, by what they say about it and about an empty text in its place. */
export const invalidSetting = (settings, name, problems, parts) => {
  const values = problems.map((problem) => valuesOf(problem, parts)).find((one) => one !== undefined);
  return new TypeError(`the setting ${name} is ${show(settings[name])}; ${values ?? 'it has no such value'}`);
};

/** The largest numbers of the types that settings have. */
const MOST = { u8: 2 ** 8 - 1, u32: 2 ** 32 - 1, usize: 2 ** 32 - 1 };

/** The values that a setting can have, by a message of the machines, which has the words of Rust. */
function valuesOf(problem, parts) {
  const named = (part) => parts.find((one) => one === part || one === `${part}Ms`) ?? part;
  const missing = /^missing field `(\w+)`/.exec(problem);
  if (missing !== null) {
    return `its part ${named(camelCase(missing[1]))} is missing`;
  }
  const [, wanted] = /, expected (?:one of |struct )?(.*)/s.exec(problem) ?? [];
  const names = [...(wanted ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => {
    const snake = name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    return parts.includes(camelCase(snake)) ? `{ ${camelCase(snake)}: … }` : show(snake);
  });
  if (names.length > 0) {
    return `there are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  }
  return wanted === 'Duration' ? 'it is a number of milliseconds from 0' : wanted in MOST ? `it is a whole number from 0 to ${MOST[wanted]}` : undefined;
}

function camelCase(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

export const cause = (status, name) => status || name || undefined;

/** `'now'`, `'never'` or a time. */
export const nextFetch = (retry) => (retry < 0 ? 'now' : retry === Infinity ? 'never' : new Date(retry));

export const get = (url, host, address, maxBytes, etag, lastModified) => {
  const headers = {
    accept: 'text/plain, */*;q=0.1',
    // Clients do not report compressed data that ends too early, and half of a file is another file.
    'accept-encoding': 'identity',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
  return Object.freeze({ kind: 'get', url, host, address, maxBytes, headers: Object.freeze(headers) });
};

export const resolve = (host) => Object.freeze({ kind: 'resolve', host });

/** A step or a lookup with no more than a time. */
export const state = (kind, until) => Object.freeze(until === undefined ? { kind } : { kind, until: new Date(until) });

export const done = (outcome) => Object.freeze({ kind: 'done', outcome });

export const ready = (robot) => Object.freeze({ kind: 'ready', robot });

export const closed = (robot, status, name, since, retry) =>
  Object.freeze({ kind: 'closed', robot, cause: cause(status, name), since: new Date(since), retry: nextFetch(retry) });

export const ticketed = (ticket) => Object.freeze({ kind: 'fetch', ticket });

/** The answer about a URL. Its text is its explanation. */
export class Access {
  constructor(allowed, closed, cause, retryAt, line, explanation, error) {
    Object.assign(this, { allowed, closed, cause, retryAt, line, explanation, error });
    Object.freeze(this);
  }

  toString() {
    return this.explanation;
  }
}

export const access = (allowed, closed, status, name, retryAt, line, explanation, error) =>
  new Access(allowed, closed, cause(status, name), retryAt === undefined ? undefined : new Date(retryAt), line, explanation, error);

/** The steps of a crawl. */
export const granted = (page) => ({ kind: 'turn', page });

export const roundRequest = (round, request) => ({ kind: 'get', round, request });

export const disallowed = (page, robotsUrl, { line, explanation }) => ({ kind: 'disallowed', page, robotsUrl, line, explanation });

export const refused = (page, status, name, since, retry) => ({ kind: 'closed', page, cause: cause(status, name), since: new Date(since), retry: nextFetch(retry) });

export const busy = (page, reason, retry) => ({ kind: 'busy', page, reason, retryAt: retry === undefined ? undefined : new Date(retry) });

export const parsed = (json) => JSON.parse(json);

export const written = (value) => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};
