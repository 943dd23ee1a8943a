import { InvalidRecordError, type RobotsTxt } from 'polite-robots';

export { InvalidRecordError };

/** A finding about a file. */
export interface Diagnostic {
  /** Stable across releases, such as `misspelled-field`; `robots lint --explain CODE` has a page about each. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  /** From 1. */
  readonly line: number;
  /** The span in the bytes of the file, from 0; `end` is after the last byte. */
  readonly start: number;
  readonly end: number;
  /** One sentence for the person who maintains the file. */
  readonly message: string;
  /** A replacement for the span that changes no answer of RFC 9309. */
  readonly suggestion: string | undefined;
}

/** The mistakes in a file, in the order of its lines: a document, text or bytes. If no line is a record, one finding says so. */
export function lint(robotsTxt: RobotsTxt | string | ArrayBuffer | ArrayBufferView): Diagnostic[];

/** A file in canonical form, which answers every question as the file does. */
export function toCanonical(robotsTxt: RobotsTxt | string | ArrayBuffer | ArrayBufferView, options?: { comments?: 'keep' | 'drop' }): Uint8Array;

/** A path of a rule: a pattern in which `*` and a final `$` have their meaning, or literal text. */
export type PathPattern = string | { prefix: string } | { exact: string };

/** A group of a file that a program writes. Each method throws an {@link InvalidRecordError} for a value that would read back differently. */
export class GroupBuilder {
  /** @param agent A product token, or `*` for everyone whom no group names. */
  constructor(agent: string);
  userAgent(agent: string): this;
  comment(text: string): this;
  allow(path: PathPattern): this;
  disallow(path: PathPattern): this;
  /** Seconds, at least 0. */
  crawlDelay(seconds: number): this;
  /** A number of documents in a number of seconds, whole numbers from 1. */
  requestRate(documents: number, seconds: number): this;
  contentSignal(signals: Record<string, string>, path?: string): this;
  contentUsage(usage: Record<string, string>, path?: string): this;
  license(url: string): this;
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * A file that a program writes.
 *
 * ```js
 * const group = new GroupBuilder('*').disallow('/search').allow({ exact: '/search/about' });
 * new RobotsTxtBuilder().group(group).sitemap('https://example.com/map.xml').build();
 * ```
 */
export class RobotsTxtBuilder {
  comment(text: string): this;
  group(group: GroupBuilder): this;
  sitemap(url: string): this;
  cleanParam(parameters: Iterable<string>, path?: string): this;
  contentSignal(signals: Record<string, string>, path?: string): this;
  license(url: string): this;
  build(): string;
  free(): void;
  [Symbol.dispose](): void;
}
