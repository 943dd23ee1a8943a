// Headers and bodies of all kinds, as the machine takes them.

import { file, show } from '../arguments.js';

/** The start of compressed data in text, whose bytes may have been replaced. No text begins so. */
const COMPRESSED = /^(?:\x1f[\x8b\x9d\ufffd]|\(\xb5\/\xfd|\(\ufffd\/\ufffd|PK\x03\x04)/;
/** Characters that text has only where bytes were misread. */
const MISREAD = /[\x80-\x9f\ufffd]/;
/** A comment with a byte that is not UTF-8. */
const LOST = [10, 35, 255];
const encoder = new TextEncoder();

/**
 * The names and values of `Headers`, a `Map`, pairs, or the properties of an object, as a flat list. With a body that is text they
 * state no length, because the bytes that came had another one.
 */
export function fieldsOf(headers, isText = false) {
  if (typeof headers !== 'object' || headers === null) {
    throw new TypeError(`the headers are ${show(headers)}; they are Headers, a Map, pairs or an object`);
  }
  const fields = [];
  for (const pair of typeof headers[Symbol.iterator] === 'function' ? headers : Object.entries(headers)) {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new TypeError(`among the headers is ${show(pair)}; it is a pair of a name and a value`);
    }
    const [name, values] = pair;
    for (const value of Array.isArray(values) ? values : [values]) {
      if (value !== undefined && value !== null && !(isText && /^content-length$/i.test(name))) {
        fields.push(String(name), String(value));
      }
    }
  }
  return fields;
}

/** Bytes as they are, and text in UTF-8. */
export function bytesOf(body) {
  return typeof body === 'string' ? encoder.encode(body) : file(body);
}

/** Whether text is compressed data that was read as text. */
export function isCompressed(body) {
  return typeof body === 'string' && COMPRESSED.test(body);
}

/** Like {@link bytesOf}. Text that was misread gets an invalid byte at its end, by which the machine recognizes it. */
export function bodyOf(body) {
  const bytes = bytesOf(body);
  return typeof body === 'string' && MISREAD.test(body) ? Uint8Array.from([...bytes, ...LOST]) : bytes;
}
