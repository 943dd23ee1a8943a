//! `--fix`: mends that change no answer, neither by RFC 9309 nor by Google's matcher, and leave every other octet as
//! it is.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use polite_robots::{Code, Diagnostic, Line, Options};

use crate::counted::counted;
use crate::input::Input;
use crate::lint::levels::{Levels, Treatment};
use crate::lint::linted::lint;
use crate::rewrite::{RewriteError, is_no_robots_txt, rewrite};
use crate::terminal;
use crate::unified_diff::Change;

/// A file before and after.
pub(super) struct Fixed<'a> {
    pub(super) input: &'a Input,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
    mends: usize,
}

impl<'a> Fixed<'a> {
    pub(super) fn new(input: &'a Input, before: Vec<u8>, levels: &Levels) -> Fixed<'a> {
        let is_wanted = |code| levels.treatment(code, code.severity()) != Treatment::LeftOut;
        let (after, mends) = mended(&before, is_wanted);
        Fixed {
            input,
            before,
            after,
            mends,
        }
    }

    pub(super) fn change(&self) -> Change<'_> {
        Change {
            input: self.input,
            before: &self.before,
            after: &self.after,
        }
    }

    /// A file that is clean is not touched.
    pub(super) fn write(&self) -> Result<(), RewriteError> {
        if let (Input::File(path), true) = (self.input, self.mends > 0) {
            rewrite(path, &self.after)?;
            let findings = counted(self.mends, "finding");
            terminal::tell(format_args!("mended {findings} in {}", self.input));
        }
        Ok(())
    }
}

/// Whether there are findings of a code that [`mended`] mends. Of the other codes a mend changes an answer, or only the
/// author can know what was meant; `shadowed-rule` is of those, as the rule to remove may be the one that was meant.
pub(super) fn is_fixable(code: Code) -> bool {
    matches!(
        code,
        Code::ByteOrderMark
            | Code::DuplicateRule
            | Code::InvalidProductToken
            | Code::LoneCarriageReturn
            | Code::MisspelledField
            | Code::MissingColon
            | Code::NonAsciiInPath
    )
}

/// The file without what can be mended, and the number of mends.
fn mended(file: &[u8], is_wanted: impl Fn(Code) -> bool) -> (Vec<u8>, usize) {
    let mut file = file.to_vec();
    let mut mends = 0;
    // A rule is seen to be a duplicate once its name is mended. Three rounds are the most that a file was seen to need.
    for _ in 0..MOST_ROUNDS {
        let edits = edits(&file, &is_wanted);
        if edits.is_empty() {
            break;
        }
        mends += edits.len();
        apply(&mut file, &edits);
    }
    (file, mends)
}

/// Other octets in place of some.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    span: Range<usize>,
    replacement: String,
}

/// In the order of the file, apart from each other.
fn edits(file: &[u8], is_wanted: impl Fn(Code) -> bool) -> Vec<Edit> {
    let (robots_txt, found) = lint(file, &Options::rfc9309());
    let (_, found_by_google) = lint(file, &Options::google());
    // What an HTML page needs is not a colon.
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
        (Code::LoneCarriageReturn, _) => return line_feeds(file),
        (_, None) => return Vec::new(),
        (Code::DuplicateRule, Some(_)) => {
            let span = without_rule(file, line, finding.span());
            return vec![Edit {
                span,
                replacement: String::new(),
            }];
        }
        (_, Some(suggestion)) => suggestion,
    };
    // To Google a control character in a path is no percent-encoded one.
    let replaced = file.get(finding.span()).unwrap_or_default();
    let has_control = replaced.iter().any(u8::is_ascii_control);
    if finding.code() == Code::NonAsciiInPath && has_control {
        return Vec::new();
    }
    vec![Edit {
        span: finding.span(),
        replacement: replacement.to_owned(),
    }]
}

/// In place of all carriage returns that end a line alone; the finding is at the first.
fn line_feeds(file: &[u8]) -> Vec<Edit> {
    file.windows(2)
        .chain(file.last().map(std::slice::from_ref))
        .enumerate()
        .filter(|(_, octets)| matches!(octets, [b'\r'] | [b'\r', ..]) && *octets != b"\r\n")
        .map(|(at, _)| Edit {
            span: at..at.saturating_add(1),
            replacement: String::from("\n"),
        })
        .collect()
}

/// The whole line with its end; or, if a comment stands behind the rule, the rule and the blanks around it.
fn without_rule(file: &[u8], line: &Line<'_>, rule: Range<usize>) -> Range<usize> {
    let behind = file.get(rule.end..line.span().end).unwrap_or_default();
    let blanks = behind
        .iter()
        .take_while(|octet| matches!(octet, b' ' | b'\t'))
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

/// Google's matcher drops the end of a long line, so no line may grow beyond that, nor a longer one change.
fn keep_lines_whole(edits: &mut Vec<Edit>, lines: &[Line<'_>]) {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    let line_of = |edit: &Edit| {
        lines
            .partition_point(|line| line.span().start <= edit.span.start)
            .saturating_sub(1)
    };
    for edit in edits.iter() {
        let at = line_of(edit);
        let old = lines.get(at).map_or(0, |line| line.octets().len());
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

/// Says on standard error what the diff does not.
pub(super) fn announce(files: &[Fixed<'_>]) {
    let mends: usize = files.iter().map(|file| file.mends).sum();
    let message: Cow<'static, str> = if mends == 0 {
        "nothing can be mended without changing an answer".into()
    } else {
        let findings = counted(mends, "finding");
        format!("{findings} can be mended so; --write does it").into()
    };
    terminal::tell(format_args!("{message}"));
}

/// A bound that no file seen comes near.
const MOST_ROUNDS: usize = 100;

/// Less than the 16,663 octets that Google's matcher reads. A line counts with all that is put into it, and with all that
/// is taken out of it as well.
const LONGEST_LINE: usize = 16_000;

#[cfg(test)]
mod tests;
