// The entry `polite-robots/author` for Node.js: the module is a file beside the script, which is CommonJS.

import { readFileSync } from 'node:fs';
import { initAuthorSync } from './load.js';

initAuthorSync(readFileSync(`${__dirname}/polite_robots_author.wasm`));

export * from './api.js';
