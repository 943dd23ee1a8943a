// Asks for the URLs of standard input, a line of JSON each, and answers each with a line: null, or the error.
//
// node test/sent.mjs fetch|axios|playwright, for `bindings/peers/sent.py`. Playwright takes the Chromium of the machine.

import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import axios from 'axios';

const timeout = 5_000;
const CLIENTS = {
  fetch: () => async (url) => (await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })).text(),
  axios: () => (url) => axios.get(url, { timeout }),
  async playwright() {
    const { chromium } = await import('playwright-core');
    const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-proxy-server'] });
    // A page of its own for each URL, without the cache and the address of the one before.
    return async (url) => {
      const page = await browser.newPage();
      await page.goto(url, { timeout }).finally(() => page.close());
    };
  },
};

const get = await CLIENTS[process.argv[2]]();
for await (const line of createInterface({ input: process.stdin })) {
  let refusal = null;
  try {
    await get(JSON.parse(line));
  } catch (error) {
    refusal = String(error.cause?.message ?? error.message);
  }
  console.log(JSON.stringify(refusal));
}
// The browser is still there.
process.exit();
