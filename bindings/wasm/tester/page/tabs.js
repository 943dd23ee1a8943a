// The tabs of the answers.

import { by } from './dom.js';

export const TABS = ['verdicts', 'findings', 'crawlers', 'versions', 'outages'];

export const tab = () => TABS.find((name) => !by(name).hidden);

export function showTab(name) {
  for (const other of TABS) {
    const isShown = other === name;
    by(other).hidden = !isShown;
    by(`tab-${other}`).setAttribute('aria-selected', String(isShown));
    by(`tab-${other}`).tabIndex = isShown ? 0 : -1;
  }
}

/** `shown` hears of each tab that somebody chooses. */
export function watchTabs(shown) {
  for (const [at, name] of TABS.entries()) {
    by(`tab-${name}`).addEventListener('click', () => {
      showTab(name);
      shown();
    });
    by(`tab-${name}`).addEventListener('keydown', ({ key }) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at + TABS.length - 1, Home: 0, End: TABS.length - 1 }[key];
      if (to !== undefined) {
        showTab(TABS[to % TABS.length]);
        by(`tab-${TABS[to % TABS.length]}`).focus();
        shown();
      }
    });
  }
}
