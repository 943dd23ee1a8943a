// The questions after each change, and the places of their answers.

import { Answers, gather, joined } from './answers.js';
import { markAsked, showCrawlers } from './crawlers.js';
import { showDialects } from './dialects.js';
import { by } from './dom.js';
import { markLines, showFindings, showLine } from './editor.js';
import { ask } from './engine.js';
import { go, isBytes, lineText, load, sourceOf, textOf, views } from './files.js';
import { showList } from './findings.js';
import { select, selected } from './grid.js';
import { keepSoon } from './keeping.js';
import { showOutages } from './outages.js';
import { agents, reading, takeAgent, texts, useInstead } from './question.js';
import { requested } from './requested.js';
import { reveal } from './reveal.js';
import { say } from './status.js';
import { showTable } from './table.js';
import { tab } from './tabs.js';
import { counted, sentence } from './text.js';
import { roleOf, showAnswer, showNotes } from './verdict.js';
import { comparedRows, showChanges } from './versions.js';

/** Counts the changes of the file: an answer about an older one is not shown, as a newer one is on its way. */
let version = 0;
export const fileChanged = () => (version += 1);

/** Whether the answers of a tab are those to the question as it is. */
const isFresh = { crawlers: false, versions: false, outages: false };

export async function refreshFile() {
  Object.assign(isFresh, { crawlers: false, versions: false, outages: false });
  const parsed = ask('file', sourceOf('file'));
  refreshTable();
  refreshFindings();
  const summary = await parsed;
  if (summary) {
    const cut = summary.truncatedAt === null ? '' : `, read up to byte ${summary.truncatedAt.toLocaleString('en')}`;
    by('facts').textContent = `${counted(views.file.state.doc.lines, 'line')}, ${counted(summary.bytes, 'byte')}${cut}`;
    by('sentence').textContent = sentence(summary.sentence);
  }
}

export function refreshOld() {
  isFresh.versions = false;
  ask('old', sourceOf('old'));
  refreshTab();
}

let table = new Answers([], []);

export async function refreshTable() {
  isFresh.versions = false;
  const asked = new Answers(agents(), texts());
  table = asked;
  markAsked(asked.agents);
  const place = selected();
  select({ row: Math.min(place.row, Math.max(0, asked.texts.length - 1)), column: Math.min(place.column, Math.max(0, asked.agents.length - 1)) });
  choose(selected(), false);
  refreshTab();
  if (asked.agents.length === 0 || asked.texts.length === 0) {
    show();
  } else {
    // The table before stays until the first part comes, so that nothing flickers.
    ask('table', asked.agents, reading());
    gather(asked, { ask: (urls) => ask('answers', urls), isCurrent: () => table === asked, changed: showSoon });
  }
  refreshNotes(asked);
  const disagreements = await ask('dialects', asked.agents, reading());
  disagreements && showDialects(disagreements);
}

export const show = () => showTable(table, choose);

/** Many parts may come before the browser paints. */
let isDue = false;

function showSoon() {
  if (!isDue) {
    isDue = true;
    setTimeout(() => {
      isDue = false;
      show();
    }, 16);
  }
}

/** More hints than that nobody reads. */
const MOST_NOTES = 5;

async function refreshNotes(asked) {
  const bad = await ask('badAgents', asked.agents);
  if (bad && table === asked) {
    const ofAgents = bad.map(({ agent, message, probablyMeant }) => ({ text: sentence(message), label: probablyMeant, use: () => useInstead('agents', agent, probablyMeant) }));
    const ofUrls = asked.texts.slice(0, 500).map(requested).filter(({ hint }) => hint);
    const notes = [...ofAgents, ...ofUrls.map(({ text, hint, instead }) => ({ text: hint, label: instead, use: () => useInstead('urls', text, instead) }))];
    showNotes(notes.slice(0, MOST_NOTES));
  }
}

/** Counts the choices, as an answer about an older one may come after. */
let choices = 0;

