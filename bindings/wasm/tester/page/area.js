// The part of the table that is in view.

import { MOST_CELLS } from './answers.js';

/** Rows and columns beyond the edges, so that scrolling finds them. */
const SPARE = 2;

/**
 * The size of a cell, which the styles know for each kind of screen and pointer. The first column is as wide as the others leave
 * it, and at least as wide as the styles say: then the others are in view as far as whole ones fit, so that no edge cuts one.
 */
export function sizesOf(box, columns) {
  const style = getComputedStyle(box);
  const [row, column, least] = ['--row', '--column', '--first'].map((name) => parseInt(style.getPropertyValue(name), 10));
  const fitting = Math.max(1, Math.min(columns, Math.floor((box.clientWidth - least) / column)));
  return { row, column, first: Math.max(least, box.clientWidth - fitting * column) };
}

function inView(scrolled, length, size, count) {
  const begin = Math.max(0, Math.min(Math.floor(scrolled / size) - SPARE, count));
  return { begin, end: Math.min(count, Math.ceil((scrolled + length) / size) + SPARE) };
}

/** Rows and columns, of no more cells than a task may have. In print nothing scrolls, so that it begins at the top. */
export function areaOf(box, { rows, columns }, isPrinted) {
  const { row, column, first } = sizesOf(box, columns);
  const [top, left, height] = isPrinted ? [0, 0, Infinity] : [box.scrollTop, box.scrollLeft, box.clientHeight];
  const area = { rows: inView(top, height, row, rows), columns: inView(left, Math.max(column, box.clientWidth - first), column, columns) };
  area.rows.end = Math.min(area.rows.end, area.rows.begin + Math.floor(MOST_CELLS / Math.max(1, area.columns.end - area.columns.begin)));
  return area;
}

/** Scrolls as far as a cell needs to be in view. */
export function scrollToCell(box, row, column, columns) {
  const sizes = sizesOf(box, columns);
  const into = (scrolled, length, at, extent) => Math.min(at, Math.max(scrolled, at + extent - length));
  // The header and the first column cover an edge each.
  box.scrollTop = into(box.scrollTop, box.clientHeight - sizes.row, row * sizes.row, sizes.row);
  box.scrollLeft = into(box.scrollLeft, box.clientWidth - sizes.first, column * sizes.column, sizes.column);
}
