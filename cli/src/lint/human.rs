//! The findings for people: each with its line, as compilers show them, and a summary.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Patch, Renderer, Snippet};
use polite_robots::{Code, Severity};

use crate::lint::excerpt::Excerpt;
use crate::lint::linted::{Finding, Linted};
use crate::terminal::printable;

pub(super) fn write(out: &mut dyn Write, files: &[Linted<'_>]) -> io::Result<()> {
    let mut told = BTreeSet::new();
    for file in files {
        let name = printable(&file.input.argument());
        for finding in &file.findings {
            let is_first = told.insert(finding.code());
            write_finding(out, &name, file, finding, is_first)?;
        }
    }
    write_summary(out, files)
}

fn write_finding(
    out: &mut dyn Write,
    name: &str,
    file: &Linted<'_>,
    finding: &Finding,
    is_first: bool,
) -> io::Result<()> {
    let level = match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let start = finding.place.start;
    let span = part_of_line(finding);
    let excerpt = Excerpt::new(file.line(finding), span);
    let title = level
        .clone()
        .primary_title(printable(finding.diagnostic.message()))
        .id(finding.code().as_str());
    // In a group of its own, as a snippet would count its column in what is shown: escaped, and cut.
    let place = Origin::path(name)
        .line(start.line)
        .char_column(start.column);
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(start.line)
        .annotation(AnnotationKind::Primary.span(excerpt.part.clone()));
    let mut body = Group::with_level(level).element(snippet);
    if is_first {
        let page = format!("for more, try `robots lint --explain {}`", finding.code());
        body = body.element(Padding).element(Level::NOTE.message(page));
    }
    let help = help(finding, &excerpt);
    let groups: Vec<Group<'_>> = [title.element(place), body]
        .into_iter()
        .chain(help)
        .collect();
    let rendered = Renderer::styled().render(&groups);
    let mut last = "";
    for line in rendered.lines() {
        // Both groups have a blank line where they meet.
        if line != last {
            writeln!(out, "{line}")?;
        }
        last = line;
    }
    writeln!(out)
}

fn help<'e>(finding: &Finding, excerpt: &'e Excerpt) -> Option<Group<'e>> {
    if finding.code() == Code::LoneCarriageReturn {
        let title = "`--fix` puts line feeds in place of all of them";
        return Some(Group::with_title(Level::HELP.secondary_title(title)));
    }
    let suggestion = finding.diagnostic.suggestion()?;
    let title = match suggestion {
        _ if suggestion.len() > LONGEST_SUGGESTION => {
            let title = "`--format json` has a suggestion, which is too long to be shown";
            return Some(Group::with_title(Level::HELP.secondary_title(title)));
        }
        "" if finding.code() == Code::ShadowedRule => "remove it, unless it is the one you mean",
        "" => "remove it",
        _ => "write it so",
    };
    let patch = Patch::new(excerpt.part.clone(), printable(suggestion));
    let snippet = Snippet::source(excerpt.text.as_str())
        .line_start(finding.place.start.line)
        .patch(patch);
    Some(Group::with_title(Level::HELP.secondary_title(title)).element(snippet))
}

/// In octets from the start of the line.
fn part_of_line(finding: &Finding) -> Range<usize> {
    let octets = &finding.place.octets;
    let start = finding.place.line.start;
    octets.start.saturating_sub(start)..octets.end.saturating_sub(start)
}

fn write_summary(out: &mut dyn Write, files: &[Linted<'_>]) -> io::Result<()> {
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| {
            let findings = files.iter().flat_map(|file| &file.findings);
            let count = findings
                .filter(|finding| finding.severity() == severity)
                .count();
            (count, severity.as_str())
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| counted(count, name))
        .collect();
    let files = counted(files.len(), "file");
    if counts.is_empty() {
        writeln!(out, "no findings in {files}")
    } else {
        writeln!(out, "{} in {files}", counts.join(", "))
    }
}

pub(super) fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// In octets; what is longer would fill the screen.
pub(super) const LONGEST_SUGGESTION: usize = 120;
