//! Whether a file is a robots.txt at all: an error page, JSON or compressed data in its place has
//! no record.

use polite_robots::RobotsTxt;
use polite_robots::document::{Line, LineKind, Separator};

/// The reason to doubt that a file is a robots.txt. Rewriting such a file would ruin it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doubt {
    /// It begins like a page of HTML.
    Html,
    /// It is XML and no page, such as the error of an object store.
    Xml,
    /// It is UTF-16, in which crawlers find no record.
    Utf16,
    /// It is compressed with gzip, even if a program has saved the bytes as text.
    Gzip,
    /// It is no text, such as an image: its bytes are controls, or it has NUL bytes and no record.
    Binary,
    /// It is JSON.
    Json,
    /// It has text, and no record.
    NoRecord,
}

impl Doubt {
    /// The doubt about a file, if there is any. An empty file and a file of comments are fine.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_audit::doubt::Doubt;
    ///
    /// let doubt = |file: &str| Doubt::about(&RobotsTxt::parse(file.as_bytes()));
    /// assert_eq!(doubt("<!DOCTYPE html>"), Some(Doubt::Html));
    /// assert_eq!(doubt("Service Unavailable\nTry later\n"), Some(Doubt::NoRecord));
    /// assert_eq!(doubt("# nothing to hide\n"), None);
    /// ```
    #[must_use]
    pub fn about(robots_txt: &RobotsTxt) -> Option<Doubt> {
        Doubt::about_start(robots_txt).or_else(|| Doubt::about_lines(robots_txt))
    }

    /// The doubt that the first bytes of a file show: [`Doubt::Html`], [`Doubt::Xml`] or
    /// [`Doubt::Utf16`].
    #[must_use]
    pub fn about_start(robots_txt: &RobotsTxt) -> Option<Doubt> {
        let file = robots_txt.as_bytes();
        if is_utf16(file) {
            Some(Doubt::Utf16)
        } else if is_xml(after_mark(robots_txt)) {
            Some(Doubt::Xml)
        } else if is_html(after_mark(robots_txt)) {
            Some(Doubt::Html)
        } else {
            None
        }
    }

    /// The doubt about a file in which no line is a record, or one by accident as in an image;
    /// `None` also for files that begin like HTML or UTF-16.
    #[must_use]
    pub fn about_lines(robots_txt: &RobotsTxt) -> Option<Doubt> {
        let file = robots_txt.as_bytes();
        let has_text = || {
            let mut lines = robots_txt.lines();
            lines.any(|line| line.kind() != LineKind::Blank)
        };
        if is_gzip(file) {
            Some(Doubt::Gzip)
        } else if has_controls(file) && !is_utf16(file) {
            Some(Doubt::Binary)
        } else if begins_like_another_kind(file)
            || robots_txt.lines().any(|line| is_record(&line))
            || !has_text()
        {
            None
        } else {
            Some(kind_without_records(file))
        }
    }

    /// The doubt in one sentence.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Doubt::Html => "the file begins like an HTML page, and a robots.txt is plain text",
            Doubt::Xml => "the file begins like an XML document, and a robots.txt is plain text",
            Doubt::Utf16 => {
                "the file is UTF-16, in which crawlers find no record, and a robots.txt is UTF-8"
            }
            Doubt::Gzip => {
                "crawlers find none of your rules, as the file is compressed (gzip), and a robots.txt is plain text"
            }
            Doubt::Binary => "crawlers find none of your rules, as the file is no text",
            Doubt::Json => {
                "every crawler may fetch everything, as the file is JSON, and a robots.txt is plain text"
            }
            Doubt::NoRecord => {
                "every crawler may fetch everything, as no line of this file is a record; is it an error page?"
            }
        }
    }
}

fn kind_without_records(file: &[u8]) -> Doubt {
    let text = file.trim_ascii_start();
    if file.contains(&0) {
        Doubt::Binary
    } else if text.starts_with(b"{") || text.starts_with(b"[{") || text.starts_with(b"[\"") {
        Doubt::Json
    } else {
        Doubt::NoRecord
    }
}

/// The file after its byte order mark.
fn after_mark(robots_txt: &RobotsTxt) -> &[u8] {
    let start = robots_txt
        .lines()
        .next()
        .map_or(0, |line| line.span().start);
    robots_txt.as_bytes().get(start..).unwrap_or_default()
}

