// `fetch` for crawlers: each request of a page in a turn of its host, and each redirect as a page of its own.

import { Crawl, Profile, fetcher } from 'polite-robots/cache';
import { names, text } from '../arguments.js';
import { failed } from '../cache/failures.js';
import { atAbort } from '../cache/leaving.js';
import { chosen } from '../cache/options.js';
import { read } from '../cache/response.js';
import { absolute, plain } from '../cache/sent.js';
import { Turns } from '../cache/turns.js';
import { waits } from '../cache/waits.js';
import { RedirectError, TooLargeError, refused } from './errors.js';
import { Page } from './page.js';

const REDIRECTS = [301, 302, 303, 307, 308];
/** The most redirects of a page: as many as RFC 9309 asks for with robots.txt. */
const MOST_REDIRECTS = 5;
/** Headers for one site, which a redirect to another one must not carry there. */
const PRIVATE = ['authorization', 'cookie', 'proxy-authorization'];
const OPTIONS = ['userAgent', 'headers', 'fetch', 'profile', 'capacity', 'timeoutMs', 'maxWaitMs', 'maxInFlight', 'maxQueue', 'pageLimit', 'now'];

/** A function like `fetch` that obeys robots.txt and keeps the pace of each host. */
export function politeFetch(agent, options) {
  // Not looked up at each request, so that this function may take the place of the global one.
  const { userAgent, headers, fetch, ...given } = chosen(OPTIONS, options, { fetch: globalThis.fetch, profile: Profile.rfc9309(), now: Date.now });
  const agents = typeof agent === 'string' ? [agent] : names(agent);
  given.agent = agents[0];
  given.fetch = fetcher({ userAgent, headers, fetch });
  const machine = new Crawl(given.profile, agents, given.capacity, given.maxWaitMs, given.maxInFlight, given.maxQueue);
  const turns = new Turns(machine, given);
  return Object.defineProperties(
    Object.assign((url, init) => fetchPage(turns, given, text(url), init), {
      permit: async (url, options) => permit(turns, text(url), chosen(['signal', 'timeoutMs', 'maxWaitMs'], options, given)),
      save: () => machine.save(),
      load: (saved) => machine.load(saved, Number(given.now())),
    }),
    { hosts: { get: () => machine.hosts } },
  );
}

/** A turn for a request that somebody else sends, such as a browser. */
async function permit(turns, asked, options) {
  const { turn, refusal } = await turns.lend(asked, options);
  if (refusal !== undefined) {
    throw refused(turn.url, refusal, asked);
  }
  return Object.freeze(turn);
}

async function fetchPage(turns, given, asked, { signal, ...init } = {}) {
  const hops = [];
  let [url, request] = [plain(asked), { ...init, headers: { 'user-agent': given.agent, ...fields(init.headers) }, redirect: 'manual' }];
  for (;;) {
    const text = hops.length === 0 ? asked : url;
    const { end, refusal } = await turns.enter(url, { signal, asked: text });
    if (refusal !== undefined) {
      throw Object.assign(refused(url, refusal, text), hops.length > 0 && { hops });
    }
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
async function send({ fetch, timeoutMs, pageLimit }, url, init, signal, end) {
  const ending = new AbortController();
  let giveUp;
  const leave = (reason) => {
    ending.abort(reason);
    giveUp?.(reason);
  };
  const late = setTimeout(() => leave(new DOMException(`${url} took longer than ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
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
    reply = { status, headers: waits(headers) };
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

