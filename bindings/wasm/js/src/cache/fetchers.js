// Ready fetch functions for a `RobotsCache`.

import { chosen } from './options.js';

/** Over the global `fetch`, or over one with its interface. */
export function fetcher(options) {
  const { userAgent, headers, fetch } = chosen(['userAgent', 'headers', 'fetch'], options, { fetch: globalThis.fetch });
  return (url, init) => fetch(url, { ...init, headers: merged(init, userAgent, headers) });
}

/** Over axios, or an instance of it, on Node.js. */
export function axiosFetcher(axios, options) {
  const { userAgent, headers } = chosen(['userAgent', 'headers'], options);
  return async (url, { signal, ...init } = {}) => {
    const response = await axios.get(url, {
      signal,
      headers: merged(init, userAgent, headers),
      // The cache reads as much as it needs, and judges every status.
      responseType: 'stream',
      maxRedirects: 0,
      validateStatus: null,
      withCredentials: false,
    });
    return { status: response.status, headers: response.headers, body: response.data };
  };
}

function merged(init, userAgent, headers) {
  const own = userAgent === undefined ? {} : { 'user-agent': userAgent };
  return { ...init?.headers, ...own, ...headers };
}
