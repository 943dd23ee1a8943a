// The entry `polite-robots/cache` for everywhere but the edge: the module is in the script.

import { initSync } from '../../generated/cache.js';
import { module } from '../../generated/cache_module.js';
import { decode } from '../decode.js';
import { connect } from './memory.js';

connect(initSync({ module: decode(module) }));

export * from './api.js';
