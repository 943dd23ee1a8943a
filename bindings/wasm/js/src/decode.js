// The bytes of a module that is a text beside the script, as `encode.mjs` writes it.

/** The letters by their codes: all of ASCII that can be seen but `"`, `\` and `<`. */
const PLACES = new Uint8Array(127);
let letters = 0;
for (let code = 32; code < 127; code += 1) {
  if (code !== 34 && code !== 92 && code !== 60) {
    PLACES[code] = letters;
    letters += 1;
  }
}
const SINGLES = 90;

/** The bytes by the text that a script has left in the global object, where it stays: ESM and CommonJS may ask for it. */
export function taken(name) {
  return decode(globalThis[Symbol.for(name)]);
}

function decode(text) {
  const order = Uint8Array.from({ length: 256 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let index = 2 * order.length; index < text.length; index += 1) {
    let place = PLACES[text.charCodeAt(index)];
    if (place >= SINGLES) {
      index += 1;
      place = SINGLES + (place - SINGLES) * letters + PLACES[text.charCodeAt(index)];
    }
    bytes[length] = order[place];
    length += 1;
  }
  return bytes.subarray(0, length);
}
