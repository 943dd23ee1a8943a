// The findings of the file: a list, and the page of each code.

import { marked } from 'marked';
import pages from 'pages:codes';

import { by, element, fill, rich } from './dom.js';
import { findingsFound, sentence } from './text.js';

export function showList({ found, total, errors, fixable }, { go, fix, fixAll }) {
  by('finding-count').textContent = total === 0 ? '' : total.toLocaleString('en');
  by('findings-summary').textContent = findingsFound(total, errors);
  const all = by('fix-all');
  all.hidden = fixable === 0;
  all.textContent = fixable === 1 ? 'Make the safe fix' : `Make all ${fixable.toLocaleString('en')} safe fixes`;
  all.onclick = fixAll;
  const at = [...document.querySelectorAll('#findings-list .fix')].indexOf(document.activeElement);
  fill(
    by('findings-list'),
    ...found.map((finding) =>
      element(
        'li',
        {},
        element('button', { type: 'button', class: 'plain line', onclick: () => go(finding.line) }, `line ${finding.line}`),
        element(
          'div',
          {},
          element('p', {}, rich(sentence(finding.message))),
          element(
            'p',
            { class: 'meta' },
            element('span', { class: `severity ${finding.severity}` }, finding.severity),
            element('button', { type: 'button', class: 'plain', onclick: () => showPage(finding) }, finding.code),
          ),
        ),
        finding.canFix &&
          element(
            'button',
            { type: 'button', class: 'fix', onclick: () => fix(finding), 'aria-label': `Fix line ${finding.line}: ${finding.message}` },
            'Fix',
          ),
      ),
    ),
    ...(total > found.length ? [element('li', { class: 'muted' }, element('span'), `The first ${found.length} are shown.`)] : []),
  );
  if (at >= 0) {
    // The button that was pressed is gone: its successor, or the tab.
    const fixes = document.querySelectorAll('#findings-list .fix');
    (fixes[Math.min(at, fixes.length - 1)] ?? by('tab-findings')).focus();
  }
}

function showPage({ code, pageUrl }) {
  by('page-title').textContent = code;
  by('page-text').innerHTML = marked.parse((pages[code] ?? '').replace(/^# .*\n/, ''));
  by('page-text').append(element('p', {}, element('a', { href: pageUrl }, 'The page in the documentation')));
  for (const link of by('page-text').querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noreferrer';
  }
  by('page').showModal();
  by('page').scrollTop = 0;
}
