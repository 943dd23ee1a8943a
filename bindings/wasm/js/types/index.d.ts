declare global {
  /** A declaration of ESNext, for programs whose `lib` is older. */
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** The reading of a file that decides: RFC 9309's (the default), or that of Google's open-source matcher, verdict for verdict. */
export type Dialect = 'rfc9309' | 'google';

/** How a file is read. */
export interface Options {
  /** `'rfc9309'` by default. */
  dialect?: Dialect;
  /**
   * The number of bytes that are read, in whole lines. RFC 9309 §2.5 asks for at least 512,000. By default the whole
   * file is read.
   */
  maxBytes?: number;
}

/** The options of a question about a URL. */
export interface Asking {
  /**
   * Refuses a relative link, whose first word would be taken for a host, and a path that begins with a blank, with an
   * {@link InvalidUrlError}. `false` by default.
   */
  absolute?: boolean;
}

/** The bytes of a robots.txt as they came, or its text. Bytes are better: text has lost the bytes that were not UTF-8. */
export type File = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** The kind of group that applies to an agent: one that names it, the one for everyone, or none. */
export type AgentMatch = 'named' | 'wildcard' | 'none';

/** The event that decides about a whole site in place of a robots.txt; an HTTP status is given as a number. */
export type Cause =
  | 'configured'
  | 'not_fetched'
  | 'unreachable'
  | 'too_many_redirects'
  | 'truncated'
  | 'parse_errors'
  | 'no_copy'
  | 'gave_up'
  | 'encoded'
  | 'full';

/** The kind of evidence for a verdict. */
export type Reason =
  | 'rule'
  | 'directory_of_index'
  | 'no_rule_matches'
  | 'no_group'
  | 'robots_txt_itself'
  | 'status'
  | Cause
  | 'other';

/** A rule as it is compared. */
export interface Rule {
  readonly access: 'allow' | 'disallow';
  /** In the canonical percent-encoding of the dialect. */
  readonly pattern: string;
  /** From 1. */
  readonly line: number;
  /** The bytes that decide which rule wins (RFC 9309 §2.2.2). */
  readonly length: number;
}

/** An answer with its evidence. */
export interface Verdict {
  readonly allowed: boolean;
  /** The line of the deciding rule, from 1; `undefined` if no rule decided. */
  readonly line: number | undefined;
  readonly reason: Reason;
  /** One sentence, such as `disallowed by line 2: Disallow: /search in the wildcard group on line 1`. */
  readonly explanation: string;
  readonly rule: Rule | undefined;
  /** The rule with the most bytes among those with the opposite answer that match too. */
  readonly overruled: Rule | undefined;
  readonly agentMatch: AgentMatch;
  /** The line on which the group of the deciding rule begins, from 1. */
  readonly groupLine: number | undefined;
}

/** A record outside of RFC 9309: its field, its value as written, and its line from 1. */
export interface Extension {
  readonly field: string;
  readonly value: string;
  readonly line: number;
}

/** A preference about a use, and the record that states it, or the `Allow` or `Disallow` of a group that names the use. */
export interface Preference {
  readonly preference: 'allowed' | 'disallowed' | 'unstated';
  readonly record: Extension | undefined;
}

/** The preferences about uses of one page (contentsignals.org, draft-ietf-aipref-vocab). They change no verdict. */
export interface Usage {
  readonly search: Preference;
  readonly aiInput: Preference;
  readonly aiTraining: Preference;
}

/** A `Request-rate`: a number of documents in a number of seconds. */
export interface RequestRate {
  readonly documents: number;
  readonly seconds: number;
}

/** A group of a file as it is written. */
export interface Group {
  /** From 1. */
  readonly line: number;
  readonly userAgents: readonly {
    /** As written, without blanks around it. */
    readonly value: string;
    /** The part that is compared; empty for `*`. */
    readonly productToken: string;
    readonly line: number;
  }[];
  readonly rules: readonly { readonly access: 'allow' | 'disallow'; readonly value: string; readonly line: number }[];
}

/**
 * A file for one agent.
 *
 * ```js
 * const robot = new Robot('ExampleBot', 'User-agent: *\nDisallow: /search');
 * robot.allowed('https://example.com/search?q=a'); // false
 * ```
 */
export class Robot {
  /**
   * Reads a file for one agent. Never throws for what the file holds.
   *
   * @param agent The product token, such as `ExampleBot`: not a whole User-Agent header. `*` asks for the group for
   *   everyone alone.
   * @throws {InvalidTokenError} For an agent that is not a product token.
   * @throws {OutOfMemoryError} For robots that were never freed: a loop that awaits nothing gives the garbage collector no
   *   time to free them, so call {@link free} there, or declare them with `using`.
   */
  constructor(agent: string, robotsTxt: File, options?: Options);

  /** A robot that may fetch everything: after a 404 (RFC 9309 §2.3.1.3). `'configured'` by default. */
  static allowAll(cause?: number | Cause): Robot;
  /** A robot that may fetch nothing: after a 503 (RFC 9309 §2.3.1.4). `'configured'` by default. */
  static disallowAll(cause?: number | Cause): Robot;

  /**
   * Whether the agent may fetch the URL. The host is not looked at: ask the file at {@link robotsUrl} of the URL. A path
   * such as `/a?b` will do, and links are resolved first, with `new URL(href, page)`.
   */
  allowed(url: string | URL, options?: Asking): boolean;
  /** The answer with its evidence. */
  check(url: string | URL, options?: Asking): Verdict;
  /** The answers for many URLs, in their order. */
  allowedMany(urls: Iterable<string | URL>, options?: Asking): boolean[];
  /** The preferences about the uses of a page. */
  usage(url: string | URL): Usage;
  /** The robot without the group for everyone, for crawlers that obey their own groups alone. */
  namedOnly(): Robot;

  readonly agentMatch: AgentMatch;
  /** The lines on which the groups of the agent begin. */
  readonly groupLines: number[];
  /** The rules in precedence order: the first that matches decides. */
  readonly rules: Rule[];
  /** Seconds. It is not bounded: a hostile file may ask for a million years, so cap it. */
  readonly crawlDelay: number | undefined;
  readonly requestRates: RequestRate[];
  readonly sitemaps: string[];
  /** Addresses of license terms (RSL 1.0). */
  readonly licenses: string[];

  /** Gives the memory back at once; otherwise the garbage collector does. Later calls throw a `TypeError`. */
  /** One sentence, with the number of rules and the answer about `/`. */
  toString(): string;
  /**
   * The parts that the console shows. It belongs to each object, so that `structuredClone` throws a `DataCloneError` instead of
   * making an empty copy: another thread parses the bytes of the file.
   */
  toJSON: () => unknown;
  free(): void;
  /** As {@link free}, for `using`. */
  [Symbol.dispose](): void;
}

/** A file for every agent. */
export class RobotsTxt {
  /** Reads a file. Never throws for what the file holds. */
  constructor(robotsTxt: File, options?: Options);

  /**
   * Reads a response to `GET /robots.txt`, for a crawler with a fetch of its own: the rules of the body count for a status of
   * 200 to 299 but 206, everything is allowed for 400 to 499 but 429, and nothing for any other (RFC 9309 §2.3.1).
   *
   * @param body All of it, without a content coding such as gzip. Follow redirects first; without any response there is
   *   `RobotsTxt.disallowAll('unreachable')`. How long that counts is a question for a `RobotsCache`.
   */
  static fromStatus(status: number, body: File, options?: Options): RobotsTxt;
  /** A file that allows everything to every agent: after a 404 (RFC 9309 §2.3.1.3). `'configured'` by default. */
  static allowAll(cause?: number | Cause): RobotsTxt;
  /** A file that disallows everything to every agent: after a 503 (RFC 9309 §2.3.1.4). `'configured'` by default. */
  static disallowAll(cause?: number | Cause): RobotsTxt;

  /** The rules of one agent. @throws {InvalidTokenError} */
  robot(agent: string): Robot;
  /** The rules of the first agent that the file names, for crawlers with fallbacks. @throws {InvalidTokenError} */
  robotFirst(agents: Iterable<string>): Robot;
  /** The rules of several agents together, as Google's matcher merges them. @throws {InvalidTokenError} */
  robotMerged(agents: Iterable<string>): Robot;
  /** A URL without the parameters that `Clean-param` names (Yandex). */
  cleanUrl(url: string | URL): string;

  /** The reading of the file that the options asked for. */
  readonly dialect: Dialect;
  readonly groups: Group[];
  readonly sitemaps: string[];
  readonly extensions: Extension[];
  /** The preferred host (Yandex, until 2018). */
  readonly host: string | undefined;
  /** The number of bytes that were read, if the limit cut the file. */
  readonly truncatedAt: number | undefined;
  /** The bytes that were read; `User-agent: *` and `Disallow: /` for {@link disallowAll}. */
  readonly bytes: Uint8Array;

  /** Gives the memory back at once; otherwise the garbage collector does. Later calls throw a `TypeError`. */
  /** One sentence. */
  toString(): string;
  /** As in {@link Robot}; another thread parses {@link bytes}. */
  toJSON: () => unknown;
  free(): void;
  /** As {@link free}, for `using`. */
  [Symbol.dispose](): void;
}

/** The URL of the robots.txt that governs a page. @throws {InvalidUrlError} For a text that is not an http or https URL. */
export function robotsUrl(url: string | URL): string;

/** The product token in a User-Agent header that was probably meant. */
export function productToken(userAgent: string): string | undefined;

/** An agent that no crawler can be called: a whole User-Agent header, a blank, a URL. */
export class InvalidTokenError extends Error {
  readonly name: 'InvalidTokenError';
  readonly code: 'INVALID_TOKEN';
  readonly token: string;
  readonly probablyMeant: string | undefined;
}

/** A text that is not an http or https URL, so that it has no robots.txt; or a relative link, if {@link Asking} refuses them. */
export class InvalidUrlError extends Error {
  readonly name: 'InvalidUrlError';
  readonly code: 'INVALID_URL';
  readonly url: string;
}

/** A value that a robots.txt cannot carry, or that would read back with another meaning. */
export class InvalidRecordError extends Error {
  readonly name: 'InvalidRecordError';
  readonly code: 'INVALID_RECORD';
  readonly field: string;
  readonly value: string;
}

/** Memory that the WebAssembly module asked for and did not get: all robots and documents have at most 4 GiB. */
export class OutOfMemoryError extends Error {
  readonly name: 'OutOfMemoryError';
  readonly code: 'OUT_OF_MEMORY';
}
