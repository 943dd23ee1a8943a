// The table of verdicts with its filters.

import { by } from './dom.js';
import { outOfView, showGrid } from './grid.js';
import { counted } from './text.js';

let filter = 'all';
let again = () => {};
let summarize = () => {};

export function showTable(answers, choose) {
  again = () => showTable(answers, choose);
  const { found } = answers;
  summarize = () => {
    by('table-summary').textContent = summary(found, outOfView());
  };
  for (const button of by('filters').querySelectorAll('button')) {
    const { rows } = found[button.dataset.filter];
    button.setAttribute('aria-pressed', String(button.dataset.filter === filter));
    button.querySelector('.count').textContent = rows.length.toLocaleString('en');
  }
  const { all, differ } = found;
  // The count of the filter, in words beside the examples, so that both say the same.
  by('dialects-summary').textContent = all.cells === 0 ? '' : `RFC 9309 and Google’s matcher differ about ${differ.rows.length.toLocaleString('en')} of the ${counted(all.rows.length, 'URL')} above.`;
  showGrid(answers, found[filter].rows, choose);
  summarize();
}

function summary({ all, disallowed }, hiddenAgents) {
  if (all.cells === 0) {
    return '';
  }
  const counts = `${disallowed.cells.toLocaleString('en')} of ${counted(all.cells, 'answer')} ${disallowed.cells === 1 ? 'is' : 'are'} “disallowed”`;
  return hiddenAgents === 0 ? counts : `${counts}; scroll sideways for ${counted(hiddenAgents, 'more agent')}`;
}

export function watchTable() {
  new ResizeObserver(() => summarize()).observe(by('table'));
  by('filters').addEventListener('click', ({ target }) => {
    filter = target.closest('button')?.dataset.filter ?? filter;
    by('table').scrollTop = 0;
    again();
  });
}
