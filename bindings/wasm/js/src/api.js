// The names of the package, in every entry but those of the author and of the cache.

export { productToken, Robot, robotsUrl, RobotsTxt } from './classes.js';
export { InvalidRecordError, InvalidTokenError, InvalidUrlError, OutOfMemoryError } from './errors.js';
