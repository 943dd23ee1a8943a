//! The objects that JavaScript gets: each is made by one call of a function there, as calls cost
//! more than arguments.

use polite_robots::document::{Group, RuleRecord, UserAgent};
use polite_robots::record::Extension;
use polite_robots::{Access, Cause, InvalidToken, InvalidUrl, Reason, Rule, Verdict};
use polite_robots_records::{RequestRate, Usage, UsageCategory, UsageRecord};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../src/shapes.js")]
extern "C" {
    #[wasm_bindgen(js_name = invalidToken)]
    fn js_invalid_token(message: &str, token: &str, probably_meant: Option<&str>) -> JsValue;
    #[wasm_bindgen(js_name = invalidUrl)]
    fn js_invalid_url(message: &str, url: &str) -> JsValue;
    #[wasm_bindgen(js_name = verdict)]
    fn js_verdict(
        allowed: bool,
        reason: &str,
        explanation: &str,
        agent_match: &str,
        group_line: Option<u32>,
        rule: JsValue,
        overruled: JsValue,
    ) -> JsValue;
    #[wasm_bindgen(js_name = rule)]
    fn js_rule(is_allow: bool, pattern: &str, line: u32, length: usize) -> JsValue;
    #[wasm_bindgen(js_name = group)]
    fn js_group(line: u32, user_agents: Vec<JsValue>, rules: Vec<JsValue>) -> JsValue;
    #[wasm_bindgen(js_name = userAgent)]
    fn js_user_agent(value: &str, product_token: &str, line: u32) -> JsValue;
    #[wasm_bindgen(js_name = ruleRecord)]
    fn js_rule_record(is_allow: bool, value: &str, line: u32) -> JsValue;
    #[wasm_bindgen(js_name = extension)]
    fn js_extension(field: &str, value: &str, line: u32) -> JsValue;
    #[wasm_bindgen(js_name = preference)]
    fn js_preference(preference: &str, record: JsValue) -> JsValue;
    #[wasm_bindgen(js_name = requestRate)]
    fn js_request_rate(documents: f64, seconds: f64) -> JsValue;
}

pub(crate) fn invalid_token(error: &InvalidToken) -> JsValue {
    js_invalid_token(&error.to_string(), error.token(), error.probably_meant())
}

pub(crate) fn invalid_url(error: &InvalidUrl) -> JsValue {
    js_invalid_url(&error.to_string(), error.url())
}

pub(crate) fn verdict(verdict: Verdict<'_>) -> JsValue {
    let optional = |found: Option<Rule<'_>>| found.map_or(JsValue::UNDEFINED, rule);
    js_verdict(
        verdict.is_allowed(),
        reason(verdict.reason()),
        &verdict.to_string(),
        verdict.agent_match().as_str(),
        verdict.group_line(),
        optional(verdict.rule()),
        optional(verdict.overruled()),
    )
}

pub(crate) fn rule(rule: Rule<'_>) -> JsValue {
    js_rule(
        rule.access() == Access::Allow,
        rule.pattern(),
        rule.line(),
        rule.length(),
    )
}

pub(crate) fn group(group: Group<'_>) -> JsValue {
    js_group(
        group.line(),
        group.user_agents().map(user_agent).collect(),
        group.rules().map(rule_record).collect(),
    )
}

fn user_agent(agent: UserAgent<'_>) -> JsValue {
    js_user_agent(&text(agent.value()), agent.product_token(), agent.line())
}

fn rule_record(record: RuleRecord<'_>) -> JsValue {
    js_rule_record(
        record.access() == Access::Allow,
        &text(record.value()),
        record.line(),
    )
}

pub(crate) fn extension(record: Extension<'_>) -> JsValue {
    js_extension(
        record.field().as_str(),
        &text(record.value()),
        record.line(),
    )
}

/// The preference of a category, with the record that states it.
pub(crate) fn preference(usage: &Usage<'_>, category: UsageCategory) -> JsValue {
    let record = |record: UsageRecord<'_>| {
        js_extension(record.field(), &text(record.value()), record.line())
    };
    js_preference(
        usage.preference(category).as_str(),
        usage.record(category).map_or(JsValue::UNDEFINED, record),
    )
}

pub(crate) fn request_rate(rate: RequestRate) -> JsValue {
    // A number of JavaScript rounds numbers above 2^53, far beyond any pace.
    #[allow(clippy::cast_precision_loss)]
    js_request_rate(rate.documents() as f64, rate.per().as_secs_f64())
}

/// Bytes of a file as text, with a replacement character for each sequence that is not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn reason(reason: Reason<'_>) -> &'static str {
    match reason {
        Reason::Blanket(cause) => cause_name(cause),
        other => other.as_str(),
    }
}

pub(crate) fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::Configured => "configured",
        Cause::NotFetched => "not_fetched",
        Cause::Status(_) => "status",
        Cause::Unreachable => "unreachable",
        Cause::TooManyRedirects => "too_many_redirects",
        Cause::Truncated => "truncated",
        Cause::ParseErrors => "parse_errors",
        Cause::NoCopy => "no_copy",
        Cause::GaveUp => "gave_up",
        Cause::Encoded => "encoded",
        Cause::Full => "full",
        _ => "other",
    }
}

/// The cause of a status, or of the name that [`cause_name`] gives if that is 0.
pub(crate) fn cause(status: u16, name: &str) -> Option<Cause> {
    if status != 0 {
        return Some(Cause::Status(status));
    }
    [
        Cause::Configured,
        Cause::NotFetched,
        Cause::Unreachable,
        Cause::TooManyRedirects,
        Cause::Truncated,
        Cause::ParseErrors,
        Cause::NoCopy,
        Cause::GaveUp,
        Cause::Encoded,
        Cause::Full,
    ]
    .into_iter()
    .find(|&cause| cause_name(cause) == name)
}
