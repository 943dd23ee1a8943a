//! Section: the findings in the files.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use polite_robots_lint::DiagnosticCode;

use crate::report::contents::by_domain;
use crate::report::document::{
    Cell, Chart, Section, Table, Whole, number, right_aligned, share, text,
};
use crate::report::number::{grouped, interval, percent_of_files, percent_of_sample};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;
use crate::summary::findings::{FilesWithRules, Findings};
use crate::summary::occurrences::Occurrences;

pub(super) fn section(summary: &Summary) -> Section {
    let findings = &summary.findings;
    let files = summary.files;
    let of_lines = by_files(&findings.of_lines);
    let bars = of_lines
        .iter()
        // A label in words; the table beside the chart says what each finding is.
        .map(|(code, counts)| (code.as_str().replace('-', " "), counts.files));
    Section {
        id: "findings",
        title: "What is odd",
        text: String::from(
            "What the library finds odd. An error very likely does not do what its author meant, a warning works, but other \
             crawlers may read it otherwise, and a note is worth knowing. Each kind has a page with an example and the fix. Files with rules are those that \
             are no web page.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            headline(summary, &of_lines),
            "Files with a finding",
            bars,
            Whole::files(files),
        )),
        tables: vec![
            severities_table(findings, files),
            files_with_rules_table(&findings.with_rules),
            findings_table("What lines show", &of_lines, files),
            rules_table(findings, files),
        ],
    }
}

fn headline(summary: &Summary, of_lines: &[(DiagnosticCode, Occurrences)]) -> String {
    let files = summary.files;
    let with_rules = &summary.findings.with_rules;
    let errors = (with_rules.files > 0).then(|| {
        format!(
            "{} with rules{} have a line that very likely does not do what its author meant.",
            percent_of_files(with_rules.with_error, with_rules.files),
            by_domain::beside(summary, Trait::HasError, Some(Trait::HasRules)),
        )
    });
    let nothing = nothing_odd(with_rules).map(|share| format!("Nothing is odd in {share}."));
    let most = of_lines.first().map(|(code, counts)| {
        format!(
            "The most frequent finding is `{}`, in {}: {}",
            code.as_str(),
            percent_of_files(counts.files, files),
            first_sentence(*code)
        )
    });
    let sentences: Vec<String> = [errors, nothing, most].into_iter().flatten().collect();
    sentences.join(" ")
}

/// The share of the files with rules in which nothing was found, as far as their rules were
/// compared with each other; `None` if those of no file were.
pub(in crate::report) fn nothing_odd(with_rules: &FilesWithRules) -> Option<String> {
    let (linted, all) = (with_rules.linted, with_rules.files);
    (linted > 0).then(|| {
        let share = percent_of_sample(with_rules.without_finding, linted, all);
        format!("{share} with rules")
    })
}

fn severities_table(findings: &Findings, files: u64) -> Table {
    let mut table = Table::new("Files by what was found", &["", "files", "share"]);
    for (severity, count) in findings.by_severity.iter().rev() {
        table.count(format!("at least one {severity}"), *count, files);
    }
    table.count("nothing about a line", findings.clean, files);
    table
}

/// The files that somebody wrote as a robots.txt: a web page that a site sends in its place is an
/// error of the server.
fn files_with_rules_table(files: &FilesWithRules) -> Table {
    let mut table = Table::new(
        "Files with rules that are no web pages",
        &["", "files", "share", "interval"],
    );
    let mut row = |name, count, of, interval: String| {
        table.row([
            text(name),
            number(count),
            share(count, of),
            right_aligned(interval),
        ]);
    };
    let all = files.files;
    row("all", all, all, String::new());
    row(
        "with an error about a line",
        files.with_error,
        all,
        String::new(),
    );
    row(
        "whose rules were compared with each other",
        files.linted,
        all,
        String::new(),
    );
    let interval = match files.linted < all {
        true => interval(files.without_finding, files.linted),
        false => String::new(),
    };
    row(
        "of these: without any finding",
        files.without_finding,
        files.linted,
        interval,
    );
    table
}

fn rules_table(findings: &Findings, files: u64) -> Table {
    let of_rules = by_files(&findings.of_rules);
    let mut table = findings_table("What rules show together", &of_rules, findings.linted);
    if findings.linted < files {
        table.columns.push(String::from("interval"));
        for (row, (_, counts)) in table.rows.iter_mut().zip(&of_rules) {
            row.push(right_aligned(interval(counts.files, findings.linted)));
        }
    }
    table.note = (findings.linted < files).then(|| {
        format!(
            "Rules were compared with each other in {} files, chosen by a hash of their site; the shares are of these. \
             The interval is that in which the share of all files lies in 95 of 100 samples.",
            grouped(findings.linted)
        )
    });
    table
}

fn findings_table(title: &str, findings: &[(DiagnosticCode, Occurrences)], files: u64) -> Table {
    let mut table = Table::new(
        title,
        &[
            "finding",
            "what it is",
            "severity",
            "files",
            "share",
            "times",
        ],
    );
    for (code, counts) in findings {
        table.row([
            Cell::Link {
                text: String::from(code.as_str()),
                address: String::from(code.page_url()),
            },
            text(first_sentence(*code)),
            text(code.severity().to_string()),
            number(counts.files),
            share(counts.files, files),
            number(counts.times),
        ]);
    }
    table
}

/// The findings, those of most files first.
fn by_files(
    findings: &BTreeMap<DiagnosticCode, Occurrences>,
) -> Vec<(DiagnosticCode, Occurrences)> {
    let mut findings: Vec<(DiagnosticCode, Occurrences)> = findings
        .iter()
        .map(|(code, counts)| (*code, *counts))
        .collect();
    findings.sort_by_key(|(code, counts)| (Reverse(counts.files), *code));
    findings
}

/// The text after the heading of the page of a code.
fn first_sentence(code: DiagnosticCode) -> String {
    let mut lines = code
        .page()
        .lines()
        .skip_while(|line| line.starts_with('#') || line.is_empty());
    let first: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    first.join(" ").replace('`', "")
}
