//! A line of a file in a form that is safe for a terminal. For a very long line, it is the part
//! that matters.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::Range;

use crate::lint::characters::{Kind, characters};
use crate::terminal::is_safe;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The place of the requested part in `text`.
    pub(super) part: Range<usize>,
}

impl Excerpt {
    /// The excerpt of a line around a part, which may begin and end after the end of the line.
    pub(super) fn new(line: &[u8], part: Range<usize>) -> Excerpt {
        let is_short = width_within(line, WIDEST);
        let mut before = Before::default();
        let mut behind = String::new();
        let mut width = 0_usize;
        let mut part_len = 0_usize;
        for character in characters(line) {
            let shown = Shown::of(character.kind);
            if character.span.end <= part.start {
                before.push(shown);
                continue;
            }
            width = width.saturating_add(shown.width);
            if !is_short && width > WIDEST - WIDEST_BEFORE {
                behind.push(CUT);
                break;
            }
            behind.push_str(&shown.text);
            if character.span.start < part.end {
                part_len = behind.len();
            }
        }
        if !is_short {
            before.cut();
        }
        let start = before.text_len();
        Excerpt {
            part: start..start.saturating_add(part_len),
            text: before.into_text() + &behind,
        }
    }
}

/// The text before the part. For a line of a megabyte, only the end of this text is kept.
#[derive(Default)]
struct Before {
    shown: VecDeque<Shown>,
    width: usize,
    is_cut: bool,
}

impl Before {
    fn push(&mut self, shown: Shown) {
        self.width = self.width.saturating_add(shown.width);
        self.shown.push_back(shown);
        self.shrink_to(WIDEST);
    }

    fn cut(&mut self) {
        self.shrink_to(WIDEST_BEFORE);
    }

    fn shrink_to(&mut self, widest: usize) {
        while self.width > widest {
            let Some(first) = self.shown.pop_front() else {
                return;
            };
            self.width = self.width.saturating_sub(first.width);
            self.is_cut = true;
        }
    }

    fn text_len(&self) -> usize {
        let texts: usize = self.shown.iter().map(|shown| shown.text.len()).sum();
        if self.is_cut {
            texts.saturating_add(CUT.len_utf8())
        } else {
            texts
        }
    }

    fn into_text(self) -> String {
        let mut text = String::with_capacity(self.text_len());
        if self.is_cut {
            text.push(CUT);
        }
        text.extend(self.shown.into_iter().map(|shown| shown.text));
        text
    }
}

/// A character as it is shown.
struct Shown {
    text: String,
    width: usize,
}

impl Shown {
    fn of(kind: Kind<'_>) -> Shown {
        let text = match kind {
            // The renderer replaces a tab by blanks.
            Kind::Text('\t') => {
                return Shown {
                    text: String::from('\t'),
                    width: 4,
                };
            }
            Kind::Text(character) if is_safe(character) && !is_invisible(character) => {
                String::from(character)
            }
            Kind::Text(character) => character.escape_unicode().to_string(),
            Kind::Other(bytes) => bytes.iter().fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, "\\x{byte:02X}");
                text
            }),
        };
        Shown {
            width: text.chars().count(),
            text,
        }
    }
}

/// Whether a character is invisible. It is escaped, because a person who looks for the mistake has
/// to see it.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
    )
}

fn width_within(line: &[u8], widest: usize) -> bool {
    let mut width = 0_usize;
    characters(line).all(|character| {
        width = width.saturating_add(Shown::of(character.kind).width);
        width <= widest
    })
}

/// The most columns of an excerpt, which fit on most terminals beside the line number.
const WIDEST: usize = 120;

/// The most columns before the part that matters, if the line is longer.
const WIDEST_BEFORE: usize = 40;

const CUT: char = '…';

#[cfg(test)]
mod tests {
    use super::{Excerpt, WIDEST};

    #[track_caller]
    fn assert_shows(line: &[u8], part: &[u8], text: &str, shown_part: &str) {
        let start = line
            .windows(part.len())
            .position(|window| window == part)
            .unwrap();
        let excerpt = Excerpt::new(line, start..start + part.len());
        assert_eq!(excerpt.text, text);
        assert_eq!(excerpt.text.get(excerpt.part), Some(shown_part));
    }

    #[test]
    fn plain_lines_are_shown_as_they_are() {
        assert_shows(
            "Disallow: /café/x".as_bytes(),
            "é/".as_bytes(),
            "Disallow: /café/x",
            "é/",
        );
    }

    #[test]
    fn what_is_unsafe_or_invisible_or_no_text_is_spelled_out() {
        assert_shows(
            b"\x1b[31m/a\xE9\xFF\0\x7f\xE2\x80\xAE\xEF\xBB\xBF",
            b"\xE9\xFF",
            "\\u{1b}[31m/a\\xE9\\xFF\\u{0}\\u{7f}\\u{202e}\\u{feff}",
            "\\xE9\\xFF",
        );
    }

    #[test]
    fn a_part_behind_the_end_is_empty() {
        let excerpt = Excerpt::new(b"Disallow: /", 11..12);
        assert_eq!(
            (excerpt.text.as_str(), excerpt.part),
            ("Disallow: /", 11..11)
        );
    }

    #[test]
    fn of_a_long_line_the_part_and_what_is_around_it_is_shown() {
        let line = "a".repeat(500_000) + "FINDING" + &"b".repeat(500_000);
        let excerpt = Excerpt::new(line.as_bytes(), 500_000..500_007);
        assert_eq!(excerpt.text.get(excerpt.part.clone()), Some("FINDING"));
        assert!(excerpt.text.starts_with("…a") && excerpt.text.ends_with("b…"));
        assert!(excerpt.text.chars().count() <= WIDEST + 2, "{excerpt:?}");
    }

    #[test]
    fn of_a_long_part_the_start_is_shown() {
        let line = "\u{0}".repeat(1_000);
        let excerpt = Excerpt::new(line.as_bytes(), 0..1_000);
        assert!(excerpt.text.ends_with("\\u{0}…"));
        assert_eq!(excerpt.part, 0..excerpt.text.len() - "…".len());
        assert!(excerpt.text.chars().count() <= WIDEST + 2, "{excerpt:?}");
    }
}
