// The names of the package, in every entry.

export { GroupBuilder, RobotsTxtBuilder } from './builders.js';
export { productToken, Robot, robotsUrl, RobotsTxt } from './classes.js';
export { InvalidRecordError, InvalidTokenError, InvalidUrlError } from './errors.js';
