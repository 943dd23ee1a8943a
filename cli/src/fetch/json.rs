//! The document of `--json`. Names and order of the fields are part of the command's contract.

use polite_robots::Cause;
use polite_robots_policy::cache::NextFetch;
use serde::Serialize;

use crate::fetch::profiles::MAX_BYTES;
use crate::fetch::profiles::{Meaning, ProfileReading};
use crate::fetch::round::Exchange;
use crate::fetch::site::Site;
use crate::json::{Fields, Object, object};

/// A site, and the answers of other subcommands about its file.
pub(super) fn site_fields(
    site: &Site,
    check: Option<impl Serialize>,
    lint: Option<impl Serialize>,
    agents: Option<impl Serialize>,
) -> Object<impl Fields> {
    object! {
        "robots_txt": site.origin.robots_url(),
        "fetched": site.round.ended.to_string(),
        // The reason why there is no answer.
        "problem": site.round.problem(),
        "requests": site.round.exchanges.iter().map(request_fields).collect::<Vec<_>>(),
        "limit_bytes": MAX_BYTES,
        "profiles": site.profiles.each_ref().map(profile_fields),
        "check"?: check,
        "lint"?: lint,
        "agents"?: agents,
    }
}

fn request_fields(exchange: &Exchange) -> Object<impl Fields> {
    let received = exchange.answer.as_ref().ok();
    let field = |name: &str| received.and_then(|received| received.field(name));
    object! {
        "url": &exchange.url,
        "status": received.map(|received| received.status),
        "problem": exchange.answer.as_ref().err().map(ToString::to_string),
        "location": field("location"),
        "content_type": field("content-type"),
        "content_encoding": field("content-encoding"),
        // The bytes that were read, without a content coding.
        "bytes": received.map(|received| match received.file() {
            Some(Ok(file)) => file.text.len().min(MAX_BYTES),
            _ => received.body.len().min(MAX_BYTES),
        }),
        "transferred_bytes": received.map(|received| received.body.len()),
        "end": received.map(|received| match received.file() {
            Some(Ok(file)) if file.is_longer => "limit_reached",
            Some(Err(Cause::Truncated)) => "cut_short",
            _ => "complete",
        }),
        "cache_control": field("cache-control"),
        "expires": field("expires"),
        "age": field("age"),
        "retry_after": field("retry-after"),
    }
}

fn profile_fields(reading: &ProfileReading) -> Object<impl Fields> {
    let (access, cause) = access(&reading.meaning);
    let kept = reading.kept.as_ref();
    object! {
        "profile": reading.name,
        "access": access,
        "cause": cause,
        // The behavior of a polite crawler, if it differs.
        "polite": reading.polite,
        "kept_until": kept.map(|kept| kept.until.to_string()),
        "kept_because": kept.map(|kept| &kept.reason),
        // The time at which a crawler asks again.
        "next_fetch": match reading.next {
            NextFetch::At(time) => Some(time.to_string()),
            _ => None,
        },
        "explanation": &reading.explanation,
    }
}

/// The stable name of a meaning, and its cause.
pub(super) fn access(meaning: &Meaning) -> (&'static str, Option<String>) {
    match meaning {
        Meaning::Rules => ("rules", None),
        Meaning::NoRules => ("everything", Some(String::from("the answer has no rules"))),
        Meaning::FirstRules => ("rules_of_first_bytes", None),
        Meaning::Everything(cause) => ("everything", Some(cause.to_string())),
        Meaning::Nothing(cause) => ("nothing", Some(cause.to_string())),
        Meaning::Unknown => ("unknown", None),
        Meaning::Unpublished(sentence) => ("unknown", Some(sentence.clone())),
    }
}
