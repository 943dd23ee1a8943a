//! Finds the text of a file that its canonical form leaves out.

use std::collections::BTreeMap;

use polite_robots::RobotsTxt;
use polite_robots::document::{Line, LineKind};

use crate::input::Input;
use crate::terminal::{printable, warn};

/// The remarks of a file that are left out, by their kind, with their lines.
#[derive(Debug, Default)]
pub(super) struct Lost {
    comments: Vec<u32>,
    unknown_fields: Vec<(u32, String)>,
    no_records: Vec<(u32, String)>,
}

impl Lost {
    /// Looks for each remark of the one file in the other, however the other was made.
    pub(super) fn between(robots_txt: &RobotsTxt, canonical: &[u8]) -> Lost {
        let canonical = RobotsTxt::parse(canonical);
        let mut carried: BTreeMap<Remark<'_>, usize> = BTreeMap::new();
        for line in canonical.lines() {
            for remark in remarks(&line) {
                let count = carried.entry(remark).or_default();
                *count = count.saturating_add(1);
            }
        }
        let mut lost = Lost::default();
        for line in robots_txt.lines() {
            for remark in remarks(&line) {
                match carried.get_mut(&remark) {
                    Some(count) if *count > 0 => *count = count.saturating_sub(1),
                    _ => lost.push(line.number(), &remark),
                }
            }
        }
        lost
    }

    fn push(&mut self, line: u32, remark: &Remark<'_>) {
        match remark {
            Remark::Comment(_) => self.comments.push(line),
            Remark::UnknownField(text) => self.unknown_fields.push((line, shown(text))),
            Remark::NoRecord(text) => self.no_records.push((line, shown(text))),
        }
    }

    /// Warns on standard error of the remarks that are left out.
    pub(super) fn warn(&self, file: &Input) {
        if let Some((first, others)) = self.comments.split_first() {
            let lines = match others {
                [] => format!("the comment on line {first} is"),
                others => format!(
                    "{} comments, the first on line {first}, are",
                    others.len().saturating_add(1)
                ),
            };
            warn(format_args!("{file}: {lines} left out"));
        }
        let kinds = [
            (&self.unknown_fields, "has a field that nobody knows"),
            (&self.no_records, "is no record"),
        ];
        for (lines, what) in kinds {
            for (line, text) in lines.iter().take(MOST_SHOWN) {
                warn(format_args!(
                    "{file}, line {line}: `{text}` {what}; it is left out"
                ));
            }
            if let Some(more) = lines.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
                warn(format_args!(
                    "{file}: {more} more lines like that are left out"
                ));
            }
        }
    }
}

/// Text that means nothing to a crawler, and so may get lost.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remark<'r> {
    Comment(&'r [u8]),
    UnknownField(&'r [u8]),
    NoRecord(&'r [u8]),
}

fn remarks<'r>(line: &Line<'r>) -> impl Iterator<Item = Remark<'r>> {
    let comment = line.comment().map(<[u8]>::trim_ascii);
    let without_comment = line
        .as_bytes()
        .get(
            ..line
                .as_bytes()
                .len()
                .saturating_sub(line.comment().map_or(0, <[u8]>::len)),
        )
        .unwrap_or_default()
        .trim_ascii();
    let record = match line.kind() {
        LineKind::UnknownField => Some(Remark::UnknownField(without_comment)),
        LineKind::NotARecord => Some(Remark::NoRecord(without_comment)),
        _ => None,
    };
    record.into_iter().chain(comment.map(Remark::Comment))
}

fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let cut: String = text.chars().take(LONGEST_SHOWN).collect();
    let ellipsis = if cut.len() < text.len() { "…" } else { "" };
    printable(&cut) + ellipsis
}

/// The most remarks that are shown. A page of HTML in place of a robots.txt has hundreds.
const MOST_SHOWN: usize = 5;

const LONGEST_SHOWN: usize = 60;
