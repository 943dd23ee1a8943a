// The table of verdicts, and the answer for the cell that is chosen.

import { by, element, fill, rich, sentence } from './dom.js';

const ROWS = 100;
const UNKNOWN = 4;

const view = {
  agents: [],
  urls: [],
  bits: new Uint8Array(),
  filter: 'all',
  page: 0,
  selected: { row: 0, column: 0 },
};

const isAllowed = (bits, dialect) => (dialect === 'google' ? (bits & 2) !== 0 : (bits & 1) !== 0);
const differs = (bits) => bits === 1 || bits === 2;

const FILTERS = {
  all: { title: 'All', holds: () => true },
  out: { title: 'Disallowed', holds: (bits, dialect) => bits !== UNKNOWN && !isAllowed(bits, dialect) },
  differ: { title: 'Dialects differ', holds: differs },
};

/** The table of new answers. `choose` is called with the agent and the URL of the chosen cell. */
export function showTable(agents, urls, bits, dialect, choose) {
  Object.assign(view, { agents, urls, bits });
  const { selected } = view;
  selected.row = Math.min(selected.row, Math.max(0, urls.length - 1));
  selected.column = Math.min(selected.column, Math.max(0, agents.length - 1));
  render(dialect, choose);
  choose(agents[selected.column], urls[selected.row]);
}

export const selected = () => ({ ...view.selected });

export function select(place) {
  Object.assign(view.selected, place);
}

function rowsOf(filter, dialect) {
  const { agents, urls, bits } = view;
  const rows = [];
  for (let row = 0; row < urls.length; row += 1) {
    for (let column = 0; column < agents.length; column += 1) {
      if (FILTERS[filter].holds(bits[row * agents.length + column], dialect)) {
        rows.push(row);
        break;
      }
    }
  }
  return rows;
}

function render(dialect, choose) {
  const again = () => render(dialect, choose);
  let rows = [];
  fill(
    by('filters'),
    ...Object.entries(FILTERS).map(([name, { title }]) => {
      const found = rowsOf(name, dialect);
      if (name === view.filter) {
        rows = found;
      }
      const change = () => {
        view.filter = name;
        view.page = 0;
        again();
        by('filters').querySelector('[aria-pressed="true"]').focus();
      };
      return element(
        'button',
        { type: 'button', 'aria-pressed': String(name === view.filter), onclick: change },
        title,
        ' ',
        element('span', { class: 'count' }, found.length.toLocaleString('en')),
      );
    }),
  );
  view.page = Math.min(view.page, Math.max(0, Math.ceil(rows.length / ROWS) - 1));
  showPages(rows, again);
  const origin = commonOrigin(view.urls);
  const shown = rows.slice(view.page * ROWS, (view.page + 1) * ROWS);
  const body = shown.map((row) =>
    element(
      'tr',
      { role: 'row' },
      element('th', { scope: 'row', role: 'rowheader' }, view.urls[row].slice(origin.length) || '/'),
      view.agents.map((agent, column) => element('td', { role: 'cell', 'data-agent': agent }, cell(row, column, dialect, choose))),
    ),
  );
  fill(
    by('table'),
    element(
      'table',
      // Said aloud, as the narrow layout of the styles would lose them.
      { role: 'table' },
      element('caption', { class: 'hidden-text' }, 'Verdicts: a row for each URL, a column for each agent'),
      element(
        'thead',
        { role: 'rowgroup' },
        element('tr', { role: 'row' }, element('th', { scope: 'col', role: 'columnheader' }, origin ? ['URL on ', element('span', { class: 'url' }, origin)] : 'URL'), view.agents.map((agent) => element('th', { scope: 'col', role: 'columnheader' }, agent))),
      ),
      element('tbody', { role: 'rowgroup' }, body),
    ),
  );
  if (shown.length === 0) {
    by('table').append(element('p', { class: 'muted empty' }, view.urls.length === 0 ? 'Enter a URL above.' : 'No row is like that.'));
  }
}

