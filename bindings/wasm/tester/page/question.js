// The question of the page: the files, the agents, the URLs, the reading, and the chosen place.

import { by } from './dom.js';
import { listEditor, replaceText } from './editor.js';
import { load, packed, unpacked, views } from './files.js';
import { select, selected } from './grid.js';
import { TABS, showTab, tab } from './tabs.js';
import { linesOf } from './text.js';

/** The readings other than the crawler's own. */
const FORCED = ['rfc9309', 'google'];

let urlsChanged = () => {};
let isLoading = false;
const urls = listEditor(by('urls'), 'urls-label', { changed: () => isLoading || urlsChanged() });
const urlText = () => urls.state.doc.toString();

/** `changed` hears of the agents, the URLs and the reading. */
export function watchQuestion({ changed, readingChanged }) {
  urlsChanged = changed;
  by('agents').addEventListener('input', changed);
  by('reading').addEventListener('change', readingChanged);
}

export const reading = () => document.querySelector('[name="reading"]:checked').value;
export const agents = () => linesOf(by('agents').value);
export const texts = () => linesOf(urlText());

/** The column of an agent, which joins the others if it is not among them. */
export function takeAgent(agent) {
  const at = agents().findIndex((other) => other.toLowerCase() === agent.toLowerCase());
  if (at >= 0) {
    return at;
  }
  by('agents').value = [...agents(), agent].join('\n');
  return agents().length - 1;
}

/** Puts one line in the place of another. */
export function useInstead(field, text, other) {
  const replaced = (lines) => lines.split('\n').map((line) => (line.trim() === text ? other : line)).join('\n');
  if (field === 'agents') {
    by('agents').value = replaced(by('agents').value);
    by('agents').dispatchEvent(new Event('input'));
  } else {
    replaceText(urls, replaced(urlText()));
  }
}

/** All of the question; `of` gives the files as texts, or as they are. */
export const question = (of = packed) => ({
  file: of('file'),
  old: of('old'),
  agents: by('agents').value,
  urls: urlText(),
  reading: reading(),
  tab: tab(),
  selected: selected(),
});

/** The characters of the files and of the lists. */
export const length = () => [views.file, views.old, urls].reduce((sum, { state }) => sum + state.doc.length, by('agents').value.length);

/** Replaces all of the question; what a link lacks is empty. */
export function putQuestion(question) {
  load('file', unpacked(question.file ?? ''));
  load('old', unpacked(question.old ?? ''));
  by('agents').value = question.agents ?? '';
  isLoading = true;
  replaceText(urls, String(question.urls ?? ''));
  isLoading = false;
  document.querySelector(`[name="reading"][value="${FORCED.includes(question.reading) ? question.reading : 'crawler'}"]`).checked = true;
  select(question.selected ?? {});
  showTab(TABS.includes(question.tab) ? question.tab : 'verdicts');
}
