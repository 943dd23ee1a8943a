export * from './index.js';

/**
 * Fetches or compiles the module, before anything else of this entry is called.
 *
 * @param module Its bytes, an answer that holds them, its address, or the compiled module: `polite-robots/polite_robots.wasm`.
 */
export function init(
  module: BufferSource | Response | URL | string | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>,
): Promise<void>;

/** Compiles bytes or takes a compiled module, at once. Browsers refuse large bytes here on their main thread. */
export function initSync(module: BufferSource | WebAssembly.Module): void;
