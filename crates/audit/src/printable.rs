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

use std::fmt;

/// The text with every unsafe character spelled out, as in `\u{1b}`.
///
/// The result is for the eye: a `\u{1b}` that was in the text already looks the same.
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

/// Bytes of a file as a short quotation in a message: at most 60 bytes between backticks, with `…`
/// where more follows, and with control and invisible characters escaped. Quotation marks and
/// backslashes stay as they were typed.
///
/// ```
/// use polite_robots_audit::printable::quote;
///
/// assert_eq!(quote(b"/cart").to_string(), "`/cart`");
/// assert_eq!(quote(b"/\x1b[31m").to_string(), r"`/\u{1b}[31m`");
/// ```
#[must_use]
pub fn quote(bytes: &[u8]) -> Quote<'_> {
    Quote { bytes }
}

/// The quotation that [`quote`] makes.
#[derive(Debug, Clone, Copy)]
pub struct Quote<'a> {
    bytes: &'a [u8],
}

impl fmt::Display for Quote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;

        let (shown, ellipsis) = match self.bytes.get(..LONGEST) {
            Some(start) if self.bytes.len() > LONGEST => (start, "…"),
            _ => (self.bytes, ""),
        };
        f.write_str("`")?;
        // Escaping takes a hundred times as long, and hardly any quotation needs it.
        match std::str::from_utf8(shown) {
            Ok(text) if shown.iter().all(|byte| matches!(byte, b' '..=b'~')) => {
                f.write_str(text)?
            }
            _ => write_escaped(f, &String::from_utf8_lossy(shown))?,
        }
        f.write_str(ellipsis)?;
        f.write_str("`")
    }
}

/// Escapes what a terminal would obey or nobody would see. Rust escapes quotation marks and
/// backslashes too, but a message is to show a path as it was typed.
fn write_escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let is_typed = |character| matches!(character, '"' | '\'' | '\\');
    for piece in text.split_inclusive(is_typed) {
        let plain = piece.trim_end_matches(is_typed);
        let (_, typed) = piece.split_at(plain.len());
        write!(f, "{}{typed}", plain.escape_debug())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{printable, quote, shortened};

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

    #[test]
    fn a_quotation_has_sixty_bytes_at_most_and_escapes_what_could_mislead() {
        let quoted = |text: &str| quote(text.as_bytes()).to_string();
        let sixty = "a".repeat(60);
        assert_eq!(quoted(&sixty), format!("`{sixty}`"));
        assert_eq!(quoted(&format!("{sixty}a")), format!("`{sixty}…`"));
        assert_eq!(quoted("/a b~"), "`/a b~`");
        assert_eq!(quoted(r#""TMP/" '/.*\.pdf"#), r#"`"TMP/" '/.*\.pdf`"#);
        assert_eq!(quoted("\u{200b}'\u{202e}é"), r"`\u{200b}'\u{202e}é`");
        assert_eq!(quoted("é\u{7f}\n"), "`é\\u{7f}\\n`");
        assert_eq!(quote(b"a\xFF").to_string(), "`a\u{fffd}`");
    }
}
