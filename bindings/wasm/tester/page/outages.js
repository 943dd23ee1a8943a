// The answers where the server sends something else than the file.

import { address, by, element, fill, pill } from './dom.js';
import { named } from './text.js';

const REPLIES = {
  404: ['404', 'There is no such file'],
  403: ['403', 'The server refuses it'],
  429: ['429', 'Too many requests'],
  503: ['503', 'Out of service, or another 5xx'],
  redirect: ['A redirect', 'To an address that has the file, also on another host'],
  loop: ['Redirects without an end', 'Or more of them than a crawler follows'],
  page: ['A page in HTML', 'With the status 200, such as the start page'],
  late: ['Nothing for 30 s', 'The crawler stops waiting'],
};

const MOMENTS = ['At once', 'After a day', 'After a month'];

export function showOutages(agent, sent, outages) {
  fill(
    by('outages-list'),
    !outages
      ? element('p', { class: 'muted' }, 'Choose a verdict with a crawler and a URL first.')
      : [
          element('p', { class: 'lead' }, 'May ', element('bdi', {}, named(agent)), ' fetch ', address(sent), ' if robots.txt answers otherwise?'),
          element('p', { class: 'muted' }, 'While the other pages of the site can be had. “Never read” is a crawler that has never had the file, “read before” one that read it an hour earlier.'),
          element(
            'div',
            { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Answers by the reply of the server' },
            element(
              'table',
              // Said aloud, as the narrow layout of the styles would lose them.
              { role: 'table' },
              element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ['robots.txt answers', 'Crawler', ...MOMENTS].map((text) => element('th', { scope: 'col', role: 'columnheader' }, text)))),
              outages.map((outage) => element('tbody', { role: 'rowgroup' }, rowsOf(outage))),
            ),
          ),
        ],
  );
}

function rowsOf({ reply, never, before }) {
  const [title, remark] = REPLIES[reply];
  const isSame = JSON.stringify(never) === JSON.stringify(before);
  const head = (rows) => element('th', { scope: 'rowgroup', role: 'rowheader', rowspan: rows }, title, element('span', { class: 'remark' }, remark));
  const row = (crawler, answers, head) => element('tr', { role: 'row' }, head, element('td', { role: 'cell', class: 'crawler' }, crawler), answers.map(cell));
  return isSame ? row('any crawler', never, head(1)) : [row('never read', never, head(2)), row('read before', before)];
}

const cell = ({ isAllowed, cause }, at) => element('td', { role: 'cell', 'data-moment': MOMENTS[at] }, pill(isAllowed), element('span', { class: 'remark' }, cause ?? 'by its rules'));
