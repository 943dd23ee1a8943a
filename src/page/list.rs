//! The lists in a value: members divided by commas, and parts of a member divided by semicolons.

use memchr::{memchr, memchr2};

use crate::page::date::month;

/// The members of a value's list, trimmed.
///
/// A comma divides members unless it stands in a string of a structured field or in a date. After
/// `unavailable_after`, text that follows a comma and begins with a digit or a month belongs to the
/// date.
///
/// Only members that end within the first `limit` bytes count (draft-illyes-repext §3.1.1).
pub(crate) fn members(value: &[u8], limit: usize) -> impl Iterator<Item = &[u8]> {
    let mut pieces = Pieces::new(value, b',');
    let members = core::iter::from_fn(move || {
        let (start, mut end) = pieces.next_span()?;
        if value.get(start..end).is_some_and(names_a_date) {
            while value.get(end + 1..).is_some_and(continues_date) {
                end = pieces.next_span()?.1;
            }
        }
        Some((end, value.get(start..end)?.trim_ascii()))
    });
    members
        .take_while(move |(end, _)| *end <= limit)
        .map(|(_, member)| member)
}

/// The parts of a member: `ExampleBot;noindex;nosnippet` has three.
pub(crate) fn parts(member: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut pieces = Pieces::new(member, b';');
    core::iter::from_fn(move || {
        let (start, end) = pieces.next_span()?;
        Some(member.get(start..end)?.trim_ascii())
    })
}

fn names_a_date(piece: &[u8]) -> bool {
    piece
        .windows(UNAVAILABLE_AFTER.len())
        .any(|window| window.eq_ignore_ascii_case(UNAVAILABLE_AFTER))
}

fn continues_date(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let head = rest.get(..rest.len().min(LONGEST_MONTH + 1));
    let word = head
        .unwrap_or_default()
        .split(|byte| !byte.is_ascii_alphabetic())
        .next();
    let word = word.and_then(|word| core::str::from_utf8(word).ok());
    rest.first().is_some_and(u8::is_ascii_digit) || word.and_then(month).is_some()
}

/// The spans between separators that stand outside of strings.
///
/// ```text
/// string = "=" DQUOTE *(any but DQUOTE) DQUOTE
/// ```
///
/// A quote elsewhere is an ordinary character, and so is a quote that nothing closes: a single
/// quote must not hide the rules after it.
struct Pieces<'a> {
    text: &'a [u8],
    separator: u8,
    /// The start of the next span; `None` after the last.
    start: Option<usize>,
    closing: Closing,
}

/// Whether a quote may still be closed. Remembering it keeps the search linear: otherwise each `="`
/// of a run would be searched to the end.
#[derive(PartialEq, Eq)]
enum Closing {
    Possible,
    NoneLeft,
}

impl<'a> Pieces<'a> {
    fn new(text: &'a [u8], separator: u8) -> Pieces<'a> {
        Pieces {
            text,
            separator,
            start: Some(0),
            closing: Closing::Possible,
        }
    }

    fn next_span(&mut self) -> Option<(usize, usize)> {
        let start = self.start?;
        let mut from = start;
        let end = loop {
            let rest = self.text.get(from..)?;
            let Some(found) = memchr2(self.separator, b'"', rest) else {
                break None;
            };
            let at = from + found;
            if self.text.get(at) == Some(&self.separator) {
                break Some(at);
            }
            from = self.after_quote(at);
        };
        self.start = end.map(|end| end + 1);
        Some((start, end.unwrap_or(self.text.len())))
    }

    /// The place to go on after the quote at `at`: after the string that it opens, if it opens one.
    fn after_quote(&mut self, at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|at| self.text.get(at));
        if before != Some(&b'=') || self.closing == Closing::NoneLeft {
            return at + 1;
        }
        let rest = self.text.get(at + 1..).unwrap_or_default();
        match memchr(b'"', rest) {
            Some(closing) => at + closing + 2,
            None => {
                self.closing = Closing::NoneLeft;
                at + 1
            }
        }
    }
}

const UNAVAILABLE_AFTER: &[u8] = b"unavailable_after";
const LONGEST_MONTH: usize = "September".len();
