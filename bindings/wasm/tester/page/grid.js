// The table of verdicts: only the cells in view are elements, and one of them is a tab stop.

import { areaOf, scrollToCell, sizesOf } from './area.js';
import { by, button, element, fill, hidden, parts, pill, sign } from './dom.js';
import { placeAfter } from './keys.js';
import { pathOf } from './requested.js';

const view = { answers: null, rows: [], active: { row: 0, column: 0 }, choose: () => {} };

export const selected = () => ({ ...view.active });

/** `place` comes from a link, so that it may hold anything. */
export function select({ row, column }) {
  Object.assign(view.active, { row: Number(row) || 0, column: Number(column) || 0 });
}

/** Shows rows of the answers. `choose` is called with a place, and whether the reader wants to see its verdict. */
export function showGrid(answers, rows, choose) {
  const isSame = view.answers === answers && shown !== '';
  Object.assign(view, { answers, rows, choose });
  if (isSame && shown === shownNow(area())) {
    // More of the answers came, below those in view.
    const [table] = by('table').children;
    table.setAttribute('aria-rowcount', rows.length + 1);
    table.querySelector('.below').style.height = `${below(area())}px`;
  } else {
    render();
  }
}

let isPrinted = false;
const area = () => areaOf(by('table'), { rows: view.rows.length, columns: view.answers.agents.length }, isPrinted);
const sizes = () => sizesOf(by('table'), view.answers.agents.length);
const below = ({ rows }) => (view.rows.length - rows.end) * sizes().row;

/** The content of the elements, so that a tap does not lose its cell to an equal one. */
let shown = '';

function shownNow({ rows: { begin, end }, columns }) {
  const { answers, rows, active } = view;
  const known = rows.slice(begin, end).filter((row) => row < answers.urls.length);
  return JSON.stringify([begin, end, columns, known, active, sizes(), answers.origin, answers.texts.length]);
}

