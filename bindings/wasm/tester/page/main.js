// The page: the state, and what is asked when it changes.

import { showCrawlers } from './crawlers.js';
import { by, counted, say, sentence } from './dom.js';
import { editor, goToLine, listEditor, markLines, replaceText, showFindings, showLine } from './editor.js';
import { ask } from './engine.js';
import { EXAMPLE } from './example.js';
import { showList } from './findings.js';
import { base64, bytesOf, fragmentOf, questionOf } from './link.js';
import { roleOf, select, selected, showAnswer, showBadAgents, showDialects, showTable } from './verdicts.js';
import { showChanges } from './versions.js';

const TABS = ['verdicts', 'findings', 'crawlers', 'versions'];

/** The bytes of each file as they were dropped, until the text is edited: text would lose bytes that are not UTF-8. */
const bytes = { file: null, old: null };
let isLoading = false;

const view = editor(by('editor'), 'robots.txt', {
  changed: () => {
    version += 1;
    edited('file');
  },
  dropped: (file) => open('file', file),
});
const oldView = editor(by('old-editor'), 'Earlier version of robots.txt', {
  changed: () => edited('old'),
  dropped: (file) => open('old', file),
});
const urlView = listEditor(by('urls'), 'urls-label', { changed: () => isLoading || soon('table', refreshTable) });
const views = { file: view, old: oldView };

const dialect = () => document.querySelector('[name="dialect"]:checked').value;
const tab = () => TABS.find((name) => !by(name).hidden);
const linesOf = (text) => [...new Set(text.split('\n').map((line) => line.trim()).filter(Boolean))];
const urlText = () => urlView.state.doc.toString();
const lineText = (line) => (line <= view.state.doc.lines ? view.state.doc.line(line).text : '');
const go = (line) => goToLine(view, line);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function load(name, source) {
  isLoading = true;
  bytes[name] = typeof source === 'string' ? null : source;
  replaceText(views[name], typeof source === 'string' ? source : decoder.decode(source));
  isLoading = false;
}

async function open(name, file) {
  load(name, new Uint8Array(await file.arrayBuffer()));
  say(`${file.name} is open. It stays in this browser.`);
  refresh(name);
}

const timers = {};

function edited(name) {
  if (isLoading) {
    return;
  }
  bytes[name] = null;
  soon(name, () => refresh(name));
}

/** Waits for a pause in the typing, longer for a long file. */
function soon(name, action) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(action, view.state.doc.length > 200_000 ? 400 : 120);
}

/** Counts the changes of the file: an answer about an older one is not shown, as a newer one is on its way. */
let version = 0;

const sourceOf = (name) => bytes[name] ?? views[name].state.doc.toString();

/** Whether the answers of the tab are those of the file as it is. */
const isFresh = { crawlers: false, versions: false };

async function refresh(name) {
  isFresh.versions = false;
  if (name === 'old') {
    ask('old', sourceOf('old'));
    refreshTab();
    return;
  }
  isFresh.crawlers = false;
  const parsed = ask('file', sourceOf('file'));
  refreshTable();
  refreshFindings();
  refreshTab();
  const summary = await parsed;
  if (summary) {
    by('facts').textContent = [
      counted(view.state.doc.lines, 'line'),
      counted(summary.bytes, 'byte'),
      summary.truncatedAt !== null && `read up to byte ${summary.truncatedAt.toLocaleString('en')}`,
    ]
      .filter(Boolean)
      .join(', ');
    by('sentence').textContent = sentence(summary.sentence);
  }
}

async function refreshTable() {
  const [agents, urls] = [linesOf(by('agents').value), linesOf(urlText())];
  const joined = urls.map((url) => `${url}\n`).join('');
  const [bits, bad] = await Promise.all([
    urls.length > 0 && agents.length > 0 ? ask('table', agents, joined) : new Uint8Array(),
    ask('badAgents', agents),
  ]);
  if (bits) {
    showTable(agents, urls, bits, dialect(), choose);
  }
  if (bad) {
    showBadAgents(bad, (agent, other) => {
      by('agents').value = by('agents').value.split('\n').map((line) => (line.trim() === agent ? other : line)).join('\n');
      refreshTable();
    });
  }
  const disagreements = await ask('dialects', agents);
  if (disagreements) {
    showDialects(disagreements);
  }
}

async function choose(agent, url) {
  if (agent === undefined || url === undefined) {
    markLines(view, []);
    showAnswer();
    return;
  }
  const asked = version;
  const answer = await ask('explain', agent, url, dialect() === 'google');
  if (answer && asked === version) {
    showAnswer(agent, url, answer, lineText, go);
    const marks = (answer.marks ?? []).map((mark) => ({ line: mark.line, role: roleOf(mark) }));
    markLines(view, marks);
    if (marks.length > 0 && !view.hasFocus) {
      showLine(view, marks[0].line);
    }
  }
}

