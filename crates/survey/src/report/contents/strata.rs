//! Section: the strata of a survey, side by side.

use std::collections::BTreeMap;

use polite_robots_audit::known::KnownCrawler;

use crate::labels::UNLISTED;
use crate::report::contents::access::{self, NONE_PART_ALL};
use crate::report::contents::tables::MOST_NAMES;
use crate::report::document::{
    Chart, ChartForm, Columns, MOST_BARS, MOST_COLUMNS, Section, Series, Table, share,
};
use crate::report::number::percent_of_files;
use crate::summary::Summary;
use crate::summary::access::AccessCounts;
use crate::summary::agents::is_ai;
use crate::summary::distribution::ratio;
use crate::summary::merge::Merge as _;
use crate::summary::outcome::Outcome;
use crate::summary::stratum::Stratum;

/// The section; `None` without strata.
pub(crate) fn section(strata: &BTreeMap<String, Stratum>, summary: &Summary) -> Option<Section> {
    let table = table(strata, summary)?;
    let ordered = in_order(strata);
    let mut charts = Vec::from_iter(named_chart(&ordered, summary));
    let closed = most_disallowed(summary).into_iter();
    charts.extend(closed.filter_map(|crawler| openness_chart(&ordered, crawler)));
    Some(Section {
        id: "strata",
        title: "Strata",
        text: format!(
            "Groups of hosts, as the list of the survey labels them; hosts that are not on it are `{UNLISTED}`. Shares are \
             of the files of the group. The counts of all groups add up to those of the whole."
        ),
        charts,
        tables: vec![table, named_table(&largest(&ordered, MOST_BARS), summary)],
    })
}

/// The table, with the whole in its last row; `None` without strata.
pub(crate) fn table(strata: &BTreeMap<String, Stratum>, summary: &Summary) -> Option<Table> {
    if strata.is_empty() {
        return None;
    }
    let mut whole = Stratum::default();
    for stratum in strata.values() {
        whole.merge(stratum.clone());
    }
    let rows = in_order(strata).into_iter().chain([("all", &whole)]);
    let mut table = Table::of("Strata", rows)
        .text("stratum", |(label, _)| *label)
        .number("responses", |(_, stratum)| stratum.responses)
        .number("files", |(_, stratum)| stratum.files);
    table = of_files(table, "rules to obey", |stratum| {
        stratum.outcomes.of(Outcome::Rules)
    });
    table = of_files(table, "AI crawler named", |stratum| stratum.ai.named);
    table = of_files(table, "everyone: none", |stratum| {
        stratum.everyone_access.none
    });
    for crawler in most_disallowed(summary) {
        let head = format!("{}: none", crawler.name());
        table = of_files(table, &head, |stratum| {
            access(stratum, crawler).total().none
        });
    }
    let note = "Shares are of the files of the stratum; `none` counts files that let the crawler fetch nothing, by its \
         name or through `*`.";
    Some(table.note(Some(String::from(note))).table())
}

/// A column of shares of the files of each stratum.
fn of_files<'s>(
    table: Columns<(&'s str, &'s Stratum)>,
    head: &str,
    count: impl Fn(&Stratum) -> u64,
) -> Columns<(&'s str, &'s Stratum)> {
    table.column(head, |(_, stratum)| share(count(stratum), stratum.files))
}

/// The grid of the crawlers that are named; `None` if there is nothing to compare.
fn named_chart(ordered: &[(&str, &Stratum)], summary: &Summary) -> Option<Chart> {
    let strata = largest(ordered, MOST_COLUMNS);
    let crawlers: Vec<&KnownCrawler> = named_crawlers(summary).take(MOST_BARS - 1).collect();
    let first = crawlers.first()?;
    let named = |crawler: &KnownCrawler, stratum: &Stratum| access(stratum, crawler).by_name.sum();
    let of_any = contrast(&strata, |stratum| stratum.ai.named);
    let of_first = || contrast(&strata, |stratum| named(first, stratum));
    let (name, [most, least]) = match of_any {
        Some(shares) => ("an AI crawler", shares),
        None => (first.name(), of_first()?),
    };
    let headline = format!("{most} name {name}, and {least}.");
    let series = strata.iter().map(|(label, stratum)| Series {
        name: String::from(*label),
        percent: std::iter::once(stratum.ai.named)
            .chain(crawlers.iter().map(|crawler| named(crawler, stratum)))
            .map(|count| ratio(count, stratum.files) * 100.0)
            .collect(),
    });
    let labels = crawlers.iter().map(|crawler| crawler.name());
    Some(Chart {
        headline,
        title: String::from("Crawlers named most often, in % of the files of each group"),
        form: ChartForm::Grid,
        series: series.collect(),
        labels: std::iter::once("an AI crawler")
            .chain(labels)
            .map(String::from)
            .collect(),
    })
}

