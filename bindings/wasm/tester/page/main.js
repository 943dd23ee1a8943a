// The page: what each button does, and what begins when something changes.

import { watchCrawlers } from './crawlers.js';
import { by } from './dom.js';
import { EXAMPLE } from './example.js';
import { load, sourceOf, textOf, views, watchFiles } from './files.js';
import { watchGrid } from './grid.js';
import { clearKept, keepSoon, sayKept } from './keeping.js';
import { fragmentOf, questionOf } from './link.js';
import { watchPrint } from './print.js';
import { putQuestion, question, watchQuestion } from './question.js';
import { fileChanged, readingChanged, refreshFile, refreshOld, refreshTab, refreshTable } from './refresh.js';
import { quiet, say } from './status.js';
import { kept } from './store.js';
import { watchTable } from './table.js';
import { watchTabs } from './tabs.js';
import { counted } from './text.js';

const timers = {};

/** Waits for a pause in the typing, longer for a long file. */
function soon(name, action) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(action, views.file.state.doc.length > 200_000 ? 400 : 120);
}

function put(asked) {
  putQuestion(asked);
  refreshOld();
  refreshFile();
}

/** Replaces the question, or a part of it, in a way that can be undone. */
function replace(text, change) {
  const before = question(sourceOf);
  change();
  keepSoon();
  say(text, () => {
    put(before);
    keepSoon();
  });
}

const refresh = { file: refreshFile, old: refreshOld };

/** Replaces a file. */
function putFile(name, source, text) {
  replace(text, () => {
    load(name, source);
    refresh[name]();
  });
}

async function open(name, file) {
  putFile(name, new Uint8Array(await file.arrayBuffer()), `${file.name} is open. It stays in this browser.`);
}

/** Browsers let a page read the clipboard only after a question, or not at all. */
async function paste() {
  try {
    const text = await navigator.clipboard.readText();
    putFile('file', text, `${counted(text.length, 'character')} from the clipboard.`);
  } catch {
    const { file } = views;
    file.dispatch({ selection: { anchor: 0, head: file.state.doc.length } });
    file.focus();
    say('The browser keeps the clipboard from this page. All of the file is selected: paste with Ctrl+V or ⌘V.');
  }
}

async function copyLink() {
  const fragment = await fragmentOf(question());
  if (fragment === undefined) {
    say('This question is too long for a link.');
    return;
  }
  written = `#${fragment}`;
  history.replaceState(null, '', written);
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied. It holds the whole question, in ${counted(fragment.length, 'character')}.`);
  } catch {
    say('The link is in the address bar. It holds the whole question.');
  }
}

/** The fragment that this page has put into the address itself. */
let written = '';

/** A link comes first, then the work that is kept, then the example. */
async function start() {
  const fragment = location.hash.slice(1);
  const linked = fragment && (await questionOf(fragment));
  const own = kept();
  try {
    put(linked || own || EXAMPLE);
  } catch {
    // A link that somebody has made by hand.
    put(own || EXAMPLE);
  }
  if (fragment && !linked) {
    say(`The link holds no question that can be read. This is ${own ? 'your work' : 'the example'}.`);
  } else if (linked && own) {
    say('This is the question of the link.', () => put(own));
  }
  if (own) {
    sayKept(true);
  }
}

watchFiles({
  changed(name, isTyped) {
    if (name === 'file') {
      fileChanged();
    }
    if (isTyped) {
      quiet();
      soon(name, refresh[name]);
      keepSoon();
    }
  },
  dropped: open,
});
watchQuestion({
  changed() {
    soon('table', refreshTable);
    keepSoon();
  },
  readingChanged() {
    readingChanged();
    keepSoon();
  },
});
watchTabs(refreshTab);
watchTable();
watchGrid();
watchCrawlers();
watchPrint(() => textOf(sourceOf('file')));

by('paste').addEventListener('click', paste);
by('open').addEventListener('click', () => by('open-input').click());
by('open-input').addEventListener('change', ({ target }) => {
  const [file] = target.files;
  // The same file can be opened again then.
  target.value = '';
  if (file) {
    open('file', file);
  }
});
by('example').addEventListener('click', () => replace('This is the example.', () => put(EXAMPLE)));
by('clear').addEventListener('click', () => {
  replace('Your work is forgotten. This is the example.', () => put(EXAMPLE));
  clearKept();
});
by('link').addEventListener('click', copyLink);
by('take').addEventListener('click', () => putFile('old', sourceOf('file'), 'The file as it is now is the earlier version.'));
by('page-close').addEventListener('click', () => by('page').close());
// A file that misses the editor would replace the page.
for (const name of ['dragover', 'drop']) {
  addEventListener(name, (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (event.dataTransfer?.types.includes('Files') && !event.defaultPrevented) {
      event.preventDefault();
      if (file) {
        open('file', file);
      }
    }
  });
}
addEventListener('hashchange', () => location.hash !== written && start());
addEventListener('unhandledrejection', () => say('Something went wrong. Copy the file and open this page again.'));

start();
