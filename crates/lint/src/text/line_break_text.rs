//! Line breaks that are written as the text `\n`, by a server that does not read escapes.

use std::ops::Range;

use memchr::memmem;
use polite_robots::Dialect;
use polite_robots::document::LineKind;

use crate::proposal::{Effect, Proposal, usual_line_end};

/// The place after the first text `\n` of a value that stands before a record: that of `Disallow`
/// in `*\nDisallow: /`. The `\n` of `/a\nb` is a part of a path.
pub(crate) fn record_after_break(value: &[u8]) -> Option<usize> {
    let mut runs = Runs { text: value, at: 0 };
    runs.find_map(|run| starts_record(value.get(run.end..)?).then_some(run.end))
}

/// The line breaks that the file was meant to have.
pub(crate) fn proposal(file: &[u8]) -> Option<Proposal> {
    Proposal::of(line_breaks(file), Effect::Answers)
}

/// The edits that put line breaks in place of each text `\n` of a file that stands before a record
/// or a comment, or ends its line.
fn line_breaks(file: &[u8]) -> Vec<(Range<usize>, &'static str)> {
    let line_end = usual_line_end(file);
    let mut edits = Vec::new();
    for run in (Runs { text: file, at: 0 }) {
        let after = file.get(run.end..).unwrap_or_default();
        let is_break = matches!(after, [] | [b'\n' | b'\r' | b'#', ..]) || starts_record(after);
        if !is_break {
            continue;
        }
        let text = file.get(run.clone()).unwrap_or_default();
        for at in memmem::find_iter(text, BREAK) {
            let is_pair = text.get(..at).is_some_and(|text| text.ends_with(br"\r"));
            let start = run.start.saturating_add(at);
            let end = start.saturating_add(BREAK.len());
            let start = start.saturating_sub(if is_pair { RETURN.len() } else { 0 });
            edits.push((start..end, line_end));
        }
    }
    edits
}

/// The runs of texts `\n` and `\r` and of blanks in a text, each from its first `\n`, so that a
/// million of them are passed over once.
struct Runs<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..)?;
        let found = memmem::find(rest, BREAK)?;
        let has_return = rest.get(..found)?.ends_with(RETURN);
        let start = found.saturating_sub(if has_return { RETURN.len() } else { 0 });
        let mut after = rest.get(start..)?;
        while let Some(less) = [BREAK, RETURN, b" ", b"\t"]
            .iter()
            .find_map(|sign| after.strip_prefix(*sign))
        {
            after = less;
        }
        let start = self.at.saturating_add(start);
        let end = self.text.len().saturating_sub(after.len());
        self.at = end;
        Some(start..end)
    }
}

/// Whether a text begins with a known field and a colon.
fn starts_record(text: &[u8]) -> bool {
    let is_in_name = |byte: &&u8| byte.is_ascii_alphabetic() || b"-_ ".contains(byte);
    let len = text.iter().take(LONGEST_FIELD).take_while(is_in_name);
    let Some((field, after)) = text.split_at_checked(len.count()) else {
        return false;
    };
    let is_unknown = || {
        let kind = LineKind::of_field(field.trim_ascii_end(), Dialect::Rfc9309);
        matches!(kind, LineKind::UnknownField)
    };
    after.starts_with(b":") && !field.is_empty() && !is_unknown()
}

const BREAK: &[u8] = br"\n";

const RETURN: &[u8] = br"\r";

/// No known field has more bytes.
const LONGEST_FIELD: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(file: &str) -> String {
        let mut file = file.to_owned();
        for (span, text) in line_breaks(file.as_bytes()).into_iter().rev() {
            file.replace_range(span, text);
        }
        file
    }

    #[test]
    fn a_record_after_a_break_is_found_and_a_path_is_none() {
        for (value, record) in [
            (r"*\nDisallow: /", Some("Disallow: /")),
            (r"*\r\n\r\n  user-agent : a", Some("user-agent : a")),
            (
                r"/a\nb\nSitemap: https://a.example/s.xml",
                Some("Sitemap: https://a.example/s.xml"),
            ),
            (r"/a\nb", None),
            (r"/a\nDisallow", None),
            (r"/a\n", None),
            (r"C:\news: /", None),
            ("* Disallow: /", None),
        ] {
            let found = record_after_break(value.as_bytes()).and_then(|at| value.get(at..));
            assert_eq!(found, record, "{value}");
        }
    }

    #[test]
    fn each_break_of_the_file_gets_a_line_end() {
        for (file, expected) in [
            (
                r"User-agent: *\nDisallow: /a\nb\n\nDisallow: /c\n",
                "User-agent: *\nDisallow: /a\\nb\n\nDisallow: /c\n",
            ),
            (
                "User-agent: *\\r\\nDisallow: /\\r\\n# end\r\n",
                "User-agent: *\r\nDisallow: /\r\n# end\r\n",
            ),
            (r"Disallow: /a\nb", r"Disallow: /a\nb"),
        ] {
            assert_eq!(corrected(file), expected);
        }
    }

    #[test]
    fn a_million_breaks_are_passed_over_once() {
        let file = r"\n ".repeat(1_000_000);
        assert_eq!(record_after_break(file.as_bytes()), None);
        assert_eq!(line_breaks(file.as_bytes()).len(), 1_000_000);
    }
}