/// The chart of one crawler over the strata; `None` if there is nothing to compare.
fn openness_chart(ordered: &[(&str, &Stratum)], crawler: &KnownCrawler) -> Option<Chart> {
    let strata = largest(ordered, MOST_COLUMNS);
    let name = crawler.name();
    let none = |stratum: &Stratum| access(stratum, crawler).total().none;
    let headline = contrast(&strata, none)
        .map(|[most, least]| format!("{most} let {name} fetch none of the site, and {least}."))?;
    let rows = strata.into_iter().map(|(label, stratum)| {
        let parts = access::parts(access(stratum, crawler).total());
        (String::from(label), parts, stratum.files)
    });
    Some(Chart::of_parts(
        ChartForm::Stacked,
        headline,
        format!(
            "How much {name} may fetch, by name or through `*`, in % of the files of each group"
        ),
        NONE_PART_ALL,
        rows,
    ))
}

/// The table of the strata with the most files by the crawlers that are named.
fn named_table(strata: &[(&str, &Stratum)], summary: &Summary) -> Table {
    let crawlers = named_crawlers(summary).take(MOST_NAMES);
    let title = "Crawlers that files name, by stratum";
    let mut table = Table::of(title, crawlers).code("crawler", |crawler| crawler.name());
    for (label, stratum) in strata {
        table = table.column(*label, |crawler| {
            share(access(stratum, crawler).by_name.sum(), stratum.files)
        });
    }
    table.table()
}

/// The strata with the largest and the smallest share, as in `12.0 % of 981 files of “top 1k”`;
/// `None` unless the shares differ.
fn contrast(strata: &[(&str, &Stratum)], count: impl Fn(&Stratum) -> u64) -> Option<[String; 2]> {
    let share = |stratum: &Stratum| ratio(count(stratum), stratum.files);
    let with_files = || strata.iter().filter(|(_, stratum)| stratum.files > 0);
    let by_share = |one: &&(&str, &Stratum), other: &&(&str, &Stratum)| {
        f64::total_cmp(&share(one.1), &share(other.1))
    };
    let (most, least) = (
        with_files().max_by(by_share)?,
        with_files().min_by(by_share)?,
    );
    let words = |(label, stratum): &(&str, &Stratum)| {
        let share = percent_of_files(count(stratum), stratum.files);
        format!("{share} of “{label}”")
    };
    (share(most.1) > share(least.1)).then(|| [words(most), words(least)])
}

/// The counts of a crawler in a stratum.
fn access(stratum: &Stratum, crawler: &KnownCrawler) -> AccessCounts {
    let mut known = stratum.known_access.iter();
    let counts = known.find(|(other, _)| other.token() == crawler.token());
    counts.map_or(AccessCounts::default(), |(_, counts)| counts)
}

fn named_crawlers(summary: &Summary) -> impl Iterator<Item = &'static KnownCrawler> {
    let named = access::named(summary).into_iter();
    named.map(|(crawler, _)| crawler)
}

/// The few AI crawlers that most files let fetch nothing by name.
fn most_disallowed(summary: &Summary) -> Vec<&'static KnownCrawler> {
    let known = summary.agents.known_access.iter();
    let mut known: Vec<_> = known
        .filter(|(crawler, counts)| is_ai(crawler) && counts.by_name.none > 0)
        .collect();
    known.sort_by_key(|(crawler, counts)| (std::cmp::Reverse(counts.by_name.none), crawler.name()));
    let crawlers = known.into_iter().map(|(crawler, _)| crawler);
    crawlers.take(MOST_CRAWLERS).collect()
}

