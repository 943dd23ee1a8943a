//! Mojibake: UTF-8 that a program read as Windows-1252 and saved again, as `Ã±` for `ñ`.

/// The text that was meant, if the whole text is mojibake.
pub(crate) fn meant(text: &[u8]) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let text = core::str::from_utf8(text).ok()?;
    let bytes: Option<Vec<u8>> = text.chars().map(byte_of).collect();
    String::from_utf8(bytes?).ok()
}

/// The byte of a character in Windows-1252, in which the numbers that it leaves free are controls.
fn byte_of(character: char) -> Option<u8> {
    let in_table = (0x80..).zip(FROM_80);
    let known = in_table
        .filter(|(_, other)| *other == character)
        .map(|(byte, _)| byte);
    known.chain(u8::try_from(u32::from(character)).ok()).next()
}

/// The characters of the bytes from 80 to 9F.
const FROM_80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mojibake_is_read_back_and_other_text_is_not() {
        for (text, expected) in [
            ("/contraseÃ±a", Some("/contraseña")),
            ("/Ã‰cole", Some("/École")),
            ("/voilÃ\u{A0}", Some("/voilà")),
            ("/ãƒ„", Some("/ツ")),
            ("/contraseña", None),
            ("/São/SÃO", None),
            ("/ツ", None),
            ("/plum", None),
        ] {
            assert_eq!(meant(text.as_bytes()).as_deref(), expected, "{text}");
        }
        assert_eq!(meant(b"/\xE9"), None);
    }
}
