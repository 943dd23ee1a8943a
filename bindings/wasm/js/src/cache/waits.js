// The headers by which a host asks to wait.

import { fieldsOf } from './conversions.js';

const WAITS = ['retry-after', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** These headers of a response, with its date. The machine reads no others, and handing over all headers is slow. */
export function waits(headers) {
  const fields = headers instanceof Headers ? WAITS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])) : pairs(headers);
  if (fields.length === 0) {
    return fields;
  }
  const date = headers instanceof Headers ? [['date', headers.get('date')]] : pairs(headers, ['date']);
  return [...fields, ...date];
}

function pairs(headers, names = WAITS) {
  const fields = fieldsOf(headers);
  const found = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (names.includes(fields[index].toLowerCase())) {
      found.push([fields[index], fields[index + 1]]);
    }
  }
  return found;
}
