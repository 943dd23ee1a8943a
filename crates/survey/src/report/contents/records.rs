//! Sections: the rules, the other fields, and the crawl delays, sitemaps and preferences that files
//! state.

use polite_robots::Tier;

use crate::report::contents::by_domain;
use crate::report::contents::tables::{by_files, distributions, name_of, names, occurrences, rows};
use crate::report::document::{Chart, ChartForm, Section, Table, Whole, code, text};
use crate::report::measures::SITEMAPS;
use crate::report::number::{counted, grouped, percent, percent_of_files};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;
use crate::summary::occurrences::Occurrences;
use crate::summary::pattern::Form;
use crate::summary::usage::{Statements, Usage, UseCounts};

pub(super) fn rules(summary: &Summary) -> Section {
    let (rules, files) = (&summary.rules, summary.files);
    let all = Some(rules.per_file.sum());
    let kinds = [("Allow", rules.allow), ("Disallow", rules.disallow)];
    let kinds = kinds.map(|(name, counts)| (text(name), counts));
    let forms = rules.forms.iter().map(|(form, counts)| {
        let (name, example) = name_and_example(*form);
        (text(format!("{name}, as in `{example}`")), *counts)
    });
    let tiers = rules.tiers.iter().map(|(tier, counts)| {
        let name = format!("{}: {}", name_of(tier), description_of_tier(*tier));
        (text(name), *counts)
    });
    let heads = ("", "rules");
    Section {
        id: "rules",
        title: "Rules",
        text: String::from(
            "All rules in groups, whomever they are for. Where several match a URL, the longest decides (RFC 9309 §2.2.2).",
        ),
        charts: vec![forms_chart(summary)],
        tables: vec![
            occurrences(
                "Rules by the form of their pattern",
                heads,
                files,
                all,
                kinds.into_iter().chain(forms),
            )
            .table(),
            distributions(
                "Rules of a file, and their patterns",
                &[
                    ("rules of a file", &rules.per_file),
                    ("bytes of a pattern", &rules.bytes),
                    ("wildcards of a pattern with any", &rules.wildcards),
                ],
            ),
            occurrences(
                "Rules by how this library compares them",
                heads,
                files,
                all,
                tiers,
            )
            .table(),
        ],
    }
}

fn forms_chart(summary: &Summary) -> Chart {
    let rules = &summary.rules;
    let bars = rules.forms.iter();
    let bars = bars.map(|(form, counts)| (name_and_example(*form).0.into(), counts.times));
    let all = rules.per_file.sum();
    let share = |forms: &[Form]| {
        let counts = forms.iter().filter_map(|form| rules.forms.get(form));
        percent(counts.map(|counts| counts.times).sum(), all)
    };
    let headline = format!(
        "{} of {} are a plain prefix, and {} have a wildcard.",
        share(&[Form::Plain]),
        counted(all, "rule"),
        share(&[Form::Wildcard, Form::WildcardAnchored]),
    );
    let whole = Whole {
        count: all,
        noun: "rule",
    };
    Chart::of_shares(headline, "Forms of patterns", bars, whole)
}

/// The name of a form, and an example.
fn name_and_example(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Empty => ("empty", "Disallow:"),
        Form::Unmatchable => ("can match nothing", "Disallow: private"),
        Form::Plain => ("plain prefix", "Disallow: /private/"),
        Form::Anchored => ("whole path ($)", "Disallow: /page$"),
        Form::Wildcard => ("wildcard (*)", "Disallow: /*?sort="),
        Form::WildcardAnchored => ("wildcard and end (* $)", "Disallow: /*.pdf$"),
    }
}

fn description_of_tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Prefix => "one comparison",
        Tier::Span => "pieces between wildcards, from left to right",
        Tier::Regex => "very many wildcards",
        _ => "another comparison",
    }
}

