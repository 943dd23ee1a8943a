//! [`Findings`]: the sink of the diagnostics about single lines.

use std::cell::OnceCell;
use std::ops::Range;

use polite_robots::RobotsTxt;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::group_index::GroupIndex;
use crate::text::part::Part;

/// A sink, and the line that its diagnostics are about.
pub(super) struct Findings<'a, 's> {
    pub(super) file: Part<'a>,
    pub(super) line: WholeLine<'a>,
    pub(super) sink: &'s mut dyn FnMut(Diagnostic),
    pub(super) text: Text,
    /// Whether line breaks that are written as text were reported, for the whole file.
    pub(super) has_line_break_text: bool,
    pub(super) robots_txt: &'a RobotsTxt,
    /// The groups of the file, which few files need.
    pub(super) groups: OnceCell<GroupIndex<'a>>,
}

/// A line without its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct WholeLine<'a> {
    /// Counted from 1.
    pub(super) number: u32,
    pub(super) part: Part<'a>,
}

/// Whether the messages and suggestions of diagnostics are read, so that they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    Read,
    Unread,
}

/// A diagnostic was reported: `None` in its place, so that another rule may look at the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reported;

impl<'a> Findings<'a, '_> {
    pub(super) fn groups(&self) -> &GroupIndex<'a> {
        self.groups.get_or_init(|| GroupIndex::of(self.robots_txt))
    }

    /// A part of a line, extended by the start of its first character. At the start of a file the
    /// parser skips bytes that may begin a byte order mark, even if they begin another character:
    /// that of the full-width `＃`, for example.
    pub(super) fn with_whole_character<'p>(&self, part: Part<'p>) -> Part<'p>
    where
        'a: 'p,
    {
        let mark_len = byte_order_mark_len(self.file.bytes);
        let is_continued = part.bytes.first().is_some_and(|byte| byte >> 6 == 0b10);
        let is_cut = self.line.number == 1
            && part.start == mark_len
            && matches!(mark_len, 1 | 2)
            && is_continued;
        if is_cut {
            self.file.head(part.end())
        } else {
            part
        }
    }

    /// Reports a diagnostic about a part of the line.
    pub(super) fn report<M: Into<Advice>>(
        &mut self,
        code: DiagnosticCode,
        part: Part<'_>,
        message: impl FnOnce() -> M,
    ) -> Option<Reported> {
        self.grade(code, code.severity(), part, message)
    }

    /// Reports a diagnostic about a part of the line, with a severity that its code may have.
    pub(super) fn grade<M: Into<Advice>>(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        part: Part<'_>,
        message: impl FnOnce() -> M,
    ) -> Option<Reported> {
        let advice = match self.text {
            Text::Read => message().into(),
            Text::Unread => Advice::new(""),
        };
        self.pass_on(code, severity, part.span(), advice);
        Some(Reported)
    }

    /// The part of [`Findings::grade`] that is compiled once for all kinds of messages.
    #[inline(never)]
    fn pass_on(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        span: Range<usize>,
        advice: Advice,
    ) {
        let diagnostic = Diagnostic::advised(code, self.line.number, span, advice);
        (self.sink)(diagnostic.with_severity(severity));
    }
}

/// The number of bytes that are skipped at the start of a file: the longest start of a UTF-8 byte
/// order mark, be it only `EF` or `EF BB`.
pub(super) fn byte_order_mark_len(file: &[u8]) -> usize {
    file.iter()
        .zip([0xEF, 0xBB, 0xBF])
        .take_while(|(byte, mark)| *byte == mark)
        .count()
}
