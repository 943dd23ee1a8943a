// URLs as clients send them.

/** A URL without its fragment and an empty query. The machines report one that cannot be read. */
export function plain(url) {
  try {
    const sent = new URL(url);
    sent.hash = '';
    // An empty query is dropped where it is set, and not where it was read.
    sent.search ||= '';
    return sent.href;
  } catch {
    return url;
  }
}

/** The target of a redirect, if it is one of the web. */
export function absolute(location, base) {
  try {
    const target = new URL(location, base);
    return ['http:', 'https:'].includes(target.protocol) ? plain(target.href) : undefined;
  } catch {
    return undefined;
  }
}
