// The reasons why a page is not fetched, each with what a crawler needs to go on.

import { isBusy, retried } from '../cache/refused.js';

/** A rule of the site disallows the URL, or the target of a redirect: drop it. */
export class DisallowedError extends Error {
  name = 'DisallowedError';
  code = 'DISALLOWED';

  constructor(url, { robotsUrl, line, explanation }, asked = url) {
    super(`${asked} is ${explanation} (${robotsUrl})`);
    Object.assign(this, { url, robotsUrl, line });
  }
}

/** The robots.txt of the site cannot be fetched, so that nothing of the site may be: keep the URL until `retryAt`. */
export class ClosedError extends Error {
  name = 'ClosedError';
  code = 'CLOSED';

  constructor(url, { cause: reason, since, retry }) {
    const retryAt = retry instanceof Date ? retry : undefined;
    const why = typeof reason === 'number' ? `status ${reason}` : reason;
    super(`the site of ${url} is closed since ${since.toISOString()}, as its robots.txt cannot be fetched: ${why}; ${retried(retryAt)}`);
    Object.assign(this, { url, reason, since, retryAt });
  }
}

/** The host cannot be asked within the time that the caller waits: keep the URL until `retryAt`. */
export class BusyError extends Error {
  name = 'BusyError';
  code = 'BUSY';

  constructor(url, refusal = {}) {
    super(isBusy(url, refusal));
    const { reason, retryAt } = refusal;
    Object.assign(this, { url, reason, retryAt });
  }
}

/** A redirect that cannot be followed. */
export class RedirectError extends Error {
  name = 'RedirectError';
  code = 'REDIRECT';

  constructor(chain, reason) {
    super(`${chain.join(' redirects to ')}: ${reason}`);
    Object.assign(this, { chain, reason });
  }
}

/** A body that is longer than the limit. */
export class TooLargeError extends Error {
  name = 'TooLargeError';
  code = 'TOO_LARGE';

  constructor(url, limit) {
    super(`${url} is longer than ${limit} bytes`);
    Object.assign(this, { url, limit });
  }
}

const REFUSALS = { disallowed: DisallowedError, closed: ClosedError, busy: BusyError };

/** The error of a page that the machine refuses. `asked` is its URL as it was given. */
export function refused(url, refusal, asked) {
  return new REFUSALS[refusal.kind](url, refusal, asked);
}
