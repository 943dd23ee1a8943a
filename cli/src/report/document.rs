//! The form of a report, whatever it tells.

use crate::report::number::{grouped, percent};
use crate::survey::summary::distribution::ratio;

/// A report: key figures, then sections.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) title: String,
    /// One sentence: of what.
    pub(crate) lead: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) sections: Vec<Section>,
}

/// A number that a reader should remember.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) value: String,
    pub(crate) label: &'static str,
}

/// In its texts, as in those of tables and charts, what stands between backticks is code.
#[derive(Debug)]
pub(crate) struct Section {
    /// Of the link to it.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What the numbers are of, and how to read them.
    pub(crate) text: String,
    pub(crate) charts: Vec<Chart>,
    pub(crate) tables: Vec<Table>,
}

/// Shares as bars from left to right, one group for each label. Everything in it is also in a table.
#[derive(Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) labels: Vec<String>,
    pub(crate) series: Vec<Series>,
}

#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Of 100.
    pub(crate) percent: Vec<f64>,
}

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
    /// What is left out.
    pub(crate) note: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Text(String),
    /// From a file: shown in another type.
    Code(String),
    /// A kind of finding, with the address of its page.
    Link {
        text: String,
        address: String,
    },
    /// Set to the right.
    Number(String),
}

impl Chart {
    /// Of one series: labels with their counts, as shares of `whole`.
    pub(crate) fn of_shares(
        title: impl Into<String>,
        bars: impl IntoIterator<Item = (String, u64)>,
        whole: u64,
    ) -> Chart {
        let (labels, percent) = bars
            .into_iter()
            .map(|(label, count)| (label, ratio(count, whole) * 100.0))
            .unzip();
        Chart {
            title: title.into(),
            labels,
            series: vec![Series {
                name: String::new(),
                percent,
            }],
        }
    }
}

impl Chart {
    /// The same of the first bars that can be seen; the others are in the table.
    pub(crate) fn of_most(
        title: impl Into<String>,
        bars: impl IntoIterator<Item = (String, u64)>,
        whole: u64,
    ) -> Option<Chart> {
        let is_seen = |(_, count): &(String, u64)| ratio(*count, whole) >= SMALLEST_SHARE;
        let bars: Vec<_> = bars.into_iter().filter(is_seen).take(MOST_BARS).collect();
        (!bars.is_empty()).then(|| Chart::of_shares(title, bars, whole))
    }
}

impl Table {
    pub(crate) fn new<C: ToString>(title: impl Into<String>, columns: &[C]) -> Table {
        Table {
            title: title.into(),
            columns: columns.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
            note: None,
        }
    }

    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// A count with its share of `whole`; nothing is told of nothing.
    pub(crate) fn count(&mut self, label: impl Into<String>, count: u64, whole: u64) {
        if whole == 0 {
            return;
        }
        self.row([text(label), number(count), share(count, whole)]);
    }
}

pub(crate) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

pub(crate) fn code(text: impl Into<String>) -> Cell {
    Cell::Code(text.into())
}

pub(crate) fn number(number: u64) -> Cell {
    Cell::Number(grouped(number))
}

pub(crate) fn share(part: u64, whole: u64) -> Cell {
    Cell::Number(percent(part, whole))
}

pub(crate) fn right(text: impl Into<String>) -> Cell {
    Cell::Number(text.into())
}

impl Cell {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Cell::Text(text) | Cell::Code(text) | Cell::Number(text) => text,
            Cell::Link { text, .. } => text,
        }
    }
}

/// Bars of a chart.
pub(crate) const MOST_BARS: usize = 20;

/// What a label shows as 0.1 %.
const SMALLEST_SHARE: f64 = 0.0005;
