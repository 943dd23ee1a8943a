// Writes a URL where the WebAssembly module reads it, without an allocation on either side.

import { urlBuffer, urlBufferBytes } from '../generated/raw.js';

let memory;
let start = 0;
let room = 0;
let view = new Uint8Array(0);

/** Called once, when the module is there. */
export function connect(exports) {
  memory = exports.memory;
  start = urlBuffer();
  room = urlBufferBytes();
}

/** Whether the URL was written: it is ASCII, as URLs are that were sent, and fits. */
export function write(url) {
  const { length } = url;
  if (length > room) {
    return false;
  }
  // Memory that grows has a new buffer, and views of the old one are empty.
  if (view.length === 0) {
    view = new Uint8Array(memory.buffer, start, room);
  }
  for (let index = 0; index < length; index += 1) {
    const unit = url.charCodeAt(index);
    if (unit > 0x7f) {
      return false;
    }
    view[index] = unit;
  }
  return true;
}
