// The file on paper: the editor has only the lines in view.

import { by, fill } from './dom.js';

export function watchPrint(text) {
  addEventListener('beforeprint', () => fill(by('printed'), numbered(text())));
  addEventListener('afterprint', () => fill(by('printed')));
}

/** The verdict names lines by their numbers. */
function numbered(text) {
  const lines = text.split(/\r\n?|\n/);
  const width = String(lines.length).length;
  return lines.map((line, at) => `${String(at + 1).padStart(width)}  ${line}\n`).join('');
}
