// The URLs of the rules about which RFC 9309 and Google's matcher differ, by the reason.

import { address, by, element, fill, pill, rich } from './dom.js';
import { listed, named, sentence } from './text.js';

export function showDialects(agents) {
  const reasons = byReason(agents);
  fill(
    by('dialects-list'),
    reasons.length === 0
      ? element('p', { class: 'muted' }, 'The rules of the file give no example of such a URL for these agents.')
      : [element('p', { class: 'muted' }, 'Examples that the rules of the file give, as they are requested:'), reasons.map(({ reason, urls }) => [
          element('p', { class: 'reason' }, rich(sentence(reason))),
          element(
            'ul',
            { class: 'rows' },
            urls.map(({ url, rfc9309, google, agents }) =>
              element(
                'li',
                {},
                element('p', {}, address(url), ' for ', element('bdi', {}, listed(agents))),
                element('p', { class: 'sides' }, element('span', {}, 'RFC 9309 ', pill(rfc9309)), ' ', element('span', {}, 'Google ', pill(google))),
              ),
            ),
          ),
        ])],
    agents.some(({ hasMore }) => hasMore) && element('p', { class: 'muted' }, 'There are more.'),
  );
}

/** Each reason once, and in it each URL once, with its agents. */
export function byReason(agents) {
  const reasons = new Map();
  for (const { agent, urls } of agents) {
    for (const { url, rfc9309, google, reason } of urls) {
      const found = reasons.get(reason) ?? new Map();
      reasons.set(reason, found);
      const key = JSON.stringify([url, rfc9309, google]);
      const one = found.get(key) ?? { url, rfc9309, google, agents: [] };
      found.set(key, one);
      one.agents.push(named(agent));
    }
  }
  return [...reasons].map(([reason, urls]) => ({ reason, urls: [...urls.values()] }));
}
