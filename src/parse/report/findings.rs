//! [`Findings`]: the sink of the diagnostics about single lines.

use alloc::borrow::Cow;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::parse::line::PhysicalLine;
use crate::parse::part::Part;

/// A sink, and the line that its diagnostics are about.
pub(super) struct Findings<'a, 's> {
    pub(super) file: Part<'a>,
    pub(super) line: PhysicalLine<'a>,
    pub(super) sink: &'s mut dyn FnMut(Diagnostic),
}

impl Findings<'_, '_> {
    /// Reports a diagnostic about a part of the line.
    pub(super) fn report(
        &mut self,
        code: DiagnosticCode,
        part: Part<'_>,
        message: impl Into<Cow<'static, str>>,
    ) {
        self.suggest(code, part, message, None::<&str>);
    }

    /// Reports a diagnostic about a part of the line, with text to replace that part if there is
    /// any.
    pub(super) fn suggest(
        &mut self,
        code: DiagnosticCode,
        part: Part<'_>,
        message: impl Into<Cow<'static, str>>,
        suggestion: Option<impl Into<Cow<'static, str>>>,
    ) {
        let diagnostic = Diagnostic::new(code, self.line.number, part.span(), message);
        (self.sink)(match suggestion {
            Some(suggestion) => diagnostic.with_suggestion(suggestion),
            None => diagnostic,
        });
    }
}
