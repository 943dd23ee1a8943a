//! The provenance of a survey for its readers: program, inputs, dates and depth.

use crate::dates::Dates;
use crate::depth::Depth;
use crate::part::{Part, State};
use crate::report::document::{Fact, Table};
use crate::report::number::{bytes, counted, grouped};
use crate::unit::Unit;
use polite_robots_audit::printable::printable;

/// The facts by which a reader can judge the numbers.
pub(crate) fn facts(part: &Part) -> Vec<Fact> {
    let cut = part.cut_inputs().count() as u64;
    let cut = format!("{}, counted as far as it goes", counted(cut, "input"));
    let depth = match part.depth() {
        Depth::Thorough => "thorough: every file had all of the work",
        Depth::Sampled => {
            "sampled: one file in 8 had its rules compared, and one in 32 was read in both dialects"
        }
    };
    let unit = match part.unit() {
        Unit::Response => None,
        Unit::Body => Some("each distinct body once"),
        Unit::Domain => Some("one response of each domain"),
    };
    let versions = Vec::from_iter(part.provenance.versions.iter().map(String::as_str)).join(", ");
    let program = format!("polite-robots-survey {versions}");
    let limit = format!("at most {}", bytes(part.max_bytes() as u64));
    let unreadable = counted(part.unreadable(), "file");
    let facts = [
        ("Inputs", Some(inputs(part))),
        (
            "Cut off",
            Some(cut).filter(|_| part.cut_inputs().next().is_some()),
        ),
        (
            "Not read",
            Some(unreadable).filter(|_| part.unreadable() > 0),
        ),
        ("Responses recorded", range(&part.provenance.records)),
        ("Surveyed", range(&part.timings.runs)),
        ("Depth", Some(String::from(depth))),
        ("Counted", unit.map(String::from)),
        ("Read of each file", Some(limit)),
        ("Program", Some(program).filter(|_| !versions.is_empty())),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| {
        Some(Fact {
            name: String::from(name),
            value: value?,
        })
    });
    known.collect()
}

/// The dates of records and runs as a sentence; empty if none is known.
pub(crate) fn dates_in_words(part: &Part) -> String {
    let records = range(&part.provenance.records).map(|days| format!("Recorded {days}."));
    let runs = range(&part.timings.runs).map(|days| format!("Surveyed {days}."));
    let sentences: Vec<String> = [records, runs].into_iter().flatten().collect();
    sentences.join(" ")
}

/// The line that a chart carries when it leaves the page.
pub(crate) fn source(title: &str, part: &Part) -> String {
    format!(
        "{title}: {}. {} Made with polite-robots.",
        counted(part.summary.files, "robots.txt file"),
        dates_in_words(part)
    )
}

/// The inputs with their bytes and responses, those with the most responses first.
pub(crate) fn inputs_table(part: &Part) -> Table {
    let mut inputs: Vec<_> = part.inputs.iter().collect();
    inputs.sort_by_key(|tracked| std::cmp::Reverse(tracked.responses));
    let all = inputs.len();
    let note = (all > MOST_INPUTS).then(|| {
        let all = grouped(all as u64);
        format!("The {MOST_INPUTS} with the most responses of {all}; the survey's JSON has all.")
    });
    Table::of("Inputs", inputs.into_iter().take(MOST_INPUTS))
        .code("input", |tracked| {
            printable(&tracked.input.path.to_string_lossy())
        })
        .number("bytes", |tracked| tracked.input.bytes())
        .number("responses", |tracked| tracked.responses)
        .text("state", |tracked| match tracked.state {
            State::Waiting => String::from("not read"),
            State::Open(_) => String::from("read in part"),
            State::Done => String::from("read"),
            State::Cut { cut_at } => format!("cut off at byte {}", grouped(cut_at)),
            State::Unreadable { .. } => String::from("cannot be read"),
        })
        .note(note)
        .table()
}

fn inputs(part: &Part) -> String {
    let names: Vec<String> = part
        .paths()
        .take(FEW)
        .map(|path| printable(&path.to_string_lossy()))
        .collect();
    let more = match part.input_count().saturating_sub(names.len()) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    format!(
        "{} of {}: {}{more}",
        counted(part.input_count() as u64, "input"),
        bytes(part.bytes()),
        names.join(", ")
    )
}

/// The days of the first and the last date.
fn range(dates: &Dates) -> Option<String> {
    let day = |date: &str| date.get(..10).map(String::from);
    let first = dates.first.as_deref().and_then(day)?;
    let last = dates.last.as_deref().and_then(day)?;
    Some(match first == last {
        true => format!("on {first}"),
        false => format!("from {first} to {last}"),
    })
}

/// The inputs that are named in a sentence.
const FEW: usize = 3;

/// The most rows of the table of inputs.
const MOST_INPUTS: usize = 100;
