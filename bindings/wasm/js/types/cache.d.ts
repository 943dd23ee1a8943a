import type { Cause, Verdict } from 'polite-robots';

export { InvalidTokenError, InvalidUrlError, productToken, Robot, robotsUrl, RobotsTxt } from 'polite-robots';
export type { AgentMatch, Cause, Reason, Rule, Verdict } from 'polite-robots';

/** A moment: a `Date`, or milliseconds since 1970 as `Date.now()` gives them. */
export type Time = Date | number;

/** A fetch that is under way: what a fetch function gets beside the URL. It is an `init` for `fetch`. */
export interface FetchInit {
  /** `accept`, `accept-encoding: identity`, `user-agent`, and `if-none-match` and `if-modified-since` where there is a copy to compare with. */
  headers: Record<string, string>;
  redirect: 'manual';
  /** Aborted when the time is over, and when the cache has read enough. */
  signal: AbortSignal;
}

/** The result of a fetch function that is not a `Response`. */
export interface Fetched {
  /** From 100 to 999. */
  status: number;
  /** All of them, or those that count for robots.txt. A list is several fields of one name. */
  headers: Iterable<readonly [string, string]> | Record<string, string | readonly string[] | number | null | undefined> | object;
  /**
   * The body, needed with a status of 2xx: bytes as they came are better than text. A stream is read up to the limit and then
   * cancelled. Its content coding may be undone or not, whatever `content-encoding` says: gzip and deflate are undone here, and
   * another one opens nothing.
   */
  body?: string | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null;
  /** The address that answered, where the client knows it: one that followed a redirect is refused. */
  url?: string;
  redirected?: boolean;
}

/**
 * Asks for one address and never follows a redirect. Whatever it throws is a failure of the fetch: the site is closed and
 * asked again later. A bug is no such failure: the callers that wait get a `ReferenceError`, `SyntaxError`, `RangeError` or a
 * `TypeError` such as `x is not a function` as it is, and a `TypeError` for a result that is not a response; the site is closed
 * meanwhile. Errors with a `code` or a `cause`, and those of `JSON.parse`, are failures.
 */
export type FetchFunction = (url: string, init: FetchInit) => Promise<Response | Fetched> | Response | Fetched;

export interface RobotsCacheOptions {
  /** `Profile.rfc9309()` by default. */
  profile?: Profile;
  /** The most memory in bytes that the rules of all sites take; 64 MiB by default. */
  capacity?: number;
  /** Milliseconds until a fetch of robots.txt counts as failed, and until a turn frees itself: 30,000 by default, from 10 to 3,600,000. */
  timeoutMs?: number;
  /** The most milliseconds that {@link RobotsCache.wait} waits: 300,000 by default, from 10 to `Infinity`. */
  maxWaitMs?: number;
  /** The clock; `Date.now` by default. */
  now?: () => Time;
}

/** How one caller waits. */
export interface Waiting {
  /** Lets this caller leave, with the reason of the signal. The fetch goes on for the others. */
  signal?: AbortSignal;
}

/** How a caller waits for a turn. */
export interface TurnOptions extends Waiting {
  /** The most milliseconds that the call waits: 300,000 by default, from 10 to `Infinity`. */
  maxWaitMs?: number;
  /** Milliseconds until the turn frees itself, as by `cancel`: those of the cache by default, from 10 to 3,600,000. */
  timeoutMs?: number;
}

/** The ways in which the turn of a host ends. The first one counts. */
export interface Permit {
  /** The URL as it is sent, without its fragment. */
  readonly url: string;
  /** The request ended with a response, which may be that of `fetch` or of got itself. */
  finish(response: ({ status: number } | { statusCode: number }) & { headers?: Fetched['headers']; signal?: Reply['signal'] }): void;
  /** The request ended without a response, with the error of the client. */
  fail(error?: unknown): void;
  /** The request was given up, or never sent. */
  cancel(): void;
  [Symbol.dispose](): void;
}

