// Makes `dist` from the sources and the compiled modules, which `pack` has put into `generated`: node build.mjs

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { encode } from './encode.mjs';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

await rm('dist', { recursive: true, force: true });
await mkdir('dist/text', { recursive: true });
for (const [name, file] of [['raw', 'polite_robots'], ['author', 'polite_robots_author'], ['cache', 'polite_robots_cache']]) {
  const bytes = await readFile(`generated/${name}_bg.wasm`);
  await writeFile(`dist/${file}.wasm`, bytes);
  // Once for ESM and CommonJS: a script without imports and exports is both, so it leaves its text in the global object.
  await writeFile(`dist/text/${file}.js`, `globalThis[Symbol.for('${file}.wasm')] = ${JSON.stringify(encode(bytes))};\n`);
}
// Here `.js` is CommonJS to Node.js, and a script to everything else.
await writeFile('dist/text/package.json', '{ "type": "commonjs" }\n');

const external = ['polite-robots', '*.wasm', './text/*'];
const common = { bundle: true, target: 'es2022', legalComments: 'none', logLevel: 'warning', external };
const esm = (entry, outfile, plugins = []) =>
  build({ ...common, entryPoints: [entry], format: 'esm', outfile, plugins });
const commonJs = (entry, outfile, plugins = []) =>
  build({ ...common, entryPoints: [entry], format: 'cjs', platform: 'node', outfile, plugins });

await esm('src/index.js', 'dist/index.js');
await esm('src/slim.js', 'dist/slim.js');
await esm('src/workerd.js', 'dist/workerd.js');
await commonJs('src/index.js', 'dist/index.cjs');
await commonJs('src/node.js', 'dist/node.cjs');

// The entries beside it have the classes and errors of the package itself, by whichever entry the program has it.
const ofPackage = {
  name: 'names of the package',
  setup({ onResolve }) {
    onResolve({ filter: /\/(classes|errors)\.js$/ }, () => ({ path: 'polite-robots', external: true }));
  },
};
for (const entry of ['author', 'cache']) {
  await esm(`src/${entry}/index.js`, `dist/${entry}.js`, [ofPackage]);
  await esm(`src/${entry}/workerd.js`, `dist/${entry}-workerd.js`, [ofPackage]);
  await commonJs(`src/${entry}/index.js`, `dist/${entry}.cjs`, [ofPackage]);
}
for (const entry of ['author', 'cache']) {
  await commonJs(`src/${entry}/node.js`, `dist/${entry}-node.cjs`, [ofPackage]);
}

// The entry for crawls has the machines of the entry for caches, and so its module.
await esm('src/crawl/api.js', 'dist/crawl.js');
await commonJs('src/crawl/api.js', 'dist/crawl.cjs');

// ESM and CommonJS of one Node program share one module, so that an error of one is `instanceof` the class of the other.
// Node.js looks through a script of CommonJS for its exports, which takes as long as all else of an import; in a script
// that exports a variable there is nothing to find.
for (const [node, shared] of [['node', 'node'], ['author-node', 'author-node'], ['cache-node', 'cache-node'], ['crawl-node', 'crawl']]) {
  await writeFile(`dist/${node}-shared.cjs`, `const shared = require('./${shared}.cjs');\nmodule.exports = shared;\n`);
  const names = Object.keys((await import(`./dist/${node}-shared.cjs`)).default).sort();
  await writeFile(`dist/${node}.js`, `import polite from './${node}-shared.cjs';\n\nexport const { ${names.join(', ')} } = polite;\n`);
}

// TypeScript reads the types of CommonJS from files of their own, with the same words.
for (const entry of ['index', 'author', 'cache', 'crawl']) {
  await copyFile(`types/${entry}.d.ts`, `types/${entry}.d.cts`);
}

// The drop-in asks for this package by its name.
await rm('../js-compat/node_modules', { recursive: true, force: true });
await mkdir('../js-compat/node_modules');
await symlink('../../js', '../js-compat/node_modules/polite-robots');
