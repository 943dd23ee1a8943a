//! Sections: the findings in the files, and the URLs about which RFC 9309 and Google's matcher
//! answer differently.

use polite_robots_lint::DiagnosticCode;

use crate::report::contents::by_domain;
use crate::report::contents::tables::{by_files, rows};
use crate::report::document::{Cell, Chart, Columns, Section, Table, Whole, right_aligned, share};
use crate::report::measures::{FINDINGS, WITH_RULES};
use crate::report::number::{grouped, interval, percent_of_files, percent_of_sample};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;
use crate::summary::findings::{FilesWithRules, Findings};
use crate::summary::occurrences::Occurrences;

pub(super) fn findings(summary: &Summary) -> Section {
    let (findings, files) = (&summary.findings, summary.files);
    let of_lines = by_files(&findings.of_lines);
    let bars = of_lines
        .iter()
        // A label in words; the table beside the chart says what each finding is.
        .map(|(code, counts)| (code.as_str().replace('-', " "), counts.files));
    let severities = findings.by_severity.iter().rev();
    let severities = severities
        .map(|(severity, count)| (format!("at least one {severity}"), *count, files))
        .chain(rows(FINDINGS, summary).map(|(name, count, of)| (String::from(name), count, of)));
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
            Table::of_counts(
                "Files by what was found about their lines",
                "files",
                severities,
            ),
            files_with_rules_table(summary),
            findings_table("What lines show", of_lines, files).table(),
            rules_table(findings, files),
        ],
    }
}

fn headline(summary: &Summary, of_lines: &[(DiagnosticCode, Occurrences)]) -> String {
    let with_rules = &summary.findings.with_rules;
    let errors = (with_rules.files > 0).then(|| {
        format!(
            "{} with rules{} have a line that very likely does not do what its author meant.",
            percent_of_files(with_rules.with_error, with_rules.files),
            by_domain::beside(summary, Trait::HasError),
        )
    });
    let nothing = nothing_odd(with_rules).map(|share| format!("Nothing is odd in {share}."));
    let most = of_lines.first().map(|(code, counts)| {
        format!(
            "The most frequent finding is `{}`, in {}: {}",
            code.as_str(),
            percent_of_files(counts.files, summary.files),
            first_sentence(*code)
        )
    });
    let sentences: Vec<String> = [errors, nothing, most].into_iter().flatten().collect();
    sentences.join(" ")
}

/// The share of the files with rules in which nothing was found, among those whose rules were
/// compared with each other; `None` if there are none.
pub(in crate::report) fn nothing_odd(with_rules: &FilesWithRules) -> Option<String> {
    let (linted, all) = (with_rules.linted, with_rules.files);
    (linted > 0).then(|| {
        let share = percent_of_sample(with_rules.without_finding, linted, all);
        format!("{share} with rules")
    })
}

/// The table of the files that somebody wrote as a robots.txt. A web page that a site sends instead
/// is not one of them: it is a server error.
fn files_with_rules_table(summary: &Summary) -> Table {
    let files = &summary.findings.with_rules;
    let without = (
        "of these: without any finding",
        files.without_finding,
        files.linted,
    );
    let all = [("all", files.files, files.files)].into_iter();
    let rows = all.chain(rows(WITH_RULES, summary)).chain([without]);
    let of_sample = |of| of == files.linted && of < files.files;
    Table::of("Files with rules that are no web pages", rows)
        .text("", |(name, ..)| *name)
        .number("files", |(_, count, _)| *count)
        .column("share", |(_, count, of)| share(*count, *of))
        .column("interval", |(_, count, of)| match of_sample(*of) {
            true => right_aligned(interval(*count, *of)),
            false => right_aligned(""),
        })
        .table()
}

