// The bytes of a module in Node.js, for scripts that are CommonJS.

import { readFileSync } from 'node:fs';
import { taken } from './decode.js';

/** Reads the file beside the script, or the text where there is none: in a bundle, or without the right to read. */
export function read(name, loadText) {
  try {
    return readFileSync(`${__dirname}/${name}`);
  } catch {
    loadText();
    return taken(name);
  }
}
