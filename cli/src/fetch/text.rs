//! A site for people: its hops, the answer, and its meaning to each profile.

use std::io::{self, Write};

use polite_robots_policy::{BodyEnd, NextFetch};

use crate::counted::grouped;
use crate::fetch::http::Received;
use crate::fetch::profiles::MAX_BYTES;
use crate::fetch::profiles::{Meaning, ProfileReading};
use crate::fetch::round::Exchange;
use crate::fetch::site::Site;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, EMPHASIS, WARNING, printable};

pub(super) fn write(out: &mut dyn Write, site: &Site) -> io::Result<()> {
    let name = printable(&site.name.argument());
    writeln!(out, "{EMPHASIS}{name}{EMPHASIS:#}")?;
    for exchange in &site.round.exchanges {
        write_exchange(out, exchange)?;
    }
    if let Some(received) = site.received().filter(|received| received.is_success()) {
        writeln!(out, "       {}", description(received))?;
    }
    for reading in &site.readings {
        write_reading(out, reading)?;
    }
    Ok(())
}

fn write_exchange(out: &mut dyn Write, exchange: &Exchange) -> io::Result<()> {
    let url = printable(&exchange.url);
    match &exchange.answer {
        Ok(received) => {
            let style = match received.status {
                200..=399 => ALLOWED,
                400..=499 => WARNING,
                _ => DISALLOWED,
            };
            write!(out, "  {style}{:<3}{style:#}  {url}", received.status)?;
            let waits = received.field("retry-after");
            match (received.field("location"), waits) {
                (Some(location), _) if (300..400).contains(&received.status) => {
                    writeln!(out, " → {}", printable(&location))
                }
                (_, Some(wait)) => writeln!(out, "  (Retry-After: {})", printable(&wait)),
                _ => writeln!(out),
            }
        }
        Err(problem) => writeln!(
            out,
            "  {DISALLOWED}–  {DISALLOWED:#}  {url}  {ASIDE}{problem}{ASIDE:#}"
        ),
    }
}

/// Type, size and coding of a file.
fn description(received: &Received) -> String {
    let media_type = match received.field("content-type") {
        Some(media_type) => printable(&media_type),
        None => String::from("no Content-Type"),
    };
    let limit = grouped(MAX_BYTES as u64);
    let bytes = grouped(received.body.len() as u64);
    let size = match received.end {
        BodyEnd::LimitReached => format!("more than the {limit} bytes that crawlers read"),
        BodyEnd::CutShort => format!("{bytes} bytes and then cut short"),
        _ => format!("{bytes} of at most {limit} bytes"),
    };
    let transferred = grouped(received.transferred as u64);
    match (received.is_gzip, received.field("content-encoding")) {
        (true, _) => format!("{media_type}; {size}, as gzip {transferred}"),
        (false, Some(coding)) => format!(
            "{media_type}; {size}, in the coding `{}` that nobody asked for",
            printable(&coding)
        ),
        (false, None) => format!("{media_type}; {size}"),
    }
}

fn write_reading(out: &mut dyn Write, reading: &ProfileReading) -> io::Result<()> {
    let (style, meaning) = match &reading.meaning {
        Meaning::Rules => {
            let group = reading.group.iter().map(|group| format!(": {group}"));
            let group: String = group.collect();
            (ALLOWED, format!("its rules decide{group}"))
        }
        Meaning::FirstRules => (
            WARNING,
            format!(
                "the rules of its first {} bytes decide",
                grouped(MAX_BYTES as u64)
            ),
        ),
        Meaning::Everything(cause) => {
            let line = reading.unread_line.map(|line| format!(" (line {line})"));
            let line = line.unwrap_or_default();
            (ALLOWED, format!("everything is allowed: {cause}{line}"))
        }
        Meaning::Nothing(cause) => (DISALLOWED, format!("closed: {cause}")),
        Meaning::Unknown => (WARNING, String::from("unknown: it was not asked")),
        Meaning::Unpublished(sentence) => (WARNING, format!("unknown: {sentence}")),
    };
    let title = reading.title;
    write!(out, "  {title:<8}  {style}{meaning}{style:#}")?;
    match (&reading.kept, &reading.next) {
        (Some(kept), _) => writeln!(out, "; kept until {} ({})", kept.until, kept.reason),
        (None, NextFetch::At(time)) => writeln!(out, "; asked again at {time}"),
        (None, _) => writeln!(out),
    }
}
