// Classes that write a robots.txt, over the raw ones of the WebAssembly module.

import { RawGroupBuilder, RawRobotsTxtBuilder } from '../../generated/author.js';
import { name, names, show, string } from '../arguments.js';
import { free, makeDisposable } from '../freed.js';
import { author } from './load.js';

/** The raw group of a builder, for the file that takes it. */
let rawOf;

export class GroupBuilder {
  #raw;

  static {
    rawOf = (group) => group.#raw;
  }

  constructor(agent) {
    author();
    this.#raw = RawGroupBuilder.start(name(agent));
  }

  userAgent(agent) {
    this.#raw.userAgent(name(agent));
    return this;
  }

  comment(text) {
    this.#raw.comment(string('comment', text));
    return this;
  }

  allow(path) {
    const asked = pattern(path);
    this.#raw.rule(true, ...asked);
    return this;
  }

  disallow(path) {
    const asked = pattern(path);
    this.#raw.rule(false, ...asked);
    return this;
  }

  crawlDelay(seconds) {
    if (typeof seconds !== 'number' || !(seconds >= 0) || seconds === Infinity) {
      throw new TypeError(`the delay is ${show(seconds)}; it is a number of seconds, at least 0`);
    }
    this.#raw.crawlDelay(seconds);
    return this;
  }

  requestRate(documents, seconds) {
    this.#raw.requestRate(whole('number of documents', documents), whole('number of seconds', seconds));
    return this;
  }

  contentSignal(signals, path) {
    const stated = entries(signals);
    this.#raw.preferences(true, optional(path), ...stated);
    return this;
  }

  contentUsage(usage, path) {
    const stated = entries(usage);
    this.#raw.preferences(false, optional(path), ...stated);
    return this;
  }

  license(url) {
    this.#raw.license(string('license', url));
    return this;
  }

  free() {
    this.#raw = free(this.#raw);
  }
}

export class RobotsTxtBuilder {
  #raw;

  constructor() {
    author();
    this.#raw = RawRobotsTxtBuilder.start();
  }

  comment(text) {
    this.#raw.comment(string('comment', text));
    return this;
  }

  group(group) {
    if (!(group instanceof GroupBuilder)) {
      throw new TypeError(`the group is ${show(group)}; it is a GroupBuilder`);
    }
    const raw = rawOf(group);
    // Reading any name of a freed one throws the error that says so.
    void raw.rule;
    this.#raw.group(raw);
    return this;
  }

  sitemap(url) {
    this.#raw.sitemap(string('sitemap', url));
    return this;
  }

  cleanParam(parameters, path) {
    const list = names(parameters);
    this.#raw.cleanParam(list, optional(path));
    return this;
  }

  contentSignal(signals, path) {
    const stated = entries(signals);
    this.#raw.contentSignal(optional(path), ...stated);
    return this;
  }

  license(url) {
    this.#raw.license(string('license', url));
    return this;
  }

  build() {
    return this.#raw.build();
  }

  free() {
    this.#raw = free(this.#raw);
  }
}

makeDisposable(GroupBuilder, RobotsTxtBuilder);

/** A path and its kind: a pattern as it stands in a file, or literal text. */
function pattern(path) {
  for (const kind of ['prefix', 'exact']) {
    if (typeof path === 'object' && typeof path?.[kind] === 'string') {
      return [path[kind], kind];
    }
  }
  return [string('path', path), 'pattern'];
}

function optional(path) {
  return path === undefined ? undefined : string('path', path);
}

function entries(object) {
  if (typeof object !== 'object' || object === null) {
    throw new TypeError(`the preferences are ${show(object)}; they are an object such as { search: 'yes' }`);
  }
  const keys = Object.keys(object);
  return [keys, keys.map((key) => string(key, object[key]))];
}

function whole(what, value) {
  if (!Number.isInteger(value) || value < 1 || value > 0xffff_ffff) {
    throw new TypeError(`the ${what} is ${show(value)}; it is a whole number from 1 to 4,294,967,295`);
  }
  return value;
}
