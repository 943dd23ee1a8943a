/** The robots.txt of a site. */
interface Robot {
  /** Whether the agent may fetch the page; `undefined` for a page of another site. */
  isAllowed(url: string, ua?: string): boolean | undefined;
  /** The opposite; `true` for a page of another site. */
  isDisallowed(url: string, ua?: string): boolean | undefined;
  /** Whether a group that names the agent disallows the page. */
  isExplicitlyDisallowed(url: string, ua: string): boolean | undefined;
  /** The line of the deciding rule, from 1; -1 if none decided. */
  getMatchingLineNumber(url: string, ua?: string): number;
  /** Seconds. */
  getCrawlDelay(ua?: string): number | undefined;
  getSitemaps(): string[];
  getPreferredHost(): string | null;
}

/**
 * Reads the robots.txt of a site.
 *
 * @param url The address of the robots.txt, or a relative one for relative pages.
 * @param robotstxt Its text.
 */
declare function robotsParser(url: string, robotstxt: string): Robot;

declare namespace robotsParser {
  export { Robot, robotsParser as default };
}

export = robotsParser;