/**
 * The answer about a URL, and the turn of its host if it is `allowed`. Otherwise nobody has a turn, and the methods do nothing.
 * `closed` with the cause `'busy'`: the host has no turn in time; keep the URL until `retryAt`, its next turn.
 */
export type HostTurn = Access & Permit;

/** An answer about a URL. Its text is its explanation. */
export interface Access {
  /** `false` too while the site is closed. */
  readonly allowed: boolean;
  /** Whether no rule but an outage says no: keep the URL until `retryAt`. */
  readonly closed: boolean;
  /**
   * An HTTP status or a name, where no rule of a file decides. `'full'`: the memory has no room for another site.
   * `'opaque_redirect'`: a browser's `fetch` hides where robots.txt is redirected to. `'busy'`: the host has no turn in time.
   */
  readonly cause: number | Cause | 'opaque_redirect' | 'busy' | undefined;
  /** When robots.txt of a closed site is due again; `undefined` for never, and for a site that is not closed. */
  readonly retryAt: Date | undefined;
  /** The line of the deciding rule, from 1. */
  readonly line: number | undefined;
  /** One sentence, such as `disallowed by line 2: Disallow: /a in the wildcard group on line 1`. */
  readonly explanation: string;
  /** The error of the fetch function or of its body, or a `TimeoutError`, if the call waited for a fetch that failed. */
  readonly error: unknown;
  toString(): string;
}

/**
 * The robots.txt of every site that a crawler asks about: fetched once in its lifetime by the caller's own client, also for
 * many callers at once. A site opens by evidence alone: not after a 5xx, a timeout, or a body that is not text.
 *
 * ```js
 * const cache = new RobotsCache('ExampleBot', fetch);
 * await cache.allowed('https://example.com/search?q=a');
 * ```
 */
export class RobotsCache {
  /**
   * @param agent The product token, or several: the rules are those of the first that a file names, or else of `*`.
   * @param fetch Such as the global `fetch` itself, {@link fetcher} or {@link axiosFetcher}.
   * @throws {InvalidTokenError} For an agent that is not a product token.
   */
  constructor(agent: string | Iterable<string>, fetch: FetchFunction, options?: RobotsCacheOptions);

  /**
   * Whether the URL may be fetched now; `false` while its site is closed. Ask again for each redirect of a page.
   * @throws {InvalidUrlError} Also for a relative link.
   */
  allowed(url: string | URL, options?: Waiting): Promise<boolean>;
  /** The answer with its evidence. @throws {InvalidUrlError} */
  check(url: string | URL, options?: Waiting): Promise<Access>;
  /**
   * Waits until robots.txt is known and the host has its turn: one request at a time, with a second, its `Crawl-delay`, its
   * `Retry-After` or its back-off between them. Send the request if the turn is `allowed`, and end the turn with its response. A
   * rule answers at once; a closed site is waited for, if it may be asked again in time. Ask again for each redirect.
   *
   * ```js
   * const turn = await robots.wait(url);
   * if (turn.allowed) {
   *   const response = await fetch(url, { redirect: 'manual' });
   *   const text = await response.text();
   *   // After the last byte, as the next request to the host may follow.
   *   turn.finish(response);
   * }
   * ```
   *
   * @throws {InvalidUrlError}
   */
  wait(url: string | URL, options?: TurnOptions): Promise<HostTurn>;
  /** Seconds, as in the file. It is not bounded: a hostile file may ask for a million years, so cap it. */
  crawlDelay(url: string | URL, options?: Waiting): Promise<number | undefined>;
  sitemaps(url: string | URL, options?: Waiting): Promise<string[]>;
  /** The reasons of the rules in force: since when, until when, and when the next fetch is. */
  explain(url: string | URL, options?: Waiting): Promise<string>;

