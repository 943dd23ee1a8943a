//! Bytes of a file as text that is safe to show to people.

use alloc::string::String;
use core::fmt;

/// Bytes of a file as a short quotation in a message.
pub(crate) fn quote(bytes: &[u8]) -> Quote<'_> {
    Quote { bytes }
}

#[derive(Debug)]
pub(crate) struct Quote<'a> {
    bytes: &'a [u8],
}

impl fmt::Display for Quote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;

        let (shown, ellipsis) = match self.bytes.get(..LONGEST) {
            Some(start) if self.bytes.len() > LONGEST => (start, "…"),
            _ => (self.bytes, ""),
        };
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
        f.write_str("`")?;
        // Escaping takes a hundred times as long, and hardly any quotation needs it.
        match core::str::from_utf8(shown) {
            Ok(text) if shown.iter().all(is_plain) => f.write_str(text)?,
            _ => as_typed(&String::from_utf8_lossy(shown)).fmt(f)?,
        }
        f.write_str(ellipsis)?;
        f.write_str("`")
    }
}

/// Text as it was typed, quotation marks and backslashes too. Characters that are not seen, or that
/// reorder the others, are escaped.
pub(crate) fn as_typed(text: &str) -> AsTyped<'_> {
    AsTyped { text }
}

#[derive(Debug)]
pub(crate) struct AsTyped<'a> {
    text: &'a str,
}

impl fmt::Display for AsTyped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The signs that `escape_debug` puts a backslash before, though everybody sees them.
        const SIGNS: [char; 3] = ['"', '\'', '\\'];

        for piece in self.text.split_inclusive(SIGNS) {
            let before_sign = piece.strip_suffix(SIGNS).unwrap_or(piece);
            write!(f, "{}", before_sign.escape_debug())?;
            f.write_str(piece.get(before_sign.len()..).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Bytes of a file on a terminal, which must not obey them: control characters are escaped.
pub(crate) fn write_escaped(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    for character in String::from_utf8_lossy(bytes).chars() {
        if character.is_control() {
            write!(f, "{}", character.escape_default())?;
        } else {
            write!(f, "{character}")?;
        }
    }
    Ok(())
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
        assert_eq!(quoted(r#"/"a"\'b\\.c"#), r#"`/"a"\'b\\.c`"#);
        assert_eq!(quoted("é\u{7f}\n"), "`é\\u{7f}\\n`");
        assert_eq!(quote(b"a\xFF").to_string(), "`a\u{fffd}`");
        assert_eq!(quoted("\\\u{202e}'\u{1b}"), r"`\\u{202e}'\u{1b}`");
    }
}
