//! `Serialize` and `Deserialize` of findings behind the feature `serde`. Codes and severities are
//! stored by name, as a number would change with the list. A stored finding may be hostile, so it
//! is checked as the constructors check it.

use std::ops::Range;

use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::proposal::{Edit, Effect, Proposal};

impl Serialize for DiagnosticCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for DiagnosticCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DiagnosticCode, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format_args!("`{name}` is no code of a finding"));
        DiagnosticCode::from_name(&name).ok_or_else(unknown)
    }
}

/// Stores each of some values by its name.
macro_rules! by_name {
    ($($kind:ident { $($value:ident = $name:literal),+ })+) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                match String::deserialize(deserializer)?.as_str() {
                    $($name => Ok($kind::$value),)+
                    other => Err(D::Error::unknown_variant(other, &[$($name),+])),
                }
            }
        }
    )+};
}

by_name! {
    Severity { Note = "note", Warning = "warning", Error = "error" }
    Effect { Nothing = "nothing", Google = "google", Answers = "answers" }
}

impl<'de> Deserialize<'de> for Diagnostic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Diagnostic, D::Error> {
        let form = DiagnosticForm::deserialize(deserializer)?;
        if form.line == 0 {
            return Err(D::Error::custom(
                "a diagnostic has line 0, but lines count from 1",
            ));
        }
        let Range { start, end } = form.span;
        if start > end {
            return Err(D::Error::custom(format_args!(
                "a diagnostic has the span {start}..{end}, which ends before it starts"
            )));
        }
        if !form.code.may_have(form.severity) {
            return Err(D::Error::custom(format_args!(
                "a diagnostic {} of severity {}",
                form.code, form.severity
            )));
        }
        let diagnostic = Diagnostic::new(form.code, form.line, start..end, form.message)
            .with_severity(form.severity);
        Ok(diagnostic.with_proposals(form.proposals))
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Diagnostic", 7)?;
        form.serialize_field("code", &self.code())?;
        form.serialize_field("severity", &self.severity())?;
        form.serialize_field("line", &self.line())?;
        form.serialize_field("span", &self.span())?;
        form.serialize_field("message", self.message())?;
        // For programs that read one replacement only; the proposals have it too.
        form.serialize_field("suggestion", &self.suggestion())?;
        form.serialize_field("proposals", self.proposals())?;
        form.end()
    }
}

impl<'de> Deserialize<'de> for Proposal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Proposal, D::Error> {
        let ProposalForm { edits, effect } = ProposalForm::deserialize(deserializer)?;
        let order = "the edits of a proposal are in the order of the file, and do not overlap";
        Proposal::from_edits(edits, effect).ok_or_else(|| D::Error::custom(order))
    }
}

/// The fields of a [`Proposal`] before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProposalForm {
    edits: Vec<Edit>,
    effect: Effect,
}

/// The fields of a [`Diagnostic`] before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiagnosticForm {
    code: DiagnosticCode,
    severity: Severity,
    line: u32,
    span: Range<usize>,
    message: String,
    #[serde(rename = "suggestion")]
    _suggestion: Option<String>,
    proposals: Vec<Proposal>,
}
