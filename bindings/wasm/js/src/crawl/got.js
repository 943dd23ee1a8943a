// got waits for the turns of hosts.

import { Visit } from './visit.js';

/** The visit of a call stands in its context, which got hands on to redirects and to its tries. */
const VISIT = Symbol('the visit of polite-robots');

/** Options for `got.extend`: each request, each redirect and each try is asked about, and waits for the turn of its host. */
export function politeGot(politeFetch) {
  const visitOf = ({ context }) => (context[VISIT] ??= new Visit(politeFetch));
  const end = (error) => {
    if (error.options === undefined) {
      return error;
    }
    const visit = visitOf(error.options);
    if (error.response === undefined) {
      visit.fail(error);
    } else {
      visit.finish(error.response);
    }
    return error;
  };
  // Throws for anything else than a `politeFetch` at once.
  new Visit(politeFetch);
  return {
    handlers: [
      (options, next) => {
        const visit = visitOf(options);
        const result = next(options);
        const leave = () => visit.leave();
        if (options.isStream) {
          // No hook of got sees the end of a stream.
          result.once('response', (response) => response.once('end', () => visit.finish(response)));
          result.once('close', leave);
        } else {
          result.then(leave, leave);
        }
        return result;
      },
    ],
    hooks: {
      beforeRequest: [(options) => visitOf(options).ask(options.url.href, options.timeout.request)],
      beforeRedirect: [(_, response) => visitOf(response.request.options).finish(response)],
      afterResponse: [(response) => (visitOf(response.request.options).finish(response), response)],
      beforeRetry: [end],
      beforeError: [end],
    },
  };
}
