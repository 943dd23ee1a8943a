//! [`Findings`]: the sink of the diagnostics about single lines.

use alloc::borrow::Cow;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::parse::line::PhysicalLine;
use crate::parse::part::Part;

/// A sink, and the file that its diagnostics are about.
#[derive(Debug)]
pub(super) struct Findings<'a, 's, S: ?Sized> {
    pub(super) file: &'a [u8],
    pub(super) sink: &'s mut S,
}

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    /// Reports a diagnostic about a part of a line.
    pub(super) fn report(
        &mut self,
        code: DiagnosticCode,
        line: &PhysicalLine<'a>,
        part: Part<'_>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.sink
            .report(Diagnostic::new(code, line.number, part.span(), message));
    }

    /// Reports a diagnostic about a part of a line, with text to replace that part.
    pub(super) fn suggest(
        &mut self,
        code: DiagnosticCode,
        line: &PhysicalLine<'a>,
        part: Part<'_>,
        message: impl Into<Cow<'static, str>>,
        suggestion: impl Into<Cow<'static, str>>,
    ) {
        let diagnostic = Diagnostic::new(code, line.number, part.span(), message);
        self.sink.report(diagnostic.with_suggestion(suggestion));
    }
}
