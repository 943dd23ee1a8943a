// A file as its author sees it: mistakes and canonical form.

import { lint as rawLint, toCanonical as rawToCanonical } from '../../generated/author.js';
import { show } from '../arguments.js';
import { RobotsTxt } from '../classes.js';
import { author } from './load.js';

export function lint(robotsTxt) {
  const { bytes, dialect, truncatedAt } = read(robotsTxt);
  return rawLint(bytes, dialect === 'google', truncatedAt !== undefined);
}

export function toCanonical(robotsTxt, { comments = 'keep' } = {}) {
  if (comments !== 'keep' && comments !== 'drop') {
    throw new TypeError(`comments is ${show(comments)}; there are "keep" and "drop"`);
  }
  const { bytes, dialect } = read(robotsTxt);
  return rawToCanonical(bytes, dialect === 'google', comments === 'keep');
}

/** The arguments of the module for a file, which is a document, text or bytes. */
function read(robotsTxt) {
  author();
  if (robotsTxt instanceof RobotsTxt) {
    return robotsTxt;
  }
  const document = new RobotsTxt(robotsTxt);
  const { bytes, dialect, truncatedAt } = document;
  document.free();
  return { bytes, dialect, truncatedAt };
}