function render() {
  const { answers, rows, active } = view;
  const box = by('table');
  const hadFocus = box.contains(document.activeElement);
  const { row, column, first } = sizes();
  const { agents } = answers;
  const now = area();
  shown = shownNow(now);
  const columns = Array.from({ length: now.columns.end - now.columns.begin }, (_, at) => now.columns.begin + at);
  const before = gap(now.columns.begin);
  const after = gap(agents.length - now.columns.end);
  fill(
    box,
    element(
      'table',
      { role: 'grid', 'aria-label': 'Verdicts: a row for each URL, a column for each agent', 'aria-rowcount': rows.length + 1, 'aria-colcount': agents.length + 1, style: `min-width:100%;width:${first + agents.length * column}px` },
      element('colgroup', {}, width(first), before && width(now.columns.begin * column), columns.map(() => width(column)), after && width((agents.length - now.columns.end) * column)),
      element(
        'thead',
        { role: 'rowgroup' },
        element(
          'tr',
          { role: 'row', 'aria-rowindex': 1 },
          element('th', { role: 'columnheader', scope: 'col', 'aria-colindex': 1 }, answers.origin ? element('span', {}, element('span', { class: 'wide' }, 'Path on '), element('bdi', {}, parts(answers.origin.replace(/^https:\/\//, '')))) : 'URL'),
          before,
          columns.map((at) => element('th', { role: 'columnheader', scope: 'col', 'aria-colindex': at + 2, title: agents[at] }, element('bdi', { class: 'lines' }, agents[at]))),
          after,
        ),
      ),
      element(
        'tbody',
        { role: 'rowgroup' },
        space(now.rows.begin * row),
        rows.slice(now.rows.begin, now.rows.end).map((place, at) => rowOf(place, now.rows.begin + at, columns, now.columns.begin > 0, now.columns.end < agents.length)),
        element('tr', { 'aria-hidden': 'true', class: 'below', style: `height:${below(now)}px` }),
      ),
    ),
  );
  if (rows.length === 0) {
    box.append(element('p', { class: 'muted empty' }, answers.texts.length === 0 ? 'Enter a URL or a path above.' : agents.length === 0 ? 'Enter an agent above.' : 'No URL is like that.'));
  }
  // The one tab stop: the active cell, or the table where it is out of view.
  const cell = activeCell();
  box.tabIndex = cell ? -1 : 0;
  if (hadFocus) {
    (cell ?? box).focus({ preventScroll: true });
  }
}

const width = (pixels) => element('col', { style: `width:${pixels}px` });
const gap = (count) => count > 0 && element('td', { 'aria-hidden': 'true', class: 'gap' });
const space = (pixels) => pixels > 0 && element('tr', { 'aria-hidden': 'true', style: `height:${pixels}px` });
const activeCell = () => by('table').querySelector('[tabindex="0"]');

function rowOf(row, index, columns, isCutBefore, isCutAfter) {
  const { text, sent } = view.answers.urls[row] ?? { text: view.answers.texts[row] };
  return element(
    'tr',
    { role: 'row', 'aria-rowindex': index + 2 },
    element('th', { role: 'rowheader', scope: 'row', 'aria-colindex': 1, title: text.slice(0, 300) }, element('bdi', { dir: 'ltr', class: 'lines' }, parts((sent === undefined ? text : shownUrl(sent)).slice(0, 300)))),
    isCutBefore && gap(1),
    columns.map((column) => cell(row, column)),
    isCutAfter && gap(1),
  );
}

/** Without the scheme and the host where all URLs have the same. */
const shownUrl = (sent) => (view.answers.origin ? pathOf(sent) : sent);

function cell(row, column) {
  const { answers, active } = view;
  const { isAllowed, differs, why } = answers.at(row, column);
  const isActive = active.row === row && active.column === column;
  const name = `for ${answers.agents[column]}`;
  return element(
    'td',
    { role: 'gridcell', 'aria-colindex': column + 2, 'aria-selected': String(isActive) },
    button(
      { class: 'verdict', tabindex: isActive ? '0' : '-1', 'data-row': row, 'data-column': column },
      why ? [element('span', { class: 'muted' }, why), hidden(` ${name}`)] : pill(isAllowed, name),
      differs && [sign('differs'), hidden(`, ${differs} differs`)],
    ),
  );
}

/** Makes a cell the active one, and scrolls the table to it. */
function activate(row, column, isWanted) {
  view.active = { row, column };
  render();
  view.choose(view.active, isWanted);
}

function move(event) {
  const box = by('table');
  const { rows, answers, active } = view;
  if (!answers) {
    return;
  }
  const page = Math.max(1, Math.floor(box.clientHeight / sizes().row) - 2);
  const place = placeAfter(event, [Math.max(0, rows.indexOf(active.row)), active.column], { rows: rows.length, columns: answers.agents.length, page });
  if (place) {
    event.preventDefault();
    scrollToCell(box, ...place, answers.agents.length);
    activate(rows[place[0]], place[1], false);
  }
}

/** The agents whose columns are out of view until the table is scrolled sideways. */
export const outOfView = () => Math.max(0, view.answers.agents.length - Math.round((by('table').clientWidth - sizes().first) / sizes().column));

/** Hears of keys, taps and scrolling once, as the cells come and go. */
export function watchGrid() {
  const box = by('table');
  box.addEventListener('keydown', move);
  box.addEventListener('click', ({ target }) => {
    const { row, column } = target.closest('.verdict')?.dataset ?? {};
    if (row !== undefined) {
      activate(Number(row), Number(column), true);
    }
  });
  const again = () => view.answers && shownNow(area()) !== shown && render();
  box.addEventListener('scroll', again, { passive: true });
  new ResizeObserver(again).observe(box);
  for (const [name, value] of [['beforeprint', true], ['afterprint', false]]) {
    addEventListener(name, () => {
      isPrinted = value;
      again();
    });
  }
}
