// Calls of the WebAssembly module that end with a trap.

import { OutOfMemoryError } from './errors.js';

/** The message of a panic, which a trap follows. */
let fault;

export function noteFault(message) {
  fault = message;
}

/** The error of a call: a trap without a panic means that the module got no memory. */
export function reported(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) {
    return error;
  }
  const options = { cause: error };
  if (fault === undefined) {
    return new OutOfMemoryError('the module got no more memory: free() robots and documents that are not needed any more', options);
  }
  const message = `polite-robots has a fault, please report it: ${fault}`;
  fault = undefined;
  return new Error(message, options);
}

/** Lets all calls of raw classes report their traps, but for those named, whose callers do. */
export function guard(classes, names) {
  for (const owner of classes.flatMap((one) => [one, one.prototype])) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value === 'function' && name !== 'constructor' && !names.includes(name)) {
        owner[name] = function (...given) {
          try {
            return value.apply(this, given);
          } catch (error) {
            throw reported(error);
          }
        };
      }
    }
  }
}
