// The module for authors of files, which is compiled when it is first needed: crawlers never do.

import load, { initSync } from '../generated/author.js';

/** Gives the bytes of the module or the compiled module. `undefined` once the module is there. */
let provide = () => {
  throw new Error('lint, canonical form and builders have a module of their own: initAuthor() or initAuthorSync() comes before this call');
};

/** Says where the module comes from when it is needed. */
export function setAuthor(give) {
  provide = give;
}

/** Called before anything of the module. */
export function author() {
  if (provide !== undefined) {
    initSync({ module: provide() });
    provide = undefined;
  }
}

/** Fetches or compiles the module: bytes, a `Response` or a promise of one, a URL, or a `WebAssembly.Module`. */
export async function initAuthor(module) {
  await load({ module_or_path: module });
  provide = undefined;
}

/** Compiles bytes or takes a compiled module, at once. */
export function initAuthorSync(module) {
  initSync({ module });
  provide = undefined;
}
