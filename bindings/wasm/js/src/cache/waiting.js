// Callers of `RobotsCache.wait`, who get the answer about a URL and the turn of its host as one object.

import { plain } from './sent.js';
import { Access } from './shapes.js';
import { isBusy } from './refused.js';

/** Waits for a turn of the host, also until its closed site is asked again, if that comes in time. */
export async function waited(turns, access, asked, options) {
  const { turn, refusal } = await turns.lend(asked, { ...options, patient: true });
  return Object.freeze(Object.assign(Object.create(Access.prototype), answer(access, asked, refusal), turn));
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
