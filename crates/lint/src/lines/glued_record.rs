//! Diagnostics about a comment that has swallowed a record.

use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::Findings;
use crate::lines::second_record::about_record;
use crate::proposal::Proposal;
use crate::text::part::Part;
use crate::text::words::is_among;

impl Findings<'_, '_> {
    /// Reports a record that is glued to the text of a comment, `# end of listUser-agent: *`, or
    /// that follows its words, `# the cart Disallow: /cart/`.
    pub(super) fn glued_record(&mut self, comment: Part<'_>) {
        let Some((at, severity)) = place_of_record(comment.bytes) else {
            return;
        };
        let record = comment.tail(at).trim();
        if severity == Severity::Note && self.is_on_next_line(record) {
            return;
        }
        let file = self.file.bytes;
        self.grade(DiagnosticCode::RecordInComment, severity, record, || {
            let message = format!(
                "{} has no effect, because it is part of a comment; {} on a line of its own{}",
                quote(record.bytes),
                match severity {
                    Severity::Note => "if it is a rule that is meant, it belongs",
                    _ => "the line break before it is missing, so put it",
                },
                about_record(b"", without_comment(record.bytes))
            );
            let break_before = Proposal::line_above(file, record.start..record.start, "");
            Advice::new(message).propose(break_before)
        });
    }

    /// Whether the line below holds the record too, so that the comment only describes it.
    fn is_on_next_line(&self, record: Part<'_>) -> bool {
        let below = self.file.tail(self.line.part.end()).head(MOST_BELOW);
        memchr::memmem::find(below.bytes, record.bytes).is_some()
    }
}

fn without_comment(record: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'#', record);
    record
        .get(..end.unwrap_or(record.len()))
        .unwrap_or_default()
}

/// The place of a record that follows a letter, a digit or a full stop without a blank between, or
/// that follows words which do not describe it. A record after a `#` is commented out.
fn place_of_record(comment: &[u8]) -> Option<(usize, Severity)> {
    memchr::memchr_iter(b':', comment).find_map(|colon| {
        let (before, value) = comment.split_at_checked(colon)?;
        // The last letters of the fields: most text before a colon ends otherwise.
        if !matches!(before.trim_ascii_end(), [.., b'T' | b't' | b'W' | b'w']) {
            return None;
        }
        let value = value.get(1..)?.trim_ascii();
        let (at, is_value, is_rule) = FIELDS.iter().find_map(|field| {
            let before = before.trim_ascii_end();
            let at = before.len().checked_sub(field.len())?;
            let is_field = before.get(at..)?.eq_ignore_ascii_case(field);
            let is_rule = *field != USER_AGENT;
            let is_value = match is_rule {
                true => matches!(value, [b'/' | b'*', ..]),
                false => !value.is_empty(),
            };
            is_field.then_some((at, is_value, is_rule))
        })?;
        let glue = at.checked_sub(1).and_then(|at| comment.get(at))?;
        if !is_value {
            None
        } else if glue.is_ascii_alphanumeric() || b".)".contains(glue) {
            Some((at, DiagnosticCode::RecordInComment.severity()))
        } else {
            let is_swallowed = is_rule && is_one_path(value) && is_heading(comment.get(..at)?);
            is_swallowed.then_some((at, Severity::Note))
        }
    })
}

/// Whether a value is one path, and not the whole site, which manuals speak of.
fn is_one_path(value: &[u8]) -> bool {
    let is_odd = |byte: &u8| byte.is_ascii_whitespace() || b":\"'`)#".contains(byte);
    value.len() > 1 && !value.iter().any(is_odd)
}

/// Whether the words before a rule, as in `# block the cart `, describe no change of a rule, unlike
/// `# changed to read `, `# removed `, `# e.g. `.
fn is_heading(words: &[u8]) -> bool {
    let words = words.trim_ascii_start();
    let words = words.strip_prefix(b"#").unwrap_or(words).trim_ascii();
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'-' | b'\'');
    let words = words.split(u8::is_ascii_whitespace);
    let count = words.clone().count();
    let speaks = |word: &[u8]| !word.iter().all(is_letter) || is_among(word, OF_RULES);
    count > 1 && !words.clone().any(speaks)
}

/// Words of comments that speak of a rule.
const OF_RULES: &str = include_str!("../words/of_rules.txt");

const USER_AGENT: &[u8] = b"user-agent";

/// `disallow` stands before `allow`, which ends it.
const FIELDS: [&[u8]; 3] = [USER_AGENT, b"disallow", b"allow"];

/// Bytes below a comment in which its rule may stand once more.
const MOST_BELOW: usize = 300;
