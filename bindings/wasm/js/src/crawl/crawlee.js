// Crawlee's crawlers wait for the turns of their hosts.

import { show } from '../arguments.js';
import { plain } from './polite_fetch.js';

/** The milliseconds of a navigation, for a crawler that states none. */
const NAVIGATION = 30_000;

/** The options of a crawler, with the hooks and handlers by which its pages wait for their turns; its own are called too. */
export function crawleeHooks(politeFetch, options = {}) {
  if (typeof politeFetch?.permit !== 'function') {
    throw new TypeError(`the first argument is ${show(politeFetch)}; it is what politeFetch() gives`);
  }
  /** The visits of requests, by which each is asked for. */
  const visits = new WeakMap();
  const failing = (handler) => async (context, error) => {
    visits.get(context.request)?.fail(error);
    return handler?.(context, error);
  };
  return {
    ...options,
    preNavigationHooks: [
      ...(options.preNavigationHooks ?? []),
      // The last one: what it asks about is sent next.
      async ({ request, page, crawler }, navigation = {}) => {
        visits.get(request)?.leave();
        const visit = new Visit(politeFetch, request, limitOf(navigation, crawler));
        visits.set(request, visit);
        if (page === undefined) {
          askBeforeRedirects(visit, navigation);
        }
        await visit.ask(request.url);
      },
    ],
    postNavigationHooks: [
      async ({ request, response }) => {
        const visit = visits.get(request);
        if (visit === undefined) {
          throw new Error(`nobody asked about ${request.url}: give your hooks to crawleeHooks(politeFetch, { preNavigationHooks }), as a key behind its result replaces its own`);
        }
        await visit.arrive(response);
      },
      ...(options.postNavigationHooks ?? []),
    ],
    errorHandler: failing(options.errorHandler),
    failedRequestHandler: failing(options.failedRequestHandler),
  };
}

/** One try of a request, with each page that it is redirected to. */
class Visit {
  #politeFetch;
  #request;
  #timeout;
  #leaving = new AbortController();
  #permit;

  constructor(politeFetch, request, timeout) {
    this.#politeFetch = politeFetch;
    this.#request = request;
    this.#timeout = timeout;
  }

  /** Waits for the turn of a page. */
  async ask(url) {
    try {
      this.#permit = await this.#politeFetch.permit(url, { signal: this.#leaving.signal, timeout: this.#timeout });
    } catch (error) {
      // A rule is the same at the next try.
      this.#request.noRetry ||= error.code === 'DISALLOWED';
      throw error;
    }
  }

  /** Goes on to the page that a response redirects to. */
  async redirect(url, reply) {
    this.#permit.finish(reply);
    await this.ask(url);
  }

  /** Ends with a response. One of another page than the last came by redirects that nobody asked about: it is asked now. */
  async arrive(response) {
    const url = read(response, 'url');
    if (url && plain(url) !== this.#permit.url) {
      await this.redirect(url, { status: 302 });
    }
    this.#permit.finish({ status: read(response, 'statusCode') ?? read(response, 'status') ?? 200, headers: read(response, 'headers') ?? {} });
  }

  fail(error) {
    this.#permit?.fail(error);
    this.leave();
  }

  /** Gives the turn back, or waits for it no more. */
  leave() {
    this.#permit?.cancel();
    this.#leaving.abort();
  }
}

/** Lets got ask before it follows a redirect, and say when a request fails. */
function askBeforeRedirects(visit, gotOptions) {
  const { beforeRedirect = [], beforeError = [], ...others } = gotOptions.hooks ?? {};
  gotOptions.hooks = {
    ...others,
    beforeRedirect: [...beforeRedirect, ({ url }, { statusCode, headers }) => visit.redirect(url, { status: statusCode, headers })],
    beforeError: [(error) => (visit.fail(error), error), ...beforeError],
  };
}

/** The seconds of a navigation; `undefined` for one without an end. */
function limitOf({ timeout }, crawler) {
  const limit = (typeof timeout === 'object' ? timeout.request : timeout) ?? crawler?.navigationTimeoutMillis ?? NAVIGATION;
  return limit / 1_000 || undefined;
}

/** A part of a response, which is a method in browsers. */
function read(response, name) {
  const value = response?.[name];
  return typeof value === 'function' ? value.call(response) : value;
}
