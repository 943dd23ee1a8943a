//! [`Findings`]: the sink of the diagnostics about single lines.

use alloc::borrow::Cow;
use core::ops::Range;

use crate::lint::code::{DiagnosticCode, Severity};
use crate::lint::diagnostic::Diagnostic;
use crate::parse::line::{PhysicalLine, SkippedStart, byte_order_mark_len, skipped_start};
use crate::parse::part::Part;

/// A sink, and the line that its diagnostics are about.
pub(super) struct Findings<'a, 's> {
    pub(super) file: Part<'a>,
    pub(super) line: PhysicalLine<'a>,
    pub(super) sink: &'s mut dyn FnMut(Diagnostic),
    pub(super) text: Text,
}

/// Whether the messages and suggestions of diagnostics are read, so that they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    Read,
    Unread,
}

impl<'a> Findings<'a, '_> {
    /// A part of a line with the start of its first character, which is skipped at the start of a
    /// file if it is also that of a byte order mark.
    pub(super) fn with_whole_character(&self, part: Part<'a>) -> Part<'a> {
        let is_cut = self.line.number == 1
            && part.start == byte_order_mark_len(self.file.bytes)
            && skipped_start(self.file.bytes) == SkippedStart::Character;
        if is_cut {
            self.file.head(part.end())
        } else {
            part
        }
    }

    /// Reports a diagnostic about a part of the line.
    pub(super) fn report<M: Into<Cow<'static, str>>>(
        &mut self,
        code: DiagnosticCode,
        part: Part<'_>,
        message: impl FnOnce() -> M,
    ) {
        self.grade(code, code.severity(), part, message);
    }

    /// Reports a diagnostic about a part of the line, with a severity that its code may have.
    pub(super) fn grade<M: Into<Cow<'static, str>>>(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        part: Part<'_>,
        message: impl FnOnce() -> M,
    ) {
        self.send(code, severity, part, message, || None::<&str>);
    }

    /// Reports a diagnostic about a part of the line, with text to replace that part if there is
    /// any.
    pub(super) fn suggest<M: Into<Cow<'static, str>>, S: Into<Cow<'static, str>>>(
        &mut self,
        code: DiagnosticCode,
        part: Part<'_>,
        message: impl FnOnce() -> M,
        suggestion: impl FnOnce() -> Option<S>,
    ) {
        self.send(code, code.severity(), part, message, suggestion);
    }

    pub(super) fn send<M: Into<Cow<'static, str>>, S: Into<Cow<'static, str>>>(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        part: Part<'_>,
        message: impl FnOnce() -> M,
        suggestion: impl FnOnce() -> Option<S>,
    ) {
        let (message, suggestion) = match self.text {
            Text::Read => (message().into(), suggestion().map(S::into)),
            Text::Unread => (Cow::Borrowed(""), None),
        };
        self.pass_on(code, severity, part.span(), message, suggestion);
    }

    /// Apart from [`Findings::send`], of which there is one for each kind of message.
    #[inline(never)]
    fn pass_on(
        &mut self,
        code: DiagnosticCode,
        severity: Severity,
        span: Range<usize>,
        message: Cow<'static, str>,
        suggestion: Option<Cow<'static, str>>,
    ) {
        let diagnostic = Diagnostic::new(code, self.line.number, span, message);
        let diagnostic = diagnostic.with_severity(severity);
        (self.sink)(match suggestion {
            Some(suggestion) => diagnostic.with_suggestion(suggestion),
            None => diagnostic,
        });
    }
}