/// The strata with the most files, still in order.
fn largest<'s>(ordered: &[(&'s str, &'s Stratum)], most: usize) -> Vec<(&'s str, &'s Stratum)> {
    let mut sizes: Vec<u64> = ordered.iter().map(|(_, stratum)| stratum.files).collect();
    sizes.sort_by_key(|files| std::cmp::Reverse(*files));
    let least = sizes
        .get(most.saturating_sub(1))
        .copied()
        .unwrap_or_default();
    let large = ordered.iter().filter(|(_, stratum)| stratum.files >= least);
    large.take(most).copied().collect()
}

/// The strata in the order of a reader, those of hosts that are not on the list last.
fn in_order(strata: &BTreeMap<String, Stratum>) -> Vec<(&str, &Stratum)> {
    let strata = strata.iter();
    let mut ordered: Vec<(&str, &Stratum)> = strata
        .map(|(label, stratum)| (label.as_str(), stratum))
        .collect();
    ordered.sort_by_cached_key(|(label, _)| {
        let numbers = numbers(label);
        // Labels without a number come after those with one.
        (
            *label == UNLISTED,
            numbers.is_empty(),
            numbers,
            label.to_lowercase(),
        )
    });
    ordered
}

/// The numbers in a label. They sort `top 10k` before `10k to 100k`, and that before `top 1M`.
fn numbers(label: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = Vec::new();
    let mut is_open = false;
    let mut rest = label.chars();
    while let Some(c) = rest.next() {
        match (c.to_digit(10).map(u64::from), numbers.last_mut()) {
            (Some(digit), Some(number)) if is_open => {
                *number = number.saturating_mul(10).saturating_add(digit);
            }
            (Some(digit), _) => {
                numbers.push(digit);
                is_open = true;
            }
            (None, Some(number)) if is_open && c != ',' => {
                *number = number.saturating_mul(unit(c, rest.as_str()));
                is_open = false;
            }
            (None, _) => {}
        }
    }
    numbers
}

/// The unit after a number, as in `10k` and `1M`.
fn unit(c: char, after: &str) -> u64 {
    match c {
        _ if after.starts_with(char::is_alphabetic) => 1,
        'k' | 'K' => 1_000,
        'm' | 'M' => 1_000_000,
        _ => 1,
    }
}

/// The most crawlers with a column and a chart.
const MOST_CRAWLERS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn strata(files: &[(&str, u64)]) -> BTreeMap<String, Stratum> {
        let stratum = |files| Stratum {
            files,
            ..Stratum::default()
        };
        let strata = files.iter();
        strata
            .map(|(label, files)| (String::from(*label), stratum(*files)))
            .collect()
    }

    #[test]
    fn ranks_are_in_the_order_of_their_numbers() {
        let labels = [
            "3 km",
            "top 1k",
            "1k to 10k",
            "top 10k",
            "10k to 100K",
            "100k to 1M",
            "top 2,000,000",
            "Com",
            "org",
            "(unlisted)",
        ];
        let strata = strata(&labels.map(|label| (label, 1)));
        let ordered = in_order(&strata);
        assert_eq!(
            ordered.iter().map(|(label, _)| *label).collect::<Vec<_>>(),
            labels
        );
    }

    #[test]
    fn any_label_has_its_numbers() {
        for (label, expected) in [
            ("", &[][..]),
            (",", &[]),
            (",,1,", &[1]),
            ("99999999999999999999999", &[u64::MAX]),
            ("é1é2k", &[1, 2_000]),
            ("1k1M", &[1_000, 1_000_000]),
            ("4 km", &[4]),
            ("4km", &[4]),
        ] {
            assert_eq!(numbers(label), expected, "{label}");
        }
    }

    #[test]
    fn a_chart_has_the_largest_strata_in_their_order() {
        let strata = strata(&[("a", 5), ("b", 1), ("c", 9), ("d", 5)]);
        let ordered = in_order(&strata);
        let labels = |most| -> Vec<&str> {
            let strata = largest(&ordered, most).into_iter();
            strata.map(|(label, _)| label).collect()
        };
        assert_eq!(labels(2), ["a", "c"]);
        assert_eq!(labels(3), ["a", "c", "d"]);
        assert_eq!(labels(9), ["a", "b", "c", "d"]);
    }
}
