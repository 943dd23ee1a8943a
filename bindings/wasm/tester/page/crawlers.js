// The known crawlers, by purpose or by company.

import { button, by, element, fill, hidden, plain } from './dom.js';
import { counted, listed, sentence } from './text.js';

const EXTENTS = { nothing: 'kept out', part: 'in part', everything: 'open' };

const view = { answer: null, actions: null };

/** The groups that somebody opened, also when the file changes. */
const open = new Set(['training']);

/** `go` goes to a line, and `ask` takes a token into the question. */
export function showCrawlers(answer, actions) {
  Object.assign(view, { answer, actions });
  render();
}

const asked = new Set();

/** Says which crawlers are in the question. The buttons stay, and with them the focus. */
export function markAsked(agents) {
  asked.clear();
  agents.forEach((agent) => asked.add(agent.toLowerCase()));
  by('crawlers-list').querySelectorAll('.ask').forEach(mark);
}

function mark(ask) {
  const { token } = ask.dataset;
  const isAsked = asked.has(token.toLowerCase());
  ask.setAttribute('aria-pressed', String(isAsked));
  fill(ask, isAsked ? 'Asked' : 'Ask', hidden(` about ${token}`));
  return ask;
}

export function watchCrawlers() {
  by('crawler-search').addEventListener('input', render);
  by('crawler-groups').addEventListener('change', render);
}

function render() {
  const { answer } = view;
  if (!answer) {
    return;
  }
  const wanted = by('crawler-search').value.trim().toLowerCase();
  const all = answer.purposes.flatMap(({ title, crawlers }) => crawlers.map((crawler) => ({ ...crawler, purpose: title })));
  const holds = ({ name, token, operator, purpose }) => [name, token, operator ?? '', purpose].some((text) => text.toLowerCase().includes(wanted));
  const isByCompany = document.querySelector('[name="group"]:checked').value === 'company';
  const groups = (isByCompany ? byCompany(all) : byPurpose(answer.purposes, all))
    .map((group) => ({ ...group, crawlers: group.crawlers.filter(holds) }))
    .filter(({ crawlers }) => crawlers.length > 0);
  lead(answer, all);
  const found = groups.reduce((sum, { crawlers }) => sum + crawlers.length, 0);
  by('crawler-count').textContent = wanted === '' ? '' : `${counted(found, 'crawler')} found`;
  fill(by('crawlers-list'), groups.map((group) => section(group, wanted !== '', isByCompany)));
}

const WANTED = { nothing: 'not wanted on the whole site', part: 'not wanted on a part of the site', everything: 'not ruled out anywhere' };

function lead({ asOf, forgotten, uses }, all) {
  const ai = all.filter(({ isAi }) => isAi);
  const out = (crawlers) => crawlers.filter(({ extent }) => extent === 'nothing').length;
  fill(
    by('crawlers-lead'),
    element('p', { class: 'lead' }, `Kept out: ${out(ai)} of ${counted(ai.length, 'AI crawler')}, ${out(all)} of all ${all.length}`),
    forgotten.length > 0 &&
      element(
        'ul',
        {},
        forgotten.map(({ purpose, keptOut, others }) =>
          element('li', {}, `For ${purpose}, ${listed(keptOut)} ${keptOut.length === 1 ? 'is' : 'are'} kept out by name, but not ${listed(others)}.`),
        ),
      ),
    uses.map(({ name, extent, isCertain, line }) => element('p', { class: 'use' }, `${name}: ${isCertain ? '' : 'probably '}${WANTED[extent]}, `, plain(() => view.actions.go(line), `line ${line}`), '. This is about a use of pages, whoever fetches them.')),
    element('p', { class: 'muted' }, `As their operators and public lists describe them, as of ${asOf}. A file asks; only the log of a server shows who obeys.`),
  );
}

/** Within a purpose the crawlers of one company stand together. */
const byPurpose = (purposes, all) =>
  purposes.map(({ name, title, description }) => ({
    key: name,
    title,
    description,
    crawlers: all.filter(({ purpose }) => purpose === title).sort((a, b) => (a.operator ?? '\uffff').localeCompare(b.operator ?? '\uffff')),
  }));

/** The companies of several crawlers, the largest first; then all others. */
function byCompany(all) {
  const companies = new Map(all.map(({ operator }) => [operator, all.filter((other) => other.operator === operator)]));
  const isOne = (crawlers, operator) => crawlers.length === 1 || operator === null;
  const several = [...companies].filter(([operator, crawlers]) => !isOne(crawlers, operator)).sort((a, b) => b[1].length - a[1].length);
  const others = [...companies].filter(([operator, crawlers]) => isOne(crawlers, operator)).flatMap(([, crawlers]) => crawlers);
  return [...several.map(([operator, crawlers]) => ({ key: operator, title: operator, crawlers })), { key: 'others', title: 'companies of one crawler, and unknown ones', crawlers: others }];
}

function section({ key, title, description, crawlers }, isSearched, isByCompany) {
  const counts = Object.entries(EXTENTS).map(([extent, word]) => [crawlers.filter((crawler) => crawler.extent === extent).length, word]);
  const summary = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const toggled = ({ currentTarget }) => isSearched || (currentTarget.open ? open.add(key) : open.delete(key));
  const heads = ['Crawler', isByCompany ? 'Purpose' : 'Company', 'May fetch', 'Line', hidden('Question')];
  return element(
    'details',
    { class: 'purpose', open: isSearched || open.has(key), ontoggle: toggled },
    element('summary', {}, element('h3', {}, sentence(title).slice(0, -1)), element('span', { class: 'count' }, summary.join(', '))),
    description && element('p', { class: 'muted' }, sentence(description)),
    element(
      'table',
      // Said aloud, as the narrow layout of the styles would lose them.
      { role: 'table', 'aria-label': title },
      element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, heads.map((head) => element('th', { scope: 'col', role: 'columnheader' }, head)))),
      element('tbody', { role: 'rowgroup' }, crawlers.map((crawler) => row(crawler, isByCompany))),
    ),
  );
}

function row({ name, token, operator, purpose, documentation, extent, isCertain, line, remarks }, isByCompany) {
  const { go, ask } = view.actions;
  return element(
    'tr',
    { role: 'row' },
    element(
      'th',
      { scope: 'row', role: 'rowheader' },
      documentation ? element('a', { href: documentation, target: '_blank', rel: 'noreferrer' }, name) : name,
      remarks.map((remark) => element('span', { class: 'remark' }, remark)),
    ),
    element('td', { role: 'cell' }, (isByCompany ? purpose : operator) ?? ''),
    element('td', { role: 'cell' }, element('span', { class: `extent ${extent}` }, EXTENTS[extent]), !isCertain && element('span', { class: 'remark' }, 'probably')),
    element('td', { role: 'cell' }, line !== null && plain(() => go(line), `line ${line}`)),
    element('td', { role: 'cell' }, mark(button({ class: 'ask', 'data-token': token, onclick: () => ask(token) }))),
  );
}