pub(super) fn crawl_delays(summary: &Summary) -> Section {
    let (delays, files) = (&summary.crawl_delays, summary.files);
    let all = Some(delays.valid.times + delays.not_a_number.times);
    let values = delays.seconds.by_weight();
    let bars = values
        .iter()
        .map(|(seconds, counts)| (format!("{seconds} s"), counts.files));
    let most = values.first().map(|(seconds, counts)| {
        let share = percent(counts.files, files);
        format!(", most often for {seconds} seconds ({share})")
    });
    let headline = format!(
        "{}{} ask for a delay{}; {} for more than 30 seconds.",
        percent_of_files(delays.valid.files, files),
        by_domain::beside(summary, Trait::AsksForDelay),
        most.unwrap_or_default(),
        percent(delays.over_30.files, files),
    );
    let kinds = [
        ("a number of seconds", delays.valid),
        ("something else", delays.not_a_number),
        ("more than 30 seconds", delays.over_30),
        ("more than 300 seconds", delays.over_300),
        ("more than an hour", delays.over_3600),
    ];
    let kinds = kinds.map(|(name, counts)| (text(name), counts));
    Section {
        id: "crawl-delay",
        title: "Crawl delays",
        text: String::from(
            "Not part of RFC 9309: Google ignores the record, Bing takes it for a window of up to 30 seconds, others for \
             a gap between two requests. More than 300 seconds some crawlers take for a ban.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            headline,
            "Files with a delay of this value",
            bars,
            Whole::files(files),
        )),
        tables: vec![
            occurrences("Crawl-delay records", ("", "records"), files, all, kinds).table(),
            names(
                "Delays by value",
                ("seconds", "records"),
                files,
                all,
                &delays.seconds,
            ),
        ],
    }
}

pub(super) fn sitemaps(summary: &Summary) -> Section {
    let (sitemaps, files) = (&summary.sitemaps, summary.files);
    let bins = SITEMAP_BINS.map(|(name, first, last)| {
        let count = sitemaps.per_file.between(first, last);
        (String::from(name), count)
    });
    let headline = format!(
        "{}{} name a sitemap, and {} more than one.",
        percent_of_files(sitemaps.files, files),
        by_domain::beside(summary, Trait::HasSitemap),
        percent(sitemaps.per_file.between(2, u64::MAX), files),
    );
    let title = "Sitemaps that files name";
    let in_table = bins
        .iter()
        .map(|(name, count)| (name.clone(), *count, files));
    Section {
        id: "sitemaps",
        title: "Sitemaps",
        text: String::from(
            "`Sitemap` records with a value, wherever they stand. Another host is also that of a `www.` more or less.",
        ),
        tables: vec![
            Table::of_counts(title, "files", in_table),
            Table::of_counts("Files with sitemaps", "files", rows(SITEMAPS, summary)),
            distributions("Sitemaps of a file", &[("sitemaps", &sitemaps.per_file)]),
        ],
        charts: vec![Chart::of_shares(headline, title, bins, Whole::files(files))],
    }
}

/// The bins of the number of sitemaps in a file: name, first and last number.
const SITEMAP_BINS: [(&str, u64, u64); 6] = [
    ("none", 0, 0),
    ("1", 1, 1),
    ("2", 2, 2),
    ("3 to 10", 3, 10),
    ("11 to 50", 11, 50),
    ("more than 50", 51, u64::MAX),
];

pub(super) fn usage(summary: &Summary) -> Section {
    let (usage, files) = (&summary.usage, summary.files);
    let uses = uses(usage);
    let mut tables = Vec::new();
    if usage.files > 0 {
        tables.extend([
            records_about_use(usage, files),
            Table::of("What files say about each use", &uses)
                .text("", |(name, _)| name.clone())
                .counts("allowed", files, |(_, counts)| counts.allowed)
                .counts("disallowed", files, |(_, counts)| counts.disallowed)
                .table(),
        ]);
        for (field, statements) in fields_about_use(usage) {
            let (title, heads) = (format!("{field} as written"), ("key and value", "times"));
            tables.push(names(&title, heads, files, None, &statements.pairs));
        }
    }
    let said = match usage.files {
        0 => String::from("No file says anything of it."),
        1 => String::from("One file has one of three records."),
        count => format!("{} files have one of three records.", grouped(count)),
    };
    Section {
        id: "use",
        title: "Use of content",
        text: format!(
            "{said} `Content-Signal` (contentsignals.org), `Content-Usage` (IETF AIPREF) and `License` (Really Simple \
             Licensing) say what content may be used for, not what may be fetched. If a file says both, the more \
             restrictive counts.",
        ),
        charts: vec![uses_chart(summary, uses)],
        tables,
    }
}

