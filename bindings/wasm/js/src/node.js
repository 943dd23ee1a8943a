// The entry for Node.js: the module is a file beside the script.

import { initSync } from '../generated/raw.js';
import { connect } from './memory.js';
import { read } from './module_file.js';

connect(initSync({ module: read('polite_robots.wasm', () => require('./text/polite_robots.js')) }));

export * from './api.js';
