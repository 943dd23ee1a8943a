//! Diagnostics about records outside of RFC 9309.

use std::collections::BTreeMap;
use std::time::Duration;

use polite_robots::document::{Scope, UserAgent};
use polite_robots::record::{Extension, ExtensionField, ExtensionLevel};
use polite_robots::text::quote;
use polite_robots::{Dialect, RobotsTxt};
use polite_robots_records::ExtensionValue;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::groups_above::Place;
use crate::lines::record::Record;
use crate::lines::removal::Removal;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;
use crate::text::token::name_in;

impl Findings<'_, '_> {
    /// Reports on a record; `extension` is the same record as the core reads it.
    pub(super) fn extension<'r>(
        &mut self,
        record: Record<'_>,
        extension: Extension<'_>,
        place: Place,
        repeats: impl FnOnce() -> &'r Repeats,
    ) {
        let field = extension.field();
        // Agents share the records below, unless a record of their group is between them.
        let is_between = field.level() == ExtensionLevel::Group;
        let agent_below = place.agent_below.filter(|_| is_between);
        let removal = Removal::new(self.file, self.line.part, agent_below);
        match field {
            ExtensionField::ContentSignal => {
 self.content_signal(record, removal);
 None
}
            ExtensionField::ContentUsage => {
 self.content_usage(record, removal);
 None
}
            ExtensionField::CrawlDelay => self.crawl_delay(record.value, &extension, removal),
            ExtensionField::License if is_rejected(&extension) => self.relative_license(record),
            ExtensionField::Sitemap => self.sitemap(record.value),
            ExtensionField::Noindex => {
                self.report(DiagnosticCode::DeprecatedRecord, record.field, || {
                    removal.advice(
                        "`Noindex` was never standard, Google stopped following it in 2019, and the header `X-Robots-Tag: noindex` of a page does what it was for",
                        Effect::Nothing,
                    )
                })
            }
            ExtensionField::Host => {
                // A site with redirects loses nothing.
                self.grade(DiagnosticCode::DeprecatedRecord, Severity::Note, record.field, || {
                    removal.advice(
                        "`Host` was for Yandex, which stopped following it in 2018, and redirects took its place",
                        repeats().effect_without(&extension),
                    )
                })
            }
            ExtensionField::Comment
            | ExtensionField::RequestRate
            | ExtensionField::RobotVersion
            | ExtensionField::VisitTime => {
                self.report(DiagnosticCode::UnsupportedField, record.field, || {
                    let sentence =
                        format!("no large crawler follows `{field}`, a field from a draft of 1996");
                    removal.advice(&sentence, repeats().effect_without(&extension))
                })
            }
            // A field without a diagnostic of its own needs no arm.
            _ => None,
        };
    }

    fn crawl_delay(
        &mut self,
        value: Part<'_>,
        extension: &Extension<'_>,
        removal: Removal<'_>,
    ) -> Option<Reported> {
        let has_unit = value.bytes.iter().any(u8::is_ascii_alphabetic);
        let replace = |number: String| {
            let has_agents = !matches!(extension.scope(), Scope::Nobody);
            Proposal::replace(value.span(), number, Effect::if_answers(has_agents))
        };
        match extension.crawl_delay() {
            None => self.report(DiagnosticCode::InvalidCrawlDelay, value, || {
                invalid_delay(value, removal, replace)
            }),
            Some(delay) if delay > EXTREME => {
                let requests = match DAY.as_secs() / delay.as_secs().max(1) {
                    0 => "no request".into(),
                    1 => "1 request".into(),
                    several => format!("{several} requests"),
                };
                self.report(DiagnosticCode::ExtremeCrawlDelay, value, || {
                    let longest = EXTREME.as_secs();
                    let message = format!(
                        "a delay of {} allows {requests} a day, so some crawlers stay away and others ignore it; write `{longest}` or less",
                        quote(value.bytes)
                    );
                    Advice::new(message).propose(replace(longest.to_string()))
                })
            }
            Some(_) if has_unit => self.report(DiagnosticCode::InvalidCrawlDelay, value, || {
                let number = number(value.bytes);
                let message = format!(
                    "many crawlers read only a number here, and none of {}; write `{number}`",
                    quote(value.bytes)
                );
                Advice::new(message).suggest(value.span(), number)
            }),
            Some(_) => None,
        }
    }
}

fn is_rejected(extension: &Extension<'_>) -> bool {
    matches!(ExtensionValue::of(extension), ExtensionValue::Rejected(_))
}

