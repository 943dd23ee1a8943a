// The known crawlers, by purpose.

import { by, counted, element, fill, sentence } from './dom.js';

const EXTENTS = { nothing: 'kept out', part: 'in part', everything: 'open' };

export function showCrawlers({ asOf, purposes, forgotten }, go) {
  const all = purposes.flatMap(({ crawlers }) => crawlers);
  const ai = all.filter(({ isAi }) => isAi);
  const out = (crawlers) => crawlers.filter(({ extent }) => extent === 'nothing').length;
  fill(
    by('crawlers-list'),
    element(
      'div',
      { class: 'crawlers-lead' },
      element('p', { class: 'lead' }, `Kept out: ${out(ai)} of ${counted(ai.length, 'AI crawler')}, ${out(all)} of all ${all.length}`),
      forgotten.length > 0 &&
        element(
          'ul',
          {},
          forgotten.map(({ purpose, keptOut, others }) =>
            element('li', {}, `For ${purpose}, ${listed(keptOut)} ${keptOut.length === 1 ? 'is' : 'are'} kept out by name, but not ${listed(others)}.`),
          ),
        ),
      element('p', { class: 'muted' }, `As their operators and public lists describe them, as of ${asOf}. A file asks; only the log of a server shows who obeys.`),
    ),
    ...purposes.map((purpose) => section(purpose, go)),
  );
}

/** The purposes whose crawlers are shown, also when the file changes. */
const open = new Set(['training']);

function section({ name, title, description, crawlers }, go) {
  const counts = Object.entries(EXTENTS).map(([extent, word]) => [crawlers.filter((crawler) => crawler.extent === extent).length, word]);
  const summary = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return element(
    'details',
    {
      class: 'purpose',
      open: open.has(name),
      ontoggle: ({ currentTarget }) => (currentTarget.open ? open.add(name) : open.delete(name)),
    },
    element('summary', {}, element('h3', {}, sentence(title).slice(0, -1)), element('span', { class: 'count' }, summary.join(', '))),
    element('p', { class: 'muted' }, sentence(description)),
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Crawlers: ${title}` },
      element(
        'table',
        // Said aloud, as the narrow layout of the styles would lose them.
        { role: 'table' },
        element(
          'thead',
          { role: 'rowgroup' },
          element('tr', { role: 'row' }, ...['Crawler', 'Operator', 'May fetch', 'Line'].map((text) => element('th', { scope: 'col', role: 'columnheader' }, text))),
        ),
        element('tbody', { role: 'rowgroup' }, crawlers.map((crawler) => row(crawler, go))),
      ),
    ),
  );
}

function row({ name, operator, documentation, extent, isCertain, line, remarks }, go) {
  return element(
    'tr',
    { role: 'row' },
    element(
      'th',
      { scope: 'row', role: 'rowheader' },
      documentation ? element('a', { href: documentation, target: '_blank', rel: 'noreferrer' }, name) : name,
      remarks.map((remark) => element('span', { class: 'remark' }, remark)),
    ),
    element('td', { role: 'cell' }, operator ?? ''),
    element('td', { role: 'cell' }, element('span', { class: `extent ${extent}` }, EXTENTS[extent]), !isCertain && element('span', { class: 'remark' }, 'probably')),
    element('td', { role: 'cell' }, line !== null && element('button', { type: 'button', class: 'plain', onclick: () => go(line) }, `line ${line}`)),
  );
}

/** A few names, and how many more there are. */
function listed(names) {
  const MOST = 6;
  const shown = names.slice(0, MOST);
  return names.length > MOST ? `${shown.join(', ')} and ${names.length - MOST} more` : new Intl.ListFormat('en').format(shown);
}
