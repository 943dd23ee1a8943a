//! The grammar of a line, as nom parsers with the names of the productions in RFC 9309 §2.2.
//! Parsers of the text that only Google's matcher reads stand beside them.
//!
//! ```text
//! startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL
//! rule           = *WS ("allow" / "disallow") *WS ":" *WS (path-pattern / empty-pattern) EOL
//! emptyline      = EOL
//! ```
//!
//! The first two, and the other records of §2.2.4, have one shape. [`record`] reads it, and
//! [`directive`](crate::parse::field::directive) the name. Lines are split before, so no parser
//! sees an `NL`. The next byte chooses among alternatives: no parser is tried in vain.

use memchr::memchr3;
use nom::bytes::complete::{take, take_till1, take_while, take_while_m_n, take_while1};
use nom::combinator::{rest, value, verify};
use nom::{IResult, Parser as _};

use crate::parse::part::Part;
use crate::parse::trim::{is_white_space, trim_end};

/// A field name and a value, by syntax alone: the name may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawRecord<'a> {
    /// The field name as written, trimmed; never empty.
    pub(crate) field: Part<'a>,
    /// The value as it is written: see [`Part::value`].
    pub(crate) written: Part<'a>,
    pub(crate) separator: Separator,
}

/// The separator between the field name and the value of a record.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::Separator;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent *");
/// assert_eq!(robots_txt.lines().next().unwrap().separator(), Some(Separator::Blank));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Separator {
    /// A colon, as RFC 9309 §2.2 asks.
    Colon,
    /// Blanks between two words. RFC 9309 §2.2.4 lets a crawler be lenient, and Google's matcher
    /// accepts such a line.
    Blank,
}

/// Parses the record of a line, `*WS record`; `None` for an [`emptyline`] and for other text.
#[inline]
pub(crate) fn raw_record(line: Part<'_>) -> Option<RawRecord<'_>> {
    let (from_field, _) = ws(line.bytes).ok()?;
    let (written, (field, separator)) = record(from_field).ok()?;
    // The rest of a line ends where the line ends.
    let start_of = |rest: &[u8]| line.end().saturating_sub(rest.len());
    Some(RawRecord {
        field: Part::new(start_of(from_field), field),
        written: Part::new(start_of(written), written),
        separator,
    })
}

/// ```text
/// emptyline = EOL
/// ```
pub(crate) fn emptyline(line: &[u8]) -> Parsed<'_, ()> {
    eol(line)
}

/// ```text
/// record = field ":" value / blank-record
/// value  = *any                              ; with white space and the comment
/// ```
///
/// Returns the field name and the separator, and leaves the value, which most records need not have
/// read. The colon decides wherever it stands: `Disallow /a:b` has the field `Disallow /a`.
fn record(text: &[u8]) -> Parsed<'_, (&[u8], Separator)> {
    let (rest, field) = field(text)?;
    match rest {
        [b':', value @ ..] => Ok((value, (trim_end(field), Separator::Colon))),
        _ => blank_record(text),
    }
}

/// ```text
/// field = 1*<any byte but ":", "#" and NUL>  ; without white space at its end
/// ```
///
/// A comment ends a field name, so that `Disallow#: /a` has no colon.
fn field(text: &[u8]) -> Parsed<'_, &[u8]> {
    // `memchr3` is fast on the lines of an HTML page, which are long and have no colon.
    let len = memchr3(b':', b'#', 0, text).unwrap_or(text.len());
    verify(take(len), |field: &[u8]| !field.is_empty()).parse(text)
}

/// ```text
/// blank-record = word 1*(SP / HTAB) word EOL
/// ```
///
/// Three words are no record, as for Google: `Disallow all bots` is a sentence.
fn blank_record(text: &[u8]) -> Parsed<'_, (&[u8], Separator)> {
    let (rest, field) = word(text)?;
    let (value, _) = take_while1(is_blank).parse(rest)?;
    let (rest, _) = word(value)?;
    eol(rest)?;
    Ok((value, (trim_end(field), Separator::Blank)))
}

/// ```text
/// word = 1*<any byte but SP, HTAB, "#" and NUL>
/// ```
///
/// Other white space alone is no word: `Disallow` before a space and a form feed has no value.
fn word(text: &[u8]) -> Parsed<'_, &[u8]> {
    let bytes = take_till1(|byte| is_blank(byte) || begins_comment(byte));
    verify(bytes, |word: &[u8]| !trim_end(word).is_empty()).parse(text)
}