/// The counts of equal records that are for the whole file or for the same agents.
#[derive(Debug, Default)]
pub(super) struct Repeats(BTreeMap<(ExtensionField, Vec<u8>, u32), usize>);

impl Repeats {
    pub(super) fn of(robots_txt: &RobotsTxt) -> Repeats {
        let mut repeats = Repeats::default();
        let records = robots_txt.extensions();
        for record in records.filter(|record| COMPARED.contains(&record.field())) {
            let count = repeats.0.entry(key(&record)).or_default();
            *count = count.saturating_add(1);
        }
        repeats
    }

    /// The answers that change without a record: none if the record stands twice, or if it is for
    /// nobody.
    fn effect_without(&self, record: &Extension<'_>) -> Effect {
        let is_alone = self.0.get(&key(record)) == Some(&1);
        let is_name = |agent: UserAgent<'_>| name_in(agent, Dialect::Rfc9309).is_some();
        let has_agent = match record.scope() {
            Scope::Agents(run) => run.user_agents().any(is_name),
            Scope::File => true,
            Scope::Nobody => false,
        };
        let has_reader = record.field() == ExtensionField::Host && !record.value().is_empty()
            || has_agent && !is_rejected(record);
        Effect::if_answers(COMPARED.contains(&record.field()) && is_alone && has_reader)
    }
}

fn key(record: &Extension<'_>) -> (ExtensionField, Vec<u8>, u32) {
    let agent = match record.scope() {
        Scope::Agents(run) => run.user_agents().next(),
        Scope::File | Scope::Nobody => None,
    };
    let is_of_file = record.field() == ExtensionField::Host;
    let line = agent.filter(|_| !is_of_file).map(|agent| agent.line());
    let value = record.value().to_vec();
    (record.field(), value, line.unwrap_or_default())
}

/// The fields of old drafts with values that programs read.
const COMPARED: [ExtensionField; 3] = [
    ExtensionField::Host,
    ExtensionField::RequestRate,
    ExtensionField::VisitTime,
];

/// The advice about a delay that is not a number.
fn invalid_delay(
    value: Part<'_>,
    removal: Removal<'_>,
    replace: impl Fn(String) -> Proposal,
) -> Advice {
    let start = match value.bytes {
        [] => "this `Crawl-delay` has no value".to_owned(),
        bytes => format!("{} is not a number of seconds", quote(bytes)),
    };
    match meant(value.bytes) {
        Some(number) => Advice::new(format!("{start}; write `{number}`")).propose(replace(number)),
        None => removal.advice(&start, Effect::Nothing),
    }
}

/// The number of seconds that a text probably means: `0,5`, `10-20`, `500ms`, `2 min`.
fn meant(value: &[u8]) -> Option<String> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let start = value.iter().position(is_digit)?;
    let text = value.get(start..)?;
    let is_of_number = |byte: &&u8| is_digit(byte) || matches!(byte, b'.' | b',');
    let len = text.iter().take_while(is_of_number).count();
    let (number, unit) = text.split_at_checked(len)?;
    let number = core::str::from_utf8(number).ok()?.replace(',', ".");
    let number = number.trim_end_matches('.');
    let seconds: f64 = number.parse().ok()?;
    let unit = unit.trim_ascii_start().to_ascii_lowercase();
    let number = match &*unit {
        [b'm', b's', ..] | [b'm', b'i', b'l', ..] => (seconds / 1000.0).to_string(),
        [b'm'] | [b'm', b'i', b'n', ..] => (seconds * 60.0).to_string(),
        _ => number.to_owned(),
    };
    let is_negative = start > 0 && value.get(start.saturating_sub(1)) == Some(&b'-');
    let is_delay = |number: &String| {
        let seconds = number.parse::<f64>();
        seconds.is_ok_and(|seconds| seconds <= EXTREME.as_secs_f64())
    };
    Some(number).filter(|number| is_delay(number) && !is_negative)
}

/// The number of a delay, without its unit.
fn number(value: &[u8]) -> String {
    let digits = value.iter().take_while(|byte| !byte.is_ascii_alphabetic());
    let number: String = digits.map(|byte| char::from(*byte)).collect();
    number.trim_end().into()
}

/// The longest delay that is read as a delay: crawler-commons reads a longer one as a ban of the
/// whole site.
const EXTREME: Duration = Duration::from_secs(300);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
