// Callers that leave before the end of their wait.

/** A timer of more milliseconds ends at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;
/** The functions to call at the end of a signal, which has one listener for all of them. */
const leaving = new WeakMap();

/** Calls the function when the signal is aborted. Gives the function that ends this. */
export function atAbort(signal, leave) {
  const callers = leaving.get(signal) ?? new Set();
  if (!leaving.has(signal)) {
    leaving.set(signal, callers);
    signal.addEventListener('abort', () => callers.forEach((one) => one()), { once: true });
  }
  callers.add(leave);
  return () => callers.delete(leave);
}

/** Waits for a promise until the signal is aborted. The work of the promise goes on. */
export function left(going, signal) {
  return new Promise((resolve, reject) => {
    const stay = atAbort(signal, () => reject(signal.reason));
    going.finally(stay).then(resolve, reject);
  });
}
