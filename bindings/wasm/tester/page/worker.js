// Holds both versions of the file in WebAssembly and answers one question after the other.

import { File, initSync } from '../generated/tester.js';
import base64 from 'base64:../generated/tester_bg.wasm';

const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
initSync({ module: bytes });

const encoder = new TextEncoder();
const parsed = (source) => new File(typeof source === 'string' ? encoder.encode(source) : source);

const files = { file: parsed(''), old: parsed('') };

function replace(name, source) {
  files[name].free();
  files[name] = parsed(source);
}

const answers = {
  file: (source) => {
    replace('file', source);
    return JSON.parse(files.file.summary());
  },
  old: (source) => {
    replace('old', source);
    return null;
  },
  table: (agents, urls) => files.file.table(agents, encoder.encode(urls)),
  badAgents: (agents) => JSON.parse(files.file.badAgents(agents)),
  explain: (agent, url, isGoogle) => JSON.parse(files.file.explain(agent, url, isGoogle)),
  dialects: (agents) => JSON.parse(files.file.dialects(agents)),
  findings: () => JSON.parse(files.file.findings()),
  crawlers: () => JSON.parse(files.file.crawlers()),
  fixed: (code, start) => files.file.fixed(code, start),
  allFixed: () => files.file.allFixed(),
  changes: (isGoogle) => JSON.parse(files.file.changes(files.old, isGoogle)),
};

self.onmessage = ({ data: { kind, args } }) => {
  try {
    self.postMessage({ answer: answers[kind](...args) });
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