/// Whether a line is a record that is known, or at least `Name: value`.
fn is_record(line: &Line<'_>) -> bool {
    match line.kind() {
        LineKind::UserAgent | LineKind::Rule(_) | LineKind::Extension(_) => true,
        LineKind::UnknownField => {
            // Letters of all scripts, but not the quotes and brackets of JSON.
            let is_of_name = |byte: &u8| {
                byte.is_ascii_alphanumeric()
                    || !byte.is_ascii()
                    || matches!(byte, b'-' | b'_' | b' ')
            };
            line.separator() == Some(Separator::Colon)
                && line.key().is_some_and(|key| key.iter().all(is_of_name))
        }
        _ => false,
    }
}

/// Whether the file looks like UTF-16: in each pair of bytes one is NUL where the text is ASCII.
/// (If both bytes of a pair are NUL, the file was padded, and its records can be read.)
fn is_utf16(file: &[u8]) -> bool {
    let sample = file.get(..256).unwrap_or(file);
    let letters = sample
        .chunks_exact(2)
        .filter(|pair| matches!(pair, [0, other] | [other, 0] if *other != 0))
        .count();
    letters > 0 && letters.saturating_mul(5) >= sample.len().saturating_mul(2)
        || matches!(file, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) && file.contains(&0)
}

/// Whether a tag, a declaration or a comment comes before anything else.
fn is_html(text: &[u8]) -> bool {
    match text.trim_ascii_start() {
        [b'<', b'!' | b'?', ..] => true,
        [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Whether a declaration of XML comes first, and no page of XHTML after it.
fn is_xml(text: &[u8]) -> bool {
    let Some(text) = text.trim_ascii_start().strip_prefix(b"<?xml") else {
        return false;
    };
    let start = text.get(..512).unwrap_or(text);
    let is_html = |tag: &[u8]| tag.eq_ignore_ascii_case(b"html");
    !start.windows(b"html".len()).any(is_html)
}

/// Fast: whether the file begins as HTML or UTF-16 does, or with half of a tag.
fn begins_like_another_kind(file: &[u8]) -> bool {
    matches!(
        file,
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, ..] | [_, 0, ..]
    ) || file
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(file)
        .trim_ascii_start()
        .starts_with(b"<")
}

/// Whether the file begins with the two bytes of a gzip member (RFC 1952 §2.3.1). A program that
/// took them for text has left U+FFFD in place of the second, or the character of that number.
fn is_gzip(file: &[u8]) -> bool {
    let second: [&[u8]; 4] = [b"\x8B", b"\xEF\xBF\xBD", b"\xC2\x8B", "\u{2039}".as_bytes()];
    let rest = file.strip_prefix(b"\x1F");
    rest.is_some_and(|rest| second.iter().any(|second| rest.starts_with(second)))
}

/// Whether at least one byte in twenty at the start is a control character that no text has. NUL
/// does not count, as files are padded with it, nor does the escape of colours.
fn has_controls(file: &[u8]) -> bool {
    let sample = file.get(..256).unwrap_or(file);
    let is_control = |byte: &&u8| matches!(byte, 1..=8 | 0x0E..=0x1A | 0x1C..=0x1F);
    let controls = sample.iter().filter(is_control).count();
    controls >= 4 && controls.saturating_mul(20) >= sample.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_text_is_doubted_whatever_its_lines_are() {
        for (file, doubt) in [
            (&b"\x1F\x8B\x08\nDisallow: /x\n"[..], Some(Doubt::Gzip)),
            (b"\x1F\xEF\xBF\xBD\x08\nDisallow: /x\n", Some(Doubt::Gzip)),
            (b"\x1F\xC2\x8B\x08\nDisallow: /x\n", Some(Doubt::Gzip)),
            (b"\x01\x02\x03\x04\nDisallow: /x\n", Some(Doubt::Binary)),
            (b"\x1F\nDisallow: /x\n", None),
            (b"\x01\x02\x03\nDisallow: /x\n", None),
            (b"\0\0\0\0\nDisallow: /x\n", None),
            (b"\x1B[1m\x1B[1m\x1B[1m\x1B[1m\nDisallow: /x\n", None),
            (
                b"<?xml version='1.0'?><Error><Code>x</Code></Error>",
                Some(Doubt::Xml),
            ),
            (
                b"<?xml version='1.0'?><!DOCTYPE html><HTML>",
                Some(Doubt::Html),
            ),
        ] {
            let found = Doubt::about(&RobotsTxt::parse(file));
            assert_eq!(found, doubt, "{}", file.escape_ascii());
        }
    }
}
