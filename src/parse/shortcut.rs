//! A shortcut for the lines that make up most of a file, recognized by their first bytes.
//!
//! The grammar and the table of field names give the same answer for these lines; a property test
//! holds them together. The shortcut halves the instructions of a parse: most lines of a large file
//! are rules of other agents, and nothing but the field of such a line is needed.

use crate::access::Access;
use crate::parse::field::Directive;
use crate::parse::line::Value;
use crate::parse::part::Part;
use crate::text::bytes::each;

/// The meaning of a line as far as its start shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    /// A blank line or a comment.
    Nothing,
    /// One of RFC 9309's three fields in its standard spelling, at the very start and with the
    /// colon right after it.
    Known(Directive, Value<'a>),
    /// Anything else: the grammar decides.
    Unclear,
}

#[inline(always)]
pub(crate) fn start(line: Part<'_>) -> Start<'_> {
    let (directive, value) = match line.bytes {
        [] | [b'#', ..] => return Start::Nothing,
        [b'D' | b'd', ..] => (Directive::Rule(Access::Disallow), after(line, b"disallow:")),
        [b'A' | b'a', ..] => (Directive::Rule(Access::Allow), after(line, b"allow:")),
        [b'U' | b'u', ..] => (Directive::UserAgent, after(line, b"user-agent:")),
        _ => return Start::Unclear,
    };
    match value {
        Some(value) => Start::Known(directive, Value::in_file(value)),
        None => Start::Unclear,
    }
}

/// Returns the rest of the line after a field, which is written in lower case here and compared in
/// any case: as its first and its last word, which overlap, in a third of the instructions that the
/// compiler needs for a loop over the bytes.
#[inline(always)]
fn after<'a, const N: usize>(line: Part<'a>, field: &[u8; N]) -> Option<Part<'a>> {
    let (head, rest) = line.bytes.split_first_chunk::<N>()?;
    let is_same = |word: u64, wanted: u64| {
        // Letters alone have this bit, and the one right of it is their case.
        let case = (wanted & each(0x40)) >> 1;
        word | case == wanted
    };
    let ((first, last), (wanted_first, wanted_last)) =
        (first_and_last(head), first_and_last(field));
    let is_field = is_same(first, wanted_first) && is_same(last, wanted_last);
    is_field.then(|| Part::new(line.start + N, rest))
}

/// The first and the last eight bytes of a text, or four if it is shorter than eight.
#[inline(always)]
fn first_and_last<const N: usize>(text: &[u8; N]) -> (u64, u64) {
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => {
            let word = |part: Option<&[u8; 4]>| part.map_or(0, |part| u32::from_le_bytes(*part));
            (
                word(text.first_chunk()).into(),
                word(text.last_chunk()).into(),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::options::Dialect;
    use crate::parse::field::directive;
    use crate::parse::line::raw_record;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn a_shortcut_agrees_with_the_grammar(
            line in "[ #]?([Dd][Ii][Ss]allow|Allow|aLLOW|user[-\r ]agent|User-Agen[tT]s?|sitemap)?[ \t]?[:#\0]?[ /a#:\0]{0,4}",
        ) {
            let line = Part::new(3, line.as_bytes());
            let parsed = raw_record(line)
                .and_then(|record| Some((directive(record.field.bytes, Dialect::Rfc9309)?, record.value)));
            match start(line) {
                Start::Nothing => prop_assert_eq!(parsed, None),
                Start::Known(directive, value) => prop_assert_eq!(parsed, Some((directive, value))),
                Start::Unclear => {}
            }
        }
    }

    #[test]
    fn the_common_lines_take_it() {
        for line in [
            "Disallow: /x",
            "disallow:",
            "Allow:/",
            "USER-AGENT: *",
            "",
            "# Disallow: /",
        ] {
            let start = start(Part::new(0, line.as_bytes()));
            assert!(!matches!(start, Start::Unclear), "{line}");
        }
    }
}
