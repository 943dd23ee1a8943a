//! The objects that JavaScript gets: each is made by one call of a function there.

use polite_robots_build::InvalidRecord;
use polite_robots_lint::Diagnostic;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../src/shapes.js")]
extern "C" {
    #[wasm_bindgen(js_name = invalidRecord)]
    fn js_invalid_record(message: &str, field: &str, value: &str) -> JsValue;
    #[wasm_bindgen(js_name = diagnostic)]
    fn js_diagnostic(
        code: &str,
        severity: &str,
        line: u32,
        start: usize,
        end: usize,
        message: &str,
        suggestion: Option<&str>,
    ) -> JsValue;
}

pub(crate) fn invalid_record(error: &InvalidRecord) -> JsValue {
    js_invalid_record(&error.to_string(), error.field(), error.value())
}

pub(crate) fn diagnostic(finding: &Diagnostic) -> JsValue {
    js_diagnostic(
        finding.code().as_str(),
        finding.severity().as_str(),
        finding.line(),
        finding.span().start,
        finding.span().end,
        finding.message(),
        finding.suggestion(),
    )
}
