//! Section: the files that block one crawler, company or purpose and not another.

use crate::report::document::{Chart, ChartForm, MOST_COLUMNS, Section, Series, Table};
use crate::report::number::{counted, percent};
use crate::summary::Summary;
use crate::summary::co_restriction::Matrix;
use crate::summary::distribution::ratio;

pub(super) fn section(summary: &Summary) -> Section {
    let files = summary.files;
    let counts = &summary.co_restriction;
    Section {
        id: "co-restriction",
        title: "One and not the other",
        text: String::from(
            "A file blocks a crawler that may fetch nothing, by its name or through `*`. It blocks a company if it blocks \
             one of its crawlers on the list of AI crawlers, so Google counts for Google-Extended and not for Googlebot; \
             and a purpose if it blocks one of its crawlers. A number is the files that block the name of its row and not \
             that of its column.",
        ),
        charts: chart(&counts.by_crawler, "crawler", files)
            .into_iter()
            .chain(chart(&counts.by_company, "company", files))
            .collect(),
        tables: vec![
            table("Crawlers", &counts.by_crawler),
            table("Companies", &counts.by_company),
            table("Purposes", &counts.by_purpose),
        ],
    }
}

/// A grid of the shares of all files; `None` if no file blocks one and not another.
fn chart(matrix: &Matrix, what: &str, files: u64) -> Option<Chart> {
    let headline = headline(matrix, files)?;
    let columns = matrix.names.iter().take(MOST_COLUMNS).enumerate();
    let series = columns.map(|(column, name)| Series {
        name: name.to_string(),
        percent: matrix
            .but_not
            .iter()
            .map(|row| ratio(row.get(column).copied().unwrap_or_default(), files) * 100.0)
            .collect(),
    });
    Some(Chart {
        headline,
        title: format!(
            "Files that block the {what} of the row and not that of the column, in % of {}",
            counted(files, "file")
        ),
        form: ChartForm::Grid,
        labels: matrix.names.iter().map(ToString::to_string).collect(),
        series: series.collect(),
    })
}

/// The pair with the most files, and the same pair the other way round.
fn headline(matrix: &Matrix, files: u64) -> Option<String> {
    let rows = matrix.names.iter().zip(&matrix.but_not).enumerate();
    let pairs = rows.flat_map(|(at, (one, row))| {
        let others = matrix.names.iter().zip(row).zip(&matrix.but_not);
        others.map(move |((other, count), back)| (*count, one, other, back.get(at).copied()))
    });
    // If several pairs have equally many files, the first pair counts.
    let most = pairs.reduce(|most, pair| if pair.0 > most.0 { pair } else { most });
    let (count, one, other, back) = most.filter(|(count, ..)| *count > 0)?;
    Some(format!(
        "{} of {} block {one} and not {other}; {} do the reverse.",
        percent(count, files),
        counted(files, "file"),
        percent(back.unwrap_or_default(), files)
    ))
}

fn table(title: &str, matrix: &Matrix) -> Table {
    let rows = matrix
        .names
        .iter()
        .zip(&matrix.blocked)
        .zip(&matrix.but_not);
    let mut table = Table::of(title, rows)
        .text("blocks", |((name, _), _)| name.to_string())
        .number("files", |((_, blocked), _)| **blocked);
    for (at, name) in matrix.names.iter().enumerate() {
        table = table.number(&format!("and not {name}"), |(_, but_not)| {
            but_not.get(at).copied().unwrap_or_default()
        });
    }
    table.table()
}
