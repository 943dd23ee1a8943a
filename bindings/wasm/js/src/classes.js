// The classes of the package, over the raw ones of the WebAssembly module.

import { RawRobot, RawRobotsTxt, productToken as rawProductToken, robotsUrl as rawRobotsUrl } from '../generated/raw.js';

import { name, names, read, show, text } from './arguments.js';
import { free, makeDisposable } from './freed.js';

function blanket(allows, cause) {
  const isStatus = typeof cause === 'number';
  if (isStatus && !(Number.isInteger(cause) && cause >= 100 && cause <= 999)) {
    throw new RangeError(`the status is ${cause}; an HTTP status has three digits`);
  }
  const raw = RawRobot.blanket(allows, isStatus ? cause : 0, isStatus ? '' : String(cause));
  if (raw === undefined) {
    throw new TypeError(`the cause is ${show(cause)}; it is an HTTP status or the name of a cause`);
  }
  return wrap(raw);
}

/** Set for the one call of a constructor that gets a raw object in place of a file. */
let given;

function wrap(raw) {
  given = raw;
  return new Robot();
}

export class Robot {
  #raw;

  constructor(agent, robotsTxt, options) {
    if (given !== undefined) {
      this.#raw = given;
      given = undefined;
    } else {
      this.#raw = read(RawRobot, [name(agent)], robotsTxt, options);
    }
  }

  static allowAll(cause = 'configured') {
    return blanket(true, cause);
  }

  static disallowAll(cause = 'configured') {
    return blanket(false, cause);
  }

  allowed(url) {
    return this.#raw.allowed(typeof url === 'string' ? url : text(url));
  }

  check(url) {
    return this.#raw.check(text(url));
  }

  allowedMany(urls) {
    // One text for all: a call costs more than an answer. A line feed is no part of a URL as it is sent, so one that
    // holds it is asked for itself.
    const list = Array.from(urls, text);
    if (list.some((url) => url.includes('\n'))) {
      return list.map((url) => this.#raw.allowed(url));
    }
    const answers = this.#raw.allowedMany(list.length === 0 ? '' : `${list.join('\n')}\n`);
    return Array.from(answers, (answer) => answer === 1);
  }

  usage(url) {
    const [search, aiInput, aiTraining] = this.#raw.usage(text(url));
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

export class RobotsTxt {
  #raw;

  constructor(robotsTxt, options) {
    this.#raw = read(RawRobotsTxt, [], robotsTxt, options);
  }

  robot(agent) {
    return wrap(this.#raw.robot(name(agent)));
  }

  robotFirst(agents) {
    return wrap(this.#raw.robotFirst(names(agents)));
  }

  robotMerged(agents) {
    return wrap(this.#raw.robotMerged(names(agents)));
  }

  lint() {
    return this.#raw.lint();
  }

  toCanonical({ comments = 'keep' } = {}) {
    if (comments !== 'keep' && comments !== 'drop') {
      throw new TypeError(`comments is ${show(comments)}; there are "keep" and "drop"`);
    }
    return this.#raw.toCanonical(comments === 'keep');
  }

  cleanUrl(url) {
    return this.#raw.cleanUrl(text(url));
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

export function robotsUrl(url) {
  return rawRobotsUrl(text(url));
}

export function productToken(userAgent) {
  if (typeof userAgent !== 'string') {
    throw new TypeError(`the User-Agent is ${show(userAgent)}; it is a string`);
  }
  return rawProductToken(userAgent);
}
