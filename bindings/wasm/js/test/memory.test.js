// The memory of the WebAssembly module: given back, counted, used up.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { transformSync } from 'esbuild';

import { Robot, RobotsTxt } from '../dist/node.js';

const FILE = 'User-agent: *\nDisallow: /a\nAllow: /a/b\n';

/** The output of a program in a process of its own, which has the package's names, `FILE` and `memory`, the bytes of the module. */
function run(program, ...options) {
  const head = `const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    memories.push(this.exports.memory);
  }
};
const { OutOfMemoryError, Robot, RobotsTxt } = require('${new URL('../dist/node.cjs', import.meta.url).pathname}');
const FILE = ${JSON.stringify(FILE)};
const memory = () => memories[0].buffer.byteLength;
`;
  // Node.js 20 does not know `using`.
  const { code } = transformSync(head + program, { target: 'es2022' });
  return JSON.parse(execFileSync(process.execPath, [...options, '-e', code], { encoding: 'utf8' }));
}

test('an object that was freed says so', () => {
  const robot = new Robot('ExampleBot', FILE);
  robot.free();
  robot.free();
  assert.throws(() => robot.allowed('/a'), /was freed/);
  if (Symbol.dispose !== undefined) {
    const document = new RobotsTxt(FILE);
    document[Symbol.dispose]();
    assert.throws(() => document.groups, /was freed/);
  }
});

test('a million robots in a loop that awaits nothing, declared with `using`', () => {
  const { answers, grown } = run(`let answers = 0;
const before = memory();
for (let index = 0; index < 1e6; index += 1) {
  using robot = new Robot('ExampleBot', FILE);
  answers += robot.allowed('/a/b');
}
console.log(JSON.stringify({ answers, grown: memory() - before }));
`);
  assert.equal(answers, 1_000_000);
  assert.ok(grown <= 65_536, `${grown} bytes`);
});

test('the end of memory is an error of its own, and freed memory is used again', () => {
  const { count, names, trap, kept, large, later } = run(`const robots = [];
const first = new Robot('ExampleBot', FILE);
first.allowed('/');
const names = [];
let trap;
try {
  for (;;) robots.push(new Robot('ExampleBot', FILE));
} catch (error) {
  names.push(error.name, error.code, error instanceof OutOfMemoryError);
  trap = error.cause instanceof WebAssembly.RuntimeError;
}
const kept = [first.allowed('/a'), ...first.allowedMany(['/a', '/a/b', '/', '/a'])];
let large;
try {
  new RobotsTxt('x'.repeat(1e8));
} catch (error) {
  large = error.code;
}
const count = robots.length;
for (const robot of robots) robot.free();
console.log(JSON.stringify({ count, names, trap, kept, large, later: new Robot('ExampleBot', FILE).check('/a').line }));
`, '--wasm-max-mem-pages=100');
  assert.ok(count > 5_000, `${count} robots`);
  assert.deepEqual(names, ['OutOfMemoryError', 'OUT_OF_MEMORY', true]);
  assert.equal(trap, true);
  assert.deepEqual(kept, [false, false, true, true, false]);
  assert.equal(large, 'OUT_OF_MEMORY');
  assert.equal(later, 2);
});

test('a panic is no lack of memory', () => {
  // A robot whose index was interrupted cannot begin it again. It makes none for the first questions.
  const [answers, ...messages] = run(`const robots = [];
const file = FILE + Array.from({ length: 100 }, (_, rule) => \`Disallow: /\${rule}*x\\n\`).join('');
try {
  for (;;) robots.push(new Robot('ExampleBot', file));
} catch {}
const [robot, ...others] = robots;
const ask = () => {
  try {
    return robot.allowed('/a');
  } catch ({ name, message }) {
    return name + ': ' + message;
  }
};
const answers = [];
let message = ask();
for (; typeof message === 'boolean' && answers.length < 255; message = ask()) answers.push(message);
const messages = [message];
for (const other of others) other.free();
messages.push(ask(), ask());
console.log(JSON.stringify([answers, ...messages]));
`, '--wasm-max-mem-pages=100');
  assert.ok(answers.length > 0 && answers.every((answer) => answer === false), answers.join());
  assert.match(messages[0], /^OutOfMemoryError: the module got no more memory/);
  for (const message of messages.slice(1)) {
    assert.match(message, /^Error: polite-robots has a fault, please report it: .*may not be performed recursively/s);
  }
});
