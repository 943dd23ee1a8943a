// The reasons why a page is not fetched, each with what a crawler needs to go on.

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

  constructor(url, { reason, retryAt }) {
    super(`the host of ${url} is busy: ${reason}; ${retried(retryAt)}`);
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

function retried(retryAt) {
  return retryAt === undefined ? 'no time to come back is known' : `retry at ${retryAt.toISOString()}`;
}
