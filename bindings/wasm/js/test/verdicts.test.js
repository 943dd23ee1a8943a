// The answers of the library through WebAssembly: verdict and line.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { InvalidTokenError, Robot, RobotsTxt } from '../dist/node.js';
import { bytes, cases, notation, oracle, recorded } from './cases.js';

const DIALECTS = ['rfc9309', 'google'];

test('every case of testdata', () => {
  let questions = 0;
  for (const { name, agent, robots, checks, ...expected } of cases()) {
    if (expected.invalid_agent !== undefined) {
      assert.throws(
        () => new Robot(agent, robots),
        (error) => error instanceof InvalidTokenError && error.message.includes(expected.invalid_agent),
        name,
      );
      continue;
    }
    for (const dialect of DIALECTS) {
      const robot = new Robot(agent, robots, { dialect });
      const document = new RobotsTxt(robots, { dialect });
      const same = document.robot(agent);
      for (const { url, both, [dialect]: own } of checks) {
        const verdict = robot.check(url);
        assert.equal(notation(verdict), own ?? both, `${name} ${dialect} ${url.slice(0, 80)}`);
        assert.equal(robot.allowed(url), verdict.allowed, name);
        assert.deepEqual(same.check(url), verdict, name);
        questions += 1;
      }
      const urls = checks.map(({ url }) => url);
      assert.deepEqual(robot.allowedMany(urls), urls.map((url) => robot.allowed(url)), name);
      if (expected.agent_match !== undefined) {
        assert.equal(robot.agentMatch, expected.agent_match, name);
      }
      if (expected.crawl_delay !== undefined) {
        const delay = expected.crawl_delay[dialect] ?? expected.crawl_delay;
        assert.equal(robot.crawlDelay, delay === 'none' ? undefined : Number(delay), name);
      }
      if (expected.sitemaps !== undefined) {
        assert.deepEqual(robot.sitemaps, expected.sitemaps, name);
        assert.deepEqual(document.sitemaps, expected.sitemaps, name);
      }
      for (const one of [robot, document, same]) {
        one.free();
      }
    }
  }
  assert.ok(questions > 1_500, `${questions} questions`);
});

test('the verdicts recorded from the C++ matcher', (t) => {
  const rows = recorded();
  if (rows === undefined) {
    t.skip('there is no xz on this machine');
    return;
  }
  assert.equal(rows.length, 20_000);
  for (const { robots, agent, url, ...expected } of rows) {
    for (const dialect of DIALECTS) {
      using(new Robot(agent, robots, { dialect }), (robot) => {
        assert.equal(notation(robot.check(url)), expected[dialect], `${dialect} ${agent} ${url}`);
      });
    }
  }
});

test('the oracle of every known suite', (t) => {
  const rows = oracle('cases.jsonl');
  if (rows === undefined) {
    t.skip('no oracle stands beside the checkout');
    return;
  }
  for (const row of rows) {
    const robots = row.encoding === 'base64' ? Buffer.from(row.robots, 'base64') : bytes(row.robots, row.encoding);
    if (!row.agent_valid) {
      assert.throws(() => new Robot(row.agent, robots), InvalidTokenError, row.id);
      continue;
    }
    for (const dialect of DIALECTS) {
      using(new Robot(row.agent, robots, { dialect }), (robot) => {
        const { allowed, line } = robot.check(row.url);
        assert.deepEqual([allowed, line ?? 0], [row[dialect], row[`${dialect}_line`]], `${row.id} ${dialect}`);
      });
    }
  }
});

test('20,000 adversarial files, as the C++ matcher answers and as the RFC reads', (t) => {
  const rows = oracle('google-fuzz-cases.jsonl.gz');
  if (rows === undefined) {
    t.skip('no oracle stands beside the checkout');
    return;
  }
  for (const row of rows) {
    const robots = Buffer.from(row.body, 'base64');
    using(new Robot(row.agent, robots, { dialect: 'google' }), (robot) => {
      const { allowed, line } = robot.check(row.url);
      assert.deepEqual([allowed, line ?? 0], [row.allowed, row.line], `google ${row.id}`);
    });
    using(new Robot(row.agent, robots), (robot) => {
      const { allowed, line } = robot.check(row.url);
      assert.deepEqual([allowed, line ?? 0], [row.rfc9309, row.rfc9309_line], `rfc9309 ${row.id}`);
    });
  }
});

/** Node 20 does not know the keyword of this name. */
function using(object, run) {
  try {
    run(object);
  } finally {
    object.free();
  }
}
