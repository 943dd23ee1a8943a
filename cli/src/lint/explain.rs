//! `--explain`: the page of a code, or the list of all.

use std::io::{self, Write};

use anstyle::Style;
use polite_robots_lint::fix::is_fixable;
use polite_robots_lint::{DiagnosticCode, Severity};

use crate::terminal::{self, ASIDE, EMPHASIS, ERROR, WARNING};
use crate::wrap::wrapped;

pub(super) fn write(out: &mut dyn Write, code: Option<DiagnosticCode>) -> io::Result<()> {
    match code {
        Some(code) => write_page(out, code),
        None => DiagnosticCode::ALL
            .iter()
            .try_for_each(|code| write_row(out, *code)),
    }
}

/// Writes the page of a code. The pages are Markdown, which reads well as it is. Only
/// headings look better on a terminal.
fn write_page(out: &mut dyn Write, code: DiagnosticCode) -> io::Result<()> {
    let mut is_in_block = false;
    let page = fitting(code.page().trim_end());
    for line in page.iter().map(String::as_str) {
        if line.starts_with("```") {
            is_in_block = !is_in_block;
        } else if is_in_block && !line.is_empty() {
            writeln!(out, "    {line}")?;
        } else if let Some(title) = line.strip_prefix("# ") {
            let style = style_of(code.severity());
            let severity = code.severity();
            writeln!(
                out,
                "{style}{severity}{style:#}{EMPHASIS}: {title}{EMPHASIS:#}"
            )?;
        } else if let Some(heading) = line.strip_prefix("## ") {
            writeln!(out, "{EMPHASIS}{heading}{EMPHASIS:#}")?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    if is_fixable(code) {
        writeln!(
            out,
            "\n`robots lint --fix` fixes it where no answer changes."
        )?;
    }
    Ok(())
}

/// The lines of a page. Its paragraphs and items are wrapped again if the terminal is narrower than
/// they are.
fn fitting(page: &str) -> Vec<String> {
    let Some(width) = terminal::width().filter(|width| *width < WIDTH_OF_PAGES) else {
        return page.lines().map(str::to_owned).collect();
    };
    let mut lines = Vec::new();
    let mut paragraph = String::new();
    let mut is_in_block = false;
    let is_item = |line: &str| line.starts_with("- ");
    let end = |paragraph: &mut String, lines: &mut Vec<String>| {
        if !paragraph.is_empty() {
            let indent = if is_item(paragraph) { 2 } else { 0 };
            lines.extend(wrapped(paragraph, width, indent));
            paragraph.clear();
        }
    };
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        let is_prose = !is_in_block && !is_fence && !line.starts_with(['#', '|']);
        if !is_prose || line.is_empty() || is_item(line) {
            end(&mut paragraph, &mut lines);
        }
        if is_prose && !line.is_empty() {
            paragraph.push_str(line);
            paragraph.push(' ');
        } else {
            lines.push(line.to_owned());
        }
        is_in_block ^= is_fence;
    }
    end(&mut paragraph, &mut lines);
    lines
}

fn write_row(out: &mut dyn Write, code: DiagnosticCode) -> io::Result<()> {
    let (severity, name) = (code.severity(), code.as_str());
    let style = style_of(severity);
    let severity = severity.as_str();
    let fix = if is_fixable(code) { "fix" } else { "" };
    let sentence = sentence(code);
    write!(out, "{style}{severity:<7}{style:#}  ")?;
    match terminal::width() {
        // There is no room for prose beside the columns.
        Some(width) if width < NARROW => {
            let lines = wrapped(&sentence, width.saturating_sub(2), 0);
            let columns = format!("{name}  {fix}");
            writeln!(out, "{}\n  {}", columns.trim_end(), lines.join("\n  "))
        }
        width => {
            let room = width.map_or(usize::MAX, |width| width - COLUMNS_BEFORE_SENTENCE);
            let lines = wrapped(&sentence, room, 0);
            let indent = " ".repeat(COLUMNS_BEFORE_SENTENCE);
            let lines = lines.join(&format!("\n{indent}"));
            writeln!(out, "{name:<NAME$}  {ASIDE}{fix:<3}{ASIDE:#}  {lines}")
        }
    }
}

/// The sentence about the code, from the top of its page.
pub(super) fn sentence(code: DiagnosticCode) -> String {
    let behind_title = code.page().split("\n\n").nth(1);
    behind_title.unwrap_or_default().replace('\n', " ")
}

/// The paragraph below the heading “Why it matters” of the page.
pub(super) fn why_it_matters(code: DiagnosticCode) -> String {
    let part = code
        .page()
        .split("\n## ")
        .find_map(|part| part.strip_prefix("Why it matters\n\n"));
    part.unwrap_or_default().trim_end().replace('\n', " ")
}

fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => Style::new(),
    }
}

/// The width that the pages are written in.
const WIDTH_OF_PAGES: usize = 100;

/// The columns of a name in the list.
const NAME: usize = "wildcard-preferences-dropped".len();

/// The columns before the sentence: severity, name and `fix`, with two blanks after each.
const COLUMNS_BEFORE_SENTENCE: usize = 7 + 2 + NAME + 2 + 3 + 2;

const NARROW: usize = 78;
