// The entry for programs that load the module themselves: `init` or `initSync` comes before anything else.

import load, { initSync as loadSync } from '../generated/raw.js';
import { connect } from './memory.js';

export * from './api.js';
export * from './author/api.js';
export { initAuthor, initAuthorSync } from './author/load.js';

/** Fetches or compiles the module: bytes, a `Response` or a promise of one, a URL, or a `WebAssembly.Module`. */
export async function init(module) {
  connect(await load({ module_or_path: module }));
}

/** Compiles bytes or takes a compiled module, at once. */
export function initSync(module) {
  connect(loadSync({ module }));
}