  /** The bytes that count against the capacity. */
  readonly bytes: number;
  /** The memory of all sites, for {@link load} of this release. Fetches that are under way are left out. */
  save(): Uint8Array;
  /** Loads the bytes that {@link save} gave in place of the memory. Opens no site and shortens no wait. @throws {TypeError} */
  load(saved: Uint8Array): void;
}

export interface FetcherOptions {
  /** A whole `User-Agent` header, such as `ExampleBot/1.0 (+https://example.com/bot)`; the product token by default. */
  userAgent?: string;
  /** More headers. */
  headers?: Record<string, string>;
}

/** A fetch function over the global `fetch`, or over one with its interface, such as undici's with a dispatcher. */
export function fetcher(options?: FetcherOptions & { fetch?: (url: string, init: any) => Promise<any> }): FetchFunction;

/** A fetch function over axios, or an instance of it, on Node.js. It needs the cache's `init`. */
export function axiosFetcher(axios: { get(url: string, config: any): Promise<any> }, options?: FetcherOptions): FetchFunction;

// The machines, for programs with a loop of their own. They have no clock and open no connection.

/** An object in the module's memory, which the garbage collector frees later than `free` does. */
declare class Freeable {
  protected constructor();
  free(): void;
  [Symbol.dispose](): void;
}

/** Whether a crawler obeys a file or leaves it out. */
type Obedience = 'obey' | 'ignore';

/** The meaning of a status for a site. */
type AccessPolicy = 'allow' | 'disallow' | 'outage';

/** The settings about robots.txt. `null` and `Infinity` are never. */
export interface AccessSettings {
  dialect: 'rfc9309' | 'google';
  maxBytes: number;
  overLimit: 'read_start' | 'outage';
  parseErrors: 'keep_rules' | 'allow_all';
  foreignText: 'recognize' | 'read_as_utf8';
  conditional: 'send' | 'omit';
  attempts: 'once' | { everyAddress: { rounds: number; pauseMs: number | null } };
  redirects: 'follow' | 'outage';
  maxRedirects: number;
  tooManyRedirects: AccessPolicy;
  forbidden: AccessPolicy;
  tooManyRequests: AccessPolicy;
  otherClientErrors: AccessPolicy;
  defaultTtlMs: number | null;
  httpFreshness: 'obey' | 'ignore';
  minTtlMs: number | null;
  maxTtlMs: number | null;
  refreshPercent: number;
  outageStopMs: number | null;
  staleCopy: 'use' | 'disallow';
  noCopy: 'allow' | 'disallow';
  outageRounds: number;
  outageGapMs: number | null;
  longOutageMs: number | null;
  afterLongOutage: 'copy_or_allow' | 'allow_if_site_available' | 'disallow';
  siteTtlMs: number | null;
  retryEarlyMs: number | null;
  retryFirstMs: number | null;
  retryFirst503Ms: number | null;
  retryMaxMs: number | null;
  retryLateMs: number | null;
  retryLocalMs: number | null;
  ticketLeaseMs: number | null;
  jitterPercent: number;
  maxRetryAfterMs: number | null;
  maxFailures: number | null;
  obedience: Obedience;
}

/** The meaning of a `Crawl-delay`: none, the gap between two requests, or a window within bounds of your own. */
type CrawlDelayPolicy = 'gap' | 'ignore' | { window: { minMs: number | null; maxMs: number | null } };

/** The back-off in levels, each of which doubles the delay. Parts that are left out have their defaults. */
export interface Levels {
  baseMs: number | null;
  maxLevel: number;
  tooManyRequestsLevels: number;
  serviceUnavailableLevels: number;
  serverErrorLevels: number;
  errorStreak: number;
  healthyErrorPercent: number;
  latency: 'ignore' | 'level' | 'accumulate';
  slowLatencyMs: number | null;
  refusedLevels: number;
  softBlockLevels: number;
  reward: Partial<{ after: number; fastLatencyMs: number | null; floorMs: number | null }> | null;
}

