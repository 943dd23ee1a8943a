// The work on this machine, so that a reload keeps it: nowhere else, and until it is cleared.

const KEY = 'polite-robots-tester';

/** Browsers keep about five million characters. */
const MOST_CHARACTERS = 2_000_000;

/** Whether the question is kept now. */
export function keep(question) {
  const text = JSON.stringify(question);
  try {
    // An earlier question in its place would be taken for this one.
    localStorage.removeItem(KEY);
    if (text.length <= MOST_CHARACTERS) {
      localStorage.setItem(KEY, text);
    }
    return text.length <= MOST_CHARACTERS;
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
