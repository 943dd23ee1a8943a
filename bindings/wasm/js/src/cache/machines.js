// The machines of the policy, as JavaScript has them.

import { RawFetch } from '../../generated/cache.js';
import { show } from '../arguments.js';
import { bodyOf, fieldsOf, isCompressed } from './conversions.js';

export { Cache, CachedRobot, Entry, Origin, Outcome, Profile, Ticket } from '../../generated/cache.js';

/** One round for one robots.txt. */
export class Fetch extends RawFetch {
  /** Takes the result of the last step. */
  handle(event, now) {
    switch (event?.kind) {
      case 'response': {
        const { status, headers = [], body = '', end = 'complete' } = event;
        return isCompressed(body) ? this.handleFailed('encoded', now) : this.handleResponse(status, fieldsOf(headers), bodyOf(body), end, now);
      }
      case 'failed':
        return this.handleFailed(event.error, now);
      case 'refused':
        return this.handleRefused(now);
      case 'resolved':
        return this.handleResolved(event.addresses, now);
      default:
        throw new TypeError(`the event is ${show(event?.kind)}; there are "response", "failed", "refused" and "resolved"`);
    }
  }
}
