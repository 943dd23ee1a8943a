// Answers of a parser of JavaScript, as `parsers.py` asks: answers.mjs PARSER READING

import { readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../wasm/js/', import.meta.url));

const PARSERS = {
  'robots-parser': () => {
    const parse = require('robots-parser');
    // It answers about the site of its robots.txt only.
    return (robotsTxt, agent, url) => parse(new URL('/robots.txt', url).href, robotsTxt.toString()).isAllowed(url, agent);
  },
  'polite-robots': async (dialect) => {
    const { Robot } = await import('../../wasm/js/dist/node.js');
    return (robotsTxt, agent, url) => new Robot(agent, robotsTxt, { dialect }).allowed(url);
  },
};

function take(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = readSync(0, bytes, at, length - at);
    if (read === 0) process.exit();
    at += read;
  }
  return bytes;
}

const text = () => take(take(4).readUInt32LE());

const [name, reading] = process.argv.slice(2);
const allowed = await PARSERS[name](reading);
for (;;) {
  const [robotsTxt, agent, url] = [text(), text().toString(), text().toString()];
  let answer;
  try {
    answer = allowed(robotsTxt, agent, url);
  } catch {
    // It is refused.
  }
  writeSync(1, answer === true ? '1' : answer === false ? '0' : '?');
}
