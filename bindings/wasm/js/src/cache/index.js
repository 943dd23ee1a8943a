// The entry `polite-robots/cache` for everywhere but Node.js and the edge: the module is a text.

import './text/polite_robots_cache.js';
import { initSync } from '../../generated/cache.js';
import { taken } from '../decode.js';
import { connect } from './memory.js';

connect(initSync({ module: taken('polite_robots_cache.wasm') }));

export * from './api.js';
