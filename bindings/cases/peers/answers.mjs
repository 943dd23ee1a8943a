// The cases that a parser of JavaScript gets wrong, as JSON: answers.mjs PARSER

import { createRequire } from 'node:module';
import { wrong } from '../index.js';

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

const [name] = process.argv.slice(2);
const found = {};
for (const reading of ['rfc9309', 'google']) {
  found[reading] = wrong(await PARSERS[name](reading), reading).map((one) => one.name);
}
console.log(JSON.stringify(found));
