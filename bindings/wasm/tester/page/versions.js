// The answers of two versions, the ones that change first.

import { address, by, element, fill, pill, plain } from './dom.js';
import { pathOf } from './requested.js';
import { counted, named } from './text.js';

/** `asked` has the answers of both versions to the question of the page. */
export function showChanges(changes, asked, go) {
  const { isChange, isComplete, removed, added, agents } = changes;
  const { changed, same } = rowsOf(agents, asked);
  fill(
    by('changes'),
    element('p', { class: 'lead' }, !isChange && changed.length === 0 ? 'No answer changes between the earlier version and the file.' : summary(agents, changed)),
    !isComplete && element('p', { class: 'muted' }, 'The rules meet in more ways than can be walked through: there may be more.'),
    changed.length + same.length > 0 &&
      element(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Answers of both versions' },
        element(
          'table',
          // Said aloud, as the narrow layout of the styles would lose them.
          { class: 'versions', role: 'table' },
          element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ['Agent', 'URL', 'Earlier', 'Now', 'Line'].map((text) => element('th', { scope: 'col', role: 'columnheader' }, text)))),
          section('The answer changes', changed, go),
          section('The answer stays', same, go),
        ),
      ),
    agents.map(other),
    removed.length + added.length > 0 && element('section', { class: 'agent' }, element('h3', {}, 'The whole file'), records(removed, added)),
  );
}

function summary(agents, changed) {
  const urls = agents.reduce((sum, { verdictCount }) => sum + verdictCount, 0);
  if (agents.length === 0 && changed.length > 0) {
    return `Answers change for ${counted(new Set(changed.map(({ agent }) => agent)).size, 'agent')}, shown by the URLs of the table`;
  }
  return urls === 0 ? 'No URL is opened or closed, but other answers change' : `Answers change for ${counted(agents.length, 'agent')}, shown by ${counted(urls, 'URL')}`;
}

/** The question of the page, and the URLs that show a change; each once. */
export function rowsOf(agents, asked) {
  const known = new Set(asked.map(({ agent, url }) => `${agent}\n${pathOf(url)}`));
  const found = agents.flatMap(({ agent, useName, verdicts }) => verdicts.map(({ url, old, new: now }) => ({ agent, useName, url, old: old.isAllowed, now: now.isAllowed, line: now.line })));
  const changed = asked.filter(({ old, now }) => old !== now);
  return {
    changed: [...changed, ...found.filter(({ agent, url }) => !known.has(`${agent}\n${pathOf(url)}`))],
    same: asked.filter(({ old, now }) => old === now),
  };
}

/** The answers of both versions, where there are some; without a host that all URLs have. */
export const comparedRows = (before, after) =>
  after.urls.flatMap(({ sent }, row) =>
    after.agents.flatMap((agent, column) => {
      const [old, now] = [before, after].map((answers) => answers.at(row, column).isAllowed);
      return now === undefined ? [] : [{ agent, url: after.origin ? pathOf(sent) : sent, old, now }];
    }),
  );

function section(title, rows, go) {
  return (
    rows.length > 0 &&
    element(
      'tbody',
      { role: 'rowgroup' },
      element('tr', { class: 'section', role: 'row' }, element('th', { scope: 'rowgroup', role: 'rowheader', colspan: 5 }, `${title}: ${rows.length.toLocaleString('en')}`)),
      rows.map(({ agent, useName, url, old, now, line }) =>
        element(
          'tr',
          { role: 'row' },
          element('td', { role: 'cell' }, element('bdi', {}, named(agent, useName))),
          element('th', { role: 'rowheader', scope: 'row' }, address(url)),
          element('td', { role: 'cell' }, pill(old)),
          element('td', { role: 'cell' }, pill(now)),
          element('td', { role: 'cell' }, Number.isInteger(line) && plain(() => go(line), `line ${line}`)),
        ),
      ),
    )
  );
}

const GROUPS = { named: 'in a group that names it', wildcard: 'in the group for everyone', none: 'in no group' };

/** The other changes for an agent: its group, the uses that are allowed, and its records. */
function other({ agent, useName, oldMatch, newMatch, verdicts, verdictCount, usages, removed, added }) {
  const parts = [
    oldMatch !== newMatch && element('p', { class: 'muted' }, `Earlier ${GROUPS[oldMatch]}, now ${GROUPS[newMatch]}.`),
    verdictCount > verdicts.length && element('p', { class: 'muted' }, `The first ${verdicts.length} of ${verdictCount} URLs are shown.`),
    usages.length > 0 &&
      element('ul', { class: 'rows' }, usages.map(({ url, category, old, new: now }) => element('li', {}, address(url), ` ${category}: earlier ${old || 'unstated'}, now ${now || 'unstated'}.`))),
    records(removed, added),
  ].flat().filter(Boolean);
  return parts.length > 0 && element('section', { class: 'agent' }, element('h3', {}, element('bdi', {}, named(agent, useName))), parts);
}

function records(removed, added) {
  const list = (title, texts) => texts.length > 0 && element('p', { class: 'records' }, title, texts.map((text) => [element('code', {}, element('bdi', {}, text)), ' ']));
  return [list('No longer: ', removed), list('New: ', added)];
}
