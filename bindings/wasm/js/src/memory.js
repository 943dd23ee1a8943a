// Writes URLs and files where the WebAssembly module reads them, without an allocation on either side.

import { fileBuffer, fileBufferBytes, largeFile, urlBuffer, urlBufferBytes } from '../generated/raw.js';

const encoder = new TextEncoder();
let memory;
let [urlStart, urlRoom, fileStart, fileRoom] = [0, 0, 0, 0];
let urlView = new Uint8Array(0);
let fileView = urlView;

/** Called once, when the module is there. */
export function connect(exports) {
  memory = exports.memory;
  [urlStart, urlRoom, fileStart, fileRoom] = [urlBuffer(), urlBufferBytes(), fileBuffer(), fileBufferBytes()];
}

/** Writes a URL or a name and gives the number of bytes; -1 if it does not fit. */
export function write(text) {
  // A unit of a text is at most three bytes of UTF-8.
  if (text.length * 3 > urlRoom) {
    return -1;
  }
  // Memory that grows has a new buffer, and views of the old one are empty.
  if (urlView.length === 0) {
    urlView = new Uint8Array(memory.buffer, urlStart, urlRoom);
  }
  return encoder.encodeInto(text, urlView).written;
}

/** Writes a file, which is text or bytes, and gives the number of bytes. */
export function writeFile(file) {
  const isText = typeof file === 'string';
  if (isText && file.length * 3 <= fileRoom) {
    return encoder.encodeInto(file, small()).written;
  }
  const bytes = isText ? encoder.encode(file) : file;
  const { byteLength } = bytes;
  if (byteLength <= fileRoom) {
    small().set(bytes);
  } else {
    // Before the buffer is asked for, as memory may grow.
    const start = largeFile(byteLength);
    new Uint8Array(memory.buffer, start, byteLength).set(bytes);
  }
  return byteLength;
}

function small() {
  if (fileView.length === 0) {
    fileView = new Uint8Array(memory.buffer, fileStart, fileRoom);
  }
  return fileView;
}
