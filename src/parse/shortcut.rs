//! The lines that make up most of a file, recognised by their first bytes.
//!
//! A shortcut past the grammar and the spelling table, which say the same of these lines (a property test holds
//! them together). It halves the instructions of a parse: most lines of a large file are rules of other agents, and
//! all that has to be known of such a line is its field.

use crate::access::Access;
use crate::parse::field::Directive;
use crate::parse::line::Value;

/// What is known of a line from its start.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    /// A blank line or a comment.
    Nothing,
    /// One of RFC 9309's three fields in its standard spelling, at the very start and with the colon right behind.
    Known(Directive, Value<'a>),
    /// Anything else: ask the grammar.
    Unclear,
}

#[inline(always)]
pub(crate) fn start(line: &[u8]) -> Start<'_> {
    let (directive, value) = match line {
        [] | [b'#', ..] => return Start::Nothing,
        [b'D' | b'd', ..] => (
            Directive::Rule(Access::Disallow),
            behind(line, b"disallow:"),
        ),
        [b'A' | b'a', ..] => (Directive::Rule(Access::Allow), behind(line, b"allow:")),
        [b'U' | b'u', ..] => (Directive::UserAgent, behind(line, b"user-agent:")),
        _ => return Start::Unclear,
    };
    match value {
        Some(value) => Start::Known(directive, Value::new(value)),
        None => Start::Unclear,
    }
}

/// The rest of the line behind a field, which is written in lower case here and compared in any, without a branch for
/// each byte.
#[inline]
fn behind<'a, const N: usize>(line: &'a [u8], field: &[u8; N]) -> Option<&'a [u8]> {
    let (head, rest) = line.split_first_chunk::<N>()?;
    let difference = head
        .iter()
        .zip(field)
        .fold(0, |difference, (byte, wanted)| {
            let case = if wanted.is_ascii_lowercase() { 0x20 } else { 0 };
            difference | ((byte | case) ^ wanted)
        });
    (difference == 0).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::options::Dialect;
    use crate::parse::field::directive;
    use crate::parse::line::record;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn a_shortcut_says_what_the_grammar_says(
            line in "[ #]?([Dd][Ii][Ss]allow|Allow|aLLOW|user[-\r ]agent|User-Agen[tT]s?|sitemap)?[ \t]?[:#\0]?[ /a#:\0]{0,4}",
        ) {
            let parsed = record(line.as_bytes())
                .and_then(|record| Some((directive(record.field, Dialect::Rfc9309)?.0, record.value.bytes())));
            match start(line.as_bytes()) {
                Start::Nothing => prop_assert_eq!(parsed, None),
                Start::Known(directive, value) => prop_assert_eq!(parsed, Some((directive, value.bytes()))),
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
            assert!(!matches!(start(line.as_bytes()), Start::Unclear), "{line}");
        }
    }
}
