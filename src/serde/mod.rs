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

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::ProductToken;
use crate::lint::code::{DiagnosticCode, Severity};
use crate::lint::diagnostic::Diagnostic;
use crate::options::{Dialect, Options};
use crate::verdict::Cause;

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

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OptionsForm::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        OptionsForm::deserialize(deserializer)
    }
}

/// Every field may be missing, because people write options into configuration files.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Options", deny_unknown_fields)]
struct OptionsForm {
    #[serde(default)]
    dialect: Dialect,
    #[serde(default)]
    max_bytes: Option<usize>,
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CauseForm::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cause, D::Error> {
        CauseForm::deserialize(deserializer)
    }
}

/// A binary format writes the number of a variant, so add new ones at the end.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Cause", rename_all = "snake_case")]
enum CauseForm {
    Configured,
    NotFetched,
    Status(u16),
    Unreachable,
    TooManyRedirects,
    Truncated,
    ParseErrors,
    NoCopy,
    GaveUp,
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = DiagnosticForm {
            code: self.code(),
            severity: self.severity(),
            line: self.line(),
            span: self.span(),
            message: self.message().into(),
            suggestion: self.suggestion().map(Cow::from),
        };
        form.serialize(serializer)
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
            let message =
                format!("a diagnostic has the span {start}..{end}, which ends before it starts");
            return Err(D::Error::custom(message));
        }
        if !form.code.may_have(form.severity) {
            let message = format!("a diagnostic {} of severity {}", form.code, form.severity);
            return Err(D::Error::custom(message));
        }
        let message = form.message.into_owned();
        let diagnostic =
            Diagnostic::new(form.code, form.line, start..end, message).with_severity(form.severity);
        Ok(match form.suggestion {
            Some(suggestion) => diagnostic.with_suggestion(suggestion.into_owned()),
            None => diagnostic,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DiagnosticForm<'a> {
    code: DiagnosticCode,
    severity: Severity,
    line: u32,
    span: Range<usize>,
    message: Cow<'a, str>,
    suggestion: Option<Cow<'a, str>>,
}
