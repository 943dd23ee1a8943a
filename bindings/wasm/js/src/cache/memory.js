// Writes URLs where the module of the machines reads them, as `../memory.js` does for the first module.

import { urlBuffer, urlBufferBytes } from '../../generated/cache.js';

const encoder = new TextEncoder();
let memory;
let view = new Uint8Array(0);

/** Called once, when the module is there. */
export function connect(exports) {
  memory = exports.memory;
}

/** Writes a URL and gives the number of bytes; -1 if it does not fit. */
export function write(text) {
  // Memory that grows has a new buffer, and views of the old one are empty.
  if (view.length === 0) {
    view = new Uint8Array(memory.buffer, urlBuffer(), urlBufferBytes());
  }
  // A unit of a text is at most three bytes of UTF-8.
  return text.length * 3 > view.length ? -1 : encoder.encodeInto(text, view).written;
}
