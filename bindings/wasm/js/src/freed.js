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

/** Lets raw classes that programs have under these names say so too, also as an argument, and be freed twice. */
export function makeFreeable(classes) {
  for (const [name, { prototype }] of Object.entries(classes)) {
    // In messages and in the console, as bundlers change the names of classes.
    Object.defineProperty(classes[name], 'name', { value: name });
    const { free: freeRaw } = prototype;
    prototype.free = function freeOnce() {
      if (Object.getOwnPropertyDescriptor(this, '__wbg_ptr')?.get === undefined) {
        freeRaw.call(this);
        Object.defineProperty(this, '__wbg_ptr', { get: () => freed.pointer });
      }
    };
  }
  makeDisposable(...Object.values(classes));
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
