//! A few lines of the file, with marks.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use polite_robots::RobotsTxt;
use polite_robots::document::Line;
use polite_robots_audit::explanation::{Mark, Role};
use polite_robots_audit::printable::shortened;

use crate::input::Input;
use crate::terminal::printable;

/// The file as it is shown.
pub(super) struct Source {
    name: String,
    lines: Vec<Shown>,
}

/// A line as it is shown, and the place of its record.
struct Shown {
    text: String,
    record: Range<usize>,
}

impl Source {
    pub(super) fn new(file: &Input, robots_txt: &RobotsTxt) -> Source {
        let mut lines: Vec<Shown> = robots_txt.lines().map(|line| Shown::new(&line)).collect();
        // The empty line after the last line end is one to parsers, not to people.
        if lines.last().is_some_and(|last| last.text.is_empty()) {
            lines.pop();
        }
        Source {
            name: match file {
                Input::StandardInput => "standard input".to_owned(),
                Input::File(_) => printable(&file.argument()),
            },
            lines,
        }
    }

    /// The lines from the first marked one to the last and the lines around the first, with their
    /// marks.
    pub(super) fn snippet(&self, marks: &[Mark]) -> Option<Snippet<'_, Annotation<'_>>> {
        let primary = marks.iter().find(|mark| mark.role == Role::Deciding)?.line;
        let around = primary.saturating_sub(CONTEXT)..=primary.saturating_add(CONTEXT);
        let marked: BTreeMap<u32, &Mark> = marks.iter().map(|mark| (mark.line, mark)).collect();
        let first = *marked.keys().next()?.min(around.start());
        let last = *marked.keys().next_back()?.max(around.end());
        let mut text = String::new();
        let mut annotations = Vec::new();
        let mut first_number = None;
        for (number, line) in (1..).zip(&self.lines) {
            if number < first || number > last {
                continue;
            }
            first_number.get_or_insert(number);
            let start = text.len();
            let mark = marked.get(&number);
            // The lines between stay empty, because the renderer folds them.
            if mark.is_some() || around.contains(&number) {
                text.push_str(&line.text);
            }
            if let Some(mark) = mark {
                let kind = match mark.role {
                    Role::Deciding => AnnotationKind::Primary,
                    Role::Context => AnnotationKind::Context,
                };
                let record =
                    start.saturating_add(line.record.start)..start.saturating_add(line.record.end);
                annotations.push(kind.span(record).label(mark.label.clone()));
            } else if around.contains(&number) {
                annotations.push(AnnotationKind::Visible.span(start..text.len()));
            }
            text.push('\n');
        }
        let first_number = usize::try_from(first_number?).ok()?;
        let snippet = Snippet::source(text).line_start(first_number);
        Some(snippet.path(self.name.clone()).annotations(annotations))
    }
}

impl Shown {
    fn new(line: &Line<'_>) -> Shown {
        let comment = line.comment().unwrap_or_default();
        let record = line.as_bytes();
        let record = record
            .get(..record.len().saturating_sub(comment.len()))
            .unwrap_or_default();
        let record = shortened(&printable(&String::from_utf8_lossy(record)).replace("\\u{9}", " "));
        let start = record.len().saturating_sub(record.trim_start().len());
        let end = record.trim_end().len().max(start);
        let comment =
            shortened(&printable(&String::from_utf8_lossy(comment)).replace("\\u{9}", " "));
        Shown {
            text: record + &comment,
            record: start..end,
        }
    }
}

/// Lines shown before and after the deciding one.
const CONTEXT: u32 = 2;
