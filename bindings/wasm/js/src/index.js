// The entry for everywhere but the edge: the modules are in the script, so nothing is awaited and no bundler is asked.

import { initSync } from '../generated/raw.js';
import { authorModule, module } from '../generated/modules.js';
import { setAuthor } from './author.js';
import { connect } from './memory.js';

/** Compiles synchronously, which browsers allow on their main thread for a module of this size. */
function decode(base64) {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}

connect(initSync({ module: decode(module) }));
setAuthor(() => decode(authorModule));

export * from './api.js';
