//! The HTML page of a document: without scripts, without external resources, and with all text
//! escaped.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::chart;
use crate::report::document::{Cell, Chart, Document, Fact, Section, Table};

/// A document as one HTML page without external resources. Each chart can be saved as an SVG file.
#[must_use]
pub fn html(document: &Document) -> String {
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
                    @for caution in &document.cautions { p.caution { (prose(caution)) } }
                    @if !document.dates.is_empty() { p.dates { (document.dates) } }
                }
                main {
                    @if !document.figures.is_empty() {
                        section aria-label="Key figures" {
                            dl.figures {
                                @for figure in &document.figures {
                                    div {
                                        dt { (prose(figure.label)) }
                                        @if !figure.by_domain.is_empty() {
                                            dd.beside { (figure.by_domain) }
                                        }
                                        dd class=[change_class(&figure.value)] { (figure.value) }
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
                    @for section in &document.sections { (section_markup(section, document)) }
                }
                footer {
                    @if !document.provenance.is_empty() {
                        h2 { "About this survey" }
                        (facts(&document.provenance))
                    }
                    p { "Made by " code { "robots survey" } " of polite-robots." }
                }
            }
        }
    };
    page.into_string()
}

fn facts(facts: &[Fact]) -> Markup {
    html! {
        dl.provenance {
            @for fact in facts {
                div {
                    dt { (fact.name) }
                    dd { (fact.value) }
                }
            }
        }
    }
}

fn section_markup(section: &Section, document: &Document) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            @for (at, chart) in section.charts.iter().enumerate() {
                (chart_markup(chart, &format!("{}-{}", section.id, at + 1), document))
            }
            @if !section.text.is_empty() { p.text { (prose(&section.text)) } }
            (tables_markup(section))
        }
    }
}

/// A chart under its headline. Its numbers are also in a table.
fn chart_markup(chart: &Chart, id: &str, document: &Document) -> Markup {
    let file = chart::file(chart, &document.source);
    html! {
        figure {
            // The caption names the chart, also for screen readers.
            figcaption id=(id) {
                strong { (prose(&unbroken(&chart.headline))) }
                span { (prose(&chart.title)) }
            }
            @if chart.has_legend() {
                ul.legend {
                    @for (at, series) in chart.series.iter().enumerate() {
                        li {
                            svg aria-hidden="true" width="12" height="12" {
                                rect width="12" height="12" rx="2"
                                    fill={ "var(" (chart::colour(chart, at)) ")" } {}
                            }
                            (prose(&series.name))
                        }
                    }
                }
            }
            (chart::on_page(chart, id))
            p.save {
                a download={ (id) ".svg" } href=(data_uri(&file)) aria-label={ "Save as SVG: " (chart.title.replace('`', "")) } {
                    "Save as SVG"
                }
            }
        }
    }
}

/// The tables of a section, folded. A table without column heads is text and stays open. The tables
/// of a section that has nothing else stay open too.
fn tables_markup(section: &Section) -> Markup {
    let is_bare = section.charts.is_empty() && section.text.is_empty();
    let is_text = |table: &&Table| is_bare || table.columns.iter().all(String::is_empty);
    let tables = section.tables.iter().filter(|table| !table.rows.is_empty());
    let (open, folded): (Vec<&Table>, Vec<&Table>) = tables.partition(is_text);
    let titles: Vec<String> = folded.iter().map(|table| lower(&table.title)).collect();
    html! {
        @if !open.is_empty() {
            div.tables { @for table in open { (table_markup(table, section.title)) } }
        }
        @if !folded.is_empty() {
            details {
                summary { "Tables: " (titles.join(" · ")) }
                div.tables { @for table in folded { (table_markup(table, section.title)) } }
            }
        }
    }
}

fn table_markup(table: &Table, section: &str) -> Markup {
    html! {
        div.table {
            // The heading of the section is right above a table of the same name.
            @if table.title != section { h3 { (prose(&table.title)) } }
            div.scroll tabindex="0" role="region" aria-label=(table.title.replace('`', "")) {
                table {
                    thead {
                        tr {
                            @for (at, column) in table.columns.iter().enumerate() {
                                @if column.is_empty() {
                                    td class=[number_class(table, at)] {}
                                } @else {
                                    th scope="col" class=[number_class(table, at)] { (prose(column)) }
                                }
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
            @if let Some(note) = &table.note { p.note { (prose(note)) } }
        }
    }
}

/// A chart as a link that needs no other file.
fn data_uri(svg: &str) -> String {
    let mut uri = String::from("data:image/svg+xml,");
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'~' | b'/' | b':' | b'=' | b',' | b';' | b'(' | b')' | b'\'' => {
                uri.push(char::from(byte));
            }
            _ => {
                let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
                uri.push('%');
                uri.push(digit(byte >> 4).to_ascii_uppercase());
                uri.push(digit(byte & 0xF).to_ascii_uppercase());
            }
        }
    }
    uri
}

/// The text with the parts between backticks as code.
fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The text with its numbers kept beside their unit.
fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// A title within a sentence: without marks of code, and with a small first letter, unless it is a
/// name.
fn lower(title: &str) -> String {
    let title = title.replace('`', "");
    let mut characters = title.chars();
    match (characters.next(), characters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() && !title.starts_with("Content-") => {
            let rest: String = title.chars().skip(1).collect();
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => title,
    }
}

/// The class of a figure that is a change, which is longer than a number.
fn change_class(value: &str) -> Option<&'static str> {
    value.contains('→').then_some("change")
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

const STYLE: &str = include_str!("style.css");