fn records_about_use(usage: &Usage, files: u64) -> Table {
    let mut rows = Vec::new();
    for (field, statements) in fields_about_use(usage) {
        rows.extend([
            (text(field), statements.records),
            (text("… malformed"), statements.invalid),
            (text("… for a part of the site"), statements.with_path),
        ]);
    }
    rows.extend([
        (text("License"), usage.license),
        (text("… without an absolute URI"), usage.invalid_license),
    ]);
    let all = rows.iter().map(|(_, counts)| counts.times).sum();
    let any = Occurrences {
        files: usage.files,
        times: all,
    };
    rows.push((text("any of the three"), any));
    occurrences("Records about use", ("", "records"), files, None, rows).table()
}

fn fields_about_use(usage: &Usage) -> [(&'static str, &Statements); 2] {
    [
        ("Content-Signal", &usage.content_signal),
        ("Content-Usage", &usage.content_usage),
    ]
}

fn uses_chart(summary: &Summary, uses: Vec<(String, UseCounts)>) -> Chart {
    let (usage, files) = (&summary.usage, summary.files);
    let training = usage.content_signal.ai_training;
    let headline = format!(
        "{}{} say what their content may be used for; `Content-Signal` disallows AI training in {} and allows it in \
         {}.",
        percent_of_files(usage.files, files),
        by_domain::beside(summary, Trait::StatesUse),
        percent(training.disallowed, files),
        percent(training.allowed, files),
    );
    let rows = uses.into_iter();
    let rows = rows.filter(|(_, counts)| counts.disallowed + counts.allowed > 0);
    let rows = rows.map(|(name, counts)| (name, [counts.disallowed, counts.allowed]));
    Chart::of_counts(
        ChartForm::Stacked,
        headline,
        "What files say about each use",
        ["disallowed", "allowed"],
        rows,
        Whole::files(files),
    )
}

/// The counts of each use in each of the two fields, with their names.
fn uses(usage: &Usage) -> Vec<(String, UseCounts)> {
    let uses = fields_about_use(usage)
        .into_iter()
        .flat_map(|(field, statements)| {
            [
                ("search", statements.search),
                ("AI input", statements.ai_input),
                ("AI training", statements.ai_training),
            ]
            .map(|(name, counts)| (format!("{field}: {name}"), counts))
        });
    uses.collect()
}

pub(super) fn fields(summary: &Summary) -> Section {
    let (records, files) = (&summary.records, summary.files);
    let known = by_files(&records.known);
    let bars = known
        .iter()
        .map(|(name, counts)| (name.to_string(), counts.files));
    let others = known.iter();
    let others = others.filter(|(name, _)| !["User-agent", "Allow", "Disallow"].contains(&&**name));
    let others: Vec<String> = others
        .take(2)
        .map(|(name, counts)| format!("`{name}` ({})", percent_of_files(counts.files, files)))
        .collect();
    let headline = match others.is_empty() {
        true => String::from("No file has a field outside of RFC 9309."),
        false => format!(
            "The fields outside of RFC 9309 most in use: {}.",
            others.join(" and ")
        ),
    };
    let written = |title, tally| names(title, ("as written", "lines"), files, None, tally);
    Section {
        id: "fields",
        title: "Fields",
        text: String::from(
            "Misspellings that Google's matcher accepts count as the field that is meant, and are listed as written. \
             Names that no standard defines have no effect.",
        ),
        charts: Vec::from_iter(Chart::of_largest(
            headline,
            "Files with a record of the field",
            bars,
            Whole::files(files),
        )),
        tables: vec![
            occurrences(
                "Known fields",
                ("field", "records"),
                files,
                None,
                known
                    .iter()
                    .map(|(name, counts)| (code(name.as_ref()), *counts)),
            )
            .table(),
            written("Misspellings that are read", &records.misspelled),
            written("Proposed fields, without effect", &records.proposed),
            written("Unknown fields", &records.unknown),
        ],
    }
}
