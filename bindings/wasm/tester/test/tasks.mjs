// Ten tasks of a site's owner, each by the keyboard alone and by touch: node test/tasks.mjs
//
// Run by hand and by `.ci/long tester`.

import assert from 'node:assert/strict';

import { contains, holds, opened, run } from './driver.mjs';

/** Goes on by Tab until the focus is on an element that matches. */
async function tabTo(page, selector) {
  const isThere = () => page.evaluate((selector) => document.activeElement.matches(selector), selector);
  for (let steps = 0; !(await isThere()); steps += 1) {
    assert.ok(steps < 150, `Tab does not reach ${selector}`);
    await page.keyboard.press('Tab');
  }
}

async function chord(page, modifier, key) {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

/** The two ways to use the page. `use` presses or taps what a selector finds, `write` types in place of what is there. */
const WAYS = {
  'by the keyboard': {
    viewport: { width: 1440, height: 900 },
    async use(page, selector) {
      await this.focus(page, selector);
      await page.keyboard.press('Enter');
    },
    async focus(page, selector) {
      await page.evaluate(() => {
        // The focus begins at the top of the page again.
        document.activeElement.blur();
        getSelection().collapse(document.body, 0);
      });
      await tabTo(page, selector);
    },
    async tab(page, name) {
      const names = ['verdicts', 'findings', 'crawlers', 'versions', 'outages'];
      await this.focus(page, '[role="tab"][tabindex="0"], [role="tab"][aria-selected="true"]');
      await page.keyboard.press('Home');
      for (let at = 0; at < names.indexOf(name); at += 1) {
        await page.keyboard.press('ArrowRight');
      }
    },
    async google(page) {
      await this.focus(page, '#reading input');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
    },
    async company(page) {
      await this.focus(page, '#crawler-groups input');
      await page.keyboard.press('ArrowRight');
    },
    async cell(page, row, column) {
      await this.focus(page, '#table .verdict');
      await chord(page, 'Control', 'Home');
      for (let at = 0; at < row; at += 1) {
        await page.keyboard.press('ArrowDown');
      }
      for (let at = 0; at < column; at += 1) {
        await page.keyboard.press('ArrowRight');
      }
    },
  },
  'by touch': {
    viewport: { width: 390, height: 844, hasTouch: true, isMobile: process.env.BROWSER !== 'firefox' },
    async use(page, selector) {
      await page.waitForSelector(selector);
      const centre = () =>
        page.$eval(selector, (element) => {
          element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
          return new Promise((resolve) => {
            requestAnimationFrame(() => {
              const { left, top, width, height } = element.getBoundingClientRect();
              resolve([left + width / 2, top + height / 2]);
            });
          });
        });
      // Scrolling brings other cells into the table.
      await centre();
      await page.touchscreen.tap(...(await centre()));
    },
    focus(page, selector) {
      return this.use(page, selector);
    },
    tab(page, name) {
      return this.use(page, `#tab-${name}`);
    },
    google(page) {
      return this.use(page, '#reading label:nth-of-type(3)');
    },
    company(page) {
      return this.use(page, '#crawler-groups label:nth-of-type(2)');
    },
    cell(page, row, column) {
      return this.use(page, `#table [data-row="${row}"][data-column="${column}"]`);
    },
  },
};

/** Types in place of all that a field has, as the keyboard of a phone does too. */
async function write(page, way, selector, lines) {
  await way.focus(page, selector);
  await chord(page, 'Control', 'a');
  await page.keyboard.press('Delete');
  for (const [at, line] of lines.split('\n').entries()) {
    if (at > 0) {
      await page.keyboard.press('Enter');
    }
    await page.keyboard.type(line);
  }
}

const TASKS = {
  async 'enter a file and read the verdict'(page, way) {
    await write(page, way, '#editor .cm-content', 'User-agent: *\nDisallow: /press/');
    await contains(page, '#facts', '31 bytes');
    await contains(page, '#answer .pill', 'disallowed');
    await way.cell(page, 1, 2);
    await contains(page, '#answer .question', 'ExampleBot may not fetch https://www.shop.example/press/2026/launch');
    await contains(page, '#answer .pill', 'disallowed');
  },

  async 'ask about a URL of their own'(page, way) {
    await write(page, way, '#urls .cm-content', '/account/me\n/a/../cart');
    await contains(page, '#table', '/account/me');
    await way.cell(page, 1, 2);
    await contains(page, '#answer .question', 'may not fetch /cart');
    await contains(page, '#answer', 'Typed as /a/../cart.');
  },

  async 'ask about an agent whose name has a version'(page, way) {
    await write(page, way, '#agents', 'CCBot/2.0');
    await way.use(page, '#notes button');
    await contains(page, '#answer .question', 'CCBot may not fetch');
  },

  async 'find the line that decides'(page, way) {
    await way.cell(page, 4, 2);
    await contains(page, '#answer .question', 'ExampleBot may not fetch https://www.shop.example/cart.html');
    await way.use(page, '#answer .mark button');
    await holds(page, () => {
      const line = document.querySelector('.cm-line.cm-deciding');
      const { top, bottom } = line.getBoundingClientRect();
      return line.innerText === 'Disallow: /cart' && top >= 0 && bottom <= innerHeight;
    });
  },

  async 'read the file as Google does'(page, way) {
    await way.cell(page, 0, 1);
    await contains(page, '#answer .question', 'GPTBot may not fetch https://www.shop.example/');
    await way.google(page);
    await contains(page, '#answer .question', 'GPTBot may fetch https://www.shop.example/');
    await contains(page, '#answer .note', 'RFC 9309 differs');
  },

  async 'fix a finding, and undo it'(page, way) {
    await way.tab(page, 'findings');
    await way.use(page, '#findings-list .fix');
    await contains(page, '#status-text', 'Fixed');
    await holds(page, () => !document.querySelector('#editor .cm-content').innerText.includes('Disalow:'));
    await holds(page, () => document.activeElement !== document.body);
    await way.use(page, '#status-actions button');
    await holds(page, () => document.getElementById('finding-count').innerText === '2');
  },

  async 'look for a company’s crawlers, and ask about one'(page, way) {
    await way.tab(page, 'crawlers');
    await way.company(page);
    await write(page, way, '#crawler-search', 'perplexity');
    await contains(page, '#crawler-count', 'found');
    await holds(page, () => [...document.querySelectorAll('#crawlers-list th[scope="row"]')].every((head) => /perplexity/i.test(head.closest('details').innerText)));
    await way.use(page, '#crawlers-list .ask');
    await contains(page, '#answer .question', 'Perplexity');
    await contains(page, '#crawlers-list .ask', 'Asked');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'ask');
  },

  async 'compare with the earlier version'(page, way) {
    await way.tab(page, 'versions');
    await way.use(page, '#take');
    await contains(page, '#changes', 'No answer changes');
    await write(page, way, '#editor .cm-content', 'User-agent: *\nDisallow: /');
    await contains(page, '#changes .section', 'The answer changes');
  },

  async 'learn what an outage would do'(page, way) {
    await way.tab(page, 'outages');
    await contains(page, '#outages-list', 'May GPTBot fetch');
    const answers = await page.$$eval('#outages-list tbody', (bodies) => Object.fromEntries(bodies.map((body) => [body.querySelector('th').innerText.split('\n')[0], body.querySelector('.pill').innerText])));
    assert.deepEqual([answers['404'], answers['503'], answers['Nothing for 30 s']], ['allowed', 'disallowed', 'disallowed']);
    assert.ok('A redirect' in answers);
  },

  async 'keep the work over a reload, send it as a link, and clear it'(page, way) {
    await write(page, way, '#agents', 'OwnBot');
    await contains(page, '#kept', 'kept in this browser');
    await way.use(page, '#link');
    await contains(page, '#status-text', 'whole question');
    const fragment = await page.evaluate(() => location.hash);
    const other = await opened(fragment);
    await contains(other, '#answer .question', 'OwnBot');
    await other.context.close();
    await page.evaluate(() => history.replaceState(null, '', location.pathname));
    await page.reload();
    await contains(page, '#answer .question', 'OwnBot');
    await way.use(page, '#clear');
    await contains(page, '#kept', 'Nothing is kept');
  },
};

const tests = {};
for (const [manner, way] of Object.entries(WAYS)) {
  for (const [title, task] of Object.entries(TASKS)) {
    tests[`${title}, ${manner}`] = async (page) => {
      // Another kind of screen loads the page anew.
      await page.setViewport(way.viewport);
      await page.reload();
      await page.waitForSelector('#answer h3');
      await task(page, way);
    };
  }
}
await run(tests);
