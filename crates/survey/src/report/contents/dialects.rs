//! Where RFC 9309 and Google's matcher answer differently.

use std::cmp::Reverse;

use crate::report::document::{Chart, Section, Table, code, number, share, text};
use crate::report::number::{grouped, percent};
use crate::summary::Summary;
use crate::summary::occurrences::Occurrences;

pub(super) fn section(summary: &Summary) -> Section {
    let dialects = &summary.dialects;
    let compared = dialects.compared;
    let mut reasons: Vec<(&str, Occurrences)> = dialects
        .reasons
        .iter()
        .map(|(reason, counts)| (&**reason, *counts))
        .collect();
    reasons.sort_by_key(|(reason, counts)| (Reverse(counts.files), *reason));
    let mut table = Table::new(
        "URLs about which they disagree",
        &[
            "reason",
            "what it is",
            "files",
            "share",
            "URLs",
            "share of URLs",
        ],
    );
    for (reason, counts) in &reasons {
        table.row([
            code(*reason),
            text(described(reason)),
            number(counts.files),
            share(counts.files, compared),
            number(counts.times),
            share(counts.times, dialects.urls),
        ]);
    }
    let mut files = Table::new("Files that were read both ways", &["", "files", "share"]);
    files.count("compared", compared, summary.files);
    files.count(
        "with a disagreement other than about /robots.txt",
        dialects.disagreeing,
        compared,
    );
    let mut urls = Table::new("URLs that were asked about", &["", "URLs"]);
    urls.row([text("all"), number(dialects.urls)]);
    let sampled = if compared < summary.files {
        " They were chosen by a hash of their bytes; the shares are of these."
    } else {
        ""
    };
    let bars = reasons
        .iter()
        .map(|(reason, counts)| (String::from(*reason), counts.files));
    Section {
        id: "dialects",
        title: "RFC 9309 and Google",
        text: format!(
            "In {} files the URLs that the rules for everyone speak of were asked about both ways.{sampled} In {} of them \
             the answers differ for at least one URL other than /robots.txt itself.",
            grouped(compared),
            percent(dialects.disagreeing, compared)
        ),
        charts: if reasons.is_empty() {
            Vec::new()
        } else {
            vec![Chart::of_shares(
                "Files by why the answers differ, in % of those compared",
                bars,
                compared,
            )]
        },
        tables: vec![table, files, urls],
    }
}

fn described(reason: &str) -> &'static str {
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
