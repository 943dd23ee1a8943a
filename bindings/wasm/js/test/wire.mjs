// Asks about two pages of each origin on standard input, as `bindings/peers/wire.py` has it: with a `RobotsCache` over fetch, or with
// `politeFetch`.
//
//     node test/wire.mjs fetch|polite_fetch SECONDS

import { createInterface } from 'node:readline';

import { RobotsCache } from 'polite-robots/cache';
import { politeFetch } from 'polite-robots/crawl';

const [kind, seconds] = process.argv.slice(2);
const CROWD = 32;

const robots = new RobotsCache('ExampleBot', fetch, { timeoutMs: Number(seconds) * 1_000 });
const polite = politeFetch('ExampleBot', { timeoutMs: Number(seconds) * 1_000 });

function heard(open, cause, retryAt, began) {
  return {
    access: open[0] ? (open[1] ? 'open' : 'rules') : 'closed',
    cause: String(cause ?? ''),
    retry: retryAt === undefined ? null : Math.max(0, (retryAt - Date.now()) / 1_000),
    after: (performance.now() - began) / 1_000,
  };
}

async function byCache(origin) {
  const began = performance.now();
  const [open, closed] = [await robots.check(`${origin}/x`), await robots.check(`${origin}/private/x`)];
  return heard([open.allowed, closed.allowed], open.cause, open.retryAt, began);
}

async function byFetch(origin) {
  const began = performance.now();
  const [open, reasons] = [[], []];
  let end;
  for (const path of ['/x', '/private/x']) {
    try {
      await (await polite(origin + path)).text();
      open.push(true);
    } catch (error) {
      if (!['CLOSED', 'DISALLOWED'].includes(error.code)) {
        throw error;
      }
      open.push(false);
      reasons.push(error);
    }
    end ??= performance.now();
  }
  const closed = open[0] ? undefined : reasons[0];
  return { ...heard(open, closed?.reason, closed?.retryAt, began), after: (end - began) / 1_000 };
}

const origins = [];
for await (const line of createInterface({ input: process.stdin })) {
  origins.push(JSON.parse(line));
}
const ask = { fetch: byCache, polite_fetch: byFetch }[kind];
const answers = [];
let next = 0;
const worker = async () => {
  while (next < origins.length) {
    const place = next;
    next += 1;
    answers[place] = await ask(origins[place]);
  }
};
await Promise.all(Array.from({ length: CROWD }, worker));
answers.forEach((answer) => console.log(JSON.stringify(answer)));
process.exit();
