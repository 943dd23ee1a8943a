// How objects look in the console: their private fields are not shown otherwise.

/** Node.js, Deno and Bun ask for a method of this name. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Shows an object as its class and the parts that the function gives. */
export function makeInspectable({ name, prototype }, parts) {
  Object.defineProperty(prototype, INSPECT, {
    value(depth, options, inspect) {
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
    },
  });
}
