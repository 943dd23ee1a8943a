//! `Serialize` and `Deserialize` behind the feature `serde`. The crate's documentation describes
//! the forms.
//!
//! A form borrows nothing from its input, so it can be read from a reader and from a value too.
//! Input may be hostile: a form is checked as the constructors check it, and derived data is
//! computed again.

pub(crate) mod bytes;
pub(crate) mod document;
pub(crate) mod name;
pub(crate) mod robot;
pub(crate) mod verdict;

use alloc::string::String;
use core::ops::Range;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::ProductToken;
use crate::lint::code::{DiagnosticCode, Severity};
use crate::lint::diagnostic::Diagnostic;

impl Serialize for ProductToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProductToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProductToken, D::Error> {
        let token = String::deserialize(deserializer)?;
        ProductToken::new(&token).map_err(D::Error::custom)
    }
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
        Ok(match form.suggestion {
            Some(suggestion) => diagnostic.with_suggestion(suggestion),
            None => diagnostic,
        })
    }
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
    suggestion: Option<String>,
}
