// The robots.txt of every site that a crawler asks about, fetched by a function of the caller's. The machines make all
// decisions.

import { names, show, text } from '../arguments.js';
import { left } from './leaving.js';
import { Crawl, Origin, Profile, Ticket } from './machines.js';
import { write } from './memory.js';
import { chosen } from './options.js';
import { roundEvent } from './response.js';
import { Turns } from './turns.js';
import { waited } from './waiting.js';

/** The milliseconds until a round that somebody else began is looked at again. */
const RETRY = 1_000;

export class RobotsCache {
  #given;
  #machine;
  /** The cache of the machine. */
  #cache;
  #turns;
  /** The promises of the rounds that are under way, by their origin. */
  #rounds = new Map();

  constructor(agent, fetch, options) {
    if (typeof fetch !== 'function') {
      throw new TypeError(`the fetch function is ${show(fetch)}; it gets a URL and gives a Response or { status, headers, body }`);
    }
    const { profile, capacity, timeoutMs, maxWaitMs, now } = chosen(['profile', 'capacity', 'timeoutMs', 'maxWaitMs', 'now'], options, { profile: Profile.rfc9309(), now: Date.now });
    const agents = typeof agent === 'string' ? [agent] : names(agent);
    this.#given = { agent: agents[0], fetch, timeoutMs, maxWaitMs, now: () => Number(now()) };
    // The caller decides how many requests there are.
    this.#machine = new Crawl(profile, agents, capacity, maxWaitMs, Infinity, Infinity);
    this.#cache = this.#machine.cache;
    this.#turns = new Turns(this.#machine, this.#given);
  }

  async wait(url, options) {
    const { now, ...defaults } = this.#given;
    const access = (asked, error) => {
      const answer = this.#cache.check(asked, now(), error);
      if (answer instanceof Ticket) {
        answer.free();
        return undefined;
      }
      return answer;
    };
    return waited(this.#turns, access, text(url), chosen(['signal', 'timeoutMs', 'maxWaitMs'], options, defaults));
  }

  async allowed(url, options) {
    const asked = text(url);
    const bytes = write(asked);
    const answer = bytes < 0 ? 2 : this.#cache.allowedWritten(bytes, this.#given.now());
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
    return this.#cache.explain(Origin.of(text(url)), this.#given.now()) ?? explanation;
  }

  get bytes() {
    return this.#cache.bytes;
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
  async #answer(question, url, options) {
    const { signal } = chosen(['signal'], options);
    for (let error; ; ) {
      signal?.throwIfAborted();
      const answer = this.#cache[question](url, this.#given.now(), error);
      if (answer !== undefined && !(answer instanceof Ticket)) {
        return answer;
      }
      const round = this.#round(url, answer);
      error = await (signal === undefined ? round : left(round, signal));
    }
  }

  /** The round of an origin, which begins if there is a ticket for it. */
  #round(url, ticket) {
    const origin = Origin.of(url);
    const key = String(origin);
    origin.free();
    // If callers wait for turns, the requests for robots.txt take turns too.
    const isInTurn = this.#turns.isUsed;
    if (ticket !== undefined || (isInTurn && !this.#rounds.has(key))) {
      const round = (isInTurn ? this.#inTurn(url, ticket) : this.#run(ticket)).finally(() => {
        // A round whose lease was over has been replaced.
        if (this.#rounds.get(key) === round) {
          this.#rounds.delete(key);
        }
      });
      this.#rounds.set(key, round);
    }
    // A ticket without a round, as after a clock that threw: nobody gives it back before its lease ends.
    return this.#rounds.get(key) ?? new Promise((resolve) => setTimeout(resolve, RETRY));
  }

  #inTurn(url, ticket) {
    // The machine takes one itself.
    ticket?.free();
    return this.#turns.known(url);
  }

  /** Runs a round to its end, or until it has to wait, and gives the error that ended it. Rejects for a mistake of the program. */
  async #run(ticket) {
    const { now } = this.#given;
    const fetch = this.#cache.begin(ticket, now());
    try {
      for (let event; ; ) {
        const step = fetch.poll(now());
        if (step.kind === 'done' || step.kind === 'wait') {
          step.outcome?.free();
          return event?.cause;
        }
        // The client of the caller resolves names itself.
        event = step.kind === 'resolve' ? { kind: 'by_name' } : await roundEvent(step, this.#given);
        fetch.handle(event, now());
      }
    } catch (mistake) {
      // It says nothing about the site, and is not made again at once.
      fetch.handle({ kind: 'failed', error: 'local' }, now());
      throw mistake;
    } finally {
      try {
        this.#cache.end(ticket, fetch, now());
      } finally {
        [ticket, fetch].forEach((one) => one.free());
      }
    }
  }
}
