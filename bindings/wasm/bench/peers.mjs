// The speed against robots-parser 3.0.1 in one process: node bench/peers.mjs FOLDER [ROBOTS-PARSER]
//
// Minimum of rounds that alternate.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [folder, peer = '../js/node_modules/robots-parser'] = process.argv.slice(2);
if (folder === undefined) {
  console.error(`usage: node bench/peers.mjs FOLDER [ROBOTS-PARSER]
FOLDER has robots.txt files, one of a site each. ROBOTS-PARSER is its package, that of the tests by default. Both this and the
package itself are there after \`bindings/run wasm\`.`);
  process.exit(2);
}
const { Robot, RobotsTxt } = await import('../js/dist/node.js');
const dropIn = require('../js-compat/index.js');
const theirs = require(peer);

const files = readdirSync(folder)
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  .filter((text) => /^\s*(dis)?allow\s*:/im.test(text));
const site = 'https://www.example.com';
const address = `${site}/robots.txt`;
const agent = 'ExampleBot';

/** Pages of a file: ten made from its rules, and ten that are asked of every file. */
function pages(text) {
  const paths = [...text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#]*)/gim)].slice(0, 10);
  return paths
    .map(([, path]) => path.replaceAll('*', 'x').replace(/\$$/, ''))
    .concat(['/', '/a', '/search?q=a', '/index.html', '/img/logo.png', '/p/1/2/3', '/en/about', '/a.pdf', '/cart', '/x?y=z'])
    .map((path) => site + path);
}

const asked = files.map(pages);
const questions = asked.reduce((sum, list) => sum + list.length, 0);

let same = 0;
const kept = files.map((text, index) => {
  const one = { theirs: theirs(address, text), dropIn: dropIn(address, text), robot: new Robot(agent, text) };
  for (const url of asked[index]) {
    const ours = one.dropIn.isAllowed(url, agent);
    assert.equal(ours, one.robot.allowed(new URL(url)));
    same += one.theirs.isAllowed(url, agent) === ours ? 1 : 0;
  }
  return one;
});
console.log(`${files.length} files, ${questions} questions, ${((100 * same) / questions).toFixed(2)} % of the answers are equal`);

const rounds = Number(process.env.ROUNDS ?? 5);

/** Minimum times of ways to do the same, in microseconds for one of `count`. */
function compare(title, count, ways) {
  const best = Object.fromEntries(Object.keys(ways).map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const start = process.hrtime.bigint();
      way();
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - start) / 1_000 / count);
    }
  }
  const base = best.theirs;
  const figures = Object.entries(best).map(([name, time]) => `${name} ${time.toFixed(2)} µs (${(base / time).toFixed(1)}×)`);
  console.log(`${title}: ${figures.join(', ')}`);
}

compare('parse', files.length, {
  theirs: () => files.forEach((text) => theirs(address, text)),
  robot: () => files.forEach((text) => new Robot(agent, text).free()),
  document: () => files.forEach((text) => new RobotsTxt(text).free()),
  dropIn: () => files.forEach((text) => dropIn(address, text)),
});
compare('check', questions, {
  theirs: () => kept.forEach((one, index) => asked[index].forEach((url) => one.theirs.isAllowed(url, agent))),
  dropIn: () => kept.forEach((one, index) => asked[index].forEach((url) => one.dropIn.isAllowed(url, agent))),
  allowed: () => kept.forEach((one, index) => asked[index].forEach((url) => one.robot.allowed(url))),
  loop: () => kept.forEach((one, index) => asked[index].map((url) => one.robot.allowed(url))),
  allowedMany: () => kept.forEach((one, index) => one.robot.allowedMany(asked[index])),
  check: () => kept.forEach((one, index) => asked[index].forEach((url) => one.robot.check(url))),
});
const hostile = `User-agent: *\nDisallow: /${'*a'.repeat(2_000)}b\n`;
const long = `${site}/${'a'.repeat(8_000)}`;
const [theirRobot, ourRobot] = [theirs(address, hostile), new Robot(agent, hostile)];
compare('hostile check', 1, {
  theirs: () => theirRobot.isAllowed(long, agent),
  allowed: () => ourRobot.allowed(long),
});
