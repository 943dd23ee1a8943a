// The machines of the policy, as JavaScript has them.

import { Cache, CachedRobot, Crawl, Entry, Fetch, Origin, Outcome, Pacer, Profile, Reply, Scheduler, Ticket } from '../../generated/cache.js';
import { show } from '../arguments.js';
import { makeFreeable } from '../freed.js';
import { bodyOf, fieldsOf, isCompressed } from './conversions.js';

export { Cache, CachedRobot, Crawl, Entry, Fetch, Origin, Outcome, Pacer, Profile, Scheduler, Ticket };

makeFreeable({ Cache, CachedRobot, Crawl, Entry, Fetch, Origin, Outcome, Pacer, Profile, Scheduler, Ticket });

/** Takes the result of the last step. */
Fetch.prototype.handle = function handle(event, now) {
  switch (event?.kind) {
    case 'response': {
      const { status, headers = [], body = '', end = 'complete', isText = typeof body === 'string' } = event;
      return isCompressed(body) ? this.handleFailed('encoded', now) : this.handleResponse(status, fieldsOf(headers, isText), bodyOf(body), end, now);
    }
    case 'failed':
      return this.handleFailed(event.error, now);
    case 'refused':
      return this.handleRefused(now);
    case 'resolved':
      return this.handleResolved(event.addresses, now);
    case 'by_name':
      return this.handleByName(now);
    default:
      throw new TypeError(`the event is ${show(event?.kind)}; there are "response", "failed", "refused", "resolved" and "by_name"`);
  }
};

/** Takes the result of the request of a round: a response or a failure. */
Crawl.prototype.handle = function handle(round, { status, headers = [], body = '', end = 'complete', isText = typeof body === 'string', error }, now) {
  const failure = isCompressed(body) ? 'encoded' : error;
  return failure === undefined ? this.handleResponse(round, status, fieldsOf(headers, isText), bodyOf(body), end, now) : this.handleFailed(round, failure, now);
};

/** Takes the end of the request of a page. */
Crawl.prototype.finish = function finish(page, { status, headers = [], error, signal }, now) {
  return error === undefined ? this.finishResponse(page, status, fieldsOf(headers), signal, now) : this.finishFailed(page, error, now);
};

/** Takes the end of a request to the host. */
Scheduler.prototype.handleReply = function handleReply(host, reply, now) {
  this.takeReply(host, replyOf(reply, now), now);
};

/** Takes the end of a request. */
Pacer.prototype.handleReply = function handleReply(reply, profile, now) {
  this.takeReply(replyOf(reply, now), profile, now);
};

function replyOf({ status, headers = [], error, started, signal }, now) {
  const reply = error === undefined ? Reply.answered(status, fieldsOf(headers), started, now) : Reply.failed(error, started);
  return signal === undefined ? reply : reply.withSignal(signal);
}
