// Asks the worker: one question at a time, and of each kind only the newest.

import source from 'worker:./worker.js';

const ORDER = ['file', 'old', 'fixed', 'allFixed', 'table', 'badAgents', 'explain', 'answers', 'findings', 'outages', 'changes', 'compared', 'dialects', 'crawlers'];

const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
const waiting = new Map();
let asked = null;

/** Resolves to the answer, or to `undefined` if a newer question of the same kind took its place. */
export function ask(kind, ...args) {
  return new Promise((resolve, reject) => {
    waiting.get(kind)?.resolve(undefined);
    waiting.set(kind, { kind, args, resolve, reject });
    next();
  });
}

function next() {
  const kind = ORDER.find((kind) => waiting.has(kind));
  if (asked || kind === undefined) {
    return;
  }
  asked = waiting.get(kind);
  waiting.delete(kind);
  worker.postMessage({ kind: asked.kind, args: asked.args });
}

worker.onmessage = ({ data }) => {
  const { resolve, reject } = asked;
  asked = null;
  if ('error' in data) {
    reject(new Error(data.error));
  } else {
    resolve(data.answer);
  }
  next();
};
