// The entry `polite-robots/author` for everywhere but Node.js and the edge: the module is a text.

import './text/polite_robots_author.js';
import { taken } from '../decode.js';
import { initAuthorSync } from './load.js';

initAuthorSync(taken('polite_robots_author.wasm'));

export * from './api.js';
