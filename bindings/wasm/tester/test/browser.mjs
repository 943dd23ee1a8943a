// The tester end to end in a real browser: node test/browser.mjs [FOLDER FOR SCREENSHOTS]
//
// Run by hand and by `.ci/long tester`.

import assert from 'node:assert/strict';

import { axe, choose, contains, enterUrls, fill, holds, name, opened, pick, run, screenshots, text, texts } from './driver.mjs';

const TABS = ['verdicts', 'findings', 'crawlers', 'versions', 'outages'];
const WIDTHS = [320, 390, 768, 1440];
const SCHEMES = ['light', 'dark'];
const LONGEST_TASK = 200;

/** Media features of Chromium; puppeteer knows some of them only. */
async function setFeatures(page, features) {
  if (name === 'chrome') {
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', { features: Object.entries(features).map(([name, value]) => ({ name, value })) });
  }
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(color) {
  const [red, green, blue] = color.match(/\d+/g).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Run in the page: the elements whose content is wider than they are, and the page if it scrolls sideways. */
function cutElements() {
  // An editor scrolls its lines, a list of names its own; the table of verdicts has cells of its own to look at.
  const scrolls = '.cm-editor, .cm-editor *, textarea, #table, #printed';
  const isForScreenReaders = (element) => element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isForScreenReaders(element.parentElement));
  const wide = [...document.querySelectorAll('body, body *')].filter((element) => {
    const { display, visibility } = getComputedStyle(element);
    const isShown = element.getClientRects().length > 0 && visibility === 'visible' && !isForScreenReaders(element);
    // An inline element has no width of its own: its block has it.
    return isShown && display !== 'inline' && !element.matches(scrolls) && element.scrollWidth > element.clientWidth;
  });
  // The rest of a long URL or name is in the verdict, but none here is long. Firefox counts the ends of letters below a line too.
  const clamped = [...document.querySelectorAll('#table .lines')].filter((element) => element.scrollHeight > element.clientHeight + 8);
  const sideways = document.documentElement.scrollWidth - innerWidth;
  const named = (element) => `<${element.tagName.toLowerCase()} class="${element.className}"> ${element.scrollWidth} of ${element.clientWidth} px: ${element.innerText?.slice(0, 40)}`;
  return [...[...wide, ...clamped].map(named), ...(sideways > 0 ? [`the page is ${sideways} px too wide`] : [])];
}

const tests = {
  async 'a verdict, its deciding and its overruled line'(page) {
    assert.equal(await text(page, '#answer .question'), 'GPTBot may fetch https://www.shop.example/press/2026/launch');
    assert.match(await text(page, '#answer .why'), /longest match decides: 7 characters over 1/);
    assert.deepEqual(await texts(page, '.cm-line.cm-deciding'), ['Allow: /press/']);
    assert.deepEqual(await texts(page, '.cm-line.cm-overruled'), ['Disallow: /']);
    await pick(page, 0, 1);
    await contains(page, '#answer h3', 'GPTBot may');
    await contains(page, '#answer h3', 'https://www.shop.example/');
  },

  async 'answers follow the typing'(page) {
    await choose(page, 'User-agent: *\nDisallow: /a\n');
    await fill(page, '#agents', 'ExampleBot');
    await enterUrls(page, '/a\n/b');
    await holds(page, () => document.querySelectorAll('#table .verdict').length === 2);
    assert.match(await text(page, '#table .pill.disallowed'), /^disallowed\s+for ExampleBot$/);
    await page.click('#editor .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.type('Disallow: /b\n');
    await holds(page, () => document.querySelectorAll('#table .pill.disallowed').length === 2);
  },

  async 'both dialects, and where they differ'(page) {
    await choose(page, 'User-agent: *\nDisallow: /\nAllow: /index.html\n');
    await fill(page, '#agents', '*');
    await enterUrls(page, '/\n/x');
    await holds(page, () => document.querySelector('#table tbody th').innerText === '/' && document.querySelector('#table .sign.differs'));
    await pick(page, 0, 0);
    await contains(page, '#answer h3', 'Any other agent may not fetch /');
    await contains(page, '#answer .note', "Google's matcher differs");
    await page.click('#reading [value="google"]');
    await contains(page, '#answer h3', 'Any other agent may fetch /');
    await contains(page, '#table', 'RFC 9309 differs');
  },

  async 'an agent that is no product token'(page) {
    await fill(page, '#agents', 'ExampleBot/1.0\nGPTBot');
    await holds(page, () => !document.getElementById('notes').hidden);
    await contains(page, '#table', 'no such agent');
    await page.click('#notes button');
    await holds(page, () => document.getElementById('agents').value.startsWith('ExampleBot\n'));
  },

  async 'findings beside the lines, the page of a code, a fix as one click, and undoing it'(page) {
    await choose(page, 'User-agent: *\nDisalow: /é😀 # x\nDisallow: /b\n');
    await holds(page, () => document.querySelectorAll('.cm-lint-marker').length > 0);
    const underlined = await texts(page, '.cm-lintRange');
    assert.ok(underlined.includes('Disalow'), underlined.join());
    await page.click('#tab-findings');
    await contains(page, '#findings-list', 'misspelled-field');
    await page.$$eval('#findings-list .meta button', (buttons) => buttons.find((button) => button.innerText === 'misspelled-field').click());
    await contains(page, '#page-text', 'Why it matters');
    assert.equal(await page.$eval('#page', (dialog) => dialog.open), true);
    await page.keyboard.press('Escape');
    await holds(page, () => !document.getElementById('page').open);
    await page.$$eval('#findings-list li', (items) => items.find((item) => item.innerText.includes('misspelled-field')).querySelector('.fix').click());
    await contains(page, '#editor .cm-content', 'Disallow: /é😀 # x');
    await holds(page, () => !document.getElementById('findings-list').innerText.includes('misspelled-field'));
    await page.click('#editor .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await contains(page, '#editor .cm-content', 'Disalow');
  },

  async 'a fix that is asked for while somebody types takes nothing back'(page) {
    await page.click('#tab-findings');
    await page.waitForSelector('#findings-list .fix');
    await page.click('#editor .cm-content');
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.type('# typed');
    await page.$eval('#findings-list .fix', (button) => button.click());
    await holds(page, () => !document.querySelector('#editor .cm-content').innerText.includes('Disalow:'));
    await contains(page, '#editor .cm-content', '# typed');
  },

  async 'bytes that are not UTF-8 stay as they are'(page) {
    await choose(page, Buffer.concat([Buffer.from('User-agent: *\nDisalow: /a\nDisallow: /'), Buffer.from([0xff]), Buffer.from('\n')]));
    await fill(page, '#agents', '*');
    await enterUrls(page, '/%FF\n/%EF%BF%BD');
    const verdicts = () => document.querySelectorAll('#table .verdict').length === 2 && document.querySelectorAll('#table .pill.disallowed').length === 1;
    await holds(page, verdicts);
    await page.click('#tab-findings');
    await holds(page, () => document.querySelector('#findings-list .fix'));
    await page.click('#findings-list .fix');
    await contains(page, '#editor .cm-content', 'Disallow: /a');
    await page.click('#tab-verdicts');
    await holds(page, verdicts);
  },

  async 'a file that is dropped'(page) {
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['User-agent: *\nDisallow: /dropped\n'], 'robots.txt'));
      document.querySelector('#editor .cm-content').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await contains(page, '#editor .cm-content', '/dropped');
    await contains(page, '#facts', '33 bytes');
  },

  async 'known crawlers that are kept out'(page) {
    await page.click('#tab-crawlers');
    await contains(page, '#crawlers-lead', 'Kept out:');
    const row = (name) => page.$$eval('#crawlers-list tr', (rows, name) => rows.find((row) => row.querySelector('th')?.textContent.startsWith(name))?.textContent, name);
    assert.equal(await page.$eval('#crawlers-list details:nth-of-type(2)', (purpose) => purpose.open), false);
    await page.click('#crawlers-list details:nth-of-type(2) summary');
    assert.match(await row('CCBot'), /kept out/);
    assert.match(await row('GPTBot'), /in part/);
    await choose(page, 'User-agent: GPTBot\nDisallow: /\n');
    await holds(page, () => [...document.querySelectorAll('#crawlers-list tr')].some((row) => row.textContent.startsWith('GPTBot') && row.textContent.includes('kept out')));
    assert.match(await row('CCBot'), /open/);
    await contains(page, '#crawlers-lead', 'GPTBot is kept out by name, but not');
    assert.equal(await page.$eval('#crawlers-list details:nth-of-type(2)', (purpose) => purpose.open), true);
  },

  async 'two versions as a table, the changed answers first'(page) {
    await page.click('#tab-versions');
    await contains(page, '#changes', 'Answers change for');
    const heads = await texts(page, '#changes .section');
    assert.match(heads[0], /^The answer changes: \d+$/);
    assert.match(heads[1], /^The answer stays: \d+$/);
    await contains(page, '#changes tbody:nth-of-type(1)', '/press/2026/launch');
    await page.click('#take');
    await contains(page, '#changes', 'No answer changes');
    assert.deepEqual((await texts(page, '#changes .section')).map((head) => head.split(':')[0]), ['The answer stays']);
  },

  async 'a link that holds the whole question'(page) {
    await choose(page, 'User-agent: LinkBot\nDisallow: /l\n');
    await fill(page, '#agents', 'LinkBot');
    await enterUrls(page, '/l\n/ü');
    await page.click('#reading [value="google"]');
    await contains(page, '#answer h3', 'LinkBot may');
    await page.click('#link');
    await contains(page, '#status-text', 'whole question');
    const fragment = await page.evaluate(() => location.hash);
    assert.match(fragment, /^#1\.[\w-]+$/);
    const other = await opened(fragment);
    await contains(other, '#urls .cm-content', '/ü');
    await contains(other, '#editor .cm-content', 'LinkBot');
    assert.equal(await other.$eval('#reading [value="google"]', (input) => input.checked), true);
    assert.deepEqual(other.errors, []);
    await other.context.close();
    const broken = await opened('#1.nonsense');
    await contains(broken, '#status-text', 'no question');
    await broken.context.close();
  },

  async 'the first screen has the file, the URL and the verdict'(page) {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewport({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      for (const selector of ['#editor', '#answer .pill', '#answer .url', '#answer .why', ...(width === 1440 ? ['#agents', '#urls', '#table tbody tr:nth-child(6) .pill'] : [])]) {
        const { top, bottom, right } = await page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
        assert.ok(top >= 0 && bottom <= height && right <= width, `${selector} at ${width}: ${top} to ${bottom}`);
      }
    }
  },

  async 'no task has more than 500 cells of 400,000, and there is one tab stop'(page) {
    const counted = await opened();
    await counted.evaluate(() => {
      window.most = { rendered: 0, answered: 0 };
      // A task's changes come together.
      new MutationObserver((records) => {
        const cells = records.flatMap(({ addedNodes }) => [...addedNodes]).reduce((sum, node) => sum + (node.querySelectorAll?.('.verdict').length ?? 0), 0);
        window.most.rendered = Math.max(window.most.rendered, cells);
      }).observe(document.getElementById('table'), { childList: true, subtree: true });
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message) {
        if (message.kind === 'answers') {
          window.most.answered = Math.max(window.most.answered, (message.args[0].split('\n').length - 1) * 40);
        }
        postMessage.call(this, message);
      };
    });
    await fill(counted, '#agents', Array.from({ length: 40 }, (_, at) => `Bot${at}`).join('\n'));
    await enterUrls(counted, Array.from({ length: 10_000 }, (_, at) => `https://www.example.com/page-${at}`).join('\n'));
    await contains(counted, '#table-summary', 'of 400,000 answers');
    for (const [top, left] of [
      [190_000, 0],
      [190_000, 3_000],
      [10_000_000, 10_000_000],
      [0, 0],
    ]) {
      await counted.$eval('#table', (table, top, left) => table.scrollTo(left, top), top, left);
      await holds(counted, (top) => [...document.querySelectorAll('#table tbody tr[role]')].some((row) => Math.abs(row.offsetTop - document.getElementById('table').scrollTop) < 200 || top === 0), top);
    }
    const most = await counted.evaluate(() => window.most);
    console.log(`    at most ${most.answered} cells in a question, ${most.rendered} in a rendering`);
    assert.ok(most.answered > 0 && most.answered <= 500 && most.rendered > 0 && most.rendered <= 500, JSON.stringify(most));
    // In one step, as the table may be drawn anew between two.
    const stops = () => counted.evaluate(() => [...document.querySelectorAll('#table, #table *')].filter((element) => element.tabIndex === 0 && element.matches('button, a, input, [tabindex]')).length);
    assert.equal(await stops(), 1);
    await counted.focus('#table [tabindex="0"]');
    await counted.keyboard.down('Control');
    await counted.keyboard.press('End');
    await counted.keyboard.up('Control');
    await contains(counted, '#answer h3', 'Bot39 may fetch https://www.example.com/page-9999');
    assert.equal(await counted.evaluate(() => document.activeElement.dataset.row), '9999');
    // Out of view the table itself is the stop.
    await counted.$eval('#table', (table) => table.scrollTo(0, 0));
    await holds(counted, () => document.activeElement.id === 'table');
    assert.equal(await stops(), 1);
    await counted.keyboard.press('ArrowUp');
    await contains(counted, '#answer h3', 'page-9998');
    // The header and the first column stay.
    const edges = await counted.evaluate(() => {
      const [box, head, first] = ['#table', '#table thead th:nth-of-type(2)', '#table tbody th'].map((selector) => document.querySelector(selector).getBoundingClientRect());
      return [Math.round(head.top - box.top), Math.round(first.left - box.left)];
    });
    assert.deepEqual(edges, [1, 1]);
    assert.deepEqual(counted.errors, []);
    await counted.context.close();
  },

  async 'no long task with a file of 3 MB and 10,000 URLs'(page) {
    const rule = (at) => `Disallow: /section-${at % 977}/page-${at}/*.html\n`;
    let file = 'User-agent: *\n';
    for (let at = 0; file.length < 3_000_000; at += 1) {
      file += rule(at);
    }
    const urls = Array.from({ length: 10_000 }, (_, at) => `https://www.example.com/section-${at % 977}/page-${at}/a.html`).join('\n');
    // Other programs on the machine slow an attempt down, so the best of three counts.
    let longest = Infinity;
    for (let attempt = 0; attempt < 3 && longest >= LONGEST_TASK; attempt += 1) {
      await page.$eval('#table', (table) => (table.scrollTop = 0));
      await page.evaluate(() => (window.longTasks = []));
      await choose(page, Buffer.from(file));
      await enterUrls(page, urls);
      await contains(page, '#table-summary', 'of 30,000 answers');
      await page.click('#editor .cm-content');
      await page.keyboard.type('Disallow: /typed');
      await pick(page, 1, 2);
      await contains(page, '#answer h3', 'page-');
      await page.$eval('#table', (table) => (table.scrollTop = 5_000));
      await contains(page, '#table', 'page-135');
      for (const tab of TABS) {
        await page.click(`#tab-${tab}`);
      }
      await page.click('#tab-versions');
      await contains(page, '#changes', 'Answers change');
      await page.click('#tab-verdicts');
      const tasks = await page.evaluate(() => window.longTasks);
      longest = Math.max(0, ...tasks);
      console.log(`    ${tasks.length} tasks above 50 ms, the longest ${Math.round(longest)} ms`);
    }
    assert.ok(longest < LONGEST_TASK, `${longest} ms`);
  },

  async 'a URL of 7,000 characters does not stretch the page, and what is no URL has a hint'(page) {
    await enterUrls(page, `/${'x'.repeat(7_000)}\nnot a url\nmailto:a@b`);
    await contains(page, '#table', 'no URL');
    await pick(page, 0, 0);
    await contains(page, '#answer h3', 'xxx …');
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 2_500);
    await contains(page, '#notes', 'has neither a scheme nor a slash');
    await contains(page, '#notes', 'not about mailto:');
    await page.click('#notes button');
    await contains(page, '#table', '/not%20a%20url');
  },

  async 'a URL is asked as it is requested, in Google’s reading too'(page) {
    await choose(page, 'User-agent: *\nDisallow: /café/\n');
    await enterUrls(page, '/a/../café/menu');
    await page.click('#reading [value="google"]');
    await contains(page, '#answer h3', 'may not fetch /caf%C3%A9/menu');
    await contains(page, '#answer', 'Typed as /a/../café/menu.');
  },

  async 'one screen has one answer: the card, the table, the count and the chapter'(page) {
    await choose(page, 'User-agent: *\nDisallow: /café/\n');
    await fill(page, '#agents', 'Googlebot');
    await enterUrls(page, 'https://a.com/café/x');
    await contains(page, '#answer h3', 'Googlebot may not fetch https://a.com/caf%C3%A9/x');
    await contains(page, '#answer', 'As Google’s matcher reads the file.');
    await contains(page, '#filters [data-filter="differ"]', 'Readings differ 0');
    await contains(page, '#dialects', 'differ about 0 of the 1 URL above');
    await contains(page, '#dialects', 'no example of such a URL');
    assert.equal(await page.$('#answer .note'), null);
    // Each crawler has its own reading, and a card that says whose the other answer is.
    await choose(page, 'User-agent: *\nDisallow: /\nAllow: /index.html\n');
    await fill(page, '#agents', 'Googlebot\nGPTBot');
    await enterUrls(page, 'https://a.com/');
    await contains(page, '#filters [data-filter="differ"]', 'Readings differ 1');
    await contains(page, '#dialects', 'differ about 1 of the 1 URL above');
    await pick(page, 0, 0);
    await contains(page, '#answer h3', 'Googlebot may fetch https://a.com/');
    await contains(page, '#answer .note', 'RFC 9309 differs: disallowed');
    await pick(page, 0, 1);
    await contains(page, '#answer h3', 'GPTBot may not fetch https://a.com/');
    await contains(page, '#answer .note', 'Google\'s matcher differs: allowed');
    assert.deepEqual(await page.$$eval('#table .pill', (pills) => pills.map((pill) => pill.classList[1])), ['allowed', 'disallowed']);
    assert.deepEqual(await page.$$eval('#dialects .sides', (sides) => sides.map((side) => [...side.querySelectorAll('.pill')].map((pill) => pill.classList[1]))), [
      ['disallowed', 'allowed'],
      ['allowed', 'disallowed'],
    ]);
  },

  async 'the name of a use is no crawler'(page) {
    await choose(page, 'User-agent: __usage_ai-training\nDisallow: /\n');
    await page.click('#tab-crawlers');
    await contains(page, '#crawlers-lead .use', 'AI training: not wanted on the whole site, line 2.');
    await fill(page, '#agents', '__usage_ai-training');
    await contains(page, '#answer h3', 'AI training is not wanted on https://www.shop.example/');
    assert.equal(await page.$('#answer .pill'), null);
    await page.click('#tab-verdicts');
    await contains(page, '#table', 'no crawler');
    await contains(page, '#table-summary', '0 of 6 answers');
  },

  async 'nothing is cut at 1280 and at 360 pixels'(page) {
    const differing = 'User-agent: *\nDisallow: /\nAllow: /index.html\nAllow: /press/index.html\n';
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ]) {
      await page.setViewport({ width, height });
      for (const isExample of [true, false]) {
        if (isExample) {
          await page.click('#example');
          await contains(page, '#editor .cm-content', 'A shop');
        } else {
          // Each cell has the sign of a difference too.
          await choose(page, differing);
          await enterUrls(page, 'https://www.example.com/\nhttps://www.example.com/press/');
          await contains(page, '#table-summary', 'of 6 answers');
          await contains(page, '#filters [data-filter="differ"]', 'Readings differ 2');
        }
        for (const tab of TABS) {
          await page.click(`#tab-${tab}`);
          await holds(page, (tab) => document.getElementById(tab).innerText.length > 40, tab);
          await page.$$eval('#crawlers details', (purposes) => purposes.forEach((purpose) => (purpose.open = true)));
          const view = `${width}-${isExample ? 'example' : 'differing'}-${tab}`;
          await page.evaluate(() => scrollTo(0, 0));
          await page.screenshot({ path: `${screenshots}/${name}-cut-${view}.png`, fullPage: true });
          assert.deepEqual(await page.evaluate(cutElements), [], view);
        }
        await page.click('#tab-verdicts');
        const { edge, cells, scrolls } = await page.$eval('#table', (box) => {
          const { left } = box.getBoundingClientRect();
          const edge = left + box.clientLeft + box.clientWidth;
          const cells = [...box.querySelectorAll('td[role="gridcell"], th[role="columnheader"]')].map((cell) => cell.getBoundingClientRect().toJSON());
          return { edge, cells, scrolls: box.scrollWidth - box.clientWidth };
        });
        assert.ok(cells.every(({ left, right }) => right <= edge + 0.5 || left >= edge - 0.5), `the edge of the table cuts a column at ${width}`);
        assert.ok(width < 1280 || scrolls <= 0, `${scrolls} px of the table are out of view at ${width}`);
      }
    }
  },

  async 'in one column a tap scrolls to what it changes'(page) {
    await page.setViewport({ width: 390, height: 844, hasTouch: true });
    // Another kind of screen loads the page anew.
    await page.waitForSelector('#answer h3');
    const isInView = (selector) => {
      const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
      return top >= -1 && top < innerHeight && bottom > 0;
    };
    await page.$eval('#table', (table) => table.scrollIntoView());
    assert.equal(await page.evaluate(isInView, '#answer h3'), false);
    await pick(page, 0, 1);
    await holds(page, isInView, '#answer h3');
    await page.$eval('#dialects', (table) => table.scrollIntoView());
    await page.$eval('#answer .mark button', (button) => button.click());
    await holds(page, isInView, '#editor');
  },

  async 'the example and a file can be undone, and a reload keeps the work until it is cleared'(page) {
    await choose(page, 'User-agent: *\nDisallow: /mine\n');
    await fill(page, '#agents', 'MyBot');
    await contains(page, '#kept', 'on this machine alone');
    await page.click('#example');
    await contains(page, '#editor .cm-content', 'A shop');
    await page.click('#status-actions button');
    await contains(page, '#editor .cm-content', '/mine');
    await contains(page, '#answer h3', 'MyBot may');
    await holds(page, () => localStorage['polite-robots-tester']?.includes('MyBot'));
    await page.reload();
    await contains(page, '#editor .cm-content', '/mine');
    await contains(page, '#answer h3', 'MyBot may');
    await page.click('#clear');
    await contains(page, '#kept', 'Nothing is kept');
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await page.reload();
    await contains(page, '#editor .cm-content', 'A shop');
  },

  async 'what is pasted can be undone, and a browser that keeps its clipboard has another way'(page) {
    const clipboard = (read) => page.evaluate((read) => Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { readText: new Function(read) } }), read);
    await clipboard("return Promise.resolve('User-agent: *\\nDisallow: /pasted')");
    await page.click('#paste');
    await contains(page, '#editor .cm-content', '/pasted');
    await page.click('#status-actions button');
    await contains(page, '#editor .cm-content', 'A shop');
    await clipboard("return Promise.reject(new Error('denied'))");
    await page.click('#paste');
    await contains(page, '#status-text', 'paste with Ctrl+V');
    await page.keyboard.type('User-agent: Typed');
    await holds(page, () => document.querySelector('#editor .cm-content').innerText.trim() === 'User-agent: Typed');
  },

  async 'the hint of a finding has names as code, and its fix apart'(page) {
    await page.waitForSelector('.cm-lint-marker');
    await page.hover('.cm-lintRange-warning');
    await page.waitForSelector('.cm-tooltip .cm-diagnostic code');
    const [hint, fix] = await page.$eval('.cm-tooltip .cm-diagnostic', (hint) => [hint.innerText, hint.querySelector('.cm-diagnosticAction').getBoundingClientRect().top - hint.querySelector('.cm-diagnosticText').getBoundingClientRect().bottom]);
    assert.doesNotMatch(hint, /`/);
    assert.ok(fix >= 4, `${fix} px`);
  },

  async 'paper has the whole file'(page) {
    const file = Array.from({ length: 300 }, (_, at) => `Disallow: /page-${at}\n`).join('');
    await choose(page, `User-agent: *\n${file}`);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.match(await page.$eval('#printed', (printed) => printed.textContent), /^301  Disallow: \/page-299$/m);
    if (name === 'chrome') {
      await page.emulateMediaType('print');
      const { height } = await page.$eval('#printed', (printed) => printed.getBoundingClientRect().toJSON());
      assert.ok(height > 300 * 15, `${height}`);
    }
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await page.$eval('#printed', (printed) => printed.textContent), '');
  },

  async 'empty fields say what belongs there'(page) {
    await choose(page, '');
    await fill(page, '#agents', '');
    await enterUrls(page, '');
    await contains(page, '#editor .cm-placeholder', 'User-agent: *');
    await contains(page, '#urls .cm-placeholder', '/cart?step=2');
    assert.match(await page.$eval('#agents', (field) => field.placeholder), /ExampleBot/);
    await contains(page, '#table', 'Enter a URL');
  },

  async 'fields have borders of 3 to 1, and forced colours tell the answers apart'(page) {
    for (const scheme of name === 'chrome' ? SCHEMES : ['light']) {
      await setFeatures(page, { 'prefers-color-scheme': scheme });
      for (const selector of ['#editor', '#old-editor', '#urls', '#agents', '#crawler-search', '#open', '.segments span']) {
        const colors = await page.$eval(selector, (element) => {
          const style = getComputedStyle(element);
          return [style.borderTopColor, getComputedStyle(document.body).backgroundColor, style.backgroundColor];
        });
        const [border, ground, surface] = colors.map(luminance);
        for (const beside of [ground, surface]) {
          const ratio = (Math.max(border, beside) + 0.05) / (Math.min(border, beside) + 0.05);
          assert.ok(ratio >= 3, `${selector}, ${scheme}: ${ratio.toFixed(2)}`);
        }
      }
    }
    if (name === 'chrome') {
      await setFeatures(page, { 'forced-colors': 'active' });
      const ground = (selector) => page.$eval(selector, (pill) => getComputedStyle(pill).backgroundColor);
      assert.notEqual(await ground('#table .pill.allowed'), await ground('#table .pill.disallowed'));
    }
  },

  async 'axe finds nothing, and no width scrolls sideways; screenshots'(page) {
    const looks = name === 'chrome' ? [...SCHEMES.map((scheme) => ({ 'prefers-color-scheme': scheme })), { 'forced-colors': 'active' }] : [{}];
    let views = 0;
    for (const look of looks) {
      await setFeatures(page, look);
      for (const width of WIDTHS) {
        await page.setViewport({ width, height: width < 400 ? 844 : 900 });
        for (const tab of TABS) {
          await page.click(`#tab-${tab}`);
          await holds(page, (tab) => document.getElementById(tab).innerText.length > 40, tab);
          await page.evaluate(() => scrollTo(0, 0));
          const view = [name, width, ...Object.values(look), tab].join('-');
          await page.screenshot({ path: `${screenshots}/${view}.png`, fullPage: true });
          const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(sideways <= 0, `${sideways} px too wide: ${view}`);
          await page.evaluate(axe);
          // With forced colours axe reads those of the page, and sees those of the reader behind them.
          const rules = { 'color-contrast': { enabled: look['forced-colors'] === undefined } };
          const { violations } = await page.evaluate((rules) => window.axe.run({ rules }), rules);
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`);
          assert.deepEqual(found, [], view);
          views += 1;
        }
      }
    }
    console.log(`    ${views} views; screenshots are in ${screenshots}`);
  },
};

await run(tests);
