// The entry for edge runtimes that compile modules when a program is uploaded and never later, such as workerd.

import { initSync } from '../generated/raw.js';
import { setAuthor } from './author.js';
import module from './polite_robots.wasm';
import authorModule from './polite_robots_author.wasm';
import { connect } from './memory.js';

connect(initSync({ module }));
setAuthor(() => authorModule);

export * from './api.js';
