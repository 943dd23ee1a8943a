// The options of `RobotsCache`, `politeFetch` and their calls, in one table.

import { show } from '../arguments.js';
import { unknownName } from '../names.js';

const HOUR = 3_600_000;
/**
 * The numbers among the options: default, least, most, unit. A request of less than ten milliseconds, or of more than an hour, is
 * one of another unit: no host answers so soon, and no client waits for so long. A caller may wait for its turn for ever.
 */
const NUMBERS = {
  timeoutMs: [30_000, 10, HOUR, 'milliseconds'],
  maxWaitMs: [300_000, 10, Infinity, 'milliseconds'],
  capacity: [64 * 2 ** 20, 1, Infinity, 'bytes'],
  pageLimit: [10 * 2 ** 20, 1, Infinity, 'bytes'],
  maxInFlight: [32, 1, Infinity, 'requests'],
  maxQueue: [1_000, 1, Infinity, 'calls'],
};

/** The options that something takes, each checked; the defaults are those of the table, or else of `defaults`. */
export function chosen(known, options = {}, defaults = {}) {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options are ${show(options)}; they are an object, whose names are ${known.join(', ')}`);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(unknownName('option', name, options[name], known));
    }
  }
  return Object.fromEntries(known.map((name) => [name, options[name] === undefined ? (defaults[name] ?? NUMBERS[name]?.[0]) : checked(name, options[name])]));
}

/** The nearest number that the option takes. */
export function clamped(name, number) {
  const [, least, most] = NUMBERS[name];
  return Math.min(Math.max(number, least), most);
}

function checked(name, value) {
  if (NUMBERS[name] !== undefined) {
    const [, least, most, unit] = NUMBERS[name];
    const range = `a number of ${unit} ${most === Infinity ? `from ${least}` : `from ${least} to ${most}`}`;
    if (typeof value !== 'number' || Number.isNaN(value)) {
      throw new TypeError(`the option ${name} is ${show(value)}; it is ${range}`);
    }
    if (value !== clamped(name, value)) {
      throw new RangeError(`the option ${name} is ${value}; it is ${range}`);
    }
  }
  return value;
}
