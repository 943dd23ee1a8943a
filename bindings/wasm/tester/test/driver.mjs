// A real browser with the page from a `file:` URL, for the tests beside this file.
//
// BROWSER=firefox takes Firefox, EXECUTABLE another program, ONLY the tests whose names hold a text.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const address = pathToFileURL(`${root}/dist/index.html`).href;
export const axe = readFileSync(`${root}/node_modules/axe-core/axe.min.js`, 'utf8');
export const screenshots = resolve(process.argv[2] ?? `${tmpdir()}/polite-robots-tester`);
mkdirSync(screenshots, { recursive: true });

export const name = process.env.BROWSER ?? 'chrome';
const programs = name === 'firefox' ? ['/usr/bin/firefox-esr', '/usr/bin/firefox'] : ['/usr/bin/chromium', '/usr/bin/google-chrome'];
const executablePath = process.env.EXECUTABLE ?? programs.find(existsSync);
if (!executablePath) {
  console.error(`${name} is not installed`);
  process.exit(2);
}

const browser = await puppeteer.launch({
  browser: name,
  executablePath,
  args: name === 'chrome' ? ['--no-sandbox'] : [],
  // A busy machine may take its time.
  protocolTimeout: 300_000,
});

/** A page with the example, or with the question of a fragment. */
export async function opened(fragment = '') {
  // No page must find the stored data of another page.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.context = context;
  page.setDefaultTimeout(60_000);
  page.left = [];
  page.errors = [];
  page.on('request', (request) => /^(file|blob|data):/.test(request.url()) || page.left.push(request.url()));
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  await page.evaluateOnNewDocument(() => {
    window.longTasks = [];
    if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
      new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    } else {
      // A timer that comes late saw a long task.
      let last = performance.now();
      setInterval(() => {
        const now = performance.now();
        window.longTasks.push(...(now - last > 50 ? [now - last] : []));
        last = now;
      }, 10);
    }
  });
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(address + fragment);
  await page.waitForSelector('#answer h3');
  return page;
}

export const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
export const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.innerText));
export const holds = (page, condition, ...args) => page.waitForFunction(condition, {}, ...args);
export const contains = (page, selector, wanted) =>
  holds(page, (selector, wanted) => document.querySelector(selector)?.innerText.includes(wanted), selector, wanted);

export async function fill(page, selector, value) {
  await page.$eval(
    selector,
    (field, value) => {
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    value,
  );
}

/** Pastes text in place of what is in the field of the URLs. */
export async function enterUrls(page, urls) {
  await page.focus('#urls .cm-content');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.$eval(
    '#urls .cm-content',
    (content, urls) => {
      const firefox = { dataType: 'text/plain', data: urls };
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', urls);
      content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, ...firefox, bubbles: true, cancelable: true }));
    },
    urls,
  );
}

/** Clicks a cell in one step, as answers that come may draw it anew between two. */
export const pick = (page, row, column) =>
  page.evaluate((row, column) => document.querySelector(`#table [data-row="${row}"][data-column="${column}"]`).click(), row, column);

/** Opens a file as somebody who chooses it in the dialog of the browser. */
export async function choose(page, bytes) {
  const length = Buffer.byteLength(bytes);
  const path = `${screenshots}/robots.txt`;
  writeFileSync(path, bytes);
  const input = await page.$('#open-input');
  await input.uploadFile(path);
  await contains(page, '#facts', `${length.toLocaleString('en')} byte`);
}

/** Runs tests, each with a page of its own, and says how many pass. */
export async function run(tests) {
  let [passed, failed] = [0, 0];
  for (const [title, test] of Object.entries(tests).filter(([title]) => title.includes(process.env.ONLY ?? ''))) {
    const page = await opened();
    try {
      await test(page);
      assert.deepEqual(page.left, [], 'requests that leave the page');
      assert.deepEqual(page.errors, [], 'errors');
      passed += 1;
      console.log(`ok: ${title}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED: ${title}\n${error.stack}`);
    }
    await page.context.close();
  }
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
