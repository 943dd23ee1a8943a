// In one column the answer to a tap may be screens away.

import { by } from './dom.js';

const isOneColumn = matchMedia('(max-width: 1080px)');
const isStill = matchMedia('(prefers-reduced-motion: reduce)');

/** Scrolls to a part of the page, unless it stands beside what was tapped. */
export function reveal(id) {
  if (isOneColumn.matches) {
    by(id).scrollIntoView({ block: 'start', behavior: isStill.matches ? 'auto' : 'smooth' });
  }
}
