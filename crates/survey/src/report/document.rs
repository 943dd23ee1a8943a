//! The form of a report: key figures, then sections with charts and tables.

use crate::report::number::{counted, grouped, percent};
use crate::summary::distribution::ratio;

/// A report: key figures, then sections.
#[derive(Debug, Default)]
pub struct Document {
    /// The title.
    pub title: String,
    /// One sentence on what was surveyed.
    pub lead: String,
    /// Warnings about the figures. Text between backticks is code.
    pub cautions: Vec<String>,
    /// The dates of the survey and its records, as far as they are known.
    pub dates: String,
    /// One line that names the survey, for a chart that leaves the page.
    pub source: String,
    /// The facts by which a reader can judge the numbers: program, inputs, dates.
    pub provenance: Vec<Fact>,
    /// The key figures.
    pub figures: Vec<Figure>,
    /// The sections, in the order of a reader's questions.
    pub sections: Vec<Section>,
}

/// A fact about the survey itself.
#[derive(Debug)]
pub struct Fact {
    /// The name of the fact.
    pub name: String,
    /// The fact.
    pub value: String,
}

/// A number that a reader should remember.
#[derive(Debug)]
pub struct Figure {
    /// The number, with its unit.
    pub value: String,
    /// The name of the figure.
    pub label: &'static str,
    /// The value with each domain counted once, where one domain or template is a large share of
    /// the files; otherwise empty.
    pub by_domain: String,
}

/// A section of a report. Text between backticks is code, here and in charts and tables.
#[derive(Debug)]
pub struct Section {
    /// The anchor of the section.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// An explanation of the numbers.
    pub text: String,
    /// The charts, above the tables.
    pub charts: Vec<Chart>,
    /// The tables; those without rows are not shown.
    pub tables: Vec<Table>,
}

/// Shares from left to right, one row for each label. Every share is also in a table.
#[derive(Debug)]
pub struct Chart {
    /// The sentence that a reader should remember, with its figures.
    pub headline: String,
    /// The title: what is measured, and in % of what.
    pub title: String,
    /// How the shares of a row are drawn.
    pub form: ChartForm,
    /// The name of each row.
    pub labels: Vec<String>,
    /// The shares of each row.
    pub series: Vec<Series>,
}

/// How the shares of a row are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartForm {
    /// A bar for each share, one below the other.
    Bars,
    /// One bar of shares that add up, the most restrictive first.
    Stacked,
    /// A bar within a bar: the first share is a part of the second.
    Nested,
    /// A dot for each share, from the earliest to the latest, joined by a line.
    Dots,
    /// A cell for each share, the darker the larger, under the name of its series.
    Grid,
}

/// The shares of one colour, one in each row.
#[derive(Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The share of each row, at most 100.
    pub percent: Vec<f64>,
}

/// A table of a report.
#[derive(Debug)]
pub struct Table {
    /// The title, which may be empty.
    pub title: String,
    /// The heads of the columns; a table may have none.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// A note on rows that are left out.
    pub note: Option<String>,
}

/// A cell of a table.
#[derive(Debug, Clone)]
pub enum Cell {
    /// Text.
    Text(String),
    /// Text from a file, shown as code.
    Code(String),
    /// A kind of finding, with the address of its page.
    Link {
        /// The name of the finding.
        text: String,
        /// The URL of its page.
        address: String,
    },
    /// A number, set to the right.
    Number(String),
}

impl Chart {
    /// A chart of one series: labels with their counts, as shares of `whole`.
    pub(crate) fn of_shares(
        headline: impl Into<String>,
        title: &str,
        bars: impl IntoIterator<Item = (String, u64)>,
        whole: Whole,
    ) -> Chart {
        let rows = bars.into_iter().map(|(label, count)| (label, [count]));
        Chart::of_counts(ChartForm::Bars, headline, title, [""], rows, whole)
    }

    /// A chart of the first bars that are long enough to be seen; `None` if there are none. The
    /// others are in a table.
    pub(crate) fn of_largest(
        headline: impl Into<String>,
        title: &str,
        bars: impl IntoIterator<Item = (String, u64)>,
        whole: Whole,
    ) -> Option<Chart> {
        let is_seen = |(_, count): &(String, u64)| ratio(*count, whole.count) >= SMALLEST_SHARE;
        let bars: Vec<_> = bars.into_iter().filter(is_seen).take(MOST_BARS).collect();
        (!bars.is_empty()).then(|| Chart::of_shares(headline, title, bars, whole))
    }

    /// A chart of several counts for each label, each with its name.
    pub(crate) fn of_counts<const N: usize>(
        form: ChartForm,
        headline: impl Into<String>,
        title: &str,
        names: [&str; N],
        rows: impl IntoIterator<Item = (String, [u64; N])>,
        whole: Whole,
    ) -> Chart {
        let rows = rows.into_iter();
        let rows = rows.map(|(label, counts)| (label, counts, whole.count));
        Chart::of_parts(form, headline, whole.in_title(title), names, rows)
    }