/** The scheme and the host of all URLs, or nothing if they have several: it is said once then. */
function commonOrigin(urls) {
  const origin = urls[0]?.match(/^[a-z]+:\/\/[^/?#]+(?=\/)/i)?.[0] ?? '';
  return urls.length > 1 && urls.every((url) => url.startsWith(`${origin}/`)) ? origin : '';
}

function cell(row, column, dialect, choose) {
  const bits = view.bits[row * view.agents.length + column];
  if (bits === UNKNOWN) {
    return element('span', { class: 'muted' }, 'no such agent');
  }
  const allowed = isAllowed(bits, dialect);
  const isSelected = view.selected.row === row && view.selected.column === column;
  const pick = (event) => {
    view.selected = { row, column };
    by('table').querySelector('[aria-pressed="true"]')?.setAttribute('aria-pressed', 'false');
    event.currentTarget.setAttribute('aria-pressed', 'true');
    choose(view.agents[column], view.urls[row]);
  };
  const other = dialect === 'google' ? 'RFC 9309 differs' : 'Google differs';
  return [
    element(
      'button',
      {
        type: 'button',
        class: allowed ? 'verdict' : 'verdict out',
        'aria-pressed': String(isSelected),
        onclick: pick,
        onkeydown: move,
      },
      allowed ? 'allowed' : 'disallowed',
      element('span', { class: 'hidden-text' }, ` for ${view.agents[column]}`),
    ),
    differs(bits) && element('span', { class: 'differs' }, other),
  ];
}

/** The arrow keys go from cell to cell. */
function move(event) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  if (!step) {
    return;
  }
  const [down, right] = step;
  const td = event.currentTarget.closest('td');
  const tr = down === 0 ? td.parentElement : down < 0 ? td.parentElement.previousElementSibling : td.parentElement.nextElementSibling;
  const button = tr?.children[td.cellIndex + right]?.querySelector('button');
  if (button) {
    event.preventDefault();
    button.focus();
    button.click();
  }
}

function showPages(rows, again) {
  const last = Math.ceil(rows.length / ROWS) - 1;
  by('pages').hidden = last < 1;
  const turn = (step) => () => {
    view.page += step;
    again();
    // The new buttons take the place of the one that had the focus.
    const [previous, next] = by('pages').querySelectorAll('button');
    const [same, other] = step > 0 ? [next, previous] : [previous, next];
    (same.disabled ? other : same).focus();
  };
  const from = view.page * ROWS;
  fill(
    by('pages'),
    element('button', { type: 'button', disabled: view.page === 0, onclick: turn(-1) }, 'Previous'),
    element('span', {}, `${(from + 1).toLocaleString('en')} to ${Math.min(from + ROWS, rows.length).toLocaleString('en')} of ${rows.length.toLocaleString('en')}`),
    element('button', { type: 'button', disabled: view.page === last, onclick: turn(1) }, 'Next'),
  );
}

export const roleOf = (mark) => (mark.isOverruled ? 'overruled' : mark.isDeciding ? 'deciding' : 'context');

/** The path of a URL as it was typed. */
const pathOf = (url) => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';

/** The answer about one URL. `lineText` gives a line of the file, `go` goes there. */
export function showAnswer(agent, url, answer, lineText, go) {
  const article = by('answer');
  if (!answer) {
    fill(article, element('p', { class: 'muted' }, 'Enter an agent and a URL for a verdict.'));
    return;
  }
  if (answer.error) {
    fill(article, element('p', {}, rich(sentence(answer.error))));
    return;
  }
  const more = [answer.group, answer.otherMatches, answer.otherDialect, answer.operator].filter(Boolean);
  fill(
    article,
    element('h3', {}, `${agent === '*' ? 'Any other agent' : agent} ${answer.isAllowed ? 'may' : 'may not'} fetch ${url}`),
    element('p', { class: 'why' }, rich(sentence(answer.why))),
    // The request that clients send has another path than the one that was typed.
    pathOf(url) !== answer.path && element('p', { class: 'muted' }, 'The path that is compared is ', element('code', {}, answer.path), '.'),
    answer.marks.length > 0 &&
      element(
        'ul',
        {},
        answer.marks.map((mark) =>
          element(
            'li',
            { class: `mark ${roleOf(mark)}` },
            element('button', { type: 'button', class: 'plain', onclick: () => go(mark.line) }, `line ${mark.line}`),
            element('code', {}, lineText(mark.line)),
            element('span', { class: 'muted' }, rich(mark.label)),
          ),
        ),
      ),
    more.length > 0 && element('div', { class: 'more' }, more.map((text) => element('p', {}, rich(sentence(text))))),
  );
}

export function showBadAgents(bad, useInstead) {
  by('bad-agents').hidden = bad.length === 0;
  fill(
    by('bad-agents'),
    ...bad.map(({ agent, message, probablyMeant }) =>
      element(
        'li',
        {},
        rich(sentence(message)),
        probablyMeant && [
          ' ',
          element('button', { type: 'button', class: 'plain', onclick: () => useInstead(agent, probablyMeant) }, `Ask for ${probablyMeant}`),
        ],
      ),
    ),
  );
}

/** The URLs of the rules about which the dialects differ. */
export function showDialects(agents) {
  const may = (allowed) => (allowed ? 'allowed' : 'disallowed');
  fill(
    by('dialects-list'),
    agents.length === 0
      ? element('p', { class: 'muted' }, 'Nowhere, for these agents and the URLs that the rules of the file are about.')
      : element(
          'ul',
          { class: 'rows' },
          agents.flatMap(({ agent, urls, hasMore }) => [
            ...urls.map(({ url, rfc9309, google, reason }) =>
              element(
                'li',
                {},
                element('p', {}, element('span', { class: 'url' }, url), ` for ${agent === '*' ? 'any other agent' : agent}`),
                element('p', {}, `RFC 9309: ${may(rfc9309)}. Google’s matcher: ${may(google)}.`),
                element('p', { class: 'muted' }, rich(sentence(reason))),
              ),
            ),
            hasMore && element('li', { class: 'muted' }, `There are more for ${agent}.`),
          ]),
        ),
  );
}
