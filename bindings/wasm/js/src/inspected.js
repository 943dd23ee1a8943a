// Shows objects in the console, in JSON and as text, where their private fields would be missing.

/** Node.js, Deno and Bun ask for a method of this name. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const PARTS = Symbol('the parts of an object that are shown');

/**
 * A property of each object, not of its class: `structuredClone` refuses an object that has a function, and makes an empty one of
 * any other. The rules stay in the memory of the module, so that another thread parses the bytes of the file again.
 */
export function toJSON() { return this[PARTS](); }

/** Shows an object as its class and the parts that one function gives, and as text by the sentence of another. */
export function makeReadable({ name, prototype }, parts, sentence) {
  const hidden = (value) => ({ value, configurable: true, writable: true });
  Object.defineProperties(prototype, {
    [PARTS]: hidden(function shown() {
      return parts(this);
    }),
    toString: hidden(function toString() {
      return sentence(this);
    }),
    [INSPECT]: hidden(function inspected(depth, options, inspect) {
      if (depth < 0) {
        return `[${name}]`;
      }
      let shown;
      try {
        shown = parts(this);
      } catch (error) {
        // It was freed.
        return `${name} { ${error.message} }`;
      }
      return `${name} ${inspect(shown, options)}`;
    }),
  });
}
