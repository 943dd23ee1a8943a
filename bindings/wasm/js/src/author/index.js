// The entry `polite-robots/author` for everywhere but Node.js and the edge: the module is in the script.

import { module } from '../../generated/author_module.js';
import { decode } from '../decode.js';
import { initAuthorSync } from './load.js';

initAuthorSync(decode(module));

export * from './api.js';
