// The result of a caller's fetch function, as an event of `Fetch`.

import { show } from '../arguments.js';
import { bytesOf } from './conversions.js';
import { failed, isBug } from './failures.js';
import { left } from './leaving.js';

/** Asks for a robots.txt, for no longer than the time limit. */
export async function roundEvent(request, { agent, fetch, timeoutMs }) {
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(new DOMException(`${request.url} took longer than ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
  const init = { headers: { 'user-agent': agent, ...request.headers }, redirect: 'manual', signal: ending.signal };
  try {
    return await left(responseEvent(fetch, request, init), ending.signal);
  } catch (mistake) {
    if (ending.signal.aborted) {
      return { kind: 'failed', error: 'read', cause: ending.signal.reason };
    }
    throw mistake;
  } finally {
    clearTimeout(late);
    ending.abort();
  }
}

/** Asks for a robots.txt. Rejects for a mistake of the program: a bug, or an invalid result. */
async function responseEvent(fetch, { url, maxBytes }, init) {
  let response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (isBug(error)) {
      throw error;
    }
    return failed(error);
  }
  if (response?.type === 'opaqueredirect') {
    return { kind: 'response', status: 0 };
  }
  const { status, headers, body, bodyUsed, redirected, url: from } = response ?? {};
  if (!(Number.isInteger(status) && status >= 100 && status <= 999)) {
    throw new TypeError(`the fetch function gave ${show(response)} with the status ${show(status)}; it gives a Response or { status, headers, body }`);
  }
  if (redirected === true || (from && new URL(from).href !== new URL(url).href)) {
    throw new TypeError(`the fetch function followed a redirect from ${url} to ${from}; with redirect: 'manual' it gives the redirect itself`);
  }
  if (status < 200 || status > 299) {
    await Promise.resolve(body?.cancel?.() ?? body?.destroy?.()).catch(() => {});
    return { kind: 'response', status, headers: headers ?? null };
  }
  const isResponse = Object.prototype.toString.call(response) === '[object Response]';
  const isEmpty = body === null && (isResponse || status === 204 || status === 205);
  if ((body ?? undefined) === undefined && !isEmpty) {
    throw new TypeError(`the fetch function gave no body with the status ${status}; an empty one is ''`);
  }
  // Without its body it would be an empty file, which opens the site.
  if (bodyUsed === true || body?.readableDidRead === true) {
    throw new TypeError('the fetch function gave a body that was read already; give what was read');
  }
  const whole = await read(body ?? '', maxBytes, (cancel) => init.signal.addEventListener('abort', cancel));
  if (whole.cause !== undefined) {
    const failure = failed(whole.cause);
    if (failure.error === 'local') {
      return failure;
    }
    // An error that says nothing more is one of a decoder, if there is one to fail.
    whole.end = ['encoded', 'other'].includes(failure.error) ? 'undecodable' : 'cut_short';
  }
  return { kind: 'response', status, headers: headers ?? null, ...whole };
}

/**
 * As much of the body as the machine reads, a little more than its limit; the `cause` of one that broke off; and whether any of it
 * was text. `atAbort` gets the function that cancels it.
 */
export async function read(body, maxBytes, atAbort) {
  if (typeof body.getReader !== 'function' && typeof body[Symbol.asyncIterator] !== 'function') {
    const isText = typeof body === 'string';
    const kept = isText ? body.slice(0, maxBytes + 1) : bytesOf(body).subarray(0, maxBytes + 1);
    return { body: kept, end: kept.length > maxBytes ? 'limit_reached' : 'complete', isText };
  }
  const chunks = body.getReader?.() ?? body[Symbol.asyncIterator]();
  const leave = () => Promise.resolve(chunks.cancel?.() ?? body.destroy?.() ?? chunks.return?.()).catch(() => {});
  atAbort(leave);
  const parts = [];
  let [length, isText] = [0, false];
  while (length <= maxBytes) {
    let next;
    try {
      next = await (chunks.read?.() ?? chunks.next());
    } catch (error) {
      if (isBug(error)) {
        throw error;
      }
      return { body: joined(parts, length), cause: error, isText };
    }
    if (next.done) {
      return { body: joined(parts, length), end: 'complete', isText };
    }
    isText ||= typeof next.value === 'string';
    parts.push(bytesOf(next.value));
    length += parts.at(-1).length;
  }
  leave();
  return { body: joined(parts, length), end: 'limit_reached', isText };
}

/** The parts as one; a single one is not copied, unless it keeps more in memory than itself. */
function joined(parts, length) {
  if (parts.length === 1 && length === parts[0].buffer.byteLength) {
    return parts[0];
  }
  const bytes = new Uint8Array(length);
  parts.reduce((start, part) => (bytes.set(part, start), start + part.length), 0);
  return bytes;
}
