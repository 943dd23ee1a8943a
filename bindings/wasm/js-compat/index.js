'use strict';

// The interface of robots-parser 3.0.1 on polite-robots.

const { RobotsTxt } = require('polite-robots');

/** Relative addresses of a robots.txt and of a page meet at this host, which no site has. */
const NOWHERE = 'http://relative.invalid';

/** An address that `new URL` would change. All others are compared as they stand, which takes a third of the time. */
const NEEDS_PARSING = /[\0- \\\x7f-\uffff#]|\/\.|%2e/i;

/** The address of a robots.txt whose host `new URL` leaves as it is: names in small letters, the last without a digit. */
const PLAIN_SITE = /^https?:\/\/(?:[a-z\d]+(?:-[a-z\d]+)*\.)+[a-z]+(?=\/)/;

/** Robots that are kept: a crawler has a handful of names, so more of them are an attack or a mistake. */
const MOST_ROBOTS = 64;

class Robots {
  #robotsTxt;
  #origin;
  #robots = new Map();

  constructor(url, contents) {
    this.#robotsTxt = new RobotsTxt(contents == null ? '' : encoded(String(contents)));
    this.#origin = siteOf(url) ?? originOf(parsed(url));
  }

  isAllowed(url, ua) {
    const page = this.#page(url);
    return page === undefined ? undefined : this.#robot(ua).allowed(page);
  }

  isDisallowed(url, ua) {
    // A page of another site is disallowed, as the original has it.
    return !this.isAllowed(url, ua);
  }

  isExplicitlyDisallowed(url, ua) {
    const page = this.#page(url);
    if (page === undefined) {
      return undefined;
    }
    const robot = this.#robot(ua);
    return robot.agentMatch === 'named' && !robot.allowed(page);
  }

  getMatchingLineNumber(url, ua) {
    const page = this.#page(url);
    return (page === undefined ? undefined : this.#robot(ua).check(page).line) ?? -1;
  }

  getCrawlDelay(ua) {
    return this.#robot(ua).crawlDelay;
  }

  getSitemaps() {
    return this.#robotsTxt.sitemaps;
  }

  getPreferredHost() {
    const hosts = this.#robotsTxt.extensions.filter(({ field }) => field === 'Host');
    return hosts.at(-1)?.value.toLowerCase() ?? null;
  }

  /** The address of a page of this site; `undefined` for any other. */
  #page(url) {
    const origin = this.#origin;
    if (origin === undefined) {
      return undefined;
    }
    if (typeof url === 'string' && url.startsWith(origin) && url[origin.length] === '/' && !NEEDS_PARSING.test(url)) {
      return url;
    }
    const page = parsed(url);
    return originOf(page) === origin ? page.href : undefined;
  }

  /** The rules of an agent, by the name before its version; those of everyone if that is not a valid name. */
  #robot(ua) {
    let robot = this.#robots.get(ua);
    if (robot === undefined) {
      if (this.#robots.size === MOST_ROBOTS) {
        this.#robots.clear();
      }
      robot = make(this.#robotsTxt, String(ua ?? '*').split('/', 1)[0].trim());
      this.#robots.set(ua, robot);
    }
    return robot;
  }
}

function make(robotsTxt, name) {
  try {
    return robotsTxt.robot(name);
  } catch {
    return robotsTxt.robot('*');
  }
}

/** The origin of a plain address, found in a fifth of the time that `new URL` takes. */
function siteOf(url) {
  return typeof url === 'string' ? PLAIN_SITE.exec(url)?.[0] : undefined;
}

/** Half of a surrogate pair becomes three bytes that are not UTF-8, so that a rule with one matches no page. */
function encoded(contents) {
  if (contents.isWellFormed?.() ?? !/\p{Surrogate}/u.test(contents)) {
    return contents;
  }
  const encoder = new TextEncoder();
  const parts = contents.split(/(\p{Surrogate})/u).map((part, index) => {
    const unit = part.charCodeAt(0);
    return index % 2 === 0 ? encoder.encode(part) : Uint8Array.of(0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((start, part) => (bytes.set(part, start), start + part.length), 0);
  return bytes;
}

/** Scheme and host with its port. `URL.origin` will not do: it is `null` for most schemes. */
function originOf(url) {
  return url === undefined ? undefined : `${url.protocol}//${url.host}`;
}

function parsed(url) {
  try {
    return new URL(url, NOWHERE);
  } catch {
    return undefined;
  }
}

module.exports = function robotsParser(url, contents) {
  return new Robots(url, contents);
};
// `import` of a program that was compiled to CommonJS asks for this name.
module.exports.default = module.exports;
