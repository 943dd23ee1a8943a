//! Characters that nobody sees: control characters, blanks other than that of ASCII, and marks
//! without a width.

/// The first invisible character of a text, with its offset; `None` also where the text is not
/// UTF-8.
///
/// U+200C and U+200D are not among them: words of Persian and Hindi, and so their URLs, need them.
pub(crate) fn first_invisible(text: &[u8]) -> Option<(usize, char)> {
    if text.is_ascii() && !text.iter().any(u8::is_ascii_control) {
        return None;
    }
    let text = core::str::from_utf8(text).ok()?;
    text.char_indices()
        .find(|(_, character)| is_invisible(*character))
}

pub(crate) fn is_invisible(character: char) -> bool {
    INVISIBLE
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&character))
}

/// The first and the last character of each range (Unicode 16: the control characters of ASCII that
/// are no white space, `White_Space`, and the format characters that files were seen to hold).
const INVISIBLE: [(char, char); 15] = [
    ('\u{1}', '\u{8}'),
    ('\u{E}', '\u{1F}'),
    ('\u{7F}', '\u{7F}'),
    ('\u{85}', '\u{85}'),
    ('\u{A0}', '\u{A0}'),
    ('\u{AD}', '\u{AD}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{180E}', '\u{180E}'),
    ('\u{2000}', '\u{200B}'),
    ('\u{200E}', '\u{200F}'),
    ('\u{2028}', '\u{202F}'),
    ('\u{205F}', '\u{206F}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{E0000}', '\u{E007F}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_found_and_those_of_words_are_not() {
        for (text, found) in [
            ("/x\u{200B}", Some((2, '\u{200B}'))),
            ("\u{A0}/x\u{200B}", Some((0, '\u{A0}'))),
            ("/\u{3000}", Some((1, '\u{3000}'))),
            ("/a\u{FEFF}b", Some((2, '\u{FEFF}'))),
            ("/x\u{1}", Some((2, '\u{1}'))),
            ("/x y\t", None),
            ("/\u{E9}\u{30C4}", None),
            ("/\u{645}\u{6CC}\u{200C}\u{62E}", None),
            ("/\u{1F469}\u{200D}\u{1F469}", None),
        ] {
            assert_eq!(first_invisible(text.as_bytes()), found, "{text}");
        }
        assert_eq!(first_invisible(b"/\xE9\xC2\xA0"), None);
    }
}
