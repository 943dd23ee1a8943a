// Bytes as the text of a script: the 90 most frequent ones of a module are one letter each, and the others two. That is a twentieth
// longer than the module, and as long when compressed; base64 is a third longer, also then.

/** The letters of ASCII but those that a script or a page would read otherwise. `src/decode.js` has the same. */
const LETTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((letter) => !'"\\<'.includes(letter));
const SINGLES = 90;

/** The order of the bytes in hexadecimal, and the bytes by it. */
export function encode(bytes) {
  const counts = new Array(256).fill(0);
  bytes.forEach((byte) => (counts[byte] += 1));
  const order = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);
  const codes = [];
  order.forEach((byte, place) => {
    const rest = place - SINGLES;
    codes[byte] = rest < 0 ? LETTERS[place] : LETTERS[SINGLES + Math.floor(rest / LETTERS.length)] + LETTERS[rest % LETTERS.length];
  });
  return Buffer.from(order).toString('hex') + Array.from(bytes, (byte) => codes[byte]).join('');
}
