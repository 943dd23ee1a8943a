//! Answers as JSON.

use serde::Serialize;

/// Nothing here has a form that JSON lacks, so that the empty text is never seen.
pub(crate) fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}
