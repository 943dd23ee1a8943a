// The entry for everywhere but Node.js and the edge: the module is in the script, so nothing is awaited and no bundler is
// asked.

import { initSync } from '../generated/raw.js';
import { module } from '../generated/module.js';
import { decode } from './decode.js';
import { connect } from './memory.js';

// Compiled synchronously, which browsers allow on their main thread for a module of this size.
connect(initSync({ module: decode(module) }));

export * from './api.js';
