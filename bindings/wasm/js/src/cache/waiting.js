// Callers of `RobotsCache.wait`, who get the answer about a URL and the turn of its host as one object.

import { left } from './leaving.js';
import { plain } from './sent.js';
import { Access } from './shapes.js';
import { isBusy } from './refused.js';

/** The least milliseconds until a closed site is looked at again. */
const PAUSE = 100;

/** Waits for a turn of the host, also until its closed site is asked again, if that comes in time. */
export async function waited(turns, access, asked, { signal, timeoutMs, maxWaitMs }, now) {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const { turn, refusal } = await turns.lend(asked, { signal, timeoutMs, maxWaitMs: Math.max(until - performance.now(), 0) });
    const pause = refusal?.kind === 'closed' && refusal.retry instanceof Date ? Math.max(refusal.retry - now(), PAUSE) : undefined;
    if (pause === undefined || performance.now() + pause > until) {
      return Object.freeze(Object.assign(Object.create(Access.prototype), answer(access, asked, refusal), turn));
    }
    await slept(pause, signal);
  }
}

function answer(access, asked, refusal) {
  const { kind, cause, retry, retryAt, error } = refusal ?? {};
  if (kind === 'busy') {
    return new Access(false, true, 'busy', retryAt, undefined, isBusy(asked, refusal), error);
  }
  // As it was given and as it is sent: the one that is forbidden says why.
  const found = [asked, plain(asked)].map((url) => access(url, error)).filter((one) => one !== undefined);
  const isAllowed = refusal === undefined;
  // The file may be due since a moment ago.
  return found.find(({ allowed }) => allowed === isAllowed) ?? new Access(isAllowed, kind === 'closed', cause, retry instanceof Date ? retry : undefined, refusal?.line, refusal?.explanation ?? (isAllowed ? 'allowed' : 'disallowed: robots.txt cannot be fetched'), error);
}

/** Sleeps until the signal at the latest, which is thrown then. */
async function slept(milliseconds, signal) {
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await (signal === undefined ? over : left(over, signal).finally(() => clearTimeout(timer)));
}
