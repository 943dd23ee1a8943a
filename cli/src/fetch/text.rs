//! A site for people: its hops, the answer, and its meaning to each profile.

use std::io::{self, Write};

use anstyle::Style;
use polite_robots::Cause;
use polite_robots_policy::cache::NextFetch;

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
    if let Some(received) = site
        .round
        .received()
        .filter(|received| received.is_success())
    {
        writeln!(out, "       {}", description(received))?;
    }
    for reading in &site.profiles {
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
    let came = grouped(received.body.len() as u64);
    let coding = received.field("content-encoding");
    let coding = coding.as_deref().map(printable).unwrap_or_default();
    let file = match received.file() {
        Some(Ok(file)) => file,
        Some(Err(Cause::Truncated)) => {
            return format!("{media_type}; {came} bytes and then cut short");
        }
        _ => return format!("{media_type}; {came} bytes, {}", received.unread_coding()),
    };
    let limit = grouped(MAX_BYTES as u64);
    let size = match file.is_longer {
        true => format!("more than the {limit} bytes that crawlers read"),
        false => format!(
            "{} of at most {limit} bytes",
            grouped(file.text.len() as u64)
        ),
    };
    if file.is_unpacked {
        format!("{media_type}; {size}, as {coding} {came}")
    } else if received.response().headers.content_encoding.is_some() && !file.text.is_empty() {
        format!("{media_type}; {size}, as plain text, although the header says `{coding}`")
    } else {
        format!("{media_type}; {size}")
    }
}

fn write_reading(out: &mut dyn Write, reading: &ProfileReading) -> io::Result<()> {
    let (style, sentence) = sentence(reading);
    let title = reading.title;
    write!(out, "  {title:<8}  {style}{sentence}{style:#}")?;
    match (&reading.kept, &reading.next) {
        (Some(kept), _) => writeln!(out, "; kept until {} ({})", kept.until, kept.reason),
        (None, NextFetch::At(time)) => writeln!(out, "; asked again at {time}"),
        (None, _) => writeln!(out),
    }
}

/// The part of the site that may be fetched and why, as a sentence; and the behavior of a polite
/// crawler, if it differs.
pub(super) fn sentence(reading: &ProfileReading) -> (Style, String) {
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
        Meaning::NoRules => (
            WARNING,
            String::from("everything is allowed: the answer has no rules"),
        ),
        Meaning::Nothing(cause) => (DISALLOWED, format!("closed: {cause}")),
        Meaning::Unknown => (WARNING, String::from("unknown: it was not asked")),
        Meaning::Unpublished(sentence) => (WARNING, format!("unknown: {sentence}")),
    };
    match reading.polite {
        Some(polite) => (style, format!("{meaning}; {polite}")),
        None => (style, meaning),
    }
}

/// The same sentence for the whole answer: the reason why there is none, or its meaning and its
/// source.
pub(super) fn cause(site: &Site) -> String {
    let [rfc9309, ..] = &site.profiles;
    let cause = match site.round.problem() {
        Some(problem) => problem,
        None => sentence(rfc9309).1,
    };
    match &site.round.exchanges[..] {
        [_, .., last] => format!("{cause}; redirected to {}", printable(&last.url)),
        _ => cause,
    }
}
