// The entry for everywhere but the edge: the modules are in the script, so nothing is awaited and no bundler is asked.

import { initSync } from '../generated/raw.js';
import { authorModule, module } from '../generated/modules.js';
import { setAuthor } from './author.js';
import { decode } from './decode.js';
import { connect } from './memory.js';

// Compiled synchronously, which browsers allow on their main thread for a module of this size.
connect(initSync({ module: decode(module) }));
setAuthor(() => decode(authorModule));

export * from './api.js';
