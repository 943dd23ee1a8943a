//! The meaning of an answer to each profile: what may be fetched, until when it is kept, and why so
//! long.

use std::time::Duration;

use polite_robots::{AgentMatch, Cause, Options, RobotsTxt};
use polite_robots_audit::known;
use polite_robots_policy::{
    AccessSettings, BodyEnd, Entry, Freshness, FreshnessPolicy, Headers, NextFetch, Origin,
    Outcome, Profile, Site, Timestamp,
};

use crate::counted::counted;
use crate::fetch::round::Round;

/// An answer as one profile reads it.
pub(super) struct ProfileReading {
    /// A name for programs.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    pub(super) meaning: Meaning,
    /// A sentence about the group that counts, if the reading is that of one crawler.
    pub(super) group: Option<String>,
    /// The time for which the answer counts; none in an outage.
    pub(super) kept: Option<Kept>,
    pub(super) next: NextFetch,
    /// The number of the first line that cannot be read, if the profile opens the site for it.
    pub(super) unread_line: Option<u32>,
    /// The rules in force, or one access for the whole site.
    pub(super) robots_txt: RobotsTxt,
    pub(super) explanation: String,
}

/// The part of the site that may be fetched, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The rules of the file decide.
    Rules,
    /// The rules of its first bytes decide, as it is longer than the profile reads.
    FirstRules,
    Everything(Cause),
    Nothing(Cause),
    /// The question was not asked, or failed on this side.
    Unknown,
    /// The operator does not publish what it makes of such an answer; a sentence that says so.
    Unpublished(String),
}

/// The time for which an answer counts.
pub(super) struct Kept {
    pub(super) until: Timestamp,
    pub(super) reason: String,
}

impl ProfileReading {
    /// The readings of the three profiles, and that of Bing.
    pub(super) fn all(round: &Round, origin: &Origin) -> [ProfileReading; 4] {
        let new = |name, title, profile| ProfileReading::new(name, title, &profile, round, origin);
        let rfc9309 = new("rfc9309", "RFC 9309", Profile::rfc9309());
        let bing = ProfileReading::bing(round, &rfc9309);
        let google = new("google", "Google", Profile::google());
        [rfc9309, google, new("ibm", "IBM", Profile::ibm()), bing]
    }

    /// Bing's reading, as far as Bing
    /// [publishes it](https://blogs.bing.com/webmaster/2012/05/03/to-crawl-or-not-to-crawl-that-is-bingbots-question):
    /// the group that its crawler obeys, and that a site without a file may be crawled everywhere.
    /// It says nothing about redirects, other statuses and long files.
    fn bing(round: &Round, rfc9309: &ProfileReading) -> ProfileReading {
        let silent = |answer: &str| {
            Meaning::Unpublished(format!("Bing does not say what it makes of {answer}"))
        };
        let last = round.last().map(|exchange| &exchange.answer);
        let meaning = match (&rfc9309.meaning, last) {
            (Meaning::Unknown, _) => Meaning::Unknown,
            (_, Some(Ok(_))) if round.exchanges.len() > 1 => silent("a redirect"),
            (Meaning::Rules, _) => Meaning::Rules,
            (Meaning::FirstRules, _) => silent("a file of that size"),
            (Meaning::Everything(cause), Some(Ok(received)))
                if matches!(received.status, 404 | 410) =>
            {
                Meaning::Everything(*cause)
            }
            (_, Some(Ok(received))) if !received.is_success() => {
                silent(&format!("status {}", received.status))
            }
            _ => silent("a site that gives no file"),
        };
        let group = match meaning {
            Meaning::Rules => bingbots_group(&rfc9309.robots_txt),
            _ => None,
        };
        ProfileReading {
            name: "bing",
            title: "Bing",
            explanation: match (&meaning, &group) {
                (Meaning::Unpublished(sentence), _) => sentence.clone(),
                (_, Some(group)) => group.clone(),
                _ => rfc9309.explanation.clone(),
            },
            meaning,
            group,
            kept: None,
            next: NextFetch::Never,
            unread_line: None,
            robots_txt: rfc9309.robots_txt.clone(),
        }
    }

    fn new(
        name: &'static str,
        title: &'static str,
        profile: &Profile,
        round: &Round,
        origin: &Origin,
    ) -> ProfileReading {
        let outcome = round.outcome(origin, profile);
        let meaning = Meaning::of(&outcome);
        let mut entry = Entry::for_origin(origin);
        entry.handle(outcome, profile, round.ended);
        let until = match meaning {
            Meaning::Rules | Meaning::FirstRules | Meaning::Everything(_) => entry.fresh_until(),
            Meaning::Nothing(_) | Meaning::Unknown | Meaning::Unpublished(_) => None,
        };
        let headers = match round.last().map(|exchange| &exchange.answer) {
            Some(Ok(received)) => Headers::from(&received.headers),
            _ => Headers::default(),
        };
        ProfileReading {
            name,
            title,
            kept: until.map(|until| Kept {
                until,
                reason: reason(&profile.access, &headers, round.ended),
            }),
            unread_line: match meaning {
                Meaning::Everything(Cause::ParseErrors) => unread_line(round, &profile.access),
                _ => None,
            },
            meaning,
            group: None,
            next: entry.next_fetch(profile, round.ended),
            robots_txt: entry.robots_txt(profile, Site::Unknown, round.ended),
            explanation: entry
                .explain(profile, Site::Unknown, round.ended)
                .to_string(),
        }
    }

