// One request of another client, with each page that it is redirected to.

import { show } from '../arguments.js';
import { clamped } from '../cache/options.js';

export class Visit {
  #politeFetch;
  #permit;
  /** Ends the wait for a turn. An `AbortController` is dear to abort, so there is none when there is no wait. */
  #waiting;
  #hasLeft = false;

  constructor(politeFetch) {
    if (typeof politeFetch?.permit !== 'function') {
      throw new TypeError(`the first argument is ${show(politeFetch)}; it is what politeFetch() gives`);
    }
    this.#politeFetch = politeFetch;
  }

  /** The URL whose turn it is. */
  get url() {
    return this.#permit?.url;
  }

  /** Waits for the turn of a page. `limit` is that of the client in milliseconds: 0 for none, `undefined` where it is not known. */
  async ask(url, limit) {
    const timeoutMs = limit === undefined ? undefined : clamped('timeoutMs', limit || Infinity);
    this.#permit?.cancel();
    this.#permit = undefined;
    this.#waiting = new AbortController();
    if (this.#hasLeft) {
      this.#waiting.abort();
    }
    try {
      this.#permit = await this.#politeFetch.permit(url, { signal: this.#waiting.signal, timeoutMs });
    } finally {
      this.#waiting = undefined;
    }
  }

  finish(reply) {
    this.#permit?.finish(reply);
  }

  fail(error) {
    this.#permit?.fail(error);
  }

  /** Gives the turn back, or waits for it no more. */
  leave() {
    this.#hasLeft = true;
    this.#permit?.cancel();
    this.#waiting?.abort();
  }
}
