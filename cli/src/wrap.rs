//! Prose that fits the terminal: paragraphs are broken between words, and never within one.

use unicode_width::UnicodeWidthStr as _;

/// Breaks a paragraph into lines; those after the first begin with `indent` blanks. Blanks
/// before the paragraph stay.
pub(crate) fn wrapped(paragraph: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let blanks = paragraph.len().saturating_sub(paragraph.trim_start().len());
    let mut line = " ".repeat(blanks);
    for word in paragraph.split_ascii_whitespace() {
        let is_first_of_line = line.trim_start().is_empty();
        let used = line.width().saturating_add(word.width()).saturating_add(1);
        if !is_first_of_line && used > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
        } else if !is_first_of_line {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_line_ends_between_words() {
        assert_eq!(wrapped("one two three", 7, 0), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 7, 2), ["one two", "  three"]);
        assert_eq!(wrapped("one two", 40, 0), ["one two"]);
        assert_eq!(wrapped("  one two", 6, 4), ["  one", "    two"]);
    }

    #[test]
    fn a_word_that_is_too_long_sticks_out() {
        assert_eq!(
            wrapped("see https://example.com/a now", 8, 0),
            ["see", "https://example.com/a", "now"]
        );
        assert_eq!(wrapped("", 8, 0), [""]);
    }
}
