//! How much is printed for people: a few findings of each kind in a file, then how many more there
//! are.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::Style;
use polite_robots_lint::{DiagnosticCode, Severity};

use crate::columns::{self, Cell};
use crate::lint::linted::{Finding, Linted};
use crate::terminal::{ASIDE, EMPHASIS, ERROR, WARNING};

/// How many findings of a kind are printed for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Volume {
    Few,
    All,
}

/// The findings of a file that are printed, and the lines of the others.
#[derive(Debug)]
pub(super) struct Shown {
    volume: Volume,
    counts: BTreeMap<DiagnosticCode, usize>,
    left_out: BTreeMap<DiagnosticCode, Vec<usize>>,
}

impl Shown {
    pub(super) fn new(volume: Volume) -> Shown {
        Shown {
            volume,
            counts: BTreeMap::new(),
            left_out: BTreeMap::new(),
        }
    }

    /// Whether a finding is to be printed.
    pub(super) fn takes(&mut self, finding: &Finding) -> bool {
        let count = self.counts.entry(finding.code()).or_default();
        *count = count.saturating_add(1);
        let is_shown = self.volume == Volume::All || *count <= MOST_OF_A_KIND;
        if !is_shown {
            let lines = self.left_out.entry(finding.code()).or_default();
            lines.push(finding.place.start.line);
        }
        is_shown
    }

    /// Writes how many findings are not printed, and where the first of them are.
    pub(super) fn write_rest(&self, out: &mut dyn Write) -> io::Result<()> {
        for (code, lines) in &self.left_out {
            let mut first: Vec<String> = lines.iter().map(usize::to_string).collect();
            first.truncate(MOST_LINES);
            let more = if lines.len() > MOST_LINES {
                ", …"
            } else {
                ""
            };
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            writeln!(
                out,
                "{EMPHASIS}and {} more of {code}{EMPHASIS:#} {ASIDE}({noun} {}{more}; --all shows them){ASIDE:#}\n",
                lines.len(),
                first.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Writes a table of the kinds of findings, if there are too many findings to take in at a glance.
pub(super) fn write_table(out: &mut dyn Write, files: &[Linted<'_>]) -> io::Result<()> {
    let total: usize = files.iter().map(|file| file.findings.len()).sum();
    if total < LEAST_FOR_A_TABLE {
        return Ok(());
    }
    let mut kinds: BTreeMap<DiagnosticCode, (Severity, usize, usize)> = BTreeMap::new();
    for file in files {
        let mut of_file: BTreeMap<DiagnosticCode, (Severity, usize)> = BTreeMap::new();
        for finding in &file.findings {
            let (severity, count) = of_file
                .entry(finding.code())
                .or_insert((finding.severity(), 0));
            *severity = finding.severity().max(*severity);
            *count = count.saturating_add(1);
        }
        for (code, (severity, count)) in of_file {
            let kind = kinds.entry(code).or_insert((severity, 0, 0));
            kind.0 = kind.0.max(severity);
            kind.1 = kind.1.saturating_add(count);
            kind.2 = kind.2.saturating_add(1);
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, (severity, findings, _))| std::cmp::Reverse((*severity, *findings)));
    let head = ["", "kind", "findings", "files"].map(|name| Cell::styled(EMPHASIS, name));
    let rows = kinds.iter().map(|(code, (severity, findings, files))| {
        vec![
            Cell::styled(style_of(*severity), severity.as_str()),
            Cell::new(code.as_str()),
            Cell::new(&format!("{findings:>8}")),
            Cell::new(&format!("{files:>5}")),
        ]
    });
    columns::write_table(out, std::iter::once(head.to_vec()).chain(rows).collect())?;
    writeln!(out)
}

/// The style of a severity that stands in a line or a row.
pub(super) fn style_of(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Note => EMPHASIS,
    }
}

const MOST_OF_A_KIND: usize = 5;

const MOST_LINES: usize = 8;

const LEAST_FOR_A_TABLE: usize = 20;