/// ```text
/// EOL = *WS [ comment ]                      ; and NL, where lines are split
/// ```
fn eol(text: &[u8]) -> Parsed<'_, ()> {
    match ws(text)? {
        ([], _) => Ok((&[], ())),
        (rest, _) => comment(rest),
    }
}

/// ```text
/// comment = ( "#" / NUL ) *any
/// ```
fn comment(text: &[u8]) -> Parsed<'_, ()> {
    let start = take_while_m_n(1, 1, begins_comment);
    value((), (start, rest)).parse(text)
}

/// ```text
/// *WS
/// WS = SP / HTAB / VT / FF / CR              ; those that Google's matcher takes for white space
/// ```
fn ws(text: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(is_white_space).parse(text)
}

/// A NUL ends a line as `#` does: Google's lines are C strings.
fn begins_comment(byte: u8) -> bool {
    matches!(byte, b'#' | 0)
}

/// `WS` of RFC 9309.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The error names no cause: a line that is not a record is valid too, as one of another kind.
pub(crate) type Parsed<'a, T> = IResult<&'a [u8], T, ()>;

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::parse::trim::{trim, without_comment};

    /// A record as Google's matcher finds it, step by step: the comment and the white space around
    /// are cut, then a colon separates, and without one the blanks between exactly two words.
    fn google(line: &[u8]) -> Option<(&[u8], &[u8], Separator)> {
        let text = trim(without_comment(line));
        let (field, value, separator) = match text.iter().position(|byte| *byte == b':') {
            Some(at) => (&text[..at], &text[at + 1..], Separator::Colon),
            None => {
                let mut words = text
                    .split(|byte| is_blank(*byte))
                    .filter(|word| !word.is_empty());
                let two = (words.next()?, words.next()?);
                if words.next().is_some() {
                    return None;
                }
                (two.0, two.1, Separator::Blank)
            }
        };
        let field = trim(field);
        (!field.is_empty()).then(|| (field, trim(value), separator))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn google_finds_the_same_record(line in vec(select(b"ab:# \t\x0B\x0C\r\0\xFF".to_vec()), 0..12)) {
            let record = raw_record(Part::new(7, &line));
            let parts = record.map(|record| {
                let value = record.written.value();
                assert_eq!(&line[record.field.start - 7..record.field.end() - 7], record.field.bytes);
                assert_eq!(&line[value.start - 7..value.end() - 7], value.bytes);
                (record.field.bytes, value.bytes, record.separator)
            });
            prop_assert_eq!(parts, google(&line));
            prop_assert_eq!(emptyline(&line).is_ok(), trim(without_comment(&line)).is_empty());
        }
    }

    fn parts(line: &[u8]) -> Option<(&str, &str, Separator)> {
        let text = |part: Part<'_>| {
            // The parts know where they stand.
            let bytes = &line[part.start - 7..part.end() - 7];
            assert_eq!(bytes, part.bytes);
            core::str::from_utf8(bytes).unwrap()
        };
        raw_record(Part::new(7, line)).map(|record| {
            (
                text(record.field),
                text(record.written.value()),
                record.separator,
            )
        })
    }

    #[test]
    fn google_separators() {
        use Separator::{Blank, Colon};

        assert_eq!(
            parts(b" Disallow\x0B: /x # why"),
            Some(("Disallow", "/x", Colon))
        );
        assert_eq!(parts(b"Disallow /a:b"), Some(("Disallow /a", "b", Colon)));
        assert_eq!(parts(b"Disallow /a#:b"), Some(("Disallow", "/a", Blank)));
        assert_eq!(parts(b"Disallow\t \x0B/a"), Some(("Disallow", "/a", Blank)));
        assert_eq!(parts(b"disallow\x0B/x"), None);
        assert_eq!(parts(b"user agent x"), None);
        assert_eq!(parts(b": /x"), None);
        assert_eq!(parts(b"#Disallow: /x"), None);
        assert_eq!(parts(b"Disallow\0: /x"), None);
        assert_eq!(parts(b"Disallow: /x\0y"), Some(("Disallow", "/x", Colon)));
        assert_eq!(parts(b"Disallow:"), Some(("Disallow", "", Colon)));
    }
}
