//! A few lines of the file, with marks.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use polite_robots::{Line, RobotsTxt};

use crate::input::Input;
use crate::terminal::printable;

/// The file as it is shown.
pub(super) struct Source<'a> {
    name: String,
    pub(super) robots_txt: &'a RobotsTxt,
    lines: Vec<Shown>,
    /// The line that speaks to everyone, if one does.
    pub(super) wildcard: Option<u32>,
}

/// A line as it is shown, and where in it the record stands.
struct Shown {
    text: String,
    record: Range<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: &Input, robots_txt: &'a RobotsTxt) -> Source<'a> {
        let mut agents = robots_txt.groups().flat_map(|group| group.user_agents());
        let mut lines: Vec<Shown> = robots_txt.lines().map(|line| Shown::new(&line)).collect();
        // Behind the last line end there is a line only to parsers.
        if lines.last().is_some_and(|last| last.text.is_empty()) {
            lines.pop();
        }
        Source {
            name: match file {
                Input::StandardInput => "standard input".to_owned(),
                Input::File(_) => printable(&file.argument()),
            },
            robots_txt,
            lines,
            wildcard: agents
                .find(|agent| agent.is_wildcard())
                .map(|agent| agent.line()),
        }
    }

    /// The lines from the first to the last of the marked ones and what surrounds the first of them, with their marks.
    pub(super) fn snippet(&self, marks: &[Mark]) -> Option<Snippet<'_, Annotation<'_>>> {
        let primary = marks.iter().find(|mark| mark.is_primary)?.line;
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
            // What is between is folded, so it need not be there.
            if mark.is_some() || around.contains(&number) {
                text.push_str(&line.text);
            }
            if let Some(mark) = mark {
                let kind = if mark.is_primary {
                    AnnotationKind::Primary
                } else {
                    AnnotationKind::Context
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
        let record = line.octets();
        let record = record
            .get(..record.len().saturating_sub(comment.len()))
            .unwrap_or_default();
        let record = cut(&printable(&String::from_utf8_lossy(record)).replace("\\u{9}", " "));
        let start = record.len().saturating_sub(record.trim_start().len());
        let end = record.trim_end().len().max(start);
        let comment = cut(&printable(&String::from_utf8_lossy(comment)).replace("\\u{9}", " "));
        Shown {
            text: record + &comment,
            record: start..end,
        }
    }
}

/// A robots.txt may be a line of a megabyte.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A line that the answer speaks of.
pub(super) struct Mark {
    pub(super) line: u32,
    pub(super) is_primary: bool,
    pub(super) label: String,
}

/// Lines shown before and behind the deciding one.
const CONTEXT: u32 = 2;

/// Characters of a line or a URL.
const LONGEST_SHOWN: usize = 160;
