// The entry for Node.js: the module is a file beside the script, which is CommonJS.

import { readFileSync } from 'node:fs';
import { initSync } from '../generated/raw.js';
import { connect } from './memory.js';

connect(initSync({ module: readFileSync(`${__dirname}/polite_robots.wasm`) }));

export * from './api.js';