/** The settings about the pace of hosts. */
export interface PaceSettings {
  minDelayMs: number | null;
  crawlDelay: CrawlDelayPolicy;
  gapFrom: 'completion' | 'start';
  maxCrawlDelayMs: number | null;
  overMaxCrawlDelay: 'keep' | 'clamp' | 'skip_host';
  latencyFactor: number;
  maxInFlight: number;
  requestLeaseMs: number | null;
  maxRetryAfterMs: number | null;
  backoff:
    | 'off'
    | { levels: Partial<Levels> }
    | { doubling: { firstMs: number | null; maxMs: number | null; forgetAfterMs: number | null; jitterPercent: number } }
    | { autoThrottle: { startMs: number | null; maxMs: number | null } };
  refusals: number;
  refusalRestMs: number | null;
  maxRefusalRestMs: number | null;
  challengeBlockMs: number | null;
  groupStarts: number;
  groupWindowMs: number | null;
  groupSpreadPercent: number;
  groupPace: 'own' | 'slowest';
}

/** Every choice that the sources leave open: what a status, a failure and an age mean. */
export class Profile extends Freeable {
  /** RFC 9309, with the stricter answer where it says MAY and a polite crawler's where it is silent. */
  static rfc9309(): Profile;
  /** The rules that Google documents for its crawlers. */
  static google(): Profile;
  /** The procedure of the IBM Web crawler. */
  static ibm(): Profile;
  /** Leaves robots.txt out: it is not fetched and everything is allowed. For sites whose owner has agreed. */
  ignoreRobots(): Profile;
  /** The settings about robots.txt: choices are names, the name of a duration ends in `Ms`, and `null` is never. */
  readonly access: Readonly<AccessSettings>;
  /** The same profile with other settings: `Profile.rfc9309().with({ forbidden: 'disallow', minTtlMs: 60_000 })`. @throws {TypeError} */
  with(settings: Partial<AccessSettings>): Profile;
  /** The settings about the pace of hosts, in the same form. */
  readonly pace: Readonly<PaceSettings>;
  /** The same profile with another pace: `Profile.rfc9309().withPace({ minDelayMs: 5_000, backoff: 'off' })`. @throws {TypeError} */
  withPace(settings: Partial<PaceSettings>): Profile;
}

/** Scheme, host and port: the scope of one robots.txt. */
export class Origin extends Freeable {
  /** The origin of a URL. @throws {InvalidUrlError} */
  static of(url: string): Origin;
  readonly host: string;
  readonly robotsUrl: string;
  /** A number that assigns the host to a worker of a fleet. */
  readonly partitionKey: bigint;
  toString(): string;
}

