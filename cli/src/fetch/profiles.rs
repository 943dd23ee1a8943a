//! The meaning of an answer to each profile: what may be fetched, until when it is kept, and why so
//! long.

use std::time::Duration;

use polite_robots::{AgentMatch, Cause, Options, RobotsTxt};
use polite_robots_audit::known;
use polite_robots_policy::cache::{NextFetch, Site};
use polite_robots_policy::fetch::{BodyEnd, Freshness, Headers};
use polite_robots_policy::settings::{
    AccessPolicy, AccessSettings, ForeignTextPolicy, FreshnessPolicy,
};
use polite_robots_policy::{Entry, Origin, Outcome, Profile, Timestamp};

use crate::counted::counted;
use crate::fetch::round::Round;
use crate::terminal::printable;

/// An answer as one profile reads it.
pub(super) struct ProfileReading {
    /// A name for programs.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    pub(super) meaning: Meaning,
    /// A sentence about the group that counts, if the reading is that of one crawler.
    pub(super) group: Option<String>,
    /// The behavior of a polite crawler, if it differs from what the source says.
    pub(super) polite: Option<&'static str>,
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
    /// The rules in the first bytes of the file decide, because it is longer than the profile
    /// reads.
    FirstRules,
    /// The file was read, and has no rules.
    NoRules,
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
    /// The readings of RFC 9309, of Google and IBM, and that of Bing.
    pub(super) fn all(round: &Round, origin: &Origin) -> [ProfileReading; 4] {
        let new = |name, title, profile| ProfileReading::new(name, title, &profile, round, origin);
        let rfc9309 = ProfileReading::rfc9309(round, origin);
        let bing = ProfileReading::bing(round, &rfc9309);
        let google = new("google", "Google", Profile::google());
        [rfc9309, google, new("ibm", "IBM", Profile::ibm()), bing]
    }

    /// The literal reading of RFC 9309, and the behavior of a polite crawler where it differs. A
    /// polite crawler waits after a 429, which §2.3.1.3 lets pass, and it reads text that is not
    /// UTF-8 as a file (§2.2).
    fn rfc9309(round: &Round, origin: &Origin) -> ProfileReading {
        let polite = ProfileReading::new("rfc9309", "RFC 9309", &Profile::rfc9309(), round, origin);
        let mut letter = Profile::rfc9309();
        letter.access.foreign_text = ForeignTextPolicy::ReadAsUtf8;
        letter.access.too_many_requests = AccessPolicy::Allow;
        let mut letter = ProfileReading::new("rfc9309", "RFC 9309", &letter, round, origin);
        if letter.meaning == polite.meaning {
            return polite;
        }
        letter.polite = Some(match polite.meaning {
            Meaning::Nothing(_) => "a polite crawler waits",
            _ => "a polite crawler reads the UTF-16, and obeys it",
        });
        if !letter.has_file() {
            letter.robots_txt = polite.robots_txt;
            letter.explanation = polite.explanation;
            (letter.kept, letter.next) = (None, polite.next);
        }
        letter
    }

    /// The rules that this command itself obeys as a polite crawler when it asks for pages.
    pub(super) fn own(round: &Round, origin: &Origin) -> RobotsTxt {
        ProfileReading::new("", "", &Profile::rfc9309(), round, origin).robots_txt
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
            (_, Some(Ok(received))) if received.is_success() && rfc9309.polite.is_some() => {
                silent("a file that is no text in UTF-8")
            }
            (Meaning::Rules, _) => Meaning::Rules,
            (Meaning::NoRules, _) => Meaning::NoRules,
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
            polite: None,
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
            Meaning::Rules | Meaning::FirstRules | Meaning::NoRules | Meaning::Everything(_) => {
                entry.fresh_until()
            }
            Meaning::Nothing(_) | Meaning::Unknown | Meaning::Unpublished(_) => None,
        };
        let headers = round
            .received()
            .map(|received| Headers::from(&received.headers));
        let headers = headers.unwrap_or_default();
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
            polite: None,
            next: entry.next_fetch(profile, round.ended),
            robots_txt: entry.robots_txt(profile, Site::Unknown, round.ended),
            explanation: entry
                .explain(profile, Site::Unknown, round.ended)
                .to_string(),
        }
    }

    /// Whether the profile reads the answer as a file.
    pub(super) fn has_file(&self) -> bool {
        matches!(
            self.meaning,
            Meaning::Rules | Meaning::FirstRules | Meaning::NoRules
        )
    }
}

