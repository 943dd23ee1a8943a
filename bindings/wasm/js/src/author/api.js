// The names of the entry `polite-robots/author`.

export { InvalidRecordError } from '../errors.js';
export { GroupBuilder, RobotsTxtBuilder } from './builders.js';
export { lint, toCanonical } from './file.js';