async function refreshFindings() {
  const asked = version;
  const findings = await ask('findings');
  if (findings && asked === version) {
    showList(findings, { go, fix, fixAll });
    showFindings(view, findings.found, fix);
  }
}

/** The answers of a tab that is not shown are not asked for. */
async function refreshTab() {
  const name = tab();
  if (isFresh[name] !== false) {
    return;
  }
  isFresh[name] = true;
  if (name === 'crawlers') {
    const crawlers = await ask('crawlers');
    crawlers && showCrawlers(crawlers, go);
  } else {
    const changes = await ask('changes', dialect() === 'google');
    changes && showChanges(changes, go);
  }
}

const fix = ({ code, start }) => replaceByFix('fixed', code, start);
const fixAll = () => replaceByFix('allFixed');

/** The file stays bytes if it was bytes, so that a fix never loses what is not UTF-8. */
async function replaceByFix(kind, ...finding) {
  const asked = version;
  // The worker may not have what was typed last.
  const source = sourceOf('file');
  ask('file', source);
  const fixed = await ask(kind, ...finding);
  if (fixed && asked === version) {
    const text = decoder.decode(fixed);
    const isSame = text === (bytes.file ? decoder.decode(source) : source);
    load('file', bytes.file ? fixed : text);
    say(isSame ? 'Nothing was left to fix there.' : 'Fixed. No answer changes by it.');
    refresh('file');
  }
}

function showTab(name, { focus = false } = {}) {
  for (const other of TABS) {
    const isShown = other === name;
    by(other).hidden = !isShown;
    by(`tab-${other}`).setAttribute('aria-selected', String(isShown));
    by(`tab-${other}`).tabIndex = isShown ? 0 : -1;
  }
  if (focus) {
    by(`tab-${name}`).focus();
  }
  refreshTab();
}

/** The source of a file within a question: text, unless that would lose bytes. */
function packed(name) {
  const source = sourceOf(name);
  return typeof source === 'string' ? source : { bytes: base64(source) };
}

const unpacked = (source) => (typeof source === 'string' ? source : bytesOf(source?.bytes ?? ''));

async function copyLink() {
  const fragment = await fragmentOf({
    file: packed('file'),
    old: packed('old') || undefined,
    agents: by('agents').value,
    urls: urlText(),
    dialect: dialect(),
    tab: tab(),
    selected: selected(),
  });
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

let written = '';

function put(question) {
  load('file', unpacked(question.file ?? ''));
  load('old', unpacked(question.old ?? ''));
  by('agents').value = question.agents ?? '';
  isLoading = true;
  replaceText(urlView, question.urls ?? '');
  isLoading = false;
  document.querySelector(`[name="dialect"][value="${question.dialect === 'google' ? 'google' : 'rfc9309'}"]`).checked = true;
  if (question.selected) {
    select(question.selected);
  }
  ask('old', sourceOf('old'));
  showTab(TABS.includes(question.tab) ? question.tab : 'verdicts');
  refresh('file');
}

async function start() {
  const fragment = location.hash.slice(1);
  const question = fragment && (await questionOf(fragment));
  if (fragment && !question) {
    say('The link holds no question that can be read. This is the example.');
  }
  put(question || EXAMPLE);
}

by('agents').addEventListener('input', () => soon('table', refreshTable));
by('dialect').addEventListener('change', () => {
  isFresh.versions = false;
  refreshTable();
  refreshTab();
});
by('open').addEventListener('click', () => by('open-input').click());
by('open-input').addEventListener('change', ({ target }) => {
  const [file] = target.files;
  // The same file can be opened again then.
  target.value = '';
  if (file) {
    open('file', file);
  }
});
by('example').addEventListener('click', () => put(EXAMPLE));
by('link').addEventListener('click', copyLink);
by('take').addEventListener('click', () => {
  load('old', sourceOf('file'));
  refresh('old');
});
by('page-close').addEventListener('click', () => by('page').close());
for (const [at, name] of TABS.entries()) {
  by(`tab-${name}`).addEventListener('click', () => showTab(name));
  by(`tab-${name}`).addEventListener('keydown', ({ key }) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at + TABS.length - 1, Home: 0, End: TABS.length - 1 }[key];
    if (to !== undefined) {
      showTab(TABS[to % TABS.length], { focus: true });
    }
  });
}
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
