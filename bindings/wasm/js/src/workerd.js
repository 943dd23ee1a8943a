// The entry for edge runtimes that compile modules when a program is uploaded and never later, such as workerd.

import { initSync } from '../generated/raw.js';
import { connect } from './memory.js';
import module from './polite_robots.wasm';

connect(initSync({ module }));

export * from './api.js';
