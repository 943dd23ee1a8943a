// Crawlee's crawlers wait for the turns of their hosts.

import { plain } from '../cache/sent.js';
import { Visit } from './visit.js';

/** The options of a crawler, with the hooks and handlers by which its pages wait for their turns; its own are called too. */
export function crawleeHooks(politeFetch, options = {}) {
  // Throws for anything else than a `politeFetch` at once.
  new Visit(politeFetch);
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
        const visit = new Navigation(politeFetch, request, limitOf(navigation, crawler));
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

/** One try of a request of Crawlee. */
class Navigation extends Visit {
  #request;
  #limit;

  constructor(politeFetch, request, limit) {
    super(politeFetch);
    this.#request = request;
    this.#limit = limit;
  }

  async ask(url) {
    try {
      await super.ask(url, this.#limit);
    } catch (error) {
      // A rule is the same at the next try.
      this.#request.noRetry ||= error.code === 'DISALLOWED';
      throw error;
    }
  }

  /** Goes on to the page that a response redirects to. */
  async redirect(url, reply) {
    this.finish(reply);
    await this.ask(url);
  }

  /** Ends with a response. One of another page than the last came by redirects that nobody asked about: it is asked now. */
  async arrive(response) {
    const url = read(response, 'url');
    if (url && plain(url) !== this.url) {
      await this.redirect(url, { status: 302 });
    }
    const reply = { status: read(response, 'statusCode') ?? read(response, 'status') ?? 200, headers: read(response, 'headers') ?? {} };
    if (response?.readableEnded !== false) {
      return this.finish(reply);
    }
    // The body is read after the hooks, and the turn ends with its last byte.
    for (const event of ['end', 'close']) {
      response.once(event, () => this.finish(reply));
    }
  }

  fail(error) {
    super.fail(error);
    this.leave();
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

/** The time limit of a navigation, if it is known. */
function limitOf({ timeout }, crawler) {
  return (typeof timeout === 'object' ? timeout.request : timeout) ?? crawler?.navigationTimeoutMillis;
}

/** A part of a response, which is a method in browsers. */
function read(response, name) {
  const value = response?.[name];
  return typeof value === 'function' ? value.call(response) : value;
}
