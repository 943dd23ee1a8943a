// The entry `polite-robots/author` for edge runtimes that compile modules when a program is uploaded and never later.

import { initAuthorSync } from './load.js';
import module from './polite_robots_author.wasm';

initAuthorSync(module);

export * from './api.js';
