// Makes `dist` from the sources and the compiled modules, which `pack` has put into `generated`: node build.mjs

import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

const base64 = async (name) => (await readFile(`generated/${name}_bg.wasm`)).toString('base64');
await writeFile(
  'generated/modules.js',
  `export const module = '${await base64('raw')}';\nexport const authorModule = '${await base64('author')}';\n`,
);

await writeFile('generated/cache_module.js', `export const module = '${await base64('cache')}';\n`);

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await copyFile('generated/raw_bg.wasm', 'dist/polite_robots.wasm');
await copyFile('generated/author_bg.wasm', 'dist/polite_robots_author.wasm');
await copyFile('generated/cache_bg.wasm', 'dist/polite_robots_cache.wasm');

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

// The entry for caches has the errors of the package itself, by whichever entry the program has it.
const ofPackage = {
  name: 'errors of the package',
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.js$/ }, () => ({ path: 'polite-robots', external: true }));
  },
};
const cache = { ...common, external: ['polite-robots', '*.wasm'], plugins: [ofPackage] };
await build({ ...cache, entryPoints: ['src/cache/index.js'], format: 'esm', outfile: 'dist/cache.js' });
await build({ ...cache, entryPoints: ['src/cache/index.js'], format: 'cjs', outfile: 'dist/cache.cjs', platform: 'node' });
await build({ ...cache, entryPoints: ['src/cache/workerd.js'], format: 'esm', outfile: 'dist/cache-workerd.js' });

// ESM and CommonJS of one Node program share one module, so that an error of one is `instanceof` the class of the other.
for (const [entry, commonJs, node] of [['index.js', 'index.cjs', 'node.js'], ['cache.js', 'cache.cjs', 'cache-node.js']]) {
  const names = Object.keys(await import(`./dist/${entry}`)).sort();
  await writeFile(
    `dist/${node}`,
    `import polite from './${commonJs}';\n\nexport const { ${names.join(', ')} } = polite;\n`,
  );
}

// TypeScript reads the types of CommonJS from files of their own, with the same words.
await copyFile('types/index.d.ts', 'types/index.d.cts');
await copyFile('types/cache.d.ts', 'types/cache.d.cts');

// The drop-in asks for this package by its name.
await rm('../js-compat/node_modules', { recursive: true, force: true });
await mkdir('../js-compat/node_modules');
await symlink('../../js', '../js-compat/node_modules/polite-robots');
