//! Section: the rules and their patterns.

use polite_robots::Tier;

use crate::report::contents::tables::{distributions, name_of};
use crate::report::document::{Cell, Chart, Section, Table, Whole, code, number, share, text};
use crate::report::number::{counted, percent};
use crate::summary::Summary;
use crate::summary::occurrences::Occurrences;
use crate::summary::pattern::Form;
use crate::summary::rules::Rules;

pub(super) fn section(summary: &Summary) -> Section {
    let rules = &summary.rules;
    Section {
        id: "rules",
        title: "Rules",
        text: String::from(
            "All rules in groups, whomever they are for. Where several match a URL, the longest decides (RFC 9309 §2.2.2).",
        ),
        charts: vec![forms_chart(rules)],
        tables: vec![
            forms_table(rules, summary.files),
            distributions(
                "Rules of a file, and their patterns",
                &[
                    ("rules of a file", &rules.per_file),
                    ("bytes of a pattern", &rules.bytes),
                    ("wildcards of a pattern with any", &rules.wildcards),
                ],
            ),
            tiers_table(rules, summary.files),
        ],
    }
}

fn forms_chart(rules: &Rules) -> Chart {
    let bars = rules.forms.iter().map(|(form, counts)| {
        let (name, _) = form_and_example(*form);
        (String::from(name), counts.times)
    });
    let all = rules.per_file.sum();
    let count = |forms: &[Form]| -> u64 {
        let counts = forms.iter().filter_map(|form| rules.forms.get(form));
        counts.map(|counts| counts.times).sum()
    };
    let headline = format!(
        "{} of {} are a plain prefix, and {} have a wildcard.",
        percent(count(&[Form::Plain]), all),
        counted(all, "rule"),
        percent(count(&[Form::Wildcard, Form::WildcardAnchored]), all),
    );
    let whole = Whole {
        count: all,
        noun: "rule",
    };
    Chart::of_shares(headline, "Forms of patterns", bars, whole)
}

fn forms_table(rules: &Rules, files: u64) -> Table {
    let mut table = Table::new(
        "Rules by the form of their pattern",
        &["", "such as", "rules", "share", "files", "share"],
    );
    let mut row = |name: &str, example: &str, counts: &Occurrences| {
        let mut cells = vec![text(name), code(example)];
        cells.extend(count_cells(counts, rules, files));
        table.row(cells);
    };
    row("Allow", "Allow: /a", &rules.allow);
    row("Disallow", "Disallow: /a", &rules.disallow);
    for (form, counts) in &rules.forms {
        let (name, example) = form_and_example(*form);
        row(name, example, counts);
    }
    table
}

fn tiers_table(rules: &Rules, files: u64) -> Table {
    let mut table = Table::new(
        "Rules by how this library compares them",
        &["", "rules", "share", "files", "share"],
    );
    for (tier, counts) in &rules.tiers {
        let name = format!("{}: {}", name_of(tier), tier_description(*tier));
        let mut cells = vec![text(name)];
        cells.extend(count_cells(counts, rules, files));
        table.row(cells);
    }
    table
}

/// The number of rules and of files, each with its share.
fn count_cells(counts: &Occurrences, rules: &Rules, files: u64) -> [Cell; 4] {
    [
        number(counts.times),
        share(counts.times, rules.per_file.sum()),
        number(counts.files),
        share(counts.files, files),
    ]
}

/// The name of a form, and an example.
fn form_and_example(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Empty => ("empty", "Disallow:"),
        Form::Unmatchable => ("can match nothing", "Disallow: private"),
        Form::Plain => ("plain prefix", "Disallow: /private/"),
        Form::Anchored => ("whole path ($)", "Disallow: /page$"),
        Form::Wildcard => ("wildcard (*)", "Disallow: /*?sort="),
        Form::WildcardAnchored => ("wildcard and end (* $)", "Disallow: /*.pdf$"),
    }
}

fn tier_description(tier: Tier) -> &'static str {
    match tier {
        Tier::Prefix => "one comparison",
        Tier::Span => "pieces between wildcards, from left to right",
        Tier::Regex => "very many wildcards",
        _ => "another comparison",
    }
}
