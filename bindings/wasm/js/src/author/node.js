// The entry `polite-robots/author` for Node.js: the module is a file beside the script.

import { read } from '../module_file.js';
import { initAuthorSync } from './load.js';

initAuthorSync(read('polite_robots_author.wasm', () => require('./text/polite_robots_author.js')));

export * from './api.js';
