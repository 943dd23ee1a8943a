// Checks of the arguments: a clear error beats an answer about `undefined`.

const DIALECTS = new Map([['rfc9309', false], ['google', true]]);

const ofView = Object.getPrototypeOf(Uint8Array.prototype);
const [viewBuffer, viewStart, viewBytes] = ['buffer', 'byteOffset', 'byteLength'].map(
  (name) => Object.getOwnPropertyDescriptor(ofView, name).get,
);

/** Whether the options ask for Google's dialect. */
export function isGoogle(options) {
  const dialect = options?.dialect;
  const answer = dialect === undefined ? false : DIALECTS.get(dialect);
  if (answer === undefined) {
    throw new TypeError(`dialect is ${show(dialect)}; there are "rfc9309" and "google"`);
  }
  return answer;
}

/** The limit of the options. */
export function maxBytes(options) {
  const limit = options?.maxBytes ?? Infinity;
  if (typeof limit !== 'number' || !(limit >= 0)) {
    throw new TypeError(`maxBytes is ${show(limit)}; it is a number of bytes, at least 0`);
  }
  return limit;
}

/** The text or the bytes of a file. An own property of the name `length` is a lie. */
export function file(robotsTxt) {
  if (typeof robotsTxt === 'string') {
    return robotsTxt;
  }
  if (ArrayBuffer.isView(robotsTxt)) {
    return robotsTxt instanceof DataView
      ? new Uint8Array(robotsTxt.buffer, robotsTxt.byteOffset, robotsTxt.byteLength)
      : new Uint8Array(viewBuffer.call(robotsTxt), viewStart.call(robotsTxt), viewBytes.call(robotsTxt));
  }
  if (kind(robotsTxt) === 'ArrayBuffer') {
    return new Uint8Array(robotsTxt);
  }
  throw new TypeError(`the robots.txt is ${show(robotsTxt)}; it is a string or a Uint8Array`);
}

/** A product token. */
export function name(agent) {
  if (typeof agent !== 'string') {
    throw new TypeError(`the agent is ${show(agent)}; it is a string such as "ExampleBot"`);
  }
  return agent;
}

export function names(agents) {
  if (typeof agents === 'string' || typeof agents?.[Symbol.iterator] !== 'function') {
    throw new TypeError(`the agents are ${show(agents)}; they are a list of strings`);
  }
  return Array.from(agents, name);
}

/** The text of a URL. Any other type is a mistake of the program: `undefined` is no path. */
export function text(url) {
  if (typeof url === 'string') {
    return url;
  }
  // Also a URL of another window, or of another module loader.
  if (url instanceof URL || kind(url) === 'URL') {
    const { href } = url;
    if (typeof href === 'string') {
      return href;
    }
  }
  throw new TypeError(`the URL is ${show(url)}; it is a string or a URL`);
}

function kind(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The URLs of a list, as text. */
export function texts(urls) {
  if (typeof urls === 'string' || typeof urls?.[Symbol.iterator] !== 'function') {
    throw new TypeError(`the URLs are ${show(urls)}; they are a list of strings and URLs`);
  }
  const list = [];
  for (const url of urls) {
    list.push(typeof url === 'string' ? url : text(url));
  }
  return list;
}

export function show(value) {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  }
  return typeof value === 'object' && value !== null ? `an object of ${value.constructor?.name ?? 'no class'}` : String(value);
}

/** A value that stands in a record. */
export function string(what, value) {
  if (typeof value !== 'string') {
    throw new TypeError(`the ${what} is ${show(value)}; it is a string`);
  }
  return value;
}
