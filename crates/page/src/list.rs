//! The lists in a value: members divided by commas, and parts of a member divided by semicolons.

use memchr::{memchr2_iter, memrchr};

use crate::date::month;

/// The members of a value's list, trimmed.
///
/// A comma divides members unless it stands in a string of a structured field or in a date. After
/// `unavailable_after`, text that follows a comma and begins with a digit or a month belongs to the
/// date.
///
/// Only members that end within the first `limit` bytes count (draft-illyes-repext §3.1.1).
pub(crate) fn members(value: &[u8], limit: usize) -> impl Iterator<Item = &[u8]> {
    let mut spans = spans(value, b',');
    let members = core::iter::from_fn(move || {
        let (start, mut end) = spans.next()?;
        if value.get(start..end).is_some_and(names_a_date) {
            while value.get(end + 1..).is_some_and(continues_date) {
                end = spans.next()?.1;
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
    spans(member, b';').filter_map(|(start, end)| Some(member.get(start..end)?.trim_ascii()))
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
fn spans(text: &[u8], separator: u8) -> impl Iterator<Item = (usize, usize)> {
    let last_quote = memrchr(b'"', text);
    let mut is_in_string = false;
    let ends = memchr2_iter(separator, b'"', text).filter(move |at| {
        if text.get(*at) != Some(&b'"') {
            return !is_in_string;
        }
        let is_after_equals = text.get(..*at).is_some_and(|before| before.ends_with(b"="));
        is_in_string = !is_in_string && is_after_equals && Some(*at) < last_quote;
        false
    });
    let mut start = 0;
    ends.chain([text.len()]).map(move |end| {
        let span = (start, end);
        start = end + 1;
        span
    })
}

const UNAVAILABLE_AFTER: &[u8] = b"unavailable_after";
const LONGEST_MONTH: usize = "September".len();
