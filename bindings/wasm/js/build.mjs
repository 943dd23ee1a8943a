// Makes `dist` from the sources and the compiled modules, which `pack` has put into `generated`: node build.mjs

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

const base64 = async (name) => (await readFile(`generated/${name}_bg.wasm`)).toString('base64');
await writeFile(
  'generated/modules.js',
  `export const module = '${await base64('raw')}';\nexport const authorModule = '${await base64('author')}';\n`,
);

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await copyFile('generated/raw_bg.wasm', 'dist/polite_robots.wasm');
await copyFile('generated/author_bg.wasm', 'dist/polite_robots_author.wasm');

const common = { bundle: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };
await build({ ...common, entryPoints: ['src/index.js'], format: 'esm', outfile: 'dist/index.js' });
await build({ ...common, entryPoints: ['src/index.js'], format: 'cjs', outfile: 'dist/index.cjs', platform: 'node' });
await build({ ...common, entryPoints: ['src/slim.js'], format: 'esm', outfile: 'dist/slim.js' });
await build({
  ...common,
  entryPoints: ['src/workerd.js'],
  format: 'esm',
  outfile: 'dist/workerd.js',
  external: ['*.wasm'],
});

// ESM and CommonJS of one Node program share one module, so that an error of one is `instanceof` the class of the other.
const names = Object.keys(await import('./dist/index.js')).sort();
await writeFile(
  'dist/node.js',
  `import polite from './index.cjs';\n\nexport const { ${names.join(', ')} } = polite;\n`,
);

// TypeScript reads the types of CommonJS from a file of their own, with the same words.
await copyFile('types/index.d.ts', 'types/index.d.cts');

// The drop-in asks for this package by its name.
await rm('../js-compat/node_modules', { recursive: true, force: true });
await mkdir('../js-compat/node_modules');
await symlink('../../js', '../js-compat/node_modules/polite-robots');
