// The package as it is published, in Deno and Bun, and in what other bundlers make of it: node test/runtimes.mjs
//
// All of them are installed, so it runs by its name only: `bindings/run wasm runtimes`, also by `.ci/long runtimes`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

const TOOLS = { bun: '1.4.4', deno: '2.9.6', rollup: '4.68.5', '@rollup/plugin-node-resolve': '16.0.3', vite: '8.3.8', webpack: '5.112.2' };
const PROGRAM = `import { Robot, RobotsTxt } from 'polite-robots';
import { lint } from 'polite-robots/author';
import { RobotsCache } from 'polite-robots/cache';
import { politeFetch } from 'polite-robots/crawl';
const rules = 'User-agent: *\\nDisallow: /a';
const fetch = async () => new Response(rules);
const cache = new RobotsCache('ExampleBot', fetch);
const polite = politeFetch('ExampleBot', { fetch });
Promise.all([cache.allowed('https://e.test/a'), polite('https://e.test/a').catch(({ code }) => code)]).then((answers) => {
  console.log(new Robot('ExampleBot', rules).check('/a').line, lint(new RobotsTxt('Disalow: /'))[0].code, ...answers);
});
`;
const COMMON_JS = "const { Robot } = require('polite-robots');\nconsole.log(new Robot('ExampleBot', 'User-agent: *\\nDisallow: /a').check('/a').line);\n";
const RIGHT = '2 misspelled-field false DISALLOWED\n';

const folder = mkdtempSync(`${tmpdir()}/polite-robots-runtimes-`);
const alone = mkdtempSync(`${tmpdir()}/polite-robots-alone-`);
let passed = 0;
try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: new URL('../', import.meta.url), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true, dependencies: { ...TOOLS, 'polite-robots': `file:${filename}` } }));
  run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent');
  writeFileSync(`${folder}/program.mjs`, PROGRAM);
  writeFileSync(`${folder}/program.cjs`, COMMON_JS);
  const require = createRequire(`${folder}/program.cjs`);
  const tool = (name) => import(pathToFileURL(require.resolve(name)));
  const modules = `${folder}/node_modules`;
  const bun = `${modules}/@oven/bun-linux-${process.arch}/bin/bun`;
  const deno = `${modules}/@deno/linux-${process.arch}-glibc/deno`;

  // Without any right.
  is('Deno', RIGHT, run(deno, 'run', '--no-prompt', 'program.mjs'));
  is('Deno, CommonJS', '2\n', run(deno, 'run', '--no-prompt', 'program.cjs'));
  is('Bun', RIGHT, run(bun, 'run', 'program.mjs'));
  is('Bun, CommonJS', '2\n', run(bun, 'run', 'program.cjs'));

  const bundled = {
    'bun-browser': (out) => run(bun, 'build', '--target=browser', 'program.mjs', `--outfile=${out}`),
    'bun-node': (out) => run(bun, 'build', '--target=node', 'program.mjs', `--outfile=${out}`),
    'webpack-web': (out) => webpack('web', out),
    'webpack-node': (out) => webpack('node', out),
    rollup: (out) => rollup([], out),
    'rollup-node': (out) => rollup(['node'], out),
    vite: (out) => vite(out, {}),
    'vite-node': (out) => vite(out, { ssr: true }),
  };
  for (const [title, bundle] of Object.entries(bundled)) {
    await bundle(`${alone}/${title}.mjs`);
  }
  // No file of the package is where the bundles run.
  renameSync(modules, `${folder}/elsewhere`);
  for (const title of Object.keys(bundled)) {
    is(title, RIGHT, run(process.execPath, `${alone}/${title}.mjs`));
  }

  async function webpack(target, out) {
    const { default: start } = await tool('webpack');
    const compiler = start({ mode: 'production', context: folder, entry: './program.mjs', target, output: { path: alone, filename: out.split('/').at(-1) } });
    const stats = await new Promise((resolve, reject) => compiler.run((error, found) => (error ? reject(error) : resolve(found))));
    assert.deepEqual(stats.toJson().errors, []);
  }
  async function rollup(exportConditions, file) {
    const { rollup: start } = await tool('rollup');
    const { nodeResolve } = await tool('@rollup/plugin-node-resolve');
    const bundle = await start({ input: `${folder}/program.mjs`, plugins: [nodeResolve({ exportConditions })] });
    await bundle.write({ file });
  }
  async function vite(out, options) {
    const { build } = await tool('vite');
    const rollupOptions = { input: `${folder}/program.mjs`, output: { entryFileNames: out.split('/').at(-1) } };
    await build({ root: folder, logLevel: 'error', configFile: false, ssr: { noExternal: true }, build: { ...options, outDir: alone, emptyOutDir: false, rollupOptions } });
  }
} finally {
  rmSync(folder, { recursive: true });
  rmSync(alone, { recursive: true });
}
console.log(`${passed} passed, 0 failed`);

function is(title, expected, printed) {
  assert.equal(printed, expected, title);
  console.log(`${title}: right`);
  passed += 1;
}

function run(command, ...options) {
  return execFileSync(command, options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
