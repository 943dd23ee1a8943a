// Sites of this process, whose log is the judge: it has the start and the end of each request by the clock of the crawler, so that
// no gap may be a millisecond too short.

import { setMaxListeners } from 'node:events';

import { Profile } from '../dist/crawl-node.js';

export const FILE = 'User-agent: *\nDisallow: /private\n';
export const GAP = 20;
export const QUICK = Profile.rfc9309().withPace({ minDelayMs: GAP });
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sites by a function from host and path to an answer, and the requests that they saw. */
export class World {
  hits = [];
  killed = new AbortController();

  constructor(answer) {
    this.answer = answer;
    setMaxListeners(1_000, this.killed.signal);
  }

  fetch = async (url, { signal, headers, method }) => {
    const { host, pathname, search } = new URL(url);
    const hit = { host, path: pathname + search, headers: Object.fromEntries(new Headers(headers)), method, start: Date.now(), end: Infinity, status: undefined };
    this.hits.push(hit);
    try {
      const { status = 200, headers: sent = {}, body = '', takes = 0, error } = this.answer(host, hit.path, this.hits) ?? {};
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, takes);
        for (const end of [signal, this.killed.signal]) {
          end.addEventListener('abort', () => {
            clearTimeout(timer);
            hit.end = Math.min(hit.end, Date.now());
            reject(end.reason);
          });
        }
      });
      if (error !== undefined) {
        throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(error), { code: error }) });
      }
      hit.status = status;
      return new Response([204, 304].includes(status) ? null : body, { status, headers: sent });
    } finally {
      hit.end = Math.min(hit.end, Date.now());
    }
  };

  paths(host) {
    return this.hits.filter((hit) => hit.host === host).map(({ path }) => path);
  }

  /** The requests that a polite crawler would not have sent. */
  violations(gapOf = () => GAP) {
    const found = [];
    for (const host of new Set(this.hits.map(({ host }) => host))) {
      const hits = this.hits.filter((hit) => hit.host === host);
      let isKnown = false;
      hits.forEach((hit, index) => {
        const before = hits[index - 1];
        if (before !== undefined && hit.start < before.end) {
          found.push(`${host}${hit.path} while ${before.path} is under way`);
        } else if (before !== undefined && hit.start < before.end + gapOf(hit)) {
          found.push(`${host}${hit.path} ${hit.start - before.end} ms after ${before.path}`);
        }
        if (hit.path !== '/robots.txt' && !isKnown) {
          found.push(`${host}${hit.path} before robots.txt`);
        }
        isKnown ||= hit.path === '/robots.txt' && hit.status !== undefined;
        if (hit.path.startsWith('/private')) {
          found.push(`${host}${hit.path} is disallowed`);
        }
      });
    }
    return found;
  }
}

export const plain = (_, path) => (path === '/robots.txt' ? { body: FILE } : { body: `page ${path}` });
