// `fetch` for crawlers: each request of a page in a turn of its host, and each redirect as a page of its own.

import { Profile, fetcher } from 'polite-robots/cache';
import { names, show, text } from '../arguments.js';
import { LONGEST_TIMER, atAbort } from '../cache/leaving.js';
import { failed } from '../cache/failures.js';
import { read } from '../cache/response.js';
import { Crawl } from './crawl.js';
import { RedirectError, TooLargeError } from './errors.js';
import { Page } from './page.js';

const REDIRECTS = [301, 302, 303, 307, 308];
/** The most redirects of a page: as many as RFC 9309 asks for with robots.txt. */
const MOST_REDIRECTS = 5;
/** Headers for one site, which a redirect to another one must not carry there. */
const PRIVATE = ['authorization', 'cookie', 'proxy-authorization'];
/** The headers by which a host asks to wait, besides its date. The machine reads no others, and to list all is dear. */
const WAITS = ['retry-after', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** A function like `fetch` that obeys robots.txt and keeps the pace of each host. */
export function politeFetch(agent, options = {}) {
  const { userAgent, headers, fetch, profile = Profile.rfc9309(), capacity = 64 * 2 ** 20, now = Date.now } = options;
  const { timeout = 30, maxWait = 300, maxInFlight = 32, maxQueue = 1_000, pageLimit = 10 * 2 ** 20 } = options;
  checkNumbers({ capacity, timeout, maxWait, maxInFlight, maxQueue, pageLimit });
  const agents = typeof agent === 'string' ? [agent] : names(agent);
  const given = {
    agents,
    agent: agents[0],
    // Not looked up at each request, so that this function may take the place of the global one.
    fetch: fetcher({ userAgent, headers, fetch: fetch ?? globalThis.fetch }),
    profile,
    capacity,
    now,
    timeout: Math.min(timeout * 1_000, LONGEST_TIMER),
    maxWait: maxWait * 1_000,
    maxInFlight,
    maxQueue,
    pageLimit,
  };
  const crawl = new Crawl(given);
  return Object.defineProperties(
    Object.assign((url, init) => fetchPage(crawl, given, text(url), init), {
      permit: (url, options) => permit(crawl, text(url), options),
      save: () => crawl.save(),
      load: (saved) => crawl.load(saved),
    }),
    { hosts: { get: () => crawl.hosts } },
  );
}

function checkNumbers(options) {
  for (const [name, value] of Object.entries(options)) {
    if (!(value > 0)) {
      throw new TypeError(`${name} is ${show(value)}; it is a number above 0`);
    }
  }
}

/** A turn for a request that somebody else sends, such as a browser. */
async function permit(crawl, asked, { signal, timeout } = {}) {
  checkNumbers(timeout === undefined ? {} : { timeout });
  const url = plain(asked);
  let end = await crawl.permit(url, { signal, asked, lent: true });
  const once = (reply) => {
    clearTimeout(late);
    end?.(reply);
    end = undefined;
  };
  const late = timeout && setTimeout(once, Math.min(timeout * 1_000, LONGEST_TIMER));
  // It keeps no process alive.
  late?.unref?.();
  return Object.freeze({
    url,
    finish: ({ status, headers = [], signal: sign }) => once({ status, headers, signal: sign }),
    fail: (error) => once({ error: failed(error).error }),
    cancel: () => once(),
    ...(Symbol.dispose && { [Symbol.dispose]: () => once() }),
  });
}

async function fetchPage(crawl, given, asked, { signal, ...init } = {}) {
  const hops = [];
  let [url, request] = [plain(asked), { ...init, headers: { 'user-agent': given.agent, ...fields(init.headers) }, redirect: 'manual' }];
  for (;;) {
    const end = await crawl.permit(url, { signal, asked: hops.length === 0 ? asked : url }).catch((error) => {
      throw Object.assign(error, hops.length > 0 && error.code ? { hops } : {});
    });
    const { response, body, location } = await send(given, url, request, signal, end);
    if (location === undefined) {
      return new Page(response, body, url, hops);
    }
    hops.push(url);
    const target = location === null ? undefined : absolute(location, url);
    const problem = [
      [target === undefined, 'the client hides its target, or it is no URL of http or https'],
      [hops.includes(target), 'the redirects go round in a circle'],
      [hops.length > MOST_REDIRECTS, `more than ${MOST_REDIRECTS} redirects`],
    ].find(([isMet]) => isMet);
    if (problem !== undefined) {
      throw new RedirectError(hops, problem[1]);
    }
    request = redirected(request, response.status, new URL(url).origin === new URL(target).origin);
    url = target;
  }
}

/** One request in a turn, which ends with the last byte of the response. */
async function send({ fetch, timeout, pageLimit }, url, init, signal, end) {
  const ending = new AbortController();
  let giveUp;
  const leave = (reason) => {
    ending.abort(reason);
    giveUp?.(reason);
  };
  const late = setTimeout(() => leave(new DOMException(`${url} took longer than ${timeout / 1_000} s`, 'TimeoutError')), timeout);
  const stay = signal === undefined ? undefined : atAbort(signal, () => leave(signal.reason));
  let reply;
  try {
    signal?.throwIfAborted();
    // Also a function that ignores the signal loses no host.
    const response = await new Promise((resolve, reject) => {
      giveUp = reject;
      fetch(url, { ...init, signal: ending.signal }).then(resolve, reject);
    });
    const { status, headers } = response;
    reply = { status, headers: WAITS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)], ['date', headers.get('date')]] : [])) };
    const isHidden = response.type === 'opaqueredirect';
    if (isHidden || (REDIRECTS.includes(status) && headers.has('location'))) {
      // The body of a redirect is for people.
      await response.body?.cancel();
      return { response, location: isHidden ? null : headers.get('location') };
    }
    const { body, end: ended, cause } = response.body === null ? {} : await read(response.body, pageLimit, (cancel) => (giveUp = cancel));
    if (cause !== undefined) {
      throw cause;
    }
    ending.signal.throwIfAborted();
    if (ended === 'limit_reached') {
      throw new TooLargeError(url, pageLimit);
    }
    return { response, body };
  } catch (error) {
    // A caller that leaves says nothing about the site.
    reply = signal?.aborted ? undefined : (reply ?? { error: ending.signal.aborted ? 'read' : failed(error).error });
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(late);
    stay?.();
    end(reply);
  }
}

/** The next request of a chain, as `fetch` has it: without a body where the method becomes GET, and without secrets of a site. */
function redirected({ method = 'GET', body, headers, ...init }, status, isSameOrigin) {
  const becomesGet = (status === 303 && method !== 'HEAD') || ([301, 302].includes(status) && method.toUpperCase() === 'POST');
  const kept = Object.entries(headers).filter(([name]) => (isSameOrigin || !PRIVATE.includes(name)) && !(becomesGet && name.startsWith('content-')));
  return { ...init, headers: Object.fromEntries(kept), ...(becomesGet ? { method: 'GET' } : { method, body }) };
}

function fields(headers) {
  return headers === undefined ? {} : Object.fromEntries(new Headers(headers));
}

/** A URL as it is sent: without its fragment and an empty query. The machines report one that cannot be read. */
export function plain(url) {
  try {
    const sent = new URL(url);
    sent.hash = '';
    // An empty query is dropped where it is set, and not where it was read.
    sent.search ||= '';
    return sent.href;
  } catch {
    return url;
  }
}

function absolute(location, base) {
  try {
    const target = new URL(location, base);
    return ['http:', 'https:'].includes(target.protocol) ? plain(target.href) : undefined;
  } catch {
    return undefined;
  }
}
