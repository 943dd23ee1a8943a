// Memory of the WebAssembly module that a program gives back.

/** Stands in for a raw object that was freed, so that a later call says so. */
export const freed = new Proxy(Object.freeze({}), {
  get() {
    throw new TypeError('this object was freed: free() or the end of a `using` block came before this call');
  },
});

/** Frees a raw object once and gives what takes its place. */
export function free(raw) {
  if (raw !== freed) {
    raw.free();
  }
  return freed;
}

/** `using` calls `free` at the end of its block, where the engine knows the symbol. */
export function makeDisposable(...classes) {
  if (Symbol.dispose === undefined) {
    return;
  }
  for (const { prototype } of classes) {
    Object.defineProperty(prototype, Symbol.dispose, {
      value() {
        this.free();
      },
      configurable: true,
      writable: true,
    });
  }
}
