// The entry `polite-robots/cache` for Node.js: the module is a file beside the script.

import { initSync } from '../../generated/cache.js';
import { read } from '../module_file.js';
import { connect } from './memory.js';

connect(initSync({ module: read('polite_robots_cache.wasm', () => require('./text/polite_robots_cache.js')) }));

export * from './api.js';
