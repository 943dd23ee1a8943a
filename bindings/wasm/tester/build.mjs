// Makes `dist/index.html`, one file that loads nothing, from the sources and the compiled module, which `pack` has put into
// `generated`: node build.mjs

import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);

const CODES = '../../../crates/lint/src/codes';
// The table of crawlers in the module restates a list whose license asks for it.
const NOTICE = '../../../crates/audit/NOTICE';

const common = { bundle: true, minify: true, write: false, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

/** `gzip:FILE` is a file, compressed and in Base64, `worker:FILE` a bundled script as text, `pages:codes` the page of each code of a finding. */
const inlined = {
  name: 'inlined',
  setup(setup) {
    setup.onResolve({ filter: /^(gzip|worker):/ }, ({ path, importer }) => {
      const [namespace, file] = path.split(':');
      return { path: resolve(dirname(importer), file), namespace };
    });
    setup.onResolve({ filter: /^pages:/ }, ({ path }) => ({ path, namespace: 'pages' }));
    setup.onLoad({ filter: /./, namespace: 'gzip' }, async ({ path }) => ({
      contents: gzipSync(await readFile(path), { level: 9 }).toString('base64'),
      loader: 'text',
    }));
    setup.onLoad({ filter: /./, namespace: 'worker' }, async ({ path }) => ({ contents: await script(path), loader: 'text' }));
    setup.onLoad({ filter: /./, namespace: 'pages' }, async () => ({ contents: JSON.stringify(await pages()), loader: 'json' }));
  },
};

async function script(entry) {
  const { outputFiles } = await build({ ...common, entryPoints: [entry], format: 'iife', plugins: [inlined] });
  return outputFiles[0].text;
}

async function pages() {
  const names = (await readdir(CODES)).filter((name) => name.endsWith('.md'));
  const texts = names.sort().map(async (name) => [name.slice(0, -'.md'.length), await readFile(`${CODES}/${name}`, 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}

/** A script in a page must not hold the end of one. */
const source = (await script('page/main.js')).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const { outputFiles } = await build({ ...common, entryPoints: ['page/style.css'] });

const hash = createHash('sha256').update(source).digest('base64');
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
  'worker-src blob:',
  // The editor writes styles of its own.
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const notice = await readFile(NOTICE, 'utf8');
const parts = { NOTICE: notice.trimEnd(), CSP: policy, STYLE: outputFiles[0].text, SCRIPT: source };
const page = (await readFile('page/index.html', 'utf8')).replace(/\b(NOTICE|CSP|STYLE|SCRIPT)\b/g, (name) => parts[name]);

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await writeFile('dist/index.html', page);
