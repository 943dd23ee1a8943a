//! A shortcut for the lines that make up most of a file, recognized by their first bytes.
//!
//! The [`grammar`](crate::parse::grammar) and the table of field names give the same answer for
//! these lines; a property test holds them together on any bytes. Without the shortcut a parse
//! takes twice the instructions: most lines of a large file are rules of other agents, and
//! nothing but the field of such a line is needed.
//!
//! A line takes it only if
//!
//! - its field begins with the first byte: before the field of ` Disallow: /` or ` # x` stands
//!   white space, of which there are five kinds;
//! - the field has its standard spelling: `Disallowed: /` and `Useragent: *` are misspellings that
//!   count, and `DisallowAITraining: /` is the name of another record in one dialect;
//! - the colon follows directly: `Disallow : /` may as well be `Disallow /a : b`, whose field is
//!   `Disallow /a`.
//!
//! Built with `--cfg grammar_alone` it leaves every line to the grammar, so that all tests try
//! that.

use crate::access::Access;
use crate::parse::content::Content;
use crate::parse::field::{Directive, ExtensionField, may_begin_name};
use crate::parse::grammar::{RawRecord, Separator};
use crate::parse::part::Part;
use crate::parse::trim::trim_start;
use crate::text::bytes::each;

/// The content of a line as far as its start shows it; `None` if the grammar decides.
#[inline(always)]
pub(crate) fn usual(line: Part<'_>) -> Option<Content<'_>> {
    let (directive, written) = match line.bytes {
        _ if cfg!(grammar_alone) => return None,
        [] | [b'#', ..] => return Some(Content::Blank),
        [b'D' | b'd', ..] => (Directive::Rule(Access::Disallow), after(line, b"disallow:")),
        [b'A' | b'a', ..] => (Directive::Rule(Access::Allow), after(line, b"allow:")),
        [b'U' | b'u', ..] => (Directive::UserAgent, after(line, b"user-agent:")),
        [b'S' | b's', ..] => (
            Directive::Extension(ExtensionField::Sitemap),
            after(line, b"sitemap:"),
        ),
        _ => return None,
    };
    let record = RawRecord {
        field: line.head(directive.as_str().len()),
        written: written?,
        separator: Separator::Colon,
    };
    Some(Content::Known(record, directive))
}

/// Whether a line may be a known record, by its first byte that is not a blank. A third of the
/// lines of real files are not, most of them lines of HTML pages.
#[inline(always)]
pub(crate) fn may_be_known(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(after) = rest.strip_prefix(b"        ") {
        rest = after;
    }
    let first = trim_start(rest).first();
    cfg!(grammar_alone) || first.is_some_and(|first| may_begin_name(*first))
}

/// Returns the rest of the line after a field, which is written in lower case here and compared in
/// any case: as its first and its last word, which overlap, in a third of the instructions that the
/// compiler needs for a loop over the bytes.
#[inline(always)]
fn after<'a, const N: usize>(line: Part<'a>, field: &[u8; N]) -> Option<Part<'a>> {
    let (head, rest) = line.bytes.split_first_chunk::<N>()?;
    let is_same = |word: u64, wanted: u64| {
        // Letters alone have the bit 0x40, and the one right of it is their case. Without this mask
        // a CR would pass for the `-` of `user-agent`, and 0x1A for the colon.
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
    use alloc::vec::Vec;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::options::Dialect;

    /// Lines near those that take the shortcut: a field, often with a byte replaced, and any bytes.
    fn lines() -> impl Strategy<Value = Vec<u8>> {
        const FIELDS: &[&str] = &[
            "disallow:",
            "Allow:",
            "USER-AGENT:",
            "User-agent: *",
            "Sitemap:",
            "",
            "#",
        ];
        let any_byte = (any::<prop::sample::Index>(), any::<u8>());
        let replaced = prop::option::of(any_byte);
        (select(FIELDS), replaced, vec(any::<u8>(), 0..6)).prop_map(|(field, replaced, after)| {
            let mut line = [field.as_bytes(), &after].concat();
            if let (Some((at, byte)), false) = (replaced, line.is_empty()) {
                let at = at.index(line.len());
                line[at] = byte;
            }
            line
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16_384) })]

        #[test]
        fn a_shortcut_agrees_with_the_grammar(line in prop_oneof![lines(), vec(any::<u8>(), 0..24)]) {
            let line = Part::new(3, &line);
            for dialect in [Dialect::Rfc9309, Dialect::Google] {
                let by_grammar = Content::by_grammar(line, dialect);
                if let Some(usual) = usual(line) {
                    prop_assert_eq!(usual, by_grammar);
                }
                let is_known = matches!(by_grammar, Content::Known(..));
                prop_assert!(!is_known || may_be_known(line.bytes));
            }
        }
    }

    #[test]
    #[cfg(not(grammar_alone))]
    fn the_common_lines_take_it() {
        for line in [
            "Disallow: /x",
            "disallow:",
            "Allow:/",
            "USER-AGENT: *",
            "Sitemap: https://example.com/sitemap.xml",
            "",
            "# Disallow: /",
        ] {
            assert!(usual(Part::new(0, line.as_bytes())).is_some(), "{line}");
        }
    }
}
