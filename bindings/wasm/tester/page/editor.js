// The editors: of the file, and of its earlier version.

import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, dropCursor, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import { element, rich } from './dom.js';
import { sentence } from './text.js';

const language = StreamLanguage.define({
  name: 'robots.txt',
  startState: () => ({ isValue: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.isValue = false;
    }
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.peek() === '#') {
      stream.skipToEnd();
      return 'comment';
    }
    if (!state.isValue && stream.match(/[^:#]+/)) {
      return 'keyword';
    }
    if (!state.isValue) {
      stream.next();
      state.isValue = true;
      return 'punctuation';
    }
    stream.match(/[^#]+/);
    return 'string';
  },
});

const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.keyword, fontWeight: '600' },
  { tag: tags.punctuation, color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65' },
  '.cm-content': { padding: '14px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 10px', borderLeft: '3px solid transparent' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none', paddingLeft: '6px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 6px 0 2px' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--quiet)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-line.cm-context': { borderLeftColor: 'var(--line)' },
  '.cm-line.cm-deciding, &.cm-focused .cm-line.cm-deciding': { borderLeftColor: 'var(--accent)', backgroundColor: 'var(--accent-soft)' },
  '.cm-line.cm-overruled': { borderLeft: '3px dashed var(--strong-line)', textDecoration: 'line-through', textDecorationColor: 'var(--strong-line)' },
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0', textDecoration: 'underline wavy var(--strong-line) 1px', textUnderlineOffset: '4px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--accent)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--strong-line)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { content: 'none', width: '7px', height: '7px', margin: '7px 3px', borderRadius: '50%', border: '1.5px solid var(--accent)', boxSizing: 'border-box' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--accent)' },
  '.cm-tooltip': { maxWidth: 'min(420px, 86vw)', border: '1px solid var(--line)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface)', color: 'var(--ink)', boxShadow: '0 4px 16px rgb(0 0 0 / 12%)', font: '13px/1.5 var(--sans)' },
  '.cm-diagnostic': { padding: '10px 14px', border: 'none !important' },
  '.cm-diagnosticAction': { display: 'block', margin: '10px 0 0', padding: '4px 12px', borderRadius: 'var(--radius)', backgroundColor: 'var(--accent)', color: 'var(--accent-ink)', font: 'inherit' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' },
});

const setMarks = StateEffect.define();

const marks = StateField.define({
  create: () => Decoration.none,
  update(current, transaction) {
    let next = current.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        next = effect.value;
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor in `parent`; `changed` hears of each change of the text, `dropped` gets the first file that is dropped. */
export function editor(parent, label, { changed, dropped }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        dropCursor(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap]),
        language,
        syntaxHighlighting(highlighting),
        theme,
        marks,
        placeholder('User-agent: *\nDisallow: /private/'),
        EditorView.contentAttributes.of({ 'aria-label': label, autocapitalize: 'off', tabindex: '0' }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
        EditorView.domEventHandlers({
          drop(event) {
            const file = event.dataTransfer?.files[0];
            if (file) {
              event.preventDefault();
              dropped(file);
            }
            return Boolean(file);
          },
        }),
      ],
    }),
  });
  for (const [name, isOver] of [['dragover', true], ['dragleave', false], ['drop', false]]) {
    parent.addEventListener(name, () => parent.classList.toggle('over', isOver));
  }
  return view;
}

/** A field for many short lines: a text area takes long to lay out ten thousand. */
export function listEditor(parent, labelledBy, { changed }) {
  return new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        history(),
        drawSelection(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.theme({ '.cm-content': { padding: '10px 0' }, '.cm-line': { padding: '0 12px', borderLeft: '0' } }),
        theme,
        placeholder('https://www.example.com/page\n/cart?step=2'),
        EditorView.contentAttributes.of({ 'aria-labelledby': labelledBy, autocapitalize: 'off', tabindex: '0' }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
}

/** Replaces what differs, so that undoing, the cursor and the place in the text stay. */
export function replaceText(view, text) {
  const old = view.state.doc.toString();
  const insert = text.replace(/\r\n?/g, '\n');
  let from = 0;
  const shorter = Math.min(old.length, insert.length);
  while (from < shorter && old[from] === insert[from]) {
    from += 1;
  }
  let end = 0;
  while (end < shorter - from && old[old.length - 1 - end] === insert[insert.length - 1 - end]) {
    end += 1;
  }
  view.dispatch({ changes: { from, to: old.length - end, insert: insert.slice(from, insert.length - end) }, annotations: isolateHistory.of('full') });
}

/** Marks lines with the classes `deciding`, `overruled` and `context`, and shows the first of them. */
export function markLines(view, lines) {
  const { doc } = view.state;
  const known = lines.filter(({ line }) => line >= 1 && line <= doc.lines);
  const ranges = known.map(({ line, role }) => Decoration.line({ class: `cm-${role}` }).range(doc.line(line).from));
  view.dispatch({ effects: setMarks.of(Decoration.set(ranges, true)) });
}

/** Scrolls within the editor only, so that the page stays where the reader is. */
export function showLine(view, line) {
  if (line >= 1 && line <= view.state.doc.lines) {
    const { from } = view.state.doc.line(line);
    const { top } = view.lineBlockAt(from);
    const { scrollTop, clientHeight } = view.scrollDOM;
    if (top < scrollTop + 20 || top > scrollTop + clientHeight - 60) {
      view.scrollDOM.scrollTop = Math.max(0, top - clientHeight / 3);
    }
  }
}

/** Puts the cursor on a line. */
export function goToLine(view, line) {
  if (line >= 1 && line <= view.state.doc.lines) {
    view.dispatch({ selection: { anchor: view.state.doc.line(line).from } });
    showLine(view, line);
    // A keyboard on the screen would cover the line.
    if (!matchMedia('(pointer: coarse)').matches) {
      view.focus();
    }
  }
}

const SEVERITIES = { error: 'error', warning: 'warning' };

export function showFindings(view, found, fix) {
  const { doc } = view.state;
  const diagnostics = found
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .map((finding) => {
      const line = doc.line(finding.line);
      const [from, to] = finding.columns.map((column) => Math.min(line.from + column, line.to));
      return {
        from,
        to: Math.max(from, to),
        severity: SEVERITIES[finding.severity] ?? 'info',
        message: finding.message,
        // A text of its own for screen readers and for the list, elements for the eye.
        renderMessage: () => element('span', {}, rich(sentence(finding.message))),
        source: finding.code,
        actions: finding.canFix ? [{ name: 'Fix', apply: () => fix(finding) }] : [],
      };
    });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
