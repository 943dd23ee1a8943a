//! Tier 3: a regex for patterns with very many runs of `*`, and beside the span walker an independent judge in tests.

use alloc::string::String;

use ::regex::bytes::{Regex, RegexBuilder};

/// `None` when the compiled form would exceed [`SIZE_LIMIT`]; the pattern then stays with the span walker, so that
/// no rule is ever lost.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    let (body, end) = match pattern.strip_suffix('$') {
        Some(body) => (body, r"\z"),
        None => (pattern, ""),
    };
    let mut expression = String::from(r"\A");
    let mut pieces = body.split('*');
    expression.push_str(&::regex::escape(pieces.next().unwrap_or_default()));
    let mut is_open = false;
    for piece in pieces {
        if !is_open {
            expression.push_str(".*?");
        }
        // `**` is one wildcard.
        is_open = piece.is_empty();
        expression.push_str(&::regex::escape(piece));
    }
    expression.push_str(end);
    RegexBuilder::new(&expression)
        .unicode(false)
        .dot_matches_new_line(true)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build()
        .ok()
}

/// Octets of one compiled pattern.
const SIZE_LIMIT: usize = 32 << 10;
