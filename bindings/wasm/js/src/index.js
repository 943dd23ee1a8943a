// The entry for everywhere but Node.js and the edge: the module is a text, so nothing is awaited and no bundler is asked.

import './text/polite_robots.js';
import { initSync } from '../generated/raw.js';
import { taken } from './decode.js';
import { connect } from './memory.js';

// Compiled synchronously, which browsers allow on their main thread for a module of this size.
connect(initSync({ module: taken('polite_robots.wasm') }));

export * from './api.js';
