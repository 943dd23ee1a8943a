// The robots.txt of every site that a crawler asks about, fetched by a function of the caller's. All that is decided, the
// machines decide.

import { names, show, text } from '../arguments.js';
import { Cache, Fetch, Origin, Profile, Ticket } from './machines.js';
import { write } from './memory.js';
import { responseEvent } from './response.js';

/** The client of the caller resolves names itself, so it has one address, which it never sees. */
const ASK_THE_NAME = { kind: 'resolved', addresses: ['0.0.0.0'] };
/** Beyond so many rounds that wait for their next attempt, the oldest counts as failed. */
const MOST_PAUSED = 1_000;
/** A timer of more milliseconds ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** The callers that leave with a signal, which has one listener for all of them. */
const leaving = new WeakMap();

export class RobotsCache {
  #given;
  #machine;
  /** The rounds that go on or wait, by their origin. */
  #rounds = new Map();

  constructor(agent, fetch, { profile = Profile.rfc9309(), capacity = 64 * 2 ** 20, timeout = 30, now = Date.now } = {}) {
    if (typeof fetch !== 'function') {
      throw new TypeError(`the fetch function is ${show(fetch)}; it gets a URL and gives a Response or { status, headers, body }`);
    }
    if (!(timeout > 0 && capacity > 0)) {
      throw new TypeError(`the timeout is ${show(timeout)} and the capacity ${show(capacity)}; they are numbers above 0`);
    }
    const agents = typeof agent === 'string' ? [agent] : names(agent);
    this.#given = { agent: agents[0], fetch, profile, timeout: Math.min(timeout * 1_000, LONGEST_TIMER), now: () => Number(now()) };
    this.#machine = new Cache(profile, agents, capacity);
  }

  async allowed(url, options) {
    const asked = text(url);
    const bytes = write(asked);
    const answer = bytes < 0 ? 2 : this.#machine.allowedWritten(bytes, this.#given.now());
    return answer < 2 ? answer === 1 : (await this.#answer('check', asked, options)).allowed;
  }

  async check(url, options) {
    return this.#answer('check', text(url), options);
  }

  async crawlDelay(url, options) {
    return this.#ofRobot(url, options, (robot) => robot.crawlDelay);
  }

  async sitemaps(url, options) {
    return this.#ofRobot(url, options, (robot) => robot.sitemaps);
  }

  async explain(url, options) {
    const { explanation } = await this.check(url, options);
    return this.#machine.explain(Origin.of(text(url)), this.#given.now()) ?? explanation;
  }

  get bytes() {
    return this.#machine.bytes;
  }

  save() {
    return this.#machine.save();
  }

  load(saved) {
    this.#machine.load(saved, this.#given.now());
  }

  async #ofRobot(url, options, read) {
    const robot = await this.#answer('robot', text(url), options);
    const found = read(robot);
    robot.free();
    return found;
  }

  /** Asks the machine until it has an answer; while it has none, a round is under way. */
  async #answer(question, url, { signal } = {}) {
    for (;;) {
      signal?.throwIfAborted();
      const now = this.#given.now();
      const answer = this.#machine[question](url, now);
      if (answer !== undefined && !(answer instanceof Ticket)) {
        return answer;
      }
      const round = this.#round(url, answer, now);
      if (round.until > now) {
        return this.#machine[question](url, now, round.until);
      }
      round.going ??= this.#run(round);
      await (signal === undefined ? round.going : left(round.going, signal));
    }
  }

  /** The round of an origin, which is a new one if there is a ticket for it. */
  #round(url, ticket, now) {
    const origin = Origin.of(url);
    const key = String(origin);
    if (ticket !== undefined) {
      const fetch = new Fetch(origin, this.#given.profile, now, ticket.etag, ticket.lastModified);
      this.#rounds.set(key, { key, ticket, fetch, until: 0 });
    }
    origin.free();
    return this.#rounds.get(key) ?? { until: now + 1_000 };
  }

  /** Runs a round to its end, or until it has to wait. Rejects for a mistake of the program. */
  async #run(round) {
    const { fetch } = round;
    try {
      for (;;) {
        const step = fetch.poll(this.#given.now());
        if (step.kind === 'done' || step.kind === 'wait') {
          return this.#leave(round, step);
        }
        fetch.handle(step.kind === 'resolve' ? ASK_THE_NAME : await this.#get(step), this.#given.now());
      }
    } catch (mistake) {
      // It says nothing about the site, and is not made again at once.
      fetch.handle({ kind: 'failed', error: 'local' }, this.#given.now());
      this.#end(round);
      throw mistake;
    } finally {
      round.going = undefined;
    }
  }

  #leave(round, { kind, outcome, until }) {
    outcome?.free();
    if (kind === 'done') {
      return this.#end(round);
    }
    round.until = Number(until);
    const waiting = [...this.#rounds.values()].filter((one) => one.until > 0);
    waiting.slice(0, -MOST_PAUSED).forEach((one) => this.#end(one));
  }

  #end(round) {
    const outcome = round.fetch.intoOutcome();
    this.#machine.handle(round.ticket, outcome, this.#given.now());
    [outcome, round.ticket, round.fetch].forEach((one) => one.free());
    // One whose lease was over has been replaced.
    if (this.#rounds.get(round.key) === round) {
      this.#rounds.delete(round.key);
    }
  }

  async #get(request) {
    const { agent, fetch, timeout } = this.#given;
    const ending = new AbortController();
    const late = setTimeout(() => ending.abort(), timeout);
    const init = { headers: { 'user-agent': agent, ...request.headers }, redirect: 'manual', signal: ending.signal };
    try {
      return await left(responseEvent(fetch, request, init), ending.signal);
    } catch (mistake) {
      if (ending.signal.aborted) {
        return { kind: 'failed', error: 'read' };
      }
      throw mistake;
    } finally {
      clearTimeout(late);
      ending.abort();
    }
  }
}

/** Waits for a promise until the signal. What is waited for goes on. */
function left(going, signal) {
  const callers = leaving.get(signal) ?? new Set();
  if (!leaving.has(signal)) {
    leaving.set(signal, callers);
    signal.addEventListener('abort', () => callers.forEach((leave) => leave()), { once: true });
  }
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    callers.add(leave);
    going.finally(() => callers.delete(leave)).then(resolve, reject);
  });
}
