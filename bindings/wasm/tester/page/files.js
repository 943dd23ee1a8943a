// The file and its earlier version: a text in an editor, or the bytes that were opened.

import { by } from './dom.js';
import { editor, goToLine, replaceText } from './editor.js';
import { base64, bytesOf } from './link.js';
import { reveal } from './reveal.js';

/** The bytes of each file as they were opened, until the text is edited: text would lose bytes that are not UTF-8. */
const bytes = { file: null, old: null };
let isLoading = false;

const listeners = {};
const heard = (name) => ({
  changed: () => {
    if (!isLoading) {
      bytes[name] = null;
    }
    listeners.changed(name, !isLoading);
  },
  dropped: (file) => listeners.dropped(name, file),
});

export const views = {
  file: editor(by('editor'), 'robots.txt', heard('file')),
  old: editor(by('old-editor'), 'Earlier version of robots.txt', heard('old')),
};

/** `changed` hears of each change with the name of the file and whether somebody typed it, `dropped` gets a file. */
export const watchFiles = (hearing) => Object.assign(listeners, hearing);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const textOf = (source) => (typeof source === 'string' ? source : decoder.decode(source));

/** Replaces a file; `source` is a text or bytes. */
export function load(name, source) {
  isLoading = true;
  bytes[name] = typeof source === 'string' ? null : source;
  replaceText(views[name], textOf(source));
  isLoading = false;
}

export const sourceOf = (name) => bytes[name] ?? views[name].state.doc.toString();
export const isBytes = (name) => bytes[name] !== null;

/** The source of a file within a question: text, unless that would lose bytes. */
export function packed(name) {
  const source = sourceOf(name);
  return typeof source === 'string' ? source : { bytes: base64(source) };
}

export const unpacked = (source) => (typeof source === 'string' || source instanceof Uint8Array ? source : bytesOf(source?.bytes ?? ''));

const { file } = views;

export const lineText = (line) => (line <= file.state.doc.lines ? file.state.doc.line(line).text : '');

/** Shows a line of the file to somebody who asks for it. */
export function go(line) {
  goToLine(file, line);
  reveal('file');
}