impl Meaning {
    fn of(outcome: &Outcome) -> Meaning {
        use polite_robots::Access::{Allow, Disallow};

        match outcome {
            Outcome::Parsed { robots_txt, .. } if robots_txt.groups().next().is_none() => {
                Meaning::NoRules
            }
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
    let file = round.received()?.response().file(settings).ok()?;
    let options = Options::new(settings.dialect).with_max_bytes(file.max_bytes);
    let robots_txt = RobotsTxt::parse_with(&file.text, &options);
    let first = robots_txt.unread_lines().next();
    first.map(|line| line.number())
}

/// The reason of a lifetime: the header that gives it, as it was sent, and the bounds of the
/// profile.
fn reason(settings: &AccessSettings, headers: &Headers<'_>, now: Timestamp) -> String {
    let default = duration(settings.default_ttl);
    if settings.http_freshness == FreshnessPolicy::Ignore {
        return format!("{default}, whatever the server says");
    }
    let Some(lifetime) = Freshness::of(headers, now).lifetime() else {
        return format!("{default}, as the server names no time");
    };
    let (mut of_copy, mut by_cache_control) = (*headers, *headers);
    of_copy.age = None;
    by_cache_control.expires = None;
    let (field, value) = match Freshness::of(&by_cache_control, now).lifetime() {
        Some(_) => ("Cache-Control", headers.cache_control),
        None => ("Expires", headers.expires),
    };
    let said = duration(Freshness::of(&of_copy, now).lifetime().unwrap_or_default());
    let value = printable(value.unwrap_or_default().trim());
    let age = headers.age.and_then(|age| age.trim().parse().ok());
    let age = age.filter(|age| *age > 0).map(|age| {
        let age = duration(Duration::from_secs(age));
        format!("; the copy is {age} old, by its Age")
    });
    let age = age.unwrap_or_default();
    let said = format!("{said} by `{field}: {value}`{age}");
    if lifetime < settings.min_ttl {
        format!("at least {}; {said}", duration(settings.min_ttl))
    } else if lifetime > settings.max_ttl {
        format!("at most {}; {said}", duration(settings.max_ttl))
    } else {
        said
    }
}

/// `24 hours`, `1 hour 20 minutes`: the largest unit, and the next one if something is left.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [
        (86_400, 2 * 86_400, "day"),
        (3600, 3600, "hour"),
        (60, 60, "minute"),
        (1, 0, "second"),
    ];
    let count = |number: u64, name| counted(usize::try_from(number).unwrap_or(usize::MAX), name);
    let mut units = units
        .into_iter()
        .skip_while(|(_, least, _)| seconds < *least);
    let (unit, _, name) = units.next().unwrap_or((1, 0, "second"));
    let Some((smaller, _, smaller_name)) = units.next() else {
        return count(seconds, name);
    };
    // Rounded, so that 59.9 minutes are an hour.
    let left = seconds.saturating_add(smaller / 2) / smaller;
    let whole = left / (unit / smaller);
    match left % (unit / smaller) {
        0 => count(whole, name),
        rest => format!("{} {}", count(whole, name), count(rest, smaller_name)),
    }
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
        assert_eq!(
            reason_of(&[hour], &rfc),
            "1 hour by `Cache-Control: max-age=3600`"
        );
        assert_eq!(
            reason_of(&[hour, ("Age", "1800")], &rfc),
            "1 hour by `Cache-Control: max-age=3600`; the copy is 30 minutes old, by its Age"
        );
        assert_eq!(
            reason_of(&[("Cache-Control", "no-store")], &rfc),
            "at least 5 minutes; 0 seconds by `Cache-Control: no-store`"
        );
        let expires = [
            ("Date", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ("Expires", "Thu, 01 Jan 1970 02:00:00 GMT"),
        ];
        assert_eq!(
            reason_of(&expires, &rfc),
            "2 hours by `Expires: Thu, 01 Jan 1970 02:00:00 GMT`"
        );
        let week = ("Cache-Control", "max-age=604800");
        assert_eq!(
            reason_of(&[week], &rfc),
            "at most 24 hours; 7 days by `Cache-Control: max-age=604800`"
        );
        assert_eq!(
            reason_of(&[week], &Profile::google()),
            "7 days by `Cache-Control: max-age=604800`"
        );
        assert_eq!(
            reason_of(&[week], &Profile::ibm()),
            "24 hours, whatever the server says"
        );
    }

    #[test]
    fn a_duration_has_its_largest_units() {
        for (seconds, expected) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (90, "1 minute 30 seconds"),
            (4776, "1 hour 20 minutes"),
            (5400, "1 hour 30 minutes"),
            (7199, "2 hours"),
            (86_400, "24 hours"),
            (172_800, "2 days"),
            (129_197_645, "1495 days 8 hours"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), expected);
        }
    }
}
