// Cases for parsers of robots.txt: URLs, the verdict about each, and the authority for it.

import { readFileSync } from 'node:fs';

/** All cases, as `schema.json` describes them. */
export function cases() {
  const text = readFileSync(new URL('polite_robots_cases/cases.jsonl', import.meta.url), 'utf8');
  // The first line is about the file.
  return text.split('\n').slice(1, -1).map((line) => JSON.parse(line));
}

/**
 * Asks `allowed(robotsTxt: Uint8Array, agent: string, url: string): boolean` about all URLs. Returns the name of each
 * case with a wrong answer, the first such URL, and the answer or the error. The reading is `rfc9309` or `google`;
 * only cases count whose authority in it begins with `authority`.
 */
export function wrong(allowed, reading = 'rfc9309', authority = '') {
  const found = [];
  for (const { name, agent, robots, robots_base64, checks, authority: by } of cases()) {
    const robotsTxt = robots === undefined ? Buffer.from(robots_base64, 'base64') : Buffer.from(robots);
    for (const check of by[reading].startsWith(authority) ? checks : []) {
      let answer;
      try {
        answer = allowed(robotsTxt, agent, check.url);
      } catch (error) {
        answer = error;
      }
      if (answer !== check[reading]) {
        found.push({ name, url: check.url, answer });
        break;
      }
    }
  }
  return found;
}
