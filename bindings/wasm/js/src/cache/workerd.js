// The entry `polite-robots/cache` for edge runtimes that compile modules when a program is uploaded and never later.

import { initSync } from '../../generated/cache.js';
import { connect } from './memory.js';
import module from './polite_robots_cache.wasm';

connect(initSync({ module }));

export * from './api.js';
