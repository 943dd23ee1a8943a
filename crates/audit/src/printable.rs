//! Text from outside, made safe to show.
//!
//! A robots.txt may hold escape sequences that steer a terminal, and marks that reorder what a
//! reader sees.
//!
//! ```
//! use polite_robots_audit::printable::printable;
//!
//! assert_eq!(printable("/café\u{1b}[31m"), r"/café\u{1b}[31m");
//! ```

/// The text with every unsafe character spelled out, as in `\u{1b}`.
///
/// The result is for display: a `\u{1b}` that was in the text already looks the same.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        if is_safe(character) {
            printable.push(character);
        } else {
            printable.extend(character.escape_unicode());
        }
    }
    printable
}

/// Whether a character can be shown as it is.
///
/// Control characters steer the terminal (U+009B is an escape sequence on its own), line separators
/// forge lines, and directional marks reorder the text that a reader sees.
#[must_use]
pub fn is_safe(character: char) -> bool {
    let misleads = matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    !character.is_control() && !misleads
}

/// The first 160 characters of a text, with `…` where more follows: a line of a robots.txt may have
/// a megabyte.
#[must_use]
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

const LONGEST_SHOWN: usize = 160;

#[cfg(test)]
mod tests {
    use super::{printable, shortened};

    #[test]
    fn ordinary_text_is_unchanged() {
        let text = r#"https://example.com/café/हिन्दी?q='a"b\c'"#;
        assert_eq!(printable(text), text);
    }

    #[test]
    fn characters_that_steer_a_terminal_are_escaped() {
        assert_eq!(printable("/\u{1b}[31m"), r"/\u{1b}[31m");
        assert_eq!(printable("/\u{9b}31m\u{7f}"), r"/\u{9b}31m\u{7f}");
        assert_eq!(
            printable("/a\r\nallowed\u{2028}"),
            r"/a\u{d}\u{a}allowed\u{2028}"
        );
        assert_eq!(printable("/\u{202e}txt.exe"), r"/\u{202e}txt.exe");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(160)), "é".repeat(160));
        assert_eq!(shortened(&"é".repeat(161)), "é".repeat(160) + "…");
    }
}
