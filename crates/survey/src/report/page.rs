//! The HTML page of a document: without scripts, without external resources, and with all text
//! escaped.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::chart;
use crate::report::document::{Cell, Chart, Document, Section, Table};

/// A chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ChartError(#[from] charts_rs::Error);

/// Makes the page.
pub(crate) fn html(document: &Document) -> charts_rs::Result<String> {
    let mut sections = Vec::new();
    for section in &document.sections {
        sections.push(section_markup(section)?);
    }
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (document.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (document.title) }
                    p.lead { (document.lead) }
                }
                main {
                    @if !document.figures.is_empty() {
                        section aria-label="Key figures" {
                            dl.figures {
                                @for figure in &document.figures {
                                    div {
                                        dt { (prose(figure.label)) }
                                        dd { (figure.value) }
                                    }
                                }
                            }
                        }
                    }
                    nav aria-label="Sections" {
                        ul {
                            @for section in &document.sections {
                                li { a href={ "#" (section.id) } { (section.title) } }
                            }
                        }
                    }
                    @for section in &sections { (section) }
                }
                footer {
                    p { "Made by " code { "robots survey" } " of polite-robots." }
                }
            }
        }
    };
    Ok(page.into_string())
}

fn section_markup(section: &Section) -> charts_rs::Result<Markup> {
    let mut charts = Vec::new();
    for (at, chart) in section.charts.iter().enumerate() {
        charts.push(chart_markup(chart, &format!("{}-{at}", section.id))?);
    }
    Ok(html! {
        section id=(section.id) {
            h2 { (section.title) }
            @if !section.text.is_empty() { p { (prose(&section.text)) } }
            @for chart in &charts { (chart) }
            div.tables {
                @for table in &section.tables {
                    @if !table.rows.is_empty() { (table_markup(table)) }
                }
            }
        }
    })
}

/// A chart with a name for sighted readers and screen readers. Its numbers are also in a table.
fn chart_markup(chart: &Chart, id: &str) -> charts_rs::Result<Markup> {
    let svg = chart::svg(chart)?;
    // The name is that of the caption, also for screen readers.
    let described = svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-labelledby=\"{id}\" "),
        1,
    );
    Ok(html! {
        figure {
            figcaption id=(id) { (prose(&chart.title)) }
            @if chart.series.len() > 1 {
                ul.legend {
                    @for series in &chart.series { li { (series.name) } }
                }
            }
            (PreEscaped(described))
        }
    })
}

fn table_markup(table: &Table) -> Markup {
    let body = html! {
        div.scroll tabindex="0" role="region" aria-label=(table.title.replace('`', "")) {
            table {
                thead {
                    tr {
                        @for (at, column) in table.columns.iter().enumerate() {
                            th scope="col" class=[number_class(table, at)] { (prose(column)) }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr { @for cell in row { (cell_markup(cell)) } }
                    }
                }
            }
        }
        @if let Some(note) = &table.note { p.note { (note) } }
    };
    html! {
        @if table.rows.len() > OPEN_ROWS {
            details {
                summary { (prose(&table.title)) " (" (table.rows.len()) " rows)" }
                (body)
            }
        } @else {
            div.table {
                h3 { (prose(&table.title)) }
                (body)
            }
        }
    }
}

/// The text with the parts between backticks as code.
fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The class of a column of numbers.
fn number_class(table: &Table, column: usize) -> Option<&'static str> {
    let first = table.rows.first().and_then(|row| row.get(column));
    matches!(first, Some(Cell::Number(_))).then_some("number")
}

fn cell_markup(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Text(text) => td { (prose(text)) },
            Cell::Code(text) => td { code { (text) } },
            Cell::Link { text, address } => td { a href=(address) { (text) } },
            Cell::Number(text) => td.number { (text) },
        }
    }
}

/// The most rows of a table that is not folded.
const OPEN_ROWS: usize = 12;

const STYLE: &str = include_str!("style.css");
