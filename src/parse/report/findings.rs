//! Where findings about lines go.

use alloc::borrow::Cow;
use core::ops::Range;

use nom::Offset as _;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::parse::line::PhysicalLine;

/// A sink, and the file whose parts the findings point at.
#[derive(Debug)]
pub(super) struct Findings<'a, 's, S: ?Sized> {
    pub(super) file: &'a [u8],
    pub(super) sink: &'s mut S,
}

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    pub(super) fn report(
        &mut self,
        code: DiagnosticCode,
        line: &PhysicalLine<'a>,
        part: &[u8],
        message: impl Into<Cow<'static, str>>,
    ) {
        let span = self.span(part);
        self.sink
            .report(Diagnostic::new(code, line.number, span, message));
    }

    pub(super) fn suggest(
        &mut self,
        code: DiagnosticCode,
        line: &PhysicalLine<'a>,
        part: &[u8],
        message: impl Into<Cow<'static, str>>,
        suggestion: impl Into<Cow<'static, str>>,
    ) {
        let span = self.span(part);
        self.sink
            .report(Diagnostic::new(code, line.number, span, message).with_suggestion(suggestion));
    }

    /// Where a part of the file lies in it.
    pub(super) fn span(&self, part: &[u8]) -> Range<usize> {
        let start = self.file.offset(part);
        start..start.saturating_add(part.len())
    }
}