    /// Whether the profile has rules to go by.
    pub(super) fn has_rules(&self) -> bool {
        matches!(self.meaning, Meaning::Rules | Meaning::FirstRules)
    }
}

impl Meaning {
    fn of(outcome: &Outcome) -> Meaning {
        use polite_robots::Access::{Allow, Disallow};

        match outcome {
            Outcome::Parsed { end, .. } if *end == BodyEnd::LimitReached => Meaning::FirstRules,
            Outcome::Parsed { .. } => Meaning::Rules,
            Outcome::Unavailable(cause) => Meaning::Everything(*cause),
            Outcome::Forbidden(cause) => Meaning::Nothing(*cause),
            Outcome::Blanket { access, cause, .. } => match access {
                Allow => Meaning::Everything(*cause),
                Disallow => Meaning::Nothing(*cause),
            },
            Outcome::Unreachable { cause, .. } => Meaning::Nothing(*cause),
            _ => Meaning::Unknown,
        }
    }
}

/// A sentence about the group of Bing's crawler.
fn bingbots_group(robots_txt: &RobotsTxt) -> Option<String> {
    let bingbot = known::find("bingbot")?;
    let robot = bingbot.robot(robots_txt).ok()?;
    let name = match robot.agent_match() {
        AgentMatch::None => return Some(String::from("no group is for bingbot")),
        AgentMatch::Wildcard => "*",
        AgentMatch::Named => bingbot.second_token_in(robots_txt).unwrap_or("bingbot"),
    };
    let line = robot.group_lines().next()?;
    Some(format!(
        "bingbot reads the group of `{name}` on line {line}"
    ))
}

/// The number of the first line that holds no record, as the profile reads the file.
fn unread_line(round: &Round, settings: &AccessSettings) -> Option<u32> {
    let received = round.last()?.answer.as_ref().ok()?;
    let options = Options::new(settings.dialect).with_max_bytes(settings.max_bytes);
    let robots_txt = RobotsTxt::parse_with(&received.body, &options);
    let first = robots_txt.unread_lines().next();
    first.map(|line| line.number())
}

/// The reason of a lifetime: the header that gives it, and the bounds of the profile.
fn reason(settings: &AccessSettings, headers: &Headers<'_>, now: Timestamp) -> String {
    let default = duration(settings.default_ttl);
    if settings.http_freshness == FreshnessPolicy::Ignore {
        return format!("{default}, whatever the server says");
    }
    let Some(lifetime) = Freshness::of(headers, now).lifetime() else {
        return format!("{default}, as the server names no time");
    };
    let mut without = *headers;
    without.expires = None;
    let field = match Freshness::of(&without, now).lifetime() {
        Some(_) => "Cache-Control",
        None => "Expires",
    };
    let said = duration(lifetime);
    if lifetime < settings.min_ttl {
        let least = duration(settings.min_ttl);
        format!("at least {least}; {field} says {said}")
    } else if lifetime > settings.max_ttl {
        let most = duration(settings.max_ttl);
        format!("at most {most}; {field} says {said}")
    } else {
        format!("{field} says {said}")
    }
}

/// `24 hours`, `90 minutes`: the largest unit that is whole.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [
        (86_400, 2 * 86_400, "day"),
        (3600, 3600, "hour"),
        (60, 60, "minute"),
    ];
    let unit = units
        .into_iter()
        .find(|(unit, least, _)| seconds >= *least && seconds.is_multiple_of(*unit));
    let (unit, name) = unit.map_or((1, "second"), |(unit, _, name)| (unit, name));
    let count = seconds.checked_div(unit).unwrap_or_default();
    counted(usize::try_from(count).unwrap_or(usize::MAX), name)
}

/// The bytes of a robots.txt that crawlers read, on which all three profiles agree.
pub(super) const MAX_BYTES: usize = Profile::rfc9309().access.max_bytes;

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(fields: &[(&str, &'static str)], profile: &Profile) -> String {
        let mut headers = Headers::default();
        for (name, value) in fields {
            headers.insert(name, value);
        }
        reason(&profile.access, &headers, Timestamp::EPOCH)
    }

    #[test]
    fn a_lifetime_has_its_reason() {
        let rfc = Profile::rfc9309();
        assert_eq!(
            reason_of(&[], &rfc),
            "24 hours, as the server names no time"
        );
        let hour = ("Cache-Control", "max-age=3600");
        assert_eq!(reason_of(&[hour], &rfc), "Cache-Control says 1 hour");
        assert_eq!(
            reason_of(&[hour, ("Age", "1800")], &rfc),
            "Cache-Control says 30 minutes"
        );
        assert_eq!(
            reason_of(&[("Cache-Control", "no-store")], &rfc),
            "at least 5 minutes; Cache-Control says 0 seconds"
        );
        let expires = [
            ("Date", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ("Expires", "Thu, 01 Jan 1970 02:00:00 GMT"),
        ];
        assert_eq!(reason_of(&expires, &rfc), "Expires says 2 hours");
        let week = ("Cache-Control", "max-age=604800");
        assert_eq!(
            reason_of(&[week], &rfc),
            "at most 24 hours; Cache-Control says 7 days"
        );
        assert_eq!(
            reason_of(&[week], &Profile::google()),
            "Cache-Control says 7 days"
        );
        assert_eq!(
            reason_of(&[week], &Profile::ibm()),
            "24 hours, whatever the server says"
        );
    }

    #[test]
    fn a_duration_has_the_largest_whole_unit() {
        for (seconds, expected) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (90, "90 seconds"),
            (5400, "90 minutes"),
            (86_400, "24 hours"),
            (172_800, "2 days"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }
}
