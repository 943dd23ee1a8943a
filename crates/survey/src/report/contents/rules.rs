//! The rules and their patterns.

use polite_robots::Tier;

use crate::report::contents::tables::{distributions, name_of};
use crate::report::document::{Chart, Section, Table, code, number, share, text};
use crate::summary::Summary;
use crate::summary::occurrences::Occurrences;
use crate::summary::pattern::Form;

pub(super) fn section(summary: &Summary) -> Section {
    let rules = &summary.rules;
    let files = summary.files;
    let all = rules.per_file.sum();
    let mut table = Table::new(
        "Rules by the form of their pattern",
        &["", "such as", "rules", "share", "files", "share"],
    );
    let mut row = |name: &str, example: &str, counts: Occurrences| {
        table.row([
            text(name),
            code(example),
            number(counts.times),
            share(counts.times, all),
            number(counts.files),
            share(counts.files, files),
        ]);
    };
    row("Allow", "Allow: /a", rules.allow);
    row("Disallow", "Disallow: /a", rules.disallow);
    for (form, counts) in &rules.forms {
        row(described(*form).0, described(*form).1, *counts);
    }
    let mut tiers = Table::new(
        "Rules by how this library compares them",
        &["", "rules", "share", "files", "share"],
    );
    for (tier, counts) in &rules.tiers {
        tiers.row([
            text(format!("{}: {}", name_of(tier), tier_described(*tier))),
            number(counts.times),
            share(counts.times, all),
            number(counts.files),
            share(counts.files, files),
        ]);
    }
    let bars = rules.forms.iter();
    let bars = bars.map(|(form, counts)| (String::from(described(*form).0), counts.times));
    Section {
        id: "rules",
        title: "Rules",
        text: String::from(
            "All rules in groups, whomever they are for. Where several match a URL, the longest decides (RFC 9309 §2.2.2).",
        ),
        charts: vec![Chart::of_shares(
            "Forms of patterns, in % of rules",
            bars,
            all,
        )],
        tables: vec![
            table,
            distributions(
                "Rules of a file, and their patterns",
                &[
                    ("rules of a file", &rules.per_file),
                    ("bytes of a pattern", &rules.bytes),
                    ("wildcards of a pattern with any", &rules.wildcards),
                ],
            ),
            tiers,
        ],
    }
}

/// A description of a form, and an example.
fn described(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Empty => ("empty", "Disallow:"),
        Form::Unmatchable => ("can match nothing", "Disallow: private"),
        Form::Plain => ("plain prefix", "Disallow: /private/"),
        Form::Anchored => ("whole path ($)", "Disallow: /page$"),
        Form::Wildcard => ("wildcard (*)", "Disallow: /*?sort="),
        Form::WildcardAnchored => ("wildcard and end (* $)", "Disallow: /*.pdf$"),
    }
}

fn tier_described(tier: Tier) -> &'static str {
    match tier {
        Tier::Prefix => "one comparison",
        Tier::Span => "pieces between wildcards, from left to right",
        Tier::Regex => "very many wildcards",
        _ => "another way",
    }
}
