// The whole question in the fragment of a link: JSON, compressed, in the alphabet of URLs.

const VERSION = '1.';
const MOST_CHARACTERS = 1_500_000;

/** `undefined` for a question that is too long for a link. */
export async function fragmentOf(question) {
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(question)));
  const text = VERSION + base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return text.length <= MOST_CHARACTERS ? text : undefined;
}

/** `undefined` for a fragment that holds no question. */
export async function questionOf(fragment) {
  if (!fragment.startsWith(VERSION)) {
    return undefined;
  }
  try {
    const text = fragment.slice(VERSION.length).replace(/-/g, '+').replace(/_/g, '/');
    const bytes = await through(new DecompressionStream('deflate-raw'), bytesOf(text));
    const question = JSON.parse(new TextDecoder().decode(bytes));
    return typeof question === 'object' && question !== null ? question : undefined;
  } catch {
    return undefined;
  }
}

export function base64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}

export const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

async function through(stream, bytes) {
  const sent = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(sent).arrayBuffer());
}
