// The failures of a request by the errors of HTTP clients, and the bugs of the program among them.

/**
 * The texts of bugs by the names of their errors, in the words of V8, JavaScriptCore and SpiderMonkey. A client that throws a
 * TypeError for the network has words of its own, so that any other text is a failure. A host may send what `JSON.parse` does not
 * read and a status that no `Response` has.
 */
const BUGS = new Map([
  ['ReferenceError', /^/],
  ['SyntaxError', /^(?!.*JSON)/s],
  ['RangeError', /^(?!.*\bstatus\b)/s],
  [
    'TypeError',
    / is not (?:a function|a constructor|(?:async )?iterable|an object \(evaluating)|^can(?:not|'t) (?:read propert|set propert|access property|destructure|convert (?:undefined|object))|^[\w$.]+ is (?:undefined|null)$|assignment to const/i,
  ],
]);

/** Whether a function threw by a bug of the program. The error of a library names what failed by a code or a cause. */
export function isBug(error) {
  return Object.prototype.toString.call(error) === '[object Error]' && error.code === undefined && error.cause === undefined && (BUGS.get(error.name)?.test(error.message) ?? false);
}

/** The kinds of failures by the codes of Node.js, Deno and Bun. For robots.txt, all failures but the crawler's own count alike. */
const KINDS = [
  // Compressed data that ends too early.
  ['cut_short', /^Z_BUF_ERROR$/],
  ['encoded', /^Z_|BROTLI|ZSTD|^ERR__ERROR_/],
  // The crawler's own: its network is down, or it has no file, port or memory left.
  ['local', /^(?:ENETDOWN|EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS|ENOMEM)$/],
  ['dns', /^(?:ENOTFOUND|EAI_\w+)$/],
  ['connect', /^(?:ECONNREFUSED|EHOSTUNREACH|ConnectionRefused|UND_ERR_CONNECT_TIMEOUT)$/],
  ['reset', /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_\w+)$/],
  ['read', /^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/],
];

/** The failure of a request. A bug says nothing about the site. */
export function failed(error) {
  const codes = [error?.code, error?.cause?.code].map(String);
  const [kind] = KINDS.find(([, known]) => codes.some((code) => known.test(code))) ?? [isBug(error) ? 'local' : 'other'];
  return { kind: 'failed', error: kind, cause: error };
}
