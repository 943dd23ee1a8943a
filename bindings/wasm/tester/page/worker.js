// Holds both versions of the file in WebAssembly and answers one question after the other.

import { File, Table, initSync } from '../generated/tester.js';
import base64 from 'gzip:../generated/tester_bg.wasm';

const encoder = new TextEncoder();
const parsed = (source) => new File(typeof source === 'string' ? encoder.encode(source) : source);

const files = {};
let table;

function replace(name, source) {
  files[name]?.free();
  files[name] = parsed(source);
}

const answersOf = (file, agents, urls, reading) => {
  const once = new Table(file, agents.join('\n'), reading);
  const bits = once.answers(urls);
  once.free();
  return bits;
};

const answers = {
  file: (source) => {
    replace('file', source);
    return JSON.parse(files.file.summary());
  },
  old: (source) => {
    replace('old', source);
    return null;
  },
  table: (agents, reading) => {
    table?.free();
    table = new Table(files.file, agents.join('\n'), reading);
    return null;
  },
  answers: (urls) => table.answers(urls),
  compared: (agents, urls, reading) => [files.old, files.file].map((file) => answersOf(file, agents, urls, reading)),
  badAgents: (agents) => JSON.parse(files.file.badAgents(agents.join('\n'))),
  explain: (agent, url, reading) => JSON.parse(files.file.explain(agent, url, reading)),
  outages: (agent, url, reading) => JSON.parse(files.file.outages(agent, url, reading)),
  dialects: (agents, reading) => JSON.parse(files.file.dialects(agents.join('\n'), reading)),
  findings: () => JSON.parse(files.file.findings()),
  crawlers: (reading) => JSON.parse(files.file.crawlers(reading)),
  fixed: (code, start) => files.file.fixed(code, start),
  allFixed: () => files.file.fixed('', 0),
  changes: (reading) => JSON.parse(files.file.changes(files.old, reading)),
};

const ready = start();

async function start() {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  initSync({ module: await new Response(unpacked).arrayBuffer() });
  replace('file', '');
  replace('old', '');
}

self.onmessage = async ({ data: { kind, args } }) => {
  try {
    await ready;
    self.postMessage({ answer: answers[kind](...args) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
