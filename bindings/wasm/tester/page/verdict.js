// The card of one verdict.

import { address, button, by, code, element, fill, pill, plain, rich } from './dom.js';
import { pathOf } from './requested.js';
import { named, sentence } from './text.js';

export const roleOf = (mark) => (mark.isOverruled ? 'overruled' : mark.isDeciding ? 'deciding' : 'context');

/** The answer about one URL. `lineText` gives a line of the file, `go` goes there. */
export function showAnswer(agent, url, answer, lineText, go) {
  const article = by('answer');
  if (!answer) {
    fill(article, element('p', { class: 'muted' }, url?.hint ? rich(url.hint) : 'Enter an agent and a URL for a verdict.'));
    return;
  }
  if (answer.error) {
    fill(article, element('p', {}, rich(sentence(answer.error))));
    return;
  }
  if (answer.useName) {
    fill(article, useCard(agent, url, answer, lineText, go));
    return;
  }
  const more = [answer.group, answer.otherMatches, answer.statement, ...answer.remarks].filter(Boolean);
  fill(
    article,
    element(
      'h3',
      {},
      pill(answer.isAllowed),
      ' ',
      element('span', { class: 'question' }, element('bdi', {}, named(agent)), ` ${answer.isAllowed ? 'may' : 'may not'} fetch `, address(url.sent)),
    ),
    answer.isGoogle && element('p', { class: 'muted' }, 'As Google’s matcher reads the file.'),
    url.sent !== url.text && element('p', { class: 'muted' }, 'Typed as ', code(url.text), '.'),
    pathOf(url.sent) !== answer.path && element('p', { class: 'muted' }, 'The path that is compared is ', code(answer.path), '.'),
    element('p', { class: 'why' }, rich(sentence(answer.why))),
    answer.marks.length > 0 && element('ul', { class: 'marks' }, answer.marks.map((mark) => markOf(mark, lineText, go))),
    answer.note !== null && element('p', { class: 'note' }, rich(sentence(answer.note))),
    more.length > 0 && element('div', { class: 'more' }, more.map((text) => element('p', {}, rich(sentence(text))))),
  );
}

/** A use of pages, which fetches nothing, so that it is neither allowed nor disallowed to do so. */
function useCard(agent, url, { useName, isNamed, isAllowed, marks }, lineText, go) {
  const stated = isAllowed ? 'is not ruled out on' : 'is not wanted on';
  return [
    element('h3', {}, element('span', { class: 'question' }, isNamed ? [`${useName} ${stated} `, address(url.sent)] : `The file says nothing about ${useName}`)),
    element('p', { class: 'muted' }, code(agent), ' names a use of pages and no crawler.'),
    isNamed && element('ul', { class: 'marks' }, marks.map((mark) => markOf(mark, lineText, go))),
  ];
}

function markOf(mark, lineText, go) {
  return element(
    'li',
    { class: `mark ${roleOf(mark)}` },
    plain(() => go(mark.line), `line ${mark.line}`),
    code(lineText(mark.line)),
    element('span', { class: 'muted' }, rich(mark.label), mark.compared && [', as ', code(mark.compared)]),
  );
}

/** Agents that are not product tokens, and texts that are not URLs or were read as something else. */
export function showNotes(notes) {
  by('notes').hidden = notes.length === 0;
  fill(
    by('notes'),
    notes.map(({ text, label, use }) => element('li', {}, rich(text), label && [' ', button({ class: 'plain', onclick: use }, 'Ask for ', code(label))])),
  );
}
