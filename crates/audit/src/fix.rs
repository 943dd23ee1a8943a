//! Fixes that change no answer, neither by RFC 9309 nor by Google's matcher, and leave every other byte as it is.
//!
//! ```
//! use polite_robots_audit::fix::Fixes;
//!
//! let fixes = Fixes::new(b"useragent: *\nDisalow: /x # all\n", |_| true);
//! assert_eq!(fixes.file(), b"User-agent: *\nDisallow: /x # all\n");
//! assert_eq!(fixes.count(), 2);
//! ```

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use polite_robots::Options;
use polite_robots::document::Line;
use polite_robots::lint::{Diagnostic, DiagnosticCode};

use crate::findings::{self, is_no_robots_txt};

/// The fixes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixes {
    file: Vec<u8>,
    count: usize,
}

impl Fixes {
    /// Fixes the findings whose codes are wanted, as far as that changes no answer.
    pub fn new(file: &[u8], is_wanted: impl Fn(DiagnosticCode) -> bool) -> Fixes {
        let mut fixes = Fixes {
            file: file.to_vec(),
            count: 0,
        };
        // A rule turns out to be a duplicate once its name is fixed. No file was seen to need more than three rounds.
        for _ in 0..MOST_ROUNDS {
            let edits = edits(&fixes.file, &is_wanted);
            if edits.is_empty() {
                break;
            }
            fixes.count = fixes.count.saturating_add(edits.len());
            apply(&mut fixes.file, &edits);
        }
        fixes
    }

    /// The file with its fixes.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// The number of fixes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Whether [`Fixes`] fixes findings of this code.
///
/// For every other code a fix would change an answer, or only the author knows the right one: with `shadowed-rule` the
/// rule to remove may be the one that was meant.
#[must_use]
pub fn is_fixable(code: DiagnosticCode) -> bool {
    matches!(
        code,
        DiagnosticCode::ByteOrderMark
            | DiagnosticCode::DuplicateRule
            | DiagnosticCode::InvalidProductToken
            | DiagnosticCode::LoneCarriageReturn
            | DiagnosticCode::MisspelledField
            | DiagnosticCode::MissingColon
            | DiagnosticCode::NonAsciiInPath
    )
}

/// A replacement for some bytes.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    span: Range<usize>,
    replacement: String,
}

/// The edits in the order of the file, none of which overlap.
fn edits(file: &[u8], is_wanted: impl Fn(DiagnosticCode) -> bool) -> Vec<Edit> {
    let (robots_txt, found) = findings::all(file, &Options::rfc9309());
    let (_, found_by_google) = findings::all(file, &Options::google());
    // A colon would not make an HTML page a robots.txt.
    if found.iter().any(|finding| is_no_robots_txt(finding.code())) {
        return Vec::new();
    }
    let found_by_google: HashSet<&Diagnostic> = found_by_google.iter().collect();
    let wanted: Vec<&Diagnostic> = found
        .iter()
        .filter(|finding| is_fixable(finding.code()) && is_wanted(finding.code()))
        .filter(|finding| found_by_google.contains(finding))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let lines: Vec<Line<'_>> = robots_txt.lines().collect();
    let mut edits: Vec<Edit> = Vec::new();
    for finding in wanted {
        let index = usize::try_from(finding.line()).unwrap_or_default();
        if let Some(line) = lines.get(index.saturating_sub(1)) {
            edits.extend(edits_of(finding, file, line));
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let mut end = 0;
    edits.retain(|edit| {
        let is_apart = edit.span.start >= end;
        if is_apart {
            end = edit.span.end;
        }
        is_apart
    });
    keep_lines_whole(&mut edits, &lines);
    edits
}

fn edits_of(finding: &Diagnostic, file: &[u8], line: &Line<'_>) -> Vec<Edit> {
    let replacement = match (finding.code(), finding.suggestion()) {
        (DiagnosticCode::LoneCarriageReturn, _) => return line_feeds(file),
        (_, None) => return Vec::new(),
        (DiagnosticCode::DuplicateRule, Some(_)) => {
            let span = without_rule(file, line, finding.span());
            return vec![Edit {
                span,
                replacement: String::new(),
            }];
        }
        (_, Some(suggestion)) => suggestion,
    };
    // In the Google dialect a control character in a path differs from its percent-encoded form.
    let replaced = file.get(finding.span()).unwrap_or_default();
    let has_control = replaced.iter().any(u8::is_ascii_control);
    if finding.code() == DiagnosticCode::NonAsciiInPath && has_control {
        return Vec::new();
    }
    vec![Edit {
        span: finding.span(),
        replacement: replacement.to_owned(),
    }]
}

/// Replaces every carriage return that ends a line alone; the finding is at the first.
fn line_feeds(file: &[u8]) -> Vec<Edit> {
    file.windows(2)
        .chain(file.last().map(std::slice::from_ref))
        .enumerate()
        .filter(|(_, bytes)| matches!(bytes, [b'\r'] | [b'\r', ..]) && *bytes != b"\r\n")
        .map(|(at, _)| Edit {
            span: at..at.saturating_add(1),
            replacement: String::from("\n"),
        })
        .collect()
}

/// The whole line with its end; or, if a comment follows the rule, the rule and the blanks after it.
fn without_rule(file: &[u8], line: &Line<'_>, rule: Range<usize>) -> Range<usize> {
    let after = file.get(rule.end..line.span().end).unwrap_or_default();
    let blanks = after
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let end = rule.end.saturating_add(blanks);
    if end < line.span().end {
        return rule.start..end;
    }
    let line_end = match file.get(end..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([_, ..]) => 1,
        _ => 0,
    };
    line.span().start..end.saturating_add(line_end)
}

/// Drops the edits of lines that would become long: Google's matcher ignores the end of a long line.
fn keep_lines_whole(edits: &mut Vec<Edit>, lines: &[Line<'_>]) {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    let line_of = |edit: &Edit| {
        lines
            .partition_point(|line| line.span().start <= edit.span.start)
            .saturating_sub(1)
    };
    for edit in edits.iter() {
        let at = line_of(edit);
        let old = lines.get(at).map_or(0, |line| line.as_bytes().len());
        let length = lengths.entry(at).or_insert(old);
        *length = length.saturating_add(edit.replacement.len());
    }
    edits.retain(|edit| {
        let length = lengths.get(&line_of(edit));
        length.is_none_or(|length| *length <= LONGEST_LINE)
    });
}

fn apply(file: &mut Vec<u8>, edits: &[Edit]) {
    let mut after = Vec::with_capacity(file.len());
    let mut end = 0;
    for edit in edits {
        after.extend_from_slice(file.get(end..edit.span.start).unwrap_or_default());
        after.extend_from_slice(edit.replacement.as_bytes());
        end = edit.span.end;
    }
    after.extend_from_slice(file.get(end..).unwrap_or_default());
    *file = after;
}

/// A bound far above the three rounds that files were seen to need.
const MOST_ROUNDS: usize = 100;

/// Bytes, below the 16,663 that Google's matcher reads. The length counts what an edit inserts, but not what it removes.
const LONGEST_LINE: usize = 16_000;

#[cfg(test)]
mod tests;
