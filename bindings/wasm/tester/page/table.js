// The table of verdicts with its filters.

import { by } from './dom.js';
import { showGrid } from './grid.js';
import { counted } from './text.js';

let filter = 'all';
let again = () => {};

export function showTable(answers, dialect, choose) {
  again = () => showTable(answers, dialect, choose);
  const found = answers.found[dialect];
  for (const button of by('filters').querySelectorAll('button')) {
    const { rows } = found[button.dataset.filter];
    button.setAttribute('aria-pressed', String(button.dataset.filter === filter));
    button.querySelector('.count').textContent = rows.length.toLocaleString('en');
  }
  const { all, disallowed } = found;
  by('table-summary').textContent = all.cells === 0 ? '' : `${disallowed.cells.toLocaleString('en')} of ${counted(all.cells, 'answer')} ${disallowed.cells === 1 ? 'is' : 'are'} “disallowed”`;
  showGrid(answers, found[filter].rows, dialect, choose);
}

export function watchTable() {
  by('filters').addEventListener('click', ({ target }) => {
    filter = target.closest('button')?.dataset.filter ?? filter;
    by('table').scrollTop = 0;
    again();
  });
}
