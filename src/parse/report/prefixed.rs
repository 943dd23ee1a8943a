//! Names that only begin like a known one: Google's matcher reads that field, and RFC 9309 another record.

use alloc::format;

use crate::diagnostic::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Sink, quote};
use crate::options::Dialect;
use crate::parse::directive::{Directive, directive};
use crate::parse::group::{Begins, Grouping};
use crate::parse::line::{PhysicalLine, Record};
use crate::parse::report::field::before_url;
use crate::parse::report::findings::Findings;

/// The field that Google's matcher reads where the RFC dialect reads another record.
pub(super) fn read_by_google_alone(field: &[u8]) -> Option<Directive> {
    let reading = |dialect| directive(field, dialect).map(|(directive, _)| directive);
    reading(Dialect::Google).filter(|google| reading(Dialect::Rfc9309) != Some(*google))
}

impl<'a, S: Sink + ?Sized> Findings<'a, '_, S> {
    /// `google` is the field that Google's matcher reads, `grouping` what it has read before.
    pub(super) fn prefixed(
        &mut self,
        line: &PhysicalLine<'a>,
        record: &Record<'a>,
        google: Directive,
        grouping: Grouping,
    ) {
        let quoted = quote(record.field);
        let standard = google.as_str();
        let advice = match before_url(record) {
            Some(_) => format!("write a colon after `{standard}`"),
            None => format!("write `{standard}` if that is meant, and remove the line if not"),
        };
        let message = format!(
            "Google's matcher reads {quoted} as `{standard}`, because the name begins so, and RFC 9309 as another record; {advice}"
        );
        let severity = if is_felt(google, record, grouping) {
            Severity::Error
        } else {
            Severity::Note
        };
        let span = self.span(record.field);
        let finding = Diagnostic::new(Code::PrefixedField, line.number, span, message);
        self.sink.report(finding.with_severity(severity));
    }
}

/// Whether Google's reading starts a group, or is a rule that can match.
fn is_felt(google: Directive, record: &Record<'_>, mut grouping: Grouping) -> bool {
    match google {
        Directive::UserAgent => grouping.user_agent() == Begins::Group,
        Directive::Rule(_) => matches!(record.value.octets(), [b'/' | b'*', ..]) && grouping.rule(),
        Directive::Extension(_) => false,
    }
}
