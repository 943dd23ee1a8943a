// The module for authors of files: findings, canonical form, builders. Crawlers need none of it, so it is in no entry of
// theirs.

import load, { initSync } from '../../generated/author.js';

let isLoaded = false;

/** Called before anything of the module. */
export function author() {
  if (!isLoaded) {
    throw new Error('lint, canonical form and builders have a module of their own: initAuthor() or initAuthorSync() comes before this call');
  }
}

/** Fetches or compiles the module: bytes, a `Response` or a promise of one, a URL, or a `WebAssembly.Module`. */
export async function initAuthor(module) {
  await load({ module_or_path: module });
  isLoaded = true;
}

/** Compiles bytes or takes a compiled module, at once. */
export function initAuthorSync(module) {
  initSync({ module });
  isLoaded = true;
}
