// A sentence at the edge of the page, with a way to undo what it says.

import { by, button, fill } from './dom.js';

let hides;

/** Says something for a few seconds; with `undo` until the next sentence, or until something is edited. */
export function say(text, undo) {
  clearTimeout(hides);
  const before = document.activeElement;
  const act = (action) => () => {
    quiet();
    action?.();
    // The button that had the focus is gone, and so may be what had it before.
    (before?.isConnected ? before : document.querySelector('[role="tab"][aria-selected="true"]')).focus();
  };
  fill(by('status-text'), text);
  fill(by('status-actions'), undo && [button({ onclick: act(undo) }, 'Undo'), button({ onclick: act(), 'aria-label': 'Close this message' }, '×')]);
  if (!undo) {
    hides = setTimeout(quiet, 6000);
  }
}

export function quiet() {
  clearTimeout(hides);
  fill(by('status-text'));
  fill(by('status-actions'));
}
