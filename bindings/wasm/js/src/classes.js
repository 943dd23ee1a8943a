// The classes of the package, over the raw ones of the WebAssembly module.

import { RawRobot, RawRobotsTxt, checkAbsolute, productToken as rawProductToken, robotsUrl as rawRobotsUrl } from '../generated/raw.js';

import { file, isGoogle, maxBytes, name, names, show, text, texts } from './arguments.js';
import { free, makeDisposable } from './freed.js';
import { guard, reported } from './guard.js';
import { makeReadable, toJSON } from './inspected.js';
import { answers, write, writeFile, writeLines } from './memory.js';

// A wrapped `allowedWritten` would take a fifth more time.
guard([RawRobot, RawRobotsTxt], ['allowedWritten']);

function checkStatus(status) {
  if (!(Number.isInteger(status) && status >= 100 && status <= 999)) {
    throw new RangeError(`the status is ${show(status)}; an HTTP status has three digits`);
  }
}

function blanket(Raw, allows, cause) {
  const isStatus = typeof cause === 'number';
  if (isStatus) {
    checkStatus(cause);
  }
  const raw = Raw.blanket(allows, isStatus ? cause : 0, isStatus ? '' : String(cause));
  if (raw === undefined) {
    throw new TypeError(`the cause is ${show(cause)}; it is an HTTP status or the name of a cause`);
  }
  return raw;
}

/** Set for the one call of a constructor that gets a raw object in place of a file. */
let given;

function wrap(raw, Class = Robot, options = undefined) {
  given = raw;
  try {
    return new Class(undefined, options);
  } finally {
    given = undefined;
  }
}

/** Outside of the class, whose name a bundler changes where a static method uses it. */
function wrapFile(raw, options) {
  return wrap(raw, RobotsTxt, options);
}

/** The text of a URL. If the options ask for it, a relative link is refused. */
function textOf(url, options) {
  const asked = text(url);
  if (options?.absolute) {
    checkAbsolute(asked);
  }
  return asked;
}

export class Robot {
  #raw;
  toJSON = toJSON;

  constructor(agent, robotsTxt, options) {
    if (given !== undefined) {
      this.#raw = given;
      return;
    }
    name(agent);
    // All that may run code of the caller comes before the first byte is written.
    const content = file(robotsTxt);
    const google = isGoogle(options);
    const limit = maxBytes(options);
    const agentBytes = write(agent);
    const raw = agentBytes < 0 ? undefined : RawRobot.parseWritten(agentBytes, writeFile(content), google, limit);
    // For the error of an invalid agent.
    this.#raw = raw ?? RawRobot.parse(agent, writeFile(content), google, limit);
  }

  static allowAll(cause = 'configured') {
    return wrap(blanket(RawRobot, true, cause));
  }

  static disallowAll(cause = 'configured') {
    return wrap(blanket(RawRobot, false, cause));
  }

  allowed(url, options) {
    const asked = typeof url === 'string' && options === undefined ? url : textOf(url, options);
    const bytes = write(asked);
    try {
      return bytes < 0 ? this.#raw.allowed(asked) : this.#raw.allowedWritten(bytes);
    } catch (error) {
      throw reported(error);
    }
  }

  check(url, options) {
    const asked = textOf(url, options);
    return this.#raw.check(asked);
  }

  allowedMany(urls, options) {
    const list = texts(urls);
    if (options?.absolute) {
      list.forEach(checkAbsolute);
    }
    // A text of two or three takes longer than their answers.
    if (list.length < 4) {
      return list.map((url) => this.allowed(url));
    }
    const allowed = [];
    while (allowed.length < list.length) {
      const start = allowed.length;
      // One text for many URLs, as a call costs more than an answer. No URL holds a line feed as it is sent; one that does
      // makes the number of answers wrong, and each is asked for itself then.
      const [count, bytes] = writeLines(list, start);
      if (this.#raw.allowedMany(bytes) === count && count > 0) {
        const written = answers();
        for (let index = 0; index < count; index += 1) {
          allowed.push(written[index] === 1);
        }
      } else {
        allowed.push(...list.slice(start, start + (count || 1)).map((url) => this.allowed(url)));
      }
    }
    return allowed;
  }

