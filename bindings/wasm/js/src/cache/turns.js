// Callers that wait for the steps of the machine `Crawl`, which makes all decisions.

import { show } from '../arguments.js';
import { failed } from './failures.js';
import { LONGEST_TIMER, atAbort } from './leaving.js';
import { roundEvent } from './response.js';
import { plain } from './sent.js';
import { waits } from './waits.js';

export class Turns {
  #given;
  #machine;
  /** The callers that wait, by the numbers of their pages. */
  #callers = new Map();
  #timer;
  #wakeup = Infinity;
  /** Whether anybody has waited for a turn. */
  isUsed = false;

  /** `given` has the fetch function for robots.txt with its name and its time limit, and the clock. */
  constructor(machine, given) {
    this.#machine = machine;
    this.#given = given;
  }

  /**
   * Waits until robots.txt allows the URL, as it is sent and as it was asked for, and the host has a turn, whose request has
   * begun then. Gives the `end` of it, a function that takes the reply, or none for a request that was given up; or else the
   * `refusal` of the machine, with the error of the fetch function that led to it. A `patient` caller waits for a closed site too.
   */
  enter(url, { signal, asked, lent = false, maxWaitMs, patient = false }) {
    signal?.throwIfAborted();
    const page = this.#enter(url, lent, asked === url ? undefined : asked, maxWaitMs, patient);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#callers.delete(page);
        reject(signal.reason);
        this.#end(page);
      };
      this.#callers.set(page, { resolve, reject, stay: signal && atAbort(signal, leave) });
      this.#go();
    });
  }

  /** Like `wait`, for a request that another client sends: the turn is an object, which frees itself after the time limit. */
  async lend(asked, { timeoutMs, ...given }) {
    const url = plain(asked);
    let { end, refusal } = await this.enter(url, { ...given, asked, lent: true });
    const once = (reply) => {
      clearTimeout(late);
      end?.(reply);
      end = undefined;
    };
    const late = end && setTimeout(once, timeoutMs);
    // It keeps no process alive.
    late?.unref?.();
    const turn = {
      url,
      finish: (response) => once(replyOf(response)),
      fail: (error) => once({ error: failed(error).error }),
      cancel: () => once(),
      ...(Symbol.dispose && { [Symbol.dispose]: () => once() }),
    };
    return { turn, refusal };
  }

  /** Waits until the robots.txt of a URL is known, and gives the error of the fetch function, if it has failed. */
  known(url) {
    const page = this.#enter(url, true, undefined, Infinity, false);
    return new Promise((resolve, reject) => {
      const isKnown = () => {
        const answer = this.#machine.cache.robot(url, this.#now);
        // A ticket that is freed is given back.
        answer?.free();
        return answer !== undefined && 'allowed' in answer;
      };
      this.#callers.set(page, { resolve: ({ error } = {}) => resolve(error), reject, isKnown });
      this.#go();
    });
  }

  #enter(url, lent, asked, maxWaitMs, patient) {
    return this.#machine.enter(url, lent, this.#now, performance.now(), asked, maxWaitMs, patient);
  }

  get #now() {
    return Number(this.#given.now());
  }

  /** Takes the steps that are due, and sets the timer for the next one. */
  #go() {
    this.isUsed = true;
    for (;;) {
      const step = this.#machine.poll(this.#now, performance.now());
      switch (step?.kind) {
        case 'get':
          this.#round(step);
          break;
        case 'wait':
        case undefined:
          return this.#sleep(Number(step?.until ?? Infinity));
        default:
          this.#settle(step);
      }
    }
  }

  /** Lets the caller of a page go on with its turn, or with the reason why it has none. */
  #settle({ page, kind, ...refusal }) {
    const caller = this.#leaving(page);
    if (kind !== 'turn') {
      caller?.resolve({ refusal: { kind, ...refusal, error: caller.error }, error: caller.error });
    } else if (caller === undefined || caller.isKnown !== undefined) {
      // It wants no turn: its robots.txt was known before the last step.
      this.#machine.leave(page, this.#now);
      caller?.resolve();
    } else {
      caller.resolve({ end: (reply) => this.#end(page, reply) });
    }
  }

  /** The caller of a page, who waits no more. */
  #leaving(page) {
    const caller = this.#callers.get(page);
    this.#callers.delete(page);
    caller?.stay?.();
    return caller;
  }

  #sleep(wakeup) {
    if (wakeup !== this.#wakeup) {
      clearTimeout(this.#timer);
      this.#wakeup = wakeup;
      if (wakeup < Infinity) {
        this.#timer = setTimeout(() => {
          this.#wakeup = Infinity;
          this.#go();
        }, Math.min(Math.max(wakeup - this.#now, 0), LONGEST_TIMER));
      }
    }
  }

  #end(page, reply) {
    if (reply === undefined) {
      this.#machine.leave(page, this.#now);
    } else {
      this.#machine.finish(page, reply, this.#now);
    }
    this.#go();
  }

  /** Sends the request of a round. */
  async #round({ round, request }) {
    try {
      const event = await roundEvent(request, this.#given);
      const pages = [...this.#machine.pagesOf(round)].filter((page) => this.#callers.has(page));
      pages.forEach((page) => (this.#callers.get(page).error = event.cause));
      this.#machine.handle(round, event, this.#now);
      for (const page of pages.filter((page) => this.#callers.get(page).isKnown?.())) {
        this.#leaving(page).resolve({ error: event.cause });
        this.#machine.leave(page, this.#now);
      }
    } catch (mistake) {
      for (const page of this.#machine.pagesOf(round)) {
        this.#leaving(page)?.reject(mistake);
        this.#machine.leave(page, this.#now);
      }
      // It says nothing about the site.
      this.#machine.handle(round, { error: 'local' }, this.#now);
    }
    this.#go();
  }
}

/** The end of a request by the response of any client. */
function replyOf(response) {
  const { status = response?.statusCode, headers = [], signal } = response ?? {};
  if (!Number.isInteger(status)) {
    throw new TypeError(`the end of the request is ${show(response)} with the status ${show(status)}; it is a response, or { status, headers }`);
  }
  return { status, headers: waits(headers), signal };
}