fn rules_table(findings: &Findings, files: u64) -> Table {
    let linted = findings.linted;
    let table = findings_table(
        "What rules show together",
        by_files(&findings.of_rules),
        linted,
    );
    if linted == files {
        return table.table();
    }
    let note = format!(
        "Rules were compared with each other in {} files, chosen by a hash of their site; the shares are of these. {INTERVAL}",
        grouped(linted)
    );
    with_interval(table, linted).note(Some(note)).table()
}

fn findings_table(
    title: &str,
    findings: Vec<(DiagnosticCode, Occurrences)>,
    files: u64,
) -> Columns<(DiagnosticCode, Occurrences)> {
    Table::of(title, findings)
        .column("finding", |(code, _)| Cell::Link {
            text: String::from(code.as_str()),
            address: String::from(code.page_url()),
        })
        .text("what it is", |(code, _)| first_sentence(*code))
        .text("severity", |(code, _)| code.severity().as_str())
        .counts("files", files, |(_, counts)| counts.files)
        .number("times", |(_, counts)| counts.times)
}

/// The text after the heading of the page of a code.
fn first_sentence(code: DiagnosticCode) -> String {
    let lines = code.page().lines();
    let lines = lines.skip_while(|line| line.starts_with('#') || line.is_empty());
    let first: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    first.join(" ").replace('`', "")
}

pub(super) fn dialects(summary: &Summary) -> Section {
    let (dialects, files) = (&summary.dialects, summary.files);
    let urls = dialects.urls;
    let (compared, reasons) = (dialects.compared, by_files(&dialects.reasons));
    let sample_note = match compared < files {
        true => format!(
            " They were chosen by a hash of their site; the shares are of these. {INTERVAL}"
        ),
        false => String::new(),
    };
    let headline = format!(
        "In {} Google and RFC 9309 answer differently for at least one URL other than /robots.txt itself.",
        percent_of_sample(dialects.disagreeing, compared, files),
    );
    let bars = reasons
        .iter()
        .map(|(reason, counts)| (reason.to_string(), counts.files));
    let whole = Whole {
        count: compared,
        noun: "compared file",
    };
    let chart = Chart::of_shares(headline, "Files by why the answers differ", bars, whole);
    let both_ways = [
        ("files", compared, files),
        ("URLs of their rules for everyone", urls, urls),
        (
            "files with a disagreement other than about /robots.txt",
            dialects.disagreeing,
            compared,
        ),
    ];
    let table = Table::of("URLs about which they disagree", reasons)
        .code("reason", |(reason, _)| reason.to_string())
        .text("what it is", |(reason, _)| description(reason))
        .counts("files", compared, |(_, counts)| counts.files);
    let table = with_interval(table, compared).counts("URLs", urls, |(_, counts)| counts.times);
    Section {
        id: "dialects",
        title: "RFC 9309 and Google",
        text: format!(
            "In {} files the URLs that the rules for everyone speak of were asked about both ways.{sample_note}",
            grouped(compared),
        ),
        charts: vec![chart],
        tables: vec![
            table.table(),
            Table::of_counts("Read both ways", "count", both_ways),
        ],
    }
}

/// Adds a column with the interval of each row's files, which were counted in a sample.
fn with_interval<N>(table: Columns<(N, Occurrences)>, sample: u64) -> Columns<(N, Occurrences)> {
    table.column("interval", |(_, counts)| {
        right_aligned(interval(counts.files, sample))
    })
}

const INTERVAL: &str =
    "The interval is that in which the share of all files lies in 95 of 100 samples.";

fn description(reason: &str) -> &'static str {
    match reason {
        "robots-txt-itself" => "RFC 9309 always allows /robots.txt",
        "directory-of-index" => "Google takes an allowed index page for its directory too",
        "agent-name" => "Google cuts agent names in the file at the first digit or dot",
        "line-length" => "Google reads only the start of that line",
        "rule-encoding" => "Google compares the escapes of the rule as they stand",
        "url-encoding" => "Google compares the escapes of the URL as they stand",
        "url-form" => "Google finds another path in the URL",
        _ => "",
    }
}
