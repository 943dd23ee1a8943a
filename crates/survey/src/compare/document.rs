//! The report of a comparison: tables for the terminal, and a document with charts for a page.

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;
use crate::compare::measure::{Topic, Value};
use crate::report::measures::headlines;
use crate::report::number::{counted, decimal, grouped};
use crate::report::{
    Cell, Chart, ChartForm, Document, Fact, Figure, MOST_BARS, MOST_COLUMNS, NONE_PART_ALL,
    Section, Series, Table, code, right_aligned, text,
};

impl SurveyComparison {
    /// The report of the comparison, with charts.
    #[must_use]
    pub fn document(&self) -> Document {
        let surveys = self.labels.iter().zip(&self.files);
        let files: Vec<String> = surveys
            .map(|(label, files)| format!("{} of {label}", counted(*files, "file")))
            .collect();
        let headlines = headlines().map(|(measure, headline)| (measure.name, headline.label));
        let figures = headlines.chain([("bytes, median", "bytes of the median file")]);
        let figures = figures.filter_map(|(name, label)| {
            let mut changes = self.changes.iter();
            let change = changes.find(|change| change.name == name)?;
            Some(Figure {
                value: key_values(change),
                label,
                by_domain: String::new(),
            })
        });
        let figures = figures.collect();
        let names = in_words(&self.labels);
        Document {
            title: format!("robots.txt: {names}"),
            source: format!("robots.txt files of {names}. Made with polite-robots."),
            provenance: provenance(self),
            lead: format!(
                "{}. Shares are of files; the sites need not be the same.",
                files.join(", ")
            ),
            figures,
            sections: topics(self)
                .map(|(topic, changes)| section(self, topic, changes))
                .collect(),
            ..Document::default()
        }
    }

    /// A short table for each topic.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        topics(self)
            .map(|(topic, changes)| table(self, topic, changes, SHORT_ROWS))
            .collect()
    }
}

/// The values of a key figure. A long series shows its first and its last value, which fit the
/// card.
fn key_values(change: &Change) -> String {
    let count = change.values.len();
    let places = spread(count, if count > 3 { 2 } else { 3 }).into_iter();
    let values = places.filter_map(|at| change.values.get(at));
    let values: Vec<String> = values.map(Value::to_string).collect();
    values.join(" → ")
}

/// Names in a sentence: `2019, 2021 and 2024`.
fn in_words(names: &[String]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.concat(),
    }
}

/// The facts of all surveys, each with the label of its survey.
fn provenance(comparison: &SurveyComparison) -> Vec<Fact> {
    let surveys = comparison.labels.iter().zip(&comparison.provenance);
    let facts = surveys.flat_map(|(label, facts)| facts.iter().map(move |fact| (label, fact)));
    let labelled = facts.map(|(label, fact)| Fact {
        name: format!("{label}: {}", fact.name),
        value: fact.value.clone(),
    });
    labelled.collect()
}

/// The topics with their changes.
fn topics(comparison: &SurveyComparison) -> impl Iterator<Item = (Topic, &[Change])> {
    let topics = comparison
        .changes
        .chunk_by(|one, other| one.topic == other.topic);
    topics.filter_map(|changes| Some((changes.first()?.topic, changes)))
}

fn section(comparison: &SurveyComparison, topic: Topic, changes: &[Change]) -> Section {
    let mut charts = Vec::from_iter(chart(comparison, topic, changes));
    if topic == Topic::AiCrawlersNone {
        charts.extend(openness_charts(comparison, changes));
    }
    Section {
        id: topic.as_str(),
        title: topic.title(),
        text: String::new(),
        charts,
        tables: vec![table(comparison, topic, changes, ROWS)],
    }
}

/// A chart of the largest shares; `None` if none is large enough to be seen, or none has changed.
fn chart(comparison: &SurveyComparison, topic: Topic, changes: &[Change]) -> Option<Chart> {
    let largest = |change: &Change| {
        let values = change.values.iter().map(|value| value.as_f64());
        values.fold(0.0, f64::max)
    };
    let mut bars: Vec<&Change> = changes
        .iter()
        .filter(|change| {
            matches!(change.last(), Value::Share { .. }) && largest(change) >= SMALLEST
        })
        .take(MOST_BARS)
        .collect();
    if topic != Topic::Files {
        bars.sort_by(|one, other| f64::total_cmp(&largest(other), &largest(one)));
    }
    let percent = |at: usize| {
        let values = bars.iter().map(|change| change.values.get(at));
        values
            .map(|value| value.map_or(0.0, |value| value.as_f64()))
            .collect::<Vec<f64>>()
    };
    // Dots have colours for three surveys; a grid has room for more, and the table has all.
    let form = match comparison.labels.len() {
        ..=3 => ChartForm::Dots,
        _ => ChartForm::Grid,
    };
    let labels = spread(comparison.labels.len(), MOST_COLUMNS).into_iter();
    let labels = labels.filter_map(|at| Some((at, comparison.labels.get(at)?)));
    let most = bars
        .iter()
        .max_by(|one, other| f64::total_cmp(&one.difference().abs(), &other.difference().abs()));
    let headline = most.map_or(String::new(), |change| {
        format!(
            "The largest change: {}, from {} to {} ({}).",
            change.name,
            change.first(),
            change.last(),
            signed(change.difference(), change.last())
        )
    });
    let is_changed = bars.iter().any(|change| {
        let mut values = change.values.windows(2);
        values.any(|pair| matches!(pair, [one, next] if one.as_f64() != next.as_f64()))
    });
    is_changed.then(|| Chart {
        headline,
        form,
        title: format!("{}, in % of {}", topic.title(), topic.base()),
        labels: bars.iter().map(|change| change.name.clone()).collect(),
        series: labels
            .map(|(at, label)| Series {
                name: label.clone(),
                percent: percent(at),
            })
            .collect(),
    })
}