/** Shows the verdict of a place; `isWanted` where somebody asks for it rather than passing by. */
async function choose({ row, column }, isWanted) {
  const turn = (choices += 1);
  isFresh.outages = false;
  if (tab() === 'outages') {
    refreshTab();
  }
  const [agent, text] = [table.agents[column], table.texts[row]];
  const url = text === undefined ? undefined : requested(text);
  if (agent === undefined || url?.sent === undefined) {
    markLines(views.file, []);
    showAnswer(agent, url);
    return;
  }
  const asked = version;
  const answer = await ask('explain', agent, url.text, reading());
  if (answer && asked === version && turn === choices) {
    showAnswer(agent, url, answer, lineText, go);
    // The group for everyone is about crawlers, and no uses.
    const isSilent = answer.useName && !answer.isNamed;
    const marks = (isSilent ? [] : (answer.marks ?? [])).map((mark) => ({ line: mark.line, role: roleOf(mark) }));
    markLines(views.file, marks);
    if (marks.length > 0 && !views.file.hasFocus) {
      showLine(views.file, marks[0].line);
    }
    if (isWanted) {
      reveal('answer');
    }
  }
}

async function refreshFindings() {
  const asked = version;
  const findings = await ask('findings');
  if (findings && asked === version) {
    const fix = ({ code, start }) => replaceByFix('fixed', code, start);
    showList(findings, { go, fix, fixAll: () => replaceByFix('allFixed') });
    showFindings(views.file, findings.found, fix);
  }
}

/** The file stays bytes if it was bytes, so that a fix never loses what is not UTF-8. */
async function replaceByFix(kind, ...finding) {
  const asked = version;
  // The worker may not have what was typed last.
  const source = sourceOf('file');
  ask('file', source);
  const fixed = await ask(kind, ...finding);
  if (fixed && asked === version) {
    const text = textOf(fixed);
    const isSame = text === textOf(source);
    putFile(isBytes('file') ? fixed : text);
    say(isSame ? 'Nothing was left to fix there.' : 'Fixed. No answer changes by it.', isSame ? undefined : () => putFile(source));
  }
}

function putFile(source) {
  load('file', source);
  refreshFile();
  keepSoon();
}

const ANSWERS = {
  async crawlers() {
    const answer = await ask('crawlers', reading());
    answer && showCrawlers(answer, { go, ask: askAbout });
  },
  async versions() {
    // It was laid out while it was hidden.
    views.old.requestMeasure();
    const changes = ask('changes', reading());
    const sides = [new Answers(table.agents, table.texts), new Answers(table.agents, table.texts)];
    const urls = table.agents.length > 0 ? sides[0].next() : [];
    const bits = urls.length > 0 ? ask('compared', table.agents, joined(urls), reading()) : [];
    const [both, parts] = [await changes, await bits];
    if (both && parts) {
      parts.forEach((part, at) => sides[at].add(urls, part));
      showChanges(both, comparedRows(...sides), go);
    }
  },
  async outages() {
    const { row, column } = selected();
    const [agent, text] = [table.agents[column], table.texts[row]];
    const sent = text === undefined ? undefined : requested(text).sent;
    const outages = agent !== undefined && sent !== undefined ? await ask('outages', agent, text, reading()) : null;
    outages !== undefined && showOutages(agent, sent, outages);
  },
};

/** The answers of a tab that is not shown are not asked for. */
export function refreshTab() {
  const name = tab();
  if (isFresh[name] === false) {
    isFresh[name] = true;
    ANSWERS[name]();
  }
}

export function readingChanged() {
  Object.assign(isFresh, { crawlers: false, versions: false, outages: false });
  refreshTable();
}

/** Takes a crawler into the question, and shows its verdict. */
function askAbout(token) {
  const column = takeAgent(token);
  select({ ...selected(), column });
  refreshTable();
  keepSoon();
  reveal('answer');
  say(`${token} is asked about now.`);
}
