//! The report of a comparison: tables for the terminal, and a document with charts for a page.

use crate::compare::change::Change;
use crate::compare::comparison::SurveyComparison;
use crate::compare::measure::{Topic, Value};
use crate::report::number::{counted, decimal, grouped};
use crate::report::{
    Cell, Chart, ChartForm, Document, Fact, Figure, MOST_BARS, Section, Series, Table, code,
    right_aligned, text,
};

/// Makes the report.
pub(super) fn document(comparison: &SurveyComparison) -> Document {
    let [old, new] = &comparison.labels;
    let figures = FIGURES.iter().filter_map(|(name, label)| {
        let mut changes = comparison.changes.iter();
        let change = changes.find(|change| change.name == *name)?;
        Some(Figure {
            value: format!("{} → {}", change.old, change.new),
            label,
        })
    });
    let figures = figures.collect();
    Document {
        title: format!("robots.txt: {old} and {new}"),
        dates: String::new(),
        source: format!("robots.txt files of {old} and {new}. Made with polite-robots."),
        provenance: provenance(comparison),
        lead: format!(
            "{} of {old}, {} of {new}. Shares are of files; the sites need not be the same.",
            counted(comparison.files[0], "file"),
            counted(comparison.files[1], "file")
        ),
        figures,
        sections: topics(comparison)
            .map(|(topic, changes)| section(comparison, topic, changes))
            .collect(),
    }
}

/// The facts of both surveys, each with the label of its survey.
fn provenance(comparison: &SurveyComparison) -> Vec<Fact> {
    let surveys = comparison.labels.iter().zip(&comparison.provenance);
    let of_survey = |(label, facts): (&String, &Vec<Fact>)| {
        let facts = facts.iter().map(|fact| Fact {
            name: format!("{label}: {}", fact.name),
            value: fact.value.clone(),
        });
        facts.collect::<Vec<Fact>>()
    };
    surveys.flat_map(of_survey).collect()
}

/// Makes the tables for a terminal, with few rows each.
pub(super) fn short_tables(comparison: &SurveyComparison) -> Vec<Table> {
    topics(comparison)
        .map(|(topic, changes)| table(comparison, topic, changes, SHORT_ROWS))
        .collect()
}

/// The topics with their changes.
fn topics(comparison: &SurveyComparison) -> impl Iterator<Item = (Topic, &[Change])> {
    let topics = comparison
        .changes
        .chunk_by(|one, other| one.topic == other.topic);
    topics.filter_map(|changes| Some((changes.first()?.topic, changes)))
}

fn section(comparison: &SurveyComparison, topic: Topic, changes: &[Change]) -> Section {
    Section {
        id: id(topic),
        title: topic.title(),
        text: String::new(),
        charts: Vec::from_iter(chart(comparison, topic, changes)),
        tables: vec![table(comparison, topic, changes, ROWS)],
    }
}

/// A chart of the largest shares; `None` if none is large enough to be seen, or none has changed.
fn chart(comparison: &SurveyComparison, topic: Topic, changes: &[Change]) -> Option<Chart> {
    let largest = |change: &Change| f64::max(change.old.as_f64(), change.new.as_f64());
    let mut bars: Vec<&Change> = changes
        .iter()
        .filter(|change| matches!(change.new, Value::Share { .. }) && largest(change) >= SMALLEST)
        .take(MOST_BARS)
        .collect();
    if topic != Topic::Files {
        bars.sort_by(|one, other| f64::total_cmp(&largest(other), &largest(one)));
    }
    let percent = |value: fn(&Change) -> Value| {
        bars.iter()
            .map(|change| value(change).as_f64())
            .collect::<Vec<f64>>()
    };
    let [old, new] = comparison.labels.clone();
    let most = bars
        .iter()
        .max_by(|one, other| f64::total_cmp(&one.difference().abs(), &other.difference().abs()));
    let headline = most.map_or(String::new(), |change| {
        format!(
            "The largest change: {}, from {} to {} ({}).",
            change.name,
            change.old,
            change.new,
            signed(change.difference(), change.new)
        )
    });
    let is_changed = bars.iter().any(|change| change.difference() != 0.0);
    is_changed.then(|| Chart {
        headline,
        form: ChartForm::Dots,
        title: match topic {
            Topic::Outcome => format!("{}, in % of responses", topic.title()),
            Topic::Dialects => format!("{}, in % of the files compared", topic.title()),
            _ => format!("{}, in % of files", topic.title()),
        },
        labels: bars.iter().map(|change| change.name.clone()).collect(),
        series: vec![
            Series {
                name: old,
                percent: percent(|change| change.old),
            },
            Series {
                name: new,
                percent: percent(|change| change.new),
            },
        ],
    })
}

fn table(comparison: &SurveyComparison, topic: Topic, changes: &[Change], most: usize) -> Table {
    let [old, new] = comparison.labels.clone();
    let mut table = Table::new(
        topic.title(),
        &[String::new(), old, new, String::from("change")],
    );
    for change in changes.iter().take(most) {
        let difference = change.difference();
        table.row([
            name(topic, change),
            right_aligned(change.old.to_string()),
            right_aligned(change.new.to_string()),
            right_aligned(signed(difference, change.new)),
        ]);
    }
    table.note = (changes.len() > most).then(|| {
        format!(
            "{} more, which changed less, are in the JSON.",
            grouped((changes.len() - most) as u64)
        )
    });
    table
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

/// The anchor of a section.
const fn id(topic: Topic) -> &'static str {
    match topic {
        Topic::Outcome => "outcome",
        Topic::Size => "size",
        Topic::Files => "files",
        Topic::CrawlersByPurposeNamed => "purposes-named",
        Topic::CrawlersByPurposeDisallowed => "purposes-disallowed",
        Topic::AiCrawlersNamed => "ai-crawlers-named",
        Topic::AiCrawlersDisallowed => "ai-crawlers-disallowed",
        Topic::AgentsNamed => "agents",
        Topic::Fields => "fields",
        Topic::UseOfContent => "use",
        Topic::Findings => "findings",
        Topic::Dialects => "dialects",
    }
}

/// The measures that are key figures, with their labels.
const FIGURES: [(&str, &str); 5] = [
    ("an AI crawler named", "name an AI crawler"),
    (
        "an AI crawler disallowed",
        "disallow an AI crawler everything by name",
    ),
    ("*: all disallowed", "disallow everyone everything"),
    ("a sitemap", "name a sitemap"),
    ("bytes, median", "bytes of the median file"),
];

/// The most rows of a table on a page.
const ROWS: usize = 100;

/// The most rows of a table on a terminal.
const SHORT_ROWS: usize = 10;

/// The smallest share of a bar in percent, which a label shows as 0.1 %.
const SMALLEST: f64 = 0.05;
