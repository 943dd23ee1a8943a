// A URL as a browser requests it: what is asked about, and what is shown.

/** Stands for the host of a path. */
const HOST = 'https://www.example.com';

/**
 * `sent` is the text of the question, a path for a path, or `undefined` for a text that is not a URL; `hint` says why, or how
 * it was read, and `instead` is the text that was probably meant.
 */
export function requested(text) {
  if (/^[/?\\]/.test(text)) {
    const url = parsed(text, HOST);
    return url ? { text, sent: url.origin === HOST ? url.pathname + url.search : withoutFragment(url) } : none(text, 'no browser can request it');
  }
  // `example.com:8080` begins like a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text)?.[1].toLowerCase();
  if (scheme === 'http' || scheme === 'https') {
    const url = parsed(text);
    return url ? { text, sent: withoutFragment(url) } : none(text, 'its host or its port is none');
  }
  if (scheme) {
    return none(text, `robots.txt is about \`http:\` and \`https:\`, not about \`${scheme}:\``);
  }
  const url = /^(?:localhost|[^\s/?#\\]+\.[^\s/?#\\]+)(?::\d+)?(?:[/?#]|$)/i.test(text) && parsed(`https://${text}`);
  const path = parsed(`/${text}`, HOST);
  const instead = path ? path.pathname + path.search : undefined;
  return url
    ? { text, sent: withoutFragment(url), hint: `\`${text}\` is read as \`${withoutFragment(url)}\`.`, instead }
    : { ...none(text, 'it has neither a scheme nor a slash'), instead };
}

const none = (text, reason) => ({ text, sent: undefined, hint: `\`${text}\` is no URL: ${reason}.` });

/** The path and the query of a URL that is asked. */
export const pathOf = (sent) => sent.replace(/^https?:\/\/[^/?#]*/i, '');

function parsed(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Neither it nor the name and the password are part of the path that is requested. */
function withoutFragment(url) {
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}
