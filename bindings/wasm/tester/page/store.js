// The work on this machine, so that a reload keeps it: nowhere else, and until it is cleared.

const KEY = 'polite-robots-tester';

/** Browsers keep about five million characters. */
const MOST_CHARACTERS = 2_000_000;

/** Whether the question is kept now. `length` is known before the question is made, which takes long for a long one. */
export function keep(length, question) {
  // An earlier question in its place would be taken for this one.
  forget();
  try {
    if (length <= MOST_CHARACTERS) {
      localStorage.setItem(KEY, JSON.stringify(question()));
    }
    return length <= MOST_CHARACTERS;
  } catch {
    return false;
  }
}

/** `undefined` where nothing is kept, or nothing that can be read. */
export function kept() {
  try {
    const question = JSON.parse(localStorage.getItem(KEY));
    return typeof question === 'object' && question !== null ? question : undefined;
  } catch {
    return undefined;
  }
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
