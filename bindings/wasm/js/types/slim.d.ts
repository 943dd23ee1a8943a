export * from './author.js';
export * from './index.js';

type Loadable = BufferSource | Response | URL | string | WebAssembly.Module | Promise<BufferSource | Response | WebAssembly.Module>;

/**
 * Fetches or compiles the module, before anything else of this entry is called.
 *
 * @param module Its bytes, an answer that holds them, its address, or the compiled module: `polite-robots/polite_robots.wasm`.
 */
export function init(module: Loadable): Promise<void>;

/** Compiles bytes or takes a compiled module, at once. Browsers refuse large bytes here on their main thread. */
export function initSync(module: BufferSource | WebAssembly.Module): void;

/**
 * Fetches or compiles the module for authors of files, before `lint`, `toCanonical` or a builder is called.
 *
 * @param module As for {@link init}: `polite-robots/polite_robots_author.wasm`.
 */
export function initAuthor(module: Loadable): Promise<void>;

/** As {@link initSync}, for the module of {@link initAuthor}. */
export function initAuthorSync(module: BufferSource | WebAssembly.Module): void;