  usage(url) {
    const asked = text(url);
    const [search, aiInput, aiTraining] = this.#raw.usage(asked);
    return Object.freeze({ search, aiInput, aiTraining });
  }

  namedOnly() {
    return wrap(this.#raw.namedOnly());
  }

  get agentMatch() {
    return this.#raw.agentMatch();
  }

  get groupLines() {
    return Array.from(this.#raw.groupLines());
  }

  get rules() {
    return this.#raw.rules();
  }

  get crawlDelay() {
    return this.#raw.crawlDelay();
  }

  get requestRates() {
    return this.#raw.requestRates();
  }

  get sitemaps() {
    return this.#raw.sitemaps();
  }

  get licenses() {
    return this.#raw.licenses();
  }

  free() {
    this.#raw = free(this.#raw);
  }
}

function rawOf(status, body, options) {
  const content = file(body);
  const google = isGoogle(options);
  const limit = maxBytes(options);
  return RawRobotsTxt.fromStatus(status, writeFile(content), google, limit);
}

export class RobotsTxt {
  #raw;
  #dialect;
  toJSON = toJSON;

  constructor(robotsTxt, options) {
    this.#raw = given ?? rawOf(200, robotsTxt, options);
    this.#dialect = isGoogle(options) ? 'google' : 'rfc9309';
  }

  static fromStatus(status, body, options) {
    checkStatus(status);
    return wrapFile(rawOf(status, body, options), options);
  }

  static allowAll(cause = 'configured') {
    return wrapFile(blanket(RawRobotsTxt, true, cause));
  }

  static disallowAll(cause = 'configured') {
    return wrapFile(blanket(RawRobotsTxt, false, cause));
  }

  robot(agent) {
    return wrap(this.#raw.robot(name(agent)));
  }

  robotFirst(agents) {
    const list = names(agents);
    return wrap(this.#raw.robotFirst(list));
  }

  robotMerged(agents) {
    const list = names(agents);
    return wrap(this.#raw.robotMerged(list));
  }

  cleanUrl(url) {
    const asked = text(url);
    return this.#raw.cleanUrl(asked);
  }

  get dialect() {
    return this.#dialect;
  }

  get groups() {
    return this.#raw.groups();
  }

  get sitemaps() {
    return this.#raw.sitemaps();
  }

  get extensions() {
    return this.#raw.extensions();
  }

  get host() {
    return this.#raw.host();
  }

  get truncatedAt() {
    return this.#raw.truncatedAt();
  }

  get bytes() {
    return this.#raw.bytes();
  }

  free() {
    this.#raw = free(this.#raw);
  }
}

makeDisposable(Robot, RobotsTxt);

makeReadable(Robot, ({ agentMatch, groupLines, rules, crawlDelay, sitemaps }) => ({
  agentMatch,
  groupLines,
  rules: rules.map(({ access, pattern, line }) => `${access} ${pattern} (line ${line})`),
  crawlDelay,
  sitemaps,
}), (robot) => `${counted(robot.rules.length, 'rule')} of ${counted(robot.groupLines.length, 'group')}; "/" is ${robot.check('/').explanation}`);
makeReadable(RobotsTxt, ({ dialect, groups, sitemaps, truncatedAt }) => ({
  dialect,
  groups: groups.map(({ line, userAgents, rules }) => ({
    line,
    userAgents: userAgents.map(({ value }) => value),
    rules: rules.length,
  })),
  sitemaps,
  truncatedAt,
}), ({ groups, sitemaps }) => `a robots.txt with ${counted(groups.length, 'group')} and ${counted(sitemaps.length, 'sitemap')}`);

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export function robotsUrl(url) {
  const asked = text(url);
  try {
    return rawRobotsUrl(asked);
  } catch (error) {
    try {
      // `URL` writes a host of any letters in ASCII, as it is sent.
      return rawRobotsUrl(new URL(asked).href);
    } catch {
      throw error;
    }
  }
}

export function productToken(userAgent) {
  if (typeof userAgent !== 'string') {
    throw new TypeError(`the User-Agent is ${show(userAgent)}; it is a string`);
  }
  return rawProductToken(userAgent);
}
