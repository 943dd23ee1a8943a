// The cases of `testdata`, and the oracles beside the checkout, as lists of questions.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'smol-toml';

const root = new URL('../../../../', import.meta.url);
const testdata = new URL('testdata/', root);
const shared = new URL('../shared/', root);

/** The bytes of a text of a case. */
export function bytes(text, encoding) {
  return encoding === 'latin1' ? Uint8Array.from(text, (character) => character.charCodeAt(0)) : new TextEncoder().encode(text);
}

/** Every question of the cases: `{ name, robots, agent, url, dialect, verdict, agentMatch, crawlDelay, sitemaps }`. */
export function* cases() {
  for (const folder of ['rfc9309', 'google', 'issues', 'hostile']) {
    for (const file of readdirSync(new URL(`${folder}/`, testdata)).sort()) {
      const { case: list } = parse(readFileSync(new URL(`${folder}/${file}`, testdata), 'utf8'));
      for (const one of list) {
        const filled = (text) =>
          one.repeat === undefined ? text : text.replaceAll('{@}', one.repeat.text.repeat(Number(one.repeat.times)));
        yield {
          ...one,
          agent: one.agent ?? 'ExampleBot',
          robots: bytes(filled(one.robots), one.encoding),
          checks: (one.checks ?? []).map((check) => ({ ...check, url: filled(check.url) })),
        };
      }
    }
  }
}

/** The verdict of a check in the notation of the cases. */
export function notation(verdict) {
  return `${verdict.allowed ? 'allow' : 'disallow'} ${verdict.line ?? 0}`;
}

/** The recorded verdicts of Google's matcher, or `undefined` where no `xz` is there to read them. */
export function recorded() {
  const file = new URL('recorded/verdicts.jsonl.xz', testdata);
  let text;
  try {
    text = execFileSync('xz', ['-dc', file.pathname], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  } catch (error) {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  return lines(text).map(([robots, agent, url, google, rfc9309]) => ({
    robots: bytes(robots, 'latin1'),
    agent,
    url,
    google,
    rfc9309,
  }));
}

/** The files beside the checkout; `undefined` where they are not. */
export function oracle(name) {
  const file = new URL(`oracle/${name}`, shared);
  if (!existsSync(file)) {
    return undefined;
  }
  const content = readFileSync(file);
  return lines((name.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8'));
}

function lines(text) {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