/** The next action in a round. */
export type Step =
  | {
      readonly kind: 'get';
      readonly url: string;
      /** The host whose turn the request needs. */
      readonly host: string;
      /** The address to connect to, if the profile goes through the addresses of the host. */
      readonly address: string | undefined;
      /** Bytes of the body to read at most. */
      readonly maxBytes: number;
      /** `accept`, `accept-encoding: identity`, and `if-none-match` and `if-modified-since` where there is a copy to compare with. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'resolve'; readonly host: string }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** The result of a step. */
export type FetchEvent =
  | {
      kind: 'response';
      status: number;
      headers?: Fetched['headers'];
      /** Bytes as they came are better than text. gzip and deflate that the headers name are undone. */
      body?: string | ArrayBuffer | ArrayBufferView;
      /** `'complete'` by default. `'undecodable'`: a decoder cannot read the coding that the headers name. */
      end?: 'complete' | 'cut_short' | 'limit_reached' | 'undecodable';
    }
  /** `'local'` is a fault of the crawler's own network, which says nothing about the site. */
  | { kind: 'failed'; error: 'dns' | 'connect' | 'read' | 'reset' | 'tls' | 'invalid_response' | 'local' | 'cut_short' | 'encoded' | 'other' }
  /** An address that the crawler must not ask. */
  | { kind: 'refused' }
  /** The addresses of the host; none is a failure. */
  | { kind: 'resolved'; addresses: string[] }
  /** In place of the addresses: the client looks names up by itself. */
  | { kind: 'by_name' };

/** One round for one robots.txt: redirects, addresses, the meaning of a status and a body. */
export class Fetch extends Freeable {
  /** `etag` and `lastModified` are those of the {@link Ticket}. */
  constructor(origin: Origin, profile: Profile, now: Time, etag?: string, lastModified?: string);
  poll(now: Time): Step;
  /** Takes the result of the last step; one that does not belong to it is ignored. */
  handle(event: FetchEvent, now: Time): void;
  /** The outcome. A round that is given up before its end counts as a failed one. */
  intoOutcome(): Outcome;
}

/** The end of a round. */
export class Outcome extends Freeable {
  readonly kind: 'not_modified' | 'parsed' | 'unavailable' | 'forbidden' | 'blanket' | 'unreachable' | 'local';
  /** The HTTP status or the name of the cause, if there is no file. */
  readonly cause: Access['cause'];
}

/** When robots.txt is due. */
export type NextFetch = 'now' | 'never' | Date;

/** Whether pages of the site come. */
export type Site = 'available' | 'unavailable' | 'unknown';

/** The rules in force for one origin, which stay as they are. */
export class CachedRobot extends Freeable {
  allowed(url: string): boolean;
  check(url: string): Verdict;
  /** Seconds. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: string[];
}

/** The memory of one origin's robots.txt: which rules are in force, also in an outage, and when to ask again. */
export class Entry extends Freeable {
  constructor(origin: Origin);
  /** Loads the bytes of {@link save} of this release. @throws {TypeError} */
  static load(saved: Uint8Array): Entry;
  save(): Uint8Array;
  handle(outcome: Outcome, profile: Profile, now: Time): void;
  /** The rules in force. An entry of a cache without documents has no file to compile for another agent. */
  robot(agent: string, profile: Profile, site: Site, now: Time): CachedRobot;
  nextFetch(profile: Profile, now: Time): NextFetch;
  setSite(site: Site, profile: Profile, now: Time): void;
  /** Forgets the failures and the outage. */
  reset(): void;
  explain(profile: Profile, site: Site, now: Time): string;
  /** Failed rounds in a row. */
  readonly failures: number;
  readonly robotsDate: Date | undefined;
  readonly freshUntil: Date | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** The right to fetch one robots.txt, once. One that is freed is given back. */
export class Ticket extends Freeable {
  /** `undefined` once the ticket was used; the same holds for the two properties below. */
  readonly origin: Origin | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** The access to an origin. */
export type Lookup =
  | { readonly kind: 'ready'; readonly robot: CachedRobot }
  /** Nothing may be fetched now, and no rule says so: keep the URL until `retry`. */
  | { readonly kind: 'closed'; readonly robot: CachedRobot; readonly cause: Access['cause']; readonly since: Date; readonly retry: NextFetch }
  /** robots.txt is due: run a {@link Fetch} and hand its outcome to {@link Cache.handle}. */
  | { readonly kind: 'fetch'; readonly ticket: Ticket }
  /** A fetch is under way, and nothing may be fetched before its end. */
  | { readonly kind: 'pending' }
  /** The origin is new, and nothing in the cache may be forgotten. */
  | { readonly kind: 'full' };

/** The robots.txt of many origins: compiled once, fetched one at a time, bounded in memory. */
export class Cache extends Freeable {
  /**
   * @param capacity In bytes.
   * @param documents Whether the files are kept too, for entries that other crawlers read.
   * @throws {InvalidTokenError} For the first agent that is not a product token.
   */
  constructor(profile: Profile, agents: string[], capacity: number, documents?: boolean);
  poll(origin: Origin, now: Time): Lookup;
  /** Like {@link poll}, for a page that has to wait for its turn and then asks again by {@link poll}. */
  pollAhead(origin: Origin, now: Time): Lookup;
  /**
   * {@link poll} and {@link release}, and the answer about a URL, in one call; or the ticket, or `undefined` while the fetch is
   * under way.
   */
  check(url: string, now: Time, error?: unknown): Access | Ticket | undefined;
  /** As {@link check}, with the rules themselves; those of a closed site disallow everything. */
  robot(url: string, now: Time): CachedRobot | Ticket | undefined;
  /** The round to run for a ticket, the one that paused or a new one; `undefined` if the ticket was used. {@link end} it later. */
  begin(ticket: Ticket, now: Time): Fetch | undefined;
  /**
   * Takes a ticket back with its round, at whatever step the round is. The outcome of a round that is done counts, a round that
   * waits is paused, and any other round counts as given up, so that robots.txt is due again. Returns whether the ticket was
   * unused before.
   */
  end(ticket: Ticket, fetch: Fetch, now: Time): boolean;
  /** Takes the outcome of a ticket's fetch. Returns whether the ticket was unused before. */
  handle(ticket: Ticket, outcome: Outcome, now: Time): boolean;
  /** Takes a ticket back without an outcome: nothing is counted, and robots.txt is due again. */
  giveBack(ticket: Ticket, now: Time): void;
  /** Notes that the task of a ticket is alive: its lease begins anew. */
  renew(ticket: Ticket, now: Time): void;
  /** Notes that pages of the origin are queued. */
  hold(origin: Origin): void;
  /** Notes that the queue of the origin is empty, so that the origin is forgotten first. */
  release(origin: Origin): void;
  /** Notes that no page will ask for the answer at hand. */
  forgo(origin: Origin, now: Time): void;
  /** Forgets the failures and the outage of an origin, and makes its robots.txt due. */
  reset(origin: Origin): void;
  setSite(origin: Origin, site: Site, now: Time): void;
  /** Makes an exception for all origins of a host. */
  setObedience(host: string, obedience: Obedience): void;
  contains(origin: Origin): boolean;
  /** The reasons of the access to a known origin. */
  explain(origin: Origin, now: Time): string | undefined;
  entry(origin: Origin): Entry | undefined;
  insert(origin: Origin, entry: Entry, now: Time): void;
  /** The earliest time at which a robots.txt is due. */
  nextWakeup(): Date | undefined;
  save(): Uint8Array;
  /** Loads the bytes that {@link save} of this release gave; they replace the memory. @throws {TypeError} */
  load(saved: Uint8Array, now: Time): void;
  /** The number of known origins. */
  readonly size: number;
  /** The number of forgotten origins that left something. */
  readonly forgotten: number;
  /** The bytes that count against the capacity. */
  readonly bytes: number;
}

/** Whether a host may be asked: now, after a time, after the end of a request, or never by the profile. */
export type Turn = 'ready' | Date | 'never' | 'busy' | 'skip';

/** The end of a request, for a page or for robots.txt, with the time at which it began. */
export type Reply = { started: Time } & PageReply;

/** The same without the time at which the request began. */
export type PageReply = {
  /** A sign in the content that the site does not want the crawler; the caller has to look for it. */
  signal?: 'challenge' | 'soft_block' | 'honeypot';
} & (
  | {
      status: number;
      /** All of them, or those that ask for a wait: `Retry-After`, `RateLimit` and the like, and `Date`. */
      headers?: Fetched['headers'];
    }
  | { error: (FetchEvent & { kind: 'failed' })['error'] }
);

/** The pace of one host: when the next request may start. */
export class Pacer extends Freeable {
  /** For a host that was never asked: ready at once. */
  constructor();
  /** Like the constructor, with the jitter of this host. */
  static forHost(host: string): Pacer;
  /** For a host whose pacer is lost: it waits for one whole gap first. */
  static afterGap(now: Time): Pacer;
  /** Loads the bytes that {@link save} of this release returned; no request is under way then. @throws {TypeError} */
  static load(saved: Uint8Array): Pacer;
  save(): Uint8Array;
  /** Sets the `Crawl-delay` of the host's robots.txt in seconds, if it has one. */
  setCrawlDelay(seconds: number | undefined): void;
  poll(profile: Profile, now: Time): Turn;
  handleStart(now: Time): void;
  /** A request that was given up, or never sent: the gap is kept, and the host is not to blame. */
  handleCancelled(profile: Profile, now: Time): void;
  handleReply(reply: Reply, profile: Profile, now: Time): void;
  /** Whether a new pacer in its place would permit no request earlier. */
  isAsNew(profile: Profile, now: Time): boolean;
  /** The back-off level: 0 is normal, each one doubles the delay. */
  level(profile: Profile): number;
  /** The `Crawl-delay` in seconds, as in the file, if it is above the longest that the profile expects. */
  longCrawlDelay(profile: Profile): number | undefined;
}

/** The handle of a host in its scheduler. One that outlives its host is stale: calls with it change nothing. */
export type HostId = bigint;

/** The exceptions that an operator makes for one host; a property that is left out is as in the profile. */
export interface HostRule {
  minDelayMs?: number | null;
  maxInFlight?: number | null;
  crawlDelay?: CrawlDelayPolicy | null;
  /** For {@link Cache.setObedience}; a scheduler ignores it. */
  obedience?: Obedience | null;
}

/**
 * The paces of many hosts, and which of them is next. It holds hosts, never URLs: those wait in the caller's queues. A request
 * ends with `handleReply` or `handleCancelled`, or when its lease is over.
 */
export class Scheduler extends Freeable {
  constructor(profile: Profile);
  /** Loads the bytes that {@link save} of this release returned; no request is under way then. @throws {TypeError} */
  static load(saved: Uint8Array): Scheduler;
  save(): Uint8Array;
  /** The number of hosts. */
  readonly size: number;
  /**
   * Adds a host that has a URL: {@link Origin.host}, or a name that several hosts share. A host that is there already keeps its
   * pace and waits for its turn. Hosts of one group share the limit of their address.
   */
  insert(host: string, group?: bigint): HostId;
  /** Adds a host with the pace that {@link pacer} gave elsewhere. */
  insertWith(host: string, pacer: Pacer, group?: bigint): HostId;
  /** Merges the pace that another crawler had for the host: the more patient value of each part counts. */
  join(host: HostId, pacer: Pacer): void;
  find(host: string): HostId | undefined;
  /** All hosts, in no order. */
  hosts(): BigUint64Array;
  contains(host: HostId): boolean;
  setGroup(host: HostId, group?: bigint): void;
  /** The pace of the host, to take it to another scheduler. */
  pacer(host: HostId): Pacer | undefined;
  /** The name of the host; empty once it is removed. */
  host(host: HostId): string;
  turn(host: HostId, now: Time): Turn;
  /** A host that may be asked now and waits for it: the same one until `handleStart`, `setIdle` or `defer`. */
  nextReady(now: Time): HostId | undefined;
  /** The earliest time at which `nextReady` may have a host again without a call of another kind. */
  nextWakeup(): Date | undefined;
  handleStart(host: HostId, now: Time): void;
  handleReply(host: HostId, reply: Reply, now: Time): void;
  /** A request that was given up, or never sent: the gap is kept, and the host is not to blame. */
  handleCancelled(host: HostId, now: Time): void;
  /** Sets the `Crawl-delay` of one robots.txt in seconds, if it has one; the longest of the host's origins counts. */
  setCrawlDelay(host: HostId, origin: Origin, seconds: number | undefined): void;
  /** Gives the host no turn before a time, as there is nothing to ask. A later call may shorten it. */
  defer(host: HostId, until: Time): void;
  /** Stops asking the host until a time, by the operator's will; `Infinity` is for ever. */
  block(host: HostId, until: Time): void;
  unblock(host: HostId): void;
  setRule(host: HostId, rule: HostRule): void;
  rule(host: HostId): HostRule;
  /** Lets the host wait for its turn, because it has a URL. A new one waits. */
  setWaiting(host: HostId): void;
  /** Gives the host no turn, because it has no URL at hand. */
  setIdle(host: HostId): void;
  /** Takes the host out. It is remembered until its requests, its gap and its blocks are over. */
  remove(host: HostId): void;
  /** Whether the host, inserted again as a new one, would get no turn earlier. */
  isAsNew(host: HostId, now: Time): boolean;
  /** The number of requests that the host will take within a time. */
  capacity(host: HostId, milliseconds: number): number;
}

/** The next step of a {@link Crawl}. */
export type CrawlStep =
  /** The request of this page has begun: send it, and report its end. */
  | { readonly kind: 'turn'; readonly page: number }
  /** The request of this round for a robots.txt has begun: send it, and report its end. */
  | { readonly kind: 'get'; readonly round: number; readonly request: Step & { kind: 'get' } }
  /** A rule of the site disallows the page. */
  | { readonly kind: 'disallowed'; readonly page: number; readonly robotsUrl: string; readonly line: number | undefined; readonly explanation: string }
  /** The robots.txt of the site cannot be fetched. */
  | { readonly kind: 'closed'; readonly page: number; readonly cause: Access['cause']; readonly since: Date; readonly retry: NextFetch }
  /** The host cannot be asked within the time that the page waits. */
  | { readonly kind: 'busy'; readonly page: number; readonly reason: string; readonly retryAt: Date | undefined }
  /** Nothing before this time, or another call. */
  | { readonly kind: 'wait'; readonly until: Date };

/**
 * The machine of `politeFetch` and of {@link RobotsCache.wait}: pages wait for their robots.txt and for the turns of their hosts, one request to a host at a time.
 * Poll it after each other call, and at the time of the last `wait`, until it gives a `wait` or `undefined`.
 */
export class Crawl extends Freeable {
  /**
   * @param capacity In bytes.
   * @param maxWaitMs The most milliseconds that a page waits for its turn.
   * @param maxInFlight Requests under way at a time.
   * @param maxQueue Pages that wait for one host.
   * @throws {InvalidTokenError} For the first agent that is not a product token.
   */
  constructor(profile: Profile, agents: string[], capacity: number, maxWaitMs: number, maxInFlight: number, maxQueue: number);
  /** The cache of the crawl itself, not a copy: it changes with the crawl. */
  readonly cache: Cache;
  /**
   * Adds a page by the URL that is sent, and gives its number for the steps. `lent` is for a request that another client sends,
   * which does not count in `maxInFlight`. `steady` is `performance.now()`, by which the page waits: `now` may jump. `asked` is the
   * URL as it was given, if it is another text: a rule for either forbids the page. `maxWaitMs` is for this page alone. A
   * `patient` page waits also while its site is closed, if the site may be asked again in time. @throws {InvalidUrlError}
   */
  enter(url: string, lent: boolean, now: Time, steady: number, asked?: string, maxWaitMs?: number, patient?: boolean): number;
  /** Ends a page whose caller left, or whose request was given up. */
  leave(page: number, now: Time): void;
  poll(now: Time, steady: number): CrawlStep | undefined;
  /** Takes the end of the request of a page. */
  finish(page: number, reply: PageReply, now: Time): void;
  /** Takes the result of the request of a round. */
  handle(round: number, event: FetchEvent & { kind: 'response' | 'failed' }, now: Time): void;
  /** The pages that wait for the robots.txt of a round. */
  pagesOf(round: number): Uint32Array;
  save(): Uint8Array;
  /** Loads bytes of {@link save} of this release, before the first page. Each host waits for one gap. @throws {TypeError} */
  load(saved: Uint8Array, now: Time): void;
  /** The number of known hosts. */
  readonly hosts: number;
}
