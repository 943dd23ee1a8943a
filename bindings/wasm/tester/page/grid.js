// The table of verdicts: only the cells in view are elements, and one of them is a tab stop.

import { MOST_CELLS } from './answers.js';
import { by, button, element, fill, hidden, pill, sign } from './dom.js';
import { pathOf } from './requested.js';

/** Rows and columns beyond the edges, so that scrolling finds them. */
const SPARE = 2;

const view = { answers: null, rows: [], dialect: 'rfc9309', active: { row: 0, column: 0 }, choose: () => {} };

export const selected = () => ({ ...view.active });

/** `place` comes from a link, so that it may hold anything. */
export function select({ row, column }) {
  Object.assign(view.active, { row: Number(row) || 0, column: Number(column) || 0 });
}

/** Shows rows of the answers. `choose` is called with a place, and whether the reader wants to see its verdict. */
export function showGrid(answers, rows, dialect, choose) {
  const isSame = view.answers === answers && shown !== '';
  Object.assign(view, { answers, rows, dialect, choose });
  if (isSame && shown === shownNow(range())) {
    // More of the answers came, below those in view.
    const [table] = by('table').children;
    table.setAttribute('aria-rowcount', rows.length + 1);
    table.querySelector('.below').style.height = `${below(range())}px`;
  } else {
    render();
  }
}

const below = ({ rows }) => (view.rows.length - rows.end) * sizes().row;

/** The size of a cell, which the styles know for each kind of pointer. */
function sizes() {
  const style = getComputedStyle(by('table'));
  const [row, column, first] = ['--row', '--column', '--first'].map((name) => parseInt(style.getPropertyValue(name), 10));
  return { row, column, first };
}

/** The places from `begin` on that are in view. */
function inView(scrolled, length, size, count) {
  const begin = Math.max(0, Math.min(Math.floor(scrolled / size) - SPARE, count));
  return { begin, end: Math.min(count, Math.ceil((scrolled + length) / size) + SPARE) };
}

/** In print nothing scrolls, so that it begins at the top and has as much as a task may. */
let isPrinted = false;

function range() {
  const { scrollTop, scrollLeft, clientHeight, clientWidth } = by('table');
  const { row, column, first } = sizes();
  const columns = inView(isPrinted ? 0 : scrollLeft, Math.max(column, clientWidth - first), column, view.answers.agents.length);
  const rows = inView(isPrinted ? 0 : scrollTop, isPrinted ? Infinity : clientHeight, row, view.rows.length);
  rows.end = Math.min(rows.end, rows.begin + Math.floor(MOST_CELLS / Math.max(1, columns.end - columns.begin)));
  return { rows, columns };
}

/** What the elements show, so that a tap does not lose its cell to an equal one. */
let shown = '';

function shownNow(area) {
  const { answers, rows, active, dialect } = view;
  const known = rows.slice(area.rows.begin, area.rows.end).filter((row) => row < answers.urls.length);
  return JSON.stringify([area, known, active, dialect, answers.origin, answers.texts.length]);
}

