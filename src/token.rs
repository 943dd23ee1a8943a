//! The grammar of product tokens and of `User-agent` values: which bytes of a value name an agent.

use crate::text::bytes::split_run;

/// The agent that stands for every agent (RFC 9309 §2.2.1).
pub(crate) const WILDCARD: &str = "*";

/// Whether a `User-agent` value stands for everyone: `*` alone or before white space. As Google
/// reads them, `*bot` and `**` name nobody.
///
/// ```
/// use polite_robots::document::is_wildcard;
///
/// assert!(is_wildcard(b"* (all)") && !is_wildcard(b"*bot"));
/// ```
pub fn is_wildcard(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => matches!(next, b'\t'..=b'\r' | b' '),
        _ => false,
    }
}

/// The leading `[A-Za-z_-]*` of a `User-agent` value: the product token of RFC 9309, and all that
/// Google sees.
///
/// ```text
/// product-token = identifier / "*"
/// identifier    = 1*( "-" / ALPHA / "_" )
/// ```
///
/// ```
/// use polite_robots::document::leading_token;
///
/// assert_eq!(leading_token(b"MJ12bot/2.0"), b"MJ");
/// ```
pub fn leading_token(value: &[u8]) -> &[u8] {
    split_run(value, is_rfc_token_byte).0
}

/// The leading `[A-Za-z0-9_.-]*` of a `User-agent` value, compared with agents that have digits or
/// dots in their names.
///
/// ```
/// use polite_robots::document::leading_name;
///
/// assert_eq!(leading_name(b"MJ12bot/2.0"), b"MJ12bot");
/// ```
pub fn leading_name(value: &[u8]) -> &[u8] {
    split_run(value, is_token_byte).0
}

/// A byte of a product token as RFC 9309 §2.2.1 allows it.
fn is_rfc_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

/// A byte of a product token as this crate allows it, with digits and dots.
fn is_token_byte(byte: u8) -> bool {
    is_rfc_token_byte(byte) || byte.is_ascii_digit() || byte == b'.'
}

/// [`is_token_byte`] for a character of any script.
pub(crate) fn is_token_character(character: char) -> bool {
    u8::try_from(character).is_ok_and(is_token_byte)
}

/// The first problem of a product token: why no agent can be called so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenProblem {
    Empty,
    NoLetter,
    Character(char),
}

impl TokenProblem {
    /// `None` for a valid token: `[A-Za-z0-9_.-]+` with at least one letter.
    ///
    /// Inlined, so that a constant name is checked when the crawler is compiled.
    #[inline]
    pub(crate) fn of(token: &str) -> Option<TokenProblem> {
        if token.is_empty() {
            Some(TokenProblem::Empty)
        } else if let Some(found) = token.chars().find(|found| !is_token_character(*found)) {
            Some(TokenProblem::Character(found))
        } else if !token.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            Some(TokenProblem::NoLetter)
        } else {
            None
        }
    }
}
