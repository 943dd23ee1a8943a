// The file on paper: the editor has only the lines in view.

import { by, fill } from './dom.js';

export function watchPrint(text) {
  addEventListener('beforeprint', () => fill(by('printed'), text()));
  addEventListener('afterprint', () => fill(by('printed')));
}
