import type { Access, FetcherOptions, Permit, Profile, Time, TurnOptions } from 'polite-robots/cache';

export * from 'polite-robots/cache';

export interface PoliteFetchOptions extends FetcherOptions {
  /** The client below: the global `fetch` by default, or one with its interface. */
  fetch?: (url: string, init: any) => Promise<any>;
  /** `Profile.rfc9309()` by default. */
  profile?: Profile;
  /** The most memory in bytes that the rules of all sites take; 64 MiB by default. */
  capacity?: number;
  /** Milliseconds until a request counts as failed, and until a permit frees itself: 30,000 by default, from 10 to 3,600,000. */
  timeoutMs?: number;
  /**
   * The most milliseconds that a call waits for each of its turns before it ends with a {@link BusyError}: 300,000 by default, from
   * 10 to `Infinity`.
   */
  maxWaitMs?: number;
  /** Requests to all hosts at the same time; 32 by default. */
  maxInFlight?: number;
  /** The most calls that wait for one host; 1,000 by default. */
  maxQueue?: number;
  /** The most bytes of a body, which is read into memory; 10 MiB by default. */
  pageLimit?: number;
  /** The clock; `Date.now` by default. */
  now?: () => Time;
}

/** The properties of `init`: all that `fetch` takes but `redirect`. A body is sent again if a redirect asks for it. */
export type PoliteInit = Omit<RequestInit, 'redirect'>;

/** A `Response` whose body is in memory, with the URLs that redirected to its own, the first one first. */
export type PoliteResponse = Response & { readonly hops: readonly string[] };

/** `fetch` for crawlers. */
export interface PoliteFetch {
  /**
   * Waits until robots.txt allows the URL, as it is sent and as it is given, and its host has a turn, and fetches it. Each redirect
   * is followed as a page of its own. A signal may be aborted at any time.
   *
   * @throws {DisallowedError} For a rule.
   * @throws {ClosedError} While robots.txt cannot be fetched.
   * @throws {BusyError} For a host whose turn comes too late.
   * @throws {RedirectError | TooLargeError} For a response that is not a page.
   * @throws {InvalidUrlError} For a URL that no robots.txt rules.
   * @throws {TypeError} As `fetch`, for a failure of the network. A bug of a fetch function is thrown as it is.
   */
  (url: string | URL, init?: PoliteInit): Promise<PoliteResponse>;
  /**
   * A turn for a request that a browser or another client sends. It does not count in `maxInFlight`. The errors are the same.
   * After `timeoutMs` it ends by itself, as by `cancel`. Ask for another one for each redirect.
   */
  permit(url: string | URL, options?: TurnOptions): Promise<Permit>;
  /** The memory of the crawl, for {@link load} of this release: robots.txt and the pace of each host. */
  save(): Uint8Array;
  /** Loads bytes of {@link save}, before the first page. Each host waits for a gap: requests may be missing. @throws {TypeError} */
  load(saved: Uint8Array): void;
  /** The number of known hosts. */
  readonly hosts: number;
}

/**
 * Gives a `fetch` that obeys robots.txt and keeps the pace of each host: one request at a time, `Crawl-delay`, `Retry-After`,
 * back-off. Hosts are known to one such function, so a crawler has one.
 *
 * ```js
 * const polite = politeFetch('ExampleBot', { userAgent: 'ExampleBot/1.0 (+https://example.com/bot)' });
 * const page = await polite('https://example.com/');
 * ```
 *
 * @param agent The product token, or several: the rules are those of the first that a file names, or else of `*`.
 * @throws {InvalidTokenError} For an agent that is not a product token.
 */
export function politeFetch(agent: string | Iterable<string>, options?: PoliteFetchOptions): PoliteFetch;

/** The options of a Crawlee crawler that {@link crawleeHooks} adds to; all others stay as they are. */
export interface CrawleeOptions {
  preNavigationHooks?: ((context: any, options: any) => any)[];
  postNavigationHooks?: ((context: any, options: any) => any)[];
  errorHandler?: (context: any, error: any) => any;
  failedRequestHandler?: (context: any, error: any) => any;
  requestHandler?: (context: any) => any;
  [other: string]: any;
}

/**
 * Gives the options of a Crawlee crawler whose pages wait for the turns of their hosts:
 * `new CheerioCrawler(crawleeHooks(polite, { requestHandler, failedRequestHandler }))`. The hooks and handlers of `options` are
 * called too. Over got, the client of Crawlee's crawlers for HTTP, each redirect is asked about before it is followed; a browser
 * follows redirects by itself, and the page at their end is asked about then.
 */
export function crawleeHooks<Options extends CrawleeOptions>(politeFetch: PoliteFetch, options?: Options): Options & {
  preNavigationHooks: ((context: any, options?: any) => Promise<void>)[];
  postNavigationHooks: ((context: any, options?: any) => Promise<void>)[];
  errorHandler: (context: any, error: Error) => Promise<void>;
  failedRequestHandler: (context: any, error: Error) => Promise<void>;
};

/**
 * Gives options for `got.extend` of got 12 and later: each request, each redirect and each of got's own tries is asked about, and
 * waits for the turn of its host. The errors of `polite.permit` are the `cause` of got's, which have their `code`.
 *
 * ```js
 * const client = got.extend(politeGot(polite), { headers: { 'user-agent': 'ExampleBot/1.0 (+https://example.com/bot)' } });
 * ```
 */
export function politeGot(politeFetch: PoliteFetch): {
  handlers: ((options: any, next: (options: any) => any) => any)[];
  hooks: {
    beforeRequest: ((options: any) => Promise<void>)[];
    beforeRedirect: ((options: any, response: any) => void)[];
    afterResponse: ((response: any) => any)[];
    beforeRetry: ((error: any) => void)[];
    beforeError: ((error: any) => any)[];
  };
};

interface PageError extends Error {
  readonly url: string;
  /** The URLs that redirected to it. */
  readonly hops?: readonly string[];
}

/** A rule of the site disallows the URL, or the target of a redirect: drop it. */
export class DisallowedError extends Error implements PageError {
  readonly code: 'DISALLOWED';
  readonly url: string;
  readonly hops?: readonly string[];
  readonly robotsUrl: string;
  /** The line of the deciding rule, from 1. */
  readonly line: number | undefined;
}

/** The robots.txt of the site cannot be fetched, so that nothing of the site may be: keep the URL until `retryAt`. */
export class ClosedError extends Error implements PageError {
  readonly code: 'CLOSED';
  readonly url: string;
  readonly hops?: readonly string[];
  /** An HTTP status or a name. */
  readonly reason: Access['cause'];
  readonly since: Date;
  /** `undefined` for a site that was given up. */
  readonly retryAt: Date | undefined;
}

/** The host cannot be asked within the time that the caller waits: keep the URL until `retryAt`. */
export class BusyError extends Error implements PageError {
  readonly code: 'BUSY';
  readonly url: string;
  readonly hops?: readonly string[];
  readonly reason: string;
  /** `undefined` for a `Crawl-delay` that is too long. */
  readonly retryAt: Date | undefined;
}

/** A redirect that cannot be followed. */
export class RedirectError extends Error {
  readonly code: 'REDIRECT';
  /** The URLs that were asked for, in order; the last one gave the redirect. */
  readonly chain: readonly string[];
  readonly reason: string;
}

/** A body that is longer than `pageLimit`. */
export class TooLargeError extends Error {
  readonly code: 'TOO_LARGE';
  readonly url: string;
  readonly limit: number;
}
