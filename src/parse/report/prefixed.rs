//! Diagnostics about names that only begin like a known one: Google's matcher reads that field, RFC
//! 9309 another record.

use alloc::format;
use alloc::string::String;

use crate::access::Access;
use crate::lint::code::{DiagnosticCode, Severity};
use crate::options::Dialect;
use crate::parse::field::{Directive, directive};
use crate::parse::group::{Grouping, Membership, Opening};
use crate::parse::line::RawRecord;
use crate::parse::report::field::before_url;
use crate::parse::report::findings::Findings;
use crate::text::quote::quote;

/// The field that Google's matcher reads where the RFC dialect reads another record.
pub(super) fn read_by_google_alone(field: &[u8]) -> Option<Directive> {
    // Other names begin like none of the fields.
    if !matches!(
        field,
        [b'A' | b'a' | b'D' | b'd' | b'S' | b's' | b'U' | b'u', ..]
    ) {
        return None;
    }
    directive(field, Dialect::Google)
        .filter(|google| directive(field, Dialect::Rfc9309) != Some(*google))
}

impl Findings<'_, '_> {
    /// `grouping` has the groups as Google's matcher sees them, up to this line.
    pub(super) fn prefixed(
        &mut self,
        record: RawRecord<'_>,
        google: Directive,
        grouping: Grouping,
    ) {
        let quoted = quote(record.field.bytes);
        let standard = google.as_str();
        let advice = match before_url(record) {
            Some(_) => format!("write a colon after `{standard}`"),
            None => format!("write `{standard}` if that is meant"),
        };
        let value = quote(record.value.bytes());
        let (severity, effect) = match google {
            _ if !changes_groups(grouping, google, record) => (Severity::Note, String::new()),
            Directive::Rule(Access::Allow) => (Severity::Error, format!(", and so opens {value}")),
            Directive::Rule(_) => (Severity::Error, format!(", and so closes {value}")),
            _ => (Severity::Error, ", and so starts a group".into()),
        };
        let message = || {
            format!(
                "Google's matcher reads {quoted} as `{standard}`, because the name begins like it{effect}; by RFC 9309 it is another record, without an effect on rules; {advice}"
            )
        };
        let code = DiagnosticCode::PrefixedField;
        self.grade(code, severity, record.field, message);
    }
}

/// Whether Google's reading starts a group, or is a rule that can match.
fn changes_groups(mut grouping: Grouping, google: Directive, record: RawRecord<'_>) -> bool {
    match grouping.next(google) {
        Membership::Agent(opening) => opening == Opening::Group,
        Membership::Rule => matches!(record.value.bytes(), [b'/' | b'*', ..]),
        Membership::StrayRule | Membership::Extension(..) => false,
    }
}
