//! `--explain`: the page of a code, or the list of all.

use std::io::{self, Write};

use anstyle::Style;
use polite_robots::lint::{DiagnosticCode, Severity};
use polite_robots_audit::suggestion::is_fixable;

use crate::terminal::{ASIDE, EMPHASIS, ERROR, WARNING};

pub(super) fn write(out: &mut dyn Write, code: Option<DiagnosticCode>) -> io::Result<()> {
    match code {
        Some(code) => write_page(out, code),
        None => DiagnosticCode::ALL
            .iter()
            .try_for_each(|code| write_row(out, *code)),
    }
}

/// The pages are Markdown that reads well as it is; headings are what a terminal can show better.
fn write_page(out: &mut dyn Write, code: DiagnosticCode) -> io::Result<()> {
    let mut is_in_block = false;
    for line in code.page().trim_end().lines() {
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

fn write_row(out: &mut dyn Write, code: DiagnosticCode) -> io::Result<()> {
    let severity = code.severity();
    let style = style_of(severity);
    let fix = if is_fixable(code) { "fix" } else { "" };
    writeln!(
        out,
        "{style}{severity:<7}{style:#}  {name:<22}  {ASIDE}{fix:<3}{ASIDE:#}  {sentence}",
        severity = severity.as_str(),
        name = code.as_str(),
        sentence = sentence(code),
    )
}

/// What the code is about, from the top of its page.
pub(super) fn sentence(code: DiagnosticCode) -> String {
    let behind_title = code.page().split("\n\n").nth(1);
    behind_title.unwrap_or_default().replace('\n', " ")
}

/// The paragraph below that heading of the page.
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