/// The charts of the few AI crawlers whose access has changed most, one row for each survey.
fn openness_charts(comparison: &SurveyComparison, none: &[Change]) -> Vec<Chart> {
    let part = |name: &str| {
        let mut parts = comparison.changes.iter();
        parts.find(|change| change.topic == Topic::AiCrawlersPart && change.name == name)
    };
    // The changes are sorted, the largest first.
    let changed = none.iter().filter(|change| change.difference() != 0.0);
    let rows = spread(comparison.labels.len(), MOST_BARS);
    let charts = changed.take(MOST_CRAWLERS).filter_map(|none| {
        let part = part(&none.name)?;
        let share =
            |change: &Change, at: usize| change.values.get(at).map_or(0.0, |value| value.as_f64());
        let shares = |of: &dyn Fn(usize) -> f64| rows.iter().map(|at| of(*at)).collect();
        let percent: [Vec<f64>; 3] = [
            shares(&|at| share(none, at)),
            shares(&|at| share(part, at)),
            shares(&|at| (100.0 - share(none, at) - share(part, at)).max(0.0)),
        ];
        let name = &none.name;
        let labels = rows.iter().filter_map(|at| comparison.labels.get(*at));
        Some(Chart {
            headline: format!(
                "{} of {} of {} let {name} fetch none of the site, and {} of {} of {}.",
                none.last(),
                counted(*comparison.files.last()?, "file"),
                comparison.labels.last()?,
                none.first(),
                counted(*comparison.files.first()?, "file"),
                comparison.labels.first()?,
            ),
            title: format!("How much {name} may fetch, by name or through `*`, in % of files"),
            form: ChartForm::Stacked,
            labels: labels.cloned().collect(),
            series: NONE_PART_ALL
                .into_iter()
                .zip(percent)
                .map(|(name, percent)| Series {
                    name: String::from(name),
                    percent,
                })
                .collect(),
        })
    });
    charts.collect()
}

/// At most `most` indices below `count`, evenly spread from the first to the last.
fn spread(count: usize, most: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let steps = most.min(count).saturating_sub(1).max(1);
    let mut places: Vec<usize> = (0..most.min(count))
        .map(|step| step * last / steps)
        .collect();
    places.dedup();
    places
}

fn table(comparison: &SurveyComparison, topic: Topic, changes: &[Change], most: usize) -> Table {
    let shown = changes.iter().take(most);
    let mut table = Table::of(topic.title(), shown).column("", |change| name(topic, change));
    for (at, label) in comparison.labels.iter().enumerate() {
        table = table.column(label, |change| {
            let value = change.values.get(at).map(Value::to_string);
            right_aligned(value.unwrap_or_default())
        });
    }
    let note = (changes.len() > most).then(|| {
        format!(
            "{} more, which changed less, are in the JSON.",
            grouped((changes.len() - most) as u64)
        )
    });
    table
        .column("change", |change| {
            right_aligned(signed(change.difference(), change.last()))
        })
        .note(note)
        .table()
}

/// The cell of a name, as code if the name is from a file.
fn name(topic: Topic, change: &Change) -> Cell {
    match topic {
        Topic::AgentsNamed | Topic::Fields | Topic::Findings | Topic::Dialects => {
            code(change.name.as_str())
        }
        _ => text(change.name.as_str()),
    }
}

/// Writes a difference with its sign: `+1.2 points` for shares, `-1,828` for numbers.
fn signed(difference: f64, value: Value) -> String {
    match value {
        Value::Share { .. } if difference.abs() < 1.0 => format!("{difference:+.2} points"),
        Value::Share { .. } => format!("{difference:+.1} points"),
        Value::Number(_) => {
            let sign = if difference < 0.0 { '-' } else { '+' };
            format!("{sign}{}", decimal(difference.abs()))
        }
    }
}

/// The most AI crawlers with a chart of their own.
const MOST_CRAWLERS: usize = 3;

/// The most rows of a table on a page.
const ROWS: usize = 100;

/// The most rows of a table on a terminal.
const SHORT_ROWS: usize = 10;

/// The smallest share of a bar in percent, which a label shows as 0.1 %.
const SMALLEST: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surveys_are_spread_from_the_first_to_the_last() {
        assert!(spread(0, 8).is_empty());
        assert_eq!(spread(1, 8), [0]);
        assert_eq!(spread(4, 8), [0, 1, 2, 3]);
        assert_eq!(spread(9, 8), [0, 1, 2, 3, 4, 5, 6, 8]);
        assert_eq!(spread(100, 3), [0, 49, 99]);
    }
}
