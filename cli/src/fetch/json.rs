//! The document of `--json`. Names and order of the fields are part of the command's contract.

use polite_robots::Cause;
use polite_robots_policy::cache::NextFetch;
use serde::Serialize;

use crate::fetch::profiles::MAX_BYTES;
use crate::fetch::profiles::{Meaning, ProfileReading};
use crate::fetch::round::Exchange;
use crate::fetch::site::Site;

/// A site, and the answers of other subcommands about its file.
#[derive(Serialize)]
pub(super) struct SiteFields<'a, C, L, A> {
    robots_txt: String,
    fetched: String,
    /// The reason why there is no answer.
    problem: Option<String>,
    requests: Vec<RequestFields<'a>>,
    limit_bytes: usize,
    profiles: Vec<ProfileFields<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<C>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lint: Option<L>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<A>,
}

impl<'a, C, L, A> SiteFields<'a, C, L, A> {
    pub(super) fn new(
        site: &'a Site,
        check: Option<C>,
        lint: Option<L>,
        agents: Option<A>,
    ) -> SiteFields<'a, C, L, A> {
        SiteFields {
            robots_txt: site.origin.robots_url(),
            fetched: site.round.ended.to_string(),
            problem: site.round.problem(),
            requests: site
                .round
                .exchanges
                .iter()
                .map(RequestFields::new)
                .collect(),
            limit_bytes: MAX_BYTES,
            profiles: site.profiles.iter().map(ProfileFields::new).collect(),
            check,
            lint,
            agents,
        }
    }
}

/// A URL of the command line that nothing can be asked about.
#[derive(Serialize)]
pub(super) struct UnusableFields<'a> {
    pub(super) url: &'a str,
    pub(super) message: &'a str,
}

#[derive(Serialize)]
struct RequestFields<'a> {
    url: &'a str,
    status: Option<u16>,
    problem: Option<String>,
    location: Option<String>,
    content_type: Option<String>,
    content_encoding: Option<String>,
    /// The bytes that were read, without a content coding.
    bytes: Option<usize>,
    transferred_bytes: Option<usize>,
    end: Option<&'static str>,
    cache_control: Option<String>,
    expires: Option<String>,
    age: Option<String>,
    retry_after: Option<String>,
}

impl<'a> RequestFields<'a> {
    fn new(exchange: &'a Exchange) -> RequestFields<'a> {
        let received = exchange.answer.as_ref().ok();
        let field = |name: &str| received.and_then(|received| received.field(name));
        RequestFields {
            url: &exchange.url,
            status: received.map(|received| received.status),
            problem: exchange.answer.as_ref().err().map(ToString::to_string),
            location: field("location"),
            content_type: field("content-type"),
            content_encoding: field("content-encoding"),
            bytes: received.map(|received| match received.file() {
                Some(Ok(file)) => file.text.len().min(MAX_BYTES),
                _ => received.body.len().min(MAX_BYTES),
            }),
            transferred_bytes: received.map(|received| received.body.len()),
            end: received.map(|received| match received.file() {
                Some(Ok(file)) if file.is_longer => "limit_reached",
                Some(Err(Cause::Truncated)) => "cut_short",
                _ => "complete",
            }),
            cache_control: field("cache-control"),
            expires: field("expires"),
            age: field("age"),
            retry_after: field("retry-after"),
        }
    }
}

#[derive(Serialize)]
struct ProfileFields<'a> {
    profile: &'static str,
    access: &'static str,
    cause: Option<String>,
    /// The behavior of a polite crawler, if it differs.
    polite: Option<&'static str>,
    kept_until: Option<String>,
    kept_because: Option<&'a str>,
    /// When a crawler asks again.
    next_fetch: Option<String>,
    explanation: &'a str,
}

impl<'a> ProfileFields<'a> {
    fn new(reading: &'a ProfileReading) -> ProfileFields<'a> {
        let (access, cause) = match &reading.meaning {
            Meaning::Rules => ("rules", None),
            Meaning::NoRules => ("everything", Some(String::from("the answer has no rules"))),
            Meaning::FirstRules => ("rules_of_first_bytes", None),
            Meaning::Everything(cause) => ("everything", Some(cause.to_string())),
            Meaning::Nothing(cause) => ("nothing", Some(cause.to_string())),
            Meaning::Unknown => ("unknown", None),
            Meaning::Unpublished(sentence) => ("unknown", Some(sentence.clone())),
        };
        let kept = reading.kept.as_ref();
        ProfileFields {
            profile: reading.name,
            access,
            cause,
            polite: reading.polite,
            kept_until: kept.map(|kept| kept.until.to_string()),
            kept_because: kept.map(|kept| kept.reason.as_str()),
            next_fetch: match reading.next {
                NextFetch::At(time) => Some(time.to_string()),
                _ => None,
            },
            explanation: &reading.explanation,
        }
    }
}