function render() {
  const { answers, rows, active } = view;
  const box = by('table');
  const hadFocus = box.contains(document.activeElement);
  const { row, column, first } = sizes();
  const { agents } = answers;
  const area = range();
  shown = shownNow(area);
  const columns = Array.from({ length: area.columns.end - area.columns.begin }, (_, at) => area.columns.begin + at);
  const before = gap(area.columns.begin);
  const after = gap(agents.length - area.columns.end);
  fill(
    box,
    element(
      'table',
      { role: 'grid', 'aria-label': 'Verdicts: a row for each URL, a column for each agent', 'aria-rowcount': rows.length + 1, 'aria-colcount': agents.length + 1, style: `min-width:100%;width:${first + agents.length * column}px` },
      element('colgroup', {}, width(first), before && width(area.columns.begin * column), columns.map(() => width(column)), after && width((agents.length - area.columns.end) * column)),
      element(
        'thead',
        { role: 'rowgroup' },
        element(
          'tr',
          { role: 'row', 'aria-rowindex': 1 },
          element('th', { role: 'columnheader', scope: 'col', 'aria-colindex': 1 }, answers.origin ? ['Path on ', element('bdi', {}, answers.origin)] : 'URL'),
          before,
          columns.map((at) => element('th', { role: 'columnheader', scope: 'col', 'aria-colindex': at + 2, title: agents[at] }, element('bdi', {}, agents[at]))),
          after,
        ),
      ),
      element(
        'tbody',
        { role: 'rowgroup' },
        space(area.rows.begin * row),
        rows.slice(area.rows.begin, area.rows.end).map((place, at) => rowOf(place, area.rows.begin + at, columns, area.columns.begin > 0, area.columns.end < agents.length)),
        element('tr', { 'aria-hidden': 'true', class: 'below', style: `height:${below(area)}px` }),
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
    element('th', { role: 'rowheader', scope: 'row', 'aria-colindex': 1, title: text.slice(0, 300) }, element('bdi', { dir: 'ltr' }, sent === undefined ? text.slice(0, 300) : shownUrl(sent).slice(0, 300))),
    isCutBefore && gap(1),
    columns.map((column) => cell(row, column)),
    isCutAfter && gap(1),
  );
}

/** Without the scheme and the host where all URLs have the same. */
const shownUrl = (sent) => (view.answers.origin ? pathOf(sent) : sent);

function cell(row, column) {
  const { answers, active, dialect } = view;
  const { isAllowed, differs, why } = answers.at(row, column, dialect);
  const isActive = active.row === row && active.column === column;
  const name = `for ${answers.agents[column]}`;
  return element(
    'td',
    { role: 'gridcell', 'aria-colindex': column + 2, 'aria-selected': String(isActive) },
    button(
      { class: 'verdict', tabindex: isActive ? '0' : '-1', 'data-row': row, 'data-column': column },
      why ? [element('span', { class: 'muted' }, why), hidden(` ${name}`)] : pill(isAllowed, name),
      differs && [sign('differs'), hidden(dialect === 'google' ? ', RFC 9309 differs' : ', Google differs')],
    ),
  );
}

/** Makes a cell the active one, and scrolls the table to it. */
function activate(row, column, isWanted) {
  view.active = { row, column };
  render();
  view.choose(view.active, isWanted);
}

function scrollTo(index, column) {
  const box = by('table');
  const size = sizes();
  const into = (scrolled, length, at, extent) => Math.min(at, Math.max(scrolled, at + extent - length));
  // The header and the first column cover an edge each.
  box.scrollTop = into(box.scrollTop, box.clientHeight - size.row, index * size.row, size.row);
  box.scrollLeft = into(box.scrollLeft, box.clientWidth - size.first, column * size.column, size.column);
}

const KEYS = {
  ArrowUp: ([row, column]) => [row - 1, column],
  ArrowDown: ([row, column]) => [row + 1, column],
  ArrowLeft: ([row, column]) => [row, column - 1],
  ArrowRight: ([row, column]) => [row, column + 1],
  PageUp: ([row, column], page) => [row - page, column],
  PageDown: ([row, column], page) => [row + page, column],
  Home: ([row]) => [row, 0],
  End: ([row]) => [row, Infinity],
};

function move(event) {
  const to = KEYS[event.key];
  if (!to || !view.answers || view.rows.length === 0 || view.answers.agents.length === 0) {
    return;
  }
  event.preventDefault();
  const box = by('table');
  const within = (at, count) => Math.max(0, Math.min(count - 1, at));
  const isEdge = event.ctrlKey && (event.key === 'Home' || event.key === 'End');
  const page = Math.max(1, Math.floor(box.clientHeight / sizes().row) - 2);
  let [index, column] = to([Math.max(0, view.rows.indexOf(view.active.row)), view.active.column], page);
  index = within(isEdge ? (event.key === 'Home' ? 0 : Infinity) : index, view.rows.length);
  column = within(column, view.answers.agents.length);
  scrollTo(index, column);
  activate(view.rows[index], column, false);
}

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
  const again = () => view.answers && shownNow(range()) !== shown && render();
  box.addEventListener('scroll', again, { passive: true });
  new ResizeObserver(again).observe(box);
  for (const [name, value] of [['beforeprint', true], ['afterprint', false]]) {
    addEventListener(name, () => {
      isPrinted = value;
      again();
    });
  }
}
