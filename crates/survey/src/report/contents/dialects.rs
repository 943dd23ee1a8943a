//! Section: the URLs about which RFC 9309 and Google's matcher answer differently.

use std::cmp::Reverse;

use crate::report::document::{
    Chart, Section, Table, Whole, code, number, right_aligned, share, text,
};
use crate::report::number::{grouped, interval, percent_of_sample};
use crate::summary::Summary;
use crate::summary::dialects::Dialects;
use crate::summary::occurrences::Occurrences;

pub(super) fn section(summary: &Summary) -> Section {
    let dialects = &summary.dialects;
    let reasons = reasons_by_files(dialects);
    let sample_note = if dialects.compared < summary.files {
        " They were chosen by a hash of their site; the shares are of these, and the interval is that in which the share of all files lies in 95 of 100 samples."
    } else {
        ""
    };
    Section {
        id: "dialects",
        title: "RFC 9309 and Google",
        text: format!(
            "In {} files the URLs that the rules for everyone speak of were asked about both ways.{sample_note}",
            grouped(dialects.compared),
        ),
        charts: if reasons.is_empty() {
            Vec::new()
        } else {
            vec![reasons_chart(
                headline(dialects, summary.files),
                &reasons,
                dialects.compared,
            )]
        },
        tables: vec![
            reasons_table(&reasons, dialects),
            files_table(dialects, summary.files),
            urls_table(dialects),
        ],
    }
}

fn headline(dialects: &Dialects, files: u64) -> String {
    format!(
        "In {} Google and RFC 9309 answer differently for at least one URL other than /robots.txt itself.",
        percent_of_sample(dialects.disagreeing, dialects.compared, files),
    )
}

/// The reasons for disagreements, those of most files first.
fn reasons_by_files(dialects: &Dialects) -> Vec<(&str, Occurrences)> {
    let reasons = dialects.reasons.iter();
    let mut reasons: Vec<(&str, Occurrences)> = reasons
        .map(|(reason, counts)| (&**reason, *counts))
        .collect();
    reasons.sort_by_key(|(reason, counts)| (Reverse(counts.files), *reason));
    reasons
}

fn reasons_chart(headline: String, reasons: &[(&str, Occurrences)], compared: u64) -> Chart {
    let bars = reasons
        .iter()
        .map(|(reason, counts)| (String::from(*reason), counts.files));
    Chart::of_shares(
        headline,
        "Files by why the answers differ",
        bars,
        Whole {
            count: compared,
            noun: "compared file",
        },
    )
}

fn reasons_table(reasons: &[(&str, Occurrences)], dialects: &Dialects) -> Table {
    let mut table = Table::new(
        "URLs about which they disagree",
        &[
            "reason",
            "what it is",
            "files",
            "share",
            "interval",
            "URLs",
            "share of URLs",
        ],
    );
    for (reason, counts) in reasons {
        table.row([
            code(*reason),
            text(description(reason)),
            number(counts.files),
            share(counts.files, dialects.compared),
            right_aligned(interval(counts.files, dialects.compared)),
            number(counts.times),
            share(counts.times, dialects.urls),
        ]);
    }
    table
}

fn files_table(dialects: &Dialects, files: u64) -> Table {
    let mut table = Table::new("Files that were read both ways", &["", "files", "share"]);
    table.count("compared", dialects.compared, files);
    table.count(
        "with a disagreement other than about /robots.txt",
        dialects.disagreeing,
        dialects.compared,
    );
    table
}

fn urls_table(dialects: &Dialects) -> Table {
    let mut table = Table::new("URLs that were asked about", &["", "URLs"]);
    table.row([text("all"), number(dialects.urls)]);
    table
}

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
