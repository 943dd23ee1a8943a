//! Bytes of a file as text that is safe to show to people.

use alloc::string::String;
use core::fmt::{self, Write as _};

/// Bytes of a file as a short quotation in a message: at most 60 bytes between backticks, with `…`
/// where more follows, and as [`as_typed`] shows them.
///
/// ```
/// use polite_robots::text::quote;
///
/// assert_eq!(quote(b"/cart").to_string(), "`/cart`");
/// assert_eq!(quote(b"/\x1b[31m").to_string(), r"`/\u{1b}[31m`");
/// ```
pub fn quote(bytes: &[u8]) -> impl fmt::Display {
    const LONGEST: usize = 60;

    shown(move |f| {
        let (start, ellipsis) = match bytes.get(..LONGEST) {
            Some(start) if bytes.len() > LONGEST => (start, "…"),
            _ => (bytes, ""),
        };
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
        f.write_str("`")?;
        // Escaping takes a hundred times as long, and hardly any quotation needs it.
        match core::str::from_utf8(start) {
            Ok(text) if start.iter().all(is_plain) => f.write_str(text)?,
            _ => write!(f, "{}", as_typed(&String::from_utf8_lossy(start)))?,
        }
        f.write_str(ellipsis)?;
        f.write_str("`")
    })
}

/// Text as it was typed, quotation marks and backslashes too. Characters that are not seen, or that
/// reorder the others, are escaped.
///
/// ```
/// use polite_robots::text::as_typed;
///
/// assert_eq!(as_typed("a\\b\u{200b}").to_string(), r"a\b\u{200b}");
/// ```
pub fn as_typed(text: &str) -> impl fmt::Display {
    shown(move |f| {
        // Visible signs before which `escape_debug` puts a backslash all the same.
        const SIGNS: [char; 3] = ['"', '\'', '\\'];

        for piece in text.split_inclusive(SIGNS) {
            let before_sign = piece.strip_suffix(SIGNS).unwrap_or(piece);
            write!(f, "{}", before_sign.escape_debug())?;
            f.write_str(piece.get(before_sign.len()..).unwrap_or_default())?;
        }
        Ok(())
    })
}

/// Bytes of a file on a terminal, which must not obey them: control characters are escaped.
///
/// ```
/// use polite_robots::text::escaped;
///
/// assert_eq!(escaped(b"caf\xC3\xA9\x1b").to_string(), r"café\u{1b}");
/// ```
pub fn escaped(bytes: &[u8]) -> impl fmt::Display {
    shown(move |f| {
        for character in String::from_utf8_lossy(bytes).chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    })
}

/// A text that a function writes.
fn shown(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    Shown(write)
}

struct Shown<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Shown<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn a_quotation_has_sixty_bytes_at_most_and_escapes_what_could_mislead() {
        let quoted = |text: &str| quote(text.as_bytes()).to_string();
        let sixty = "a".repeat(60);
        assert_eq!(quoted(&sixty), format!("`{sixty}`"));
        assert_eq!(quoted(&format!("{sixty}a")), format!("`{sixty}…`"));
        assert_eq!(quoted("/a b~"), "`/a b~`");
        assert_eq!(quoted(r#""TMP/" '/.*\.pdf"#), r#"`"TMP/" '/.*\.pdf`"#);
        assert_eq!(quoted("\u{200b}'\u{202e}é"), r"`\u{200b}'\u{202e}é`");
        assert_eq!(quoted(r#"/"a"\'b\\.c"#), r#"`/"a"\'b\\.c`"#);
        assert_eq!(quoted("é\u{7f}\n"), "`é\\u{7f}\\n`");
        assert_eq!(quote(b"a\xFF").to_string(), "`a\u{fffd}`");
        assert_eq!(quoted("\\\u{202e}'\u{1b}"), r"`\\u{202e}'\u{1b}`");
    }
}
