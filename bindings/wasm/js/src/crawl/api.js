// The names of the entry `polite-robots/crawl`.

export * from 'polite-robots/cache';
export { crawleeHooks } from './crawlee.js';
export { BusyError, ClosedError, DisallowedError, RedirectError, TooLargeError } from './errors.js';
export { politeGot } from './got.js';
export { politeFetch } from './polite_fetch.js';
