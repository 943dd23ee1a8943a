//! Answers where the server sends something else than the file, by the machines of the policy.

use std::time::Duration;

use polite_robots::{Cause, Dialect, Options, RobotsTxt, Target};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::{BodyEnd, Freshness, Validators};
use polite_robots_policy::settings::{AccessPolicy, AccessSettings};
use polite_robots_policy::{Entry, Outcome, Profile, Timestamp};
use serde::Serialize;

use crate::reading::use_named;

/// A server's reply to every request for robots.txt, and the answers that follow from it about one
/// agent and one URL, at each of [`MOMENTS`].
#[derive(Serialize)]
pub(crate) struct Outage {
    reply: &'static str,
    /// For a crawler that has never had the file.
    never: Vec<Answer>,
    /// For a crawler that read the file an hour before.
    before: Vec<Answer>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    is_allowed: bool,
    /// The cause of one answer for the whole site; `None` if the rules of the file decide.
    cause: Option<String>,
}

#[derive(Clone, Copy)]
enum Reply {
    Status(u16),
    /// A redirect to an address that has the file.
    File,
    /// Redirects without an end.
    Loop,
    /// HTML with the status 200, as from a server that answers everything with its start page.
    Page,
    /// Nothing in time.
    Late,
}

const REPLIES: [(&str, Reply); 8] = [
    ("404", Reply::Status(404)),
    ("403", Reply::Status(403)),
    ("429", Reply::Status(429)),
    ("503", Reply::Status(503)),
    ("redirect", Reply::File),
    ("loop", Reply::Loop),
    ("page", Reply::Page),
    ("late", Reply::Late),
];

const PAGE: &[u8] = b"<!doctype html>";

const DAY: Duration = Duration::from_secs(86_400);

/// The time since the first of these replies: none, a day, and more than the 30 days after which
/// an outage is a long one.
const MOMENTS: [Duration; 3] = [Duration::ZERO, DAY, DAY.saturating_mul(32)];

/// An hour after the beginning of time, when the file was read.
const START: Timestamp = Timestamp::from_millis(3_600_000);

/// For crawlers that follow RFC 9309 or Google's documentation, as the agent reads the file. `None`
/// if the agent is no product token, or the name of a use, which fetches nothing.
pub(crate) fn outages(
    readings: &Readings,
    agent: &str,
    url: &str,
    reading: Reading,
) -> Option<Vec<Outage>> {
    if use_named(agent).is_some() {
        return None;
    }
    let dialect = reading.dialect(agent);
    let file = readings.in_dialect(dialect);
    let profile = &match dialect {
        Dialect::Rfc9309 => Profile::rfc9309(),
        Dialect::Google => Profile::google(),
    };
    let had = outcome(Reply::File, file, &profile.access);
    let question = &Question {
        agent,
        target: Target::requested(url),
        reading,
        profile,
    };
    let outage = |(name, reply)| {
        let outcome = outcome(reply, file, &profile.access);
        let mut known = Entry::new();
        known.handle(had.clone(), profile, Timestamp::EPOCH);
        Some(Outage {
            reply: name,
            never: question.answers(Entry::new(), &outcome)?,
            before: question.answers(known, &outcome)?,
        })
    };
    REPLIES.into_iter().map(outage).collect()
}

/// The end of a round in which the server replies so. The profile says what the sources leave open.
fn outcome(reply: Reply, file: &RobotsTxt, settings: &AccessSettings) -> Outcome {
    let parsed = |robots_txt| Outcome::Parsed {
        robots_txt,
        freshness: Freshness::default(),
        validators: Validators::default(),
        end: BodyEnd::Complete,
    };
    let (meaning, cause) = match reply {
        Reply::File => return parsed(file.clone()),
        Reply::Page => {
            let options = Options::new(settings.dialect);
            return parsed(RobotsTxt::parse_with(PAGE, &options));
        }
        Reply::Status(status) => {
            let meaning = match status {
                403 => settings.forbidden,
                429 => settings.too_many_requests,
                ..500 => AccessPolicy::Allow,
                _ => AccessPolicy::Outage,
            };
            (meaning, Cause::Status(status))
        }
        Reply::Loop => (settings.too_many_redirects, Cause::TooManyRedirects),
        Reply::Late => (AccessPolicy::Outage, Cause::Unreachable),
    };
    match meaning {
        AccessPolicy::Allow => Outcome::Unavailable(cause),
        AccessPolicy::Disallow => Outcome::Forbidden(cause),
        AccessPolicy::Outage => Outcome::Unreachable {
            cause,
            retry_after: None,
        },
    }
}

/// The question that is asked at each moment.
struct Question<'a> {
    agent: &'a str,
    target: Target<'a>,
    reading: Reading,
    profile: &'a Profile,
}

impl Question<'_> {
    /// The answers at each moment, where each round ends alike and the pages of the site can be
    /// had.
    fn answers(&self, mut entry: Entry, outcome: &Outcome) -> Option<Vec<Answer>> {
        let mut next = START;
        let answer = |moment| {
            let now = START.saturating_add(moment);
            while next <= now {
                entry.handle(outcome.clone(), self.profile, next);
                match entry.next_fetch(self.profile, next) {
                    NextFetch::At(time) => next = time,
                    _ => break,
                }
            }
            let in_force = entry.robots_txt(self.profile, Site::Available, now);
            let readings = Readings::new(&in_force);
            let robot = readings.robot(self.agent, self.reading).ok()?;
            Some(Answer {
                is_allowed: robot.allowed(&self.target),
                cause: in_force.blanket().map(|(_, cause)| cause.to_string()),
            })
        };
        MOMENTS.into_iter().map(answer).collect()
    }
}
