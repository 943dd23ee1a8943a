// The answers that differ between two versions.

import { by, counted, element, fill, sentence } from './dom.js';

export function showChanges({ isChange, isComplete, removed, added, agents }, go) {
  const urls = agents.reduce((sum, { verdictCount }) => sum + verdictCount, 0);
  fill(
    by('changes'),
    element(
      'p',
      { class: 'lead' },
      !isChange
        ? 'No answer changes between the earlier version and the file.'
        : urls === 0
          ? 'No URL is opened or closed, but other answers change'
          : `Answers change for ${counted(agents.length, 'agent')}, shown by ${counted(urls, 'URL')}`,
    ),
    ...(isComplete ? [] : [element('p', { class: 'muted' }, 'The rules meet in more ways than can be walked through: there may be more.')]),
    ...agents.map((agent) => section(agent, go)),
    ...(removed.length + added.length > 0
      ? [element('section', { class: 'agent' }, element('h3', {}, 'The whole file'), records(removed, added))]
      : []),
  );
}

const GROUPS = { named: 'in a group that names it', wildcard: 'in the group for everyone', none: 'in no group' };

function section({ agent, oldMatch, newMatch, verdicts, verdictCount, usages, removed, added }, go) {
  return element(
    'section',
    { class: 'agent' },
    element('h3', {}, agent === '*' ? 'Any other agent' : agent),
    oldMatch !== newMatch && element('p', { class: 'muted' }, `Earlier ${GROUPS[oldMatch]}, now ${GROUPS[newMatch]}.`),
    element(
      'ul',
      { class: 'rows' },
      verdicts.map(({ url, old, new: now }) =>
        element(
          'li',
          {},
          element('p', {}, element('span', { class: 'url' }, url), now.isAllowed ? ' opens' : ' closes'),
          element(
            'dl',
            {},
            element('dt', {}, 'earlier'),
            element('dd', {}, sentence(old.sentence)),
            element('dt', {}, 'now'),
            element('dd', {}, sentence(now.sentence), ' ', now.line !== null && element('button', { type: 'button', class: 'plain', onclick: () => go(now.line) }, `Show line ${now.line}`)),
          ),
        ),
      ),
      verdictCount > verdicts.length && element('li', { class: 'muted' }, `The first ${verdicts.length} of ${verdictCount} are shown.`),
      usages.map(({ url, category, old, new: now }) =>
        element('li', {}, element('span', { class: 'url' }, url), ` ${category}: earlier ${old || 'unstated'}, now ${now || 'unstated'}.`),
      ),
    ),
    records(removed, added),
  );
}

function records(removed, added) {
  return [
    removed.length > 0 && element('p', { class: 'records' }, 'No longer: ', removed.map((text) => element('code', {}, text, ' '))),
    added.length > 0 && element('p', { class: 'records' }, 'New: ', added.map((text) => element('code', {}, text, ' '))),
  ];
}
