// Callers that wait for the steps of the machine, which decides all that is decided.

import { Crawl as Machine } from 'polite-robots/cache';
import { LONGEST_TIMER, atAbort } from '../cache/leaving.js';
import { roundEvent } from '../cache/response.js';
import { BusyError, ClosedError, DisallowedError } from './errors.js';

const REFUSALS = { disallowed: DisallowedError, closed: ClosedError, busy: BusyError };

export class Crawl {
  #given;
  #machine;
  /** The callers that wait, by the numbers of their pages. */
  #callers = new Map();
  #timer;
  #wakeup = Infinity;

  /** `given` has the agents, the fetch function for robots.txt, the profile, the limits, and the clock. */
  constructor(given) {
    const { profile, agents, capacity, maxWait, maxInFlight, maxQueue } = given;
    this.#given = given;
    this.#machine = new Machine(profile, agents, capacity, maxWait, maxInFlight, maxQueue);
  }

  get hosts() {
    return this.#machine.hosts;
  }

  /**
   * Waits until robots.txt allows the URL, as it is sent and as it was asked for, and the host has a turn, whose request has
   * begun then. Gives the function that ends it: with a reply, or with none for a request that was given up.
   */
  permit(url, { signal, asked, lent = false }) {
    signal?.throwIfAborted();
    const page = this.#machine.enter(url, lent, this.#now, performance.now(), asked === url ? undefined : asked);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#callers.delete(page);
        reject(signal.reason);
        this.#end(page);
      };
      this.#callers.set(page, { url, asked, resolve, reject, stay: signal && atAbort(signal, leave) });
      this.#go();
    });
  }

  save() {
    return this.#machine.save();
  }

  load(saved) {
    this.#machine.load(saved, this.#now);
  }

  get #now() {
    return Number(this.#given.now());
  }

  /** Takes the steps that are due, and sets the timer for the next one. */
  #go() {
    for (;;) {
      const step = this.#machine.poll(this.#now, performance.now());
      switch (step?.kind) {
        case 'turn':
          this.#settle(step.page)?.resolve((reply) => this.#end(step.page, reply));
          break;
        case 'get':
          this.#round(step);
          break;
        case 'wait':
        case undefined:
          return this.#sleep(Number(step?.until ?? Infinity));
        default: {
          const caller = this.#settle(step.page);
          caller?.reject(new REFUSALS[step.kind](caller.url, step, caller.asked));
        }
      }
    }
  }

  /** The caller of a page, who waits no more. */
  #settle(page) {
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
      this.#machine.handle(round, await roundEvent(request, this.#given), this.#now);
    } catch (mistake) {
      for (const page of this.#machine.pagesOf(round)) {
        this.#settle(page)?.reject(mistake);
        this.#machine.leave(page, this.#now);
      }
      // It says nothing about the site.
      this.#machine.handle(round, { error: 'local' }, this.#now);
    }
    this.#go();
  }
}
