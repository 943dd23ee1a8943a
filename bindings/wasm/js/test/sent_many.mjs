// Asks for the URLs of standard input, a line of JSON with a number and a URL each, with the number as `X-Number`. Answers with
// lines of the number and the request target that the adapter of the client asks about, or null for a URL that it refuses.
//
// node test/sent_many.mjs fetch|got, for `bindings/peers/sent.py`.

import { createInterface } from 'node:readline';
import got from 'got';

const timeout = 5_000;
const CLIENTS = {
  fetch: async (url, headers) => (await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) })).text(),
  got: (url, headers) => got(url, { headers, followRedirect: false, throwHttpErrors: false, retry: { limit: 0 }, timeout: { request: timeout } }),
};

const get = CLIENTS[process.argv[2]];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function ask() {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const [number, url] = JSON.parse(line.value);
    await get(url, { 'X-Number': String(number) }).catch(() => undefined);
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    console.log(JSON.stringify([number, parsed ? parsed.pathname + parsed.search : null]));
  }
}

await Promise.all(Array.from({ length: 8 }, ask));
process.exit();
