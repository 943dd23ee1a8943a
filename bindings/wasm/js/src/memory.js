// Writes URLs and files where the WebAssembly module reads them, and reads the answers where it writes them, without an
// allocation on either side.

import { answerBuffer, answerBufferBytes, fileBuffer, fileBufferBytes, largeFile, urlBuffer, urlBufferBytes } from '../generated/raw.js';
import { OutOfMemoryError } from './errors.js';

const encoder = new TextEncoder();
let memory;
let [urlStart, urlRoom, fileStart, fileRoom, answerStart, answerRoom] = [0, 0, 0, 0, 0, 0];
let urlView = new Uint8Array(0);
let fileView = urlView;
let answerView = urlView;

/** Called once, when the module is there. */
export function connect(exports) {
  memory = exports.memory;
  [urlStart, urlRoom, fileStart, fileRoom] = [urlBuffer(), urlBufferBytes(), fileBuffer(), fileBufferBytes()];
  [answerStart, answerRoom] = [answerBuffer(), answerBufferBytes()];
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
    if (start === 0) {
      throw new OutOfMemoryError(`the module has no room for a file of ${byteLength} bytes`);
    }
    new Uint8Array(memory.buffer, start, byteLength).set(bytes);
  }
  return byteLength;
}

/**
 * Writes URLs from an index on, as many as there is room for, with a line feed after each, and gives their number and
 * that of the bytes.
 */
export function writeLines(urls, from) {
  let lines = '';
  let count = 0;
  // One answer more, so that there is one for the second half of a URL that holds a line feed.
  for (; from + count < urls.length && count + 1 < answerRoom; count += 1) {
    const url = urls[from + count];
    if ((lines.length + url.length + 1) * 3 > fileRoom) {
      break;
    }
    lines += `${url}\n`;
  }
  return [count, encoder.encodeInto(lines, small()).written];
}

/** The answers of the module, a byte each. */
export function answers() {
  if (answerView.length === 0) {
    answerView = new Uint8Array(memory.buffer, answerStart, answerRoom);
  }
  return answerView;
}

function small() {
  if (fileView.length === 0) {
    fileView = new Uint8Array(memory.buffer, fileStart, fileRoom);
  }
  return fileView;
}
