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

const answersOf = (file, agents, urls) => {
  const once = new Table(file, agents.join('\n'));
  const bits = once.answers(encoder.encode(urls));
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
  table: (agents) => {
    table?.free();
    table = new Table(files.file, agents.join('\n'));
    return null;
  },
  answers: (urls) => table.answers(encoder.encode(urls)),
  compared: (agents, urls) => [files.old, files.file].map((file) => answersOf(file, agents, urls)),
  badAgents: (agents) => JSON.parse(files.file.badAgents(agents.join('\n'))),
  explain: (agent, url, isGoogle) => JSON.parse(files.file.explain(agent, url, isGoogle)),
  outages: (agent, url, isGoogle) => JSON.parse(files.file.outages(agent, url, isGoogle)),
  dialects: (agents) => JSON.parse(files.file.dialects(agents.join('\n'))),
  findings: () => JSON.parse(files.file.findings()),
  crawlers: () => JSON.parse(files.file.crawlers()),
  fixed: (code, start) => files.file.fixed(code, start),
  allFixed: () => files.file.fixed('', 0),
  changes: (isGoogle) => JSON.parse(files.file.changes(files.old, isGoogle)),
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