    /// A chart of several counts for each label, each row with a whole of its own.
    pub(crate) fn of_parts<const N: usize>(
        form: ChartForm,
        headline: impl Into<String>,
        title: impl Into<String>,
        names: [&str; N],
        rows: impl IntoIterator<Item = (String, [u64; N], u64)>,
    ) -> Chart {
        let rows: Vec<(String, [u64; N], u64)> = rows.into_iter().collect();
        let share = |at: usize, (_, counts, whole): &(String, [u64; N], u64)| {
            ratio(counts.get(at).copied().unwrap_or_default(), *whole) * 100.0
        };
        let series = names.iter().enumerate().map(|(at, name)| Series {
            name: String::from(*name),
            percent: rows.iter().map(|row| share(at, row)).collect(),
        });
        let series: Vec<Series> = series.collect();
        Chart {
            headline: headline.into(),
            title: title.into(),
            form,
            series,
            labels: rows.into_iter().map(|(label, ..)| label).collect(),
        }
    }

    /// Whether any share is above zero.
    pub(crate) fn shows_anything(&self) -> bool {
        let mut shares = self.series.iter().flat_map(|series| &series.percent);
        shares.any(|share| *share > 0.0)
    }

    /// Whether the colours need a legend. The series of a grid are named above its columns.
    pub(crate) fn has_legend(&self) -> bool {
        self.series.len() > 1 && self.form != ChartForm::Grid
    }
}

/// The whole that the shares of a chart are of, as in `28,599 files`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole {
    pub(crate) count: u64,
    pub(crate) noun: &'static str,
}

impl Whole {
    pub(crate) const fn files(count: u64) -> Whole {
        Whole {
            count,
            noun: "file",
        }
    }

    fn in_title(self, title: &str) -> String {
        format!("{title}, in % of {}", counted(self.count, self.noun))
    }
}

impl Table {
    /// A table without columns, of these rows.
    pub(crate) fn of<R>(title: impl Into<String>, rows: impl IntoIterator<Item = R>) -> Columns<R> {
        let of: Vec<R> = rows.into_iter().collect();
        let rows = of.iter().map(|_| Vec::new()).collect();
        let table = Table {
            title: title.into(),
            columns: Vec::new(),
            rows,
            note: None,
        };
        Columns { table, of }
    }

    /// A table without column heads: each row is a name and its fact.
    pub(crate) fn of_facts<N: Into<String>>(facts: impl IntoIterator<Item = (N, Cell)>) -> Table {
        let rows = facts.into_iter().map(|(name, fact)| vec![text(name), fact]);
        Table {
            title: String::new(),
            columns: Vec::new(),
            rows: rows.collect(),
            note: None,
        }
    }

    /// A table of counts, each with a whole of its own. A count whose whole is zero has no share,
    /// and is left out.
    pub(crate) fn of_counts<N: Into<String> + Clone>(
        title: &str,
        counted: &str,
        counts: impl IntoIterator<Item = (N, u64, u64)>,
    ) -> Table {
        let counts = counts.into_iter().filter(|(.., whole)| *whole > 0);
        Table::of(title, counts)
            .text("", |(name, ..)| name.clone())
            .number(counted, |(_, count, _)| *count)
            .column("share", |(_, count, whole)| share(*count, *whole))
            .table()
    }
}

/// A builder of a table. Each column has a function that makes the cell of a row.
pub(crate) struct Columns<R> {
    table: Table,
    of: Vec<R>,
}

impl<R> Columns<R> {
    pub(crate) fn column(
        mut self,
        head: impl Into<String>,
        cell: impl Fn(&R) -> Cell,
    ) -> Columns<R> {
        self.table.columns.push(head.into());
        for (cells, row) in self.table.rows.iter_mut().zip(&self.of) {
            cells.push(cell(row));
        }
        self
    }

    pub(crate) fn text<T: Into<String>>(self, head: &str, of: impl Fn(&R) -> T) -> Columns<R> {
        self.column(head, |row| text(of(row)))
    }

    /// A column of text from files.
    pub(crate) fn code<T: Into<String>>(self, head: &str, of: impl Fn(&R) -> T) -> Columns<R> {
        self.column(head, |row| code(of(row)))
    }

    pub(crate) fn number(self, head: &str, of: impl Fn(&R) -> u64) -> Columns<R> {
        self.column(head, |row| number(of(row)))
    }

    /// A column of numbers, and one of their shares of a whole.
    pub(crate) fn counts(self, head: &str, whole: u64, of: impl Fn(&R) -> u64) -> Columns<R> {
        self.number(head, &of)
            .column("share", |row| share(of(row), whole))
    }

    pub(crate) fn note(mut self, note: Option<String>) -> Columns<R> {
        self.table.note = note;
        self
    }

    pub(crate) fn table(self) -> Table {
        self.table
    }
}

/// A cell of text.
pub(crate) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

/// A cell of text from a file.
pub(crate) fn code(text: impl Into<String>) -> Cell {
    Cell::Code(text.into())
}

/// A cell with a number.
pub(crate) fn number(number: u64) -> Cell {
    Cell::Number(grouped(number))
}

/// A cell with a share in percent.
pub(crate) fn share(part: u64, whole: u64) -> Cell {
    Cell::Number(percent(part, whole))
}

/// A cell of text that is set like a number.
pub(crate) fn right_aligned(text: impl Into<String>) -> Cell {
    Cell::Number(text.into())
}

impl Cell {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Cell::Text(text) | Cell::Code(text) | Cell::Number(text) => text,
            Cell::Link { text, .. } => text,
        }
    }
}

/// The most bars of a chart.
pub(crate) const MOST_BARS: usize = 16;

/// The most columns of a grid. Their numbers still fit a phone.
pub(crate) const MOST_COLUMNS: usize = 8;

/// The smallest share that a label shows as 0.1 %.
const SMALLEST_SHARE: f64 = 0.0005;
