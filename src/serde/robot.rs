//! A robot as the records that it was made from. They are read as the records of a file are, so a
//! hostile form gives only a robot that a file could have made.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::agent::{AgentMatch, AgentSet};
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionField, Record};
use crate::parse::line::MAX_BYTES;
use crate::parse::part::Part;
use crate::record::policy_token::PolicyToken;
use crate::robots::agent_view::{AgentView, Blanket};
use crate::robots::collector::Collector;
use crate::robots::robot::Robot;
use crate::serde::bytes::Bytes;
use crate::serde::document::{VERSION, known_version};
use crate::text::quote::quote;
use crate::token::WILDCARD;

impl Serialize for Robot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RobotForm::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Robot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Robot, D::Error> {
        RobotForm::deserialize(deserializer)?.robot()
    }
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotForm<'a> {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    dialect: Dialect,
    blanket: Option<Blanket>,
    /// In the order of the file; records whose line is not kept come last.
    records: Vec<RecordForm<'a>>,
    /// The groups and rules of a policy token in the order of the file; empty if none names it. A
    /// rule of a group that names the agent too is in both lists.
    policy: Vec<RecordForm<'a>>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordForm<'a> {
    /// `None` for a crawl delay and for a sitemap.
    line: Option<u32>,
    field: Directive,
    /// For a rule, its pattern in compared form, which compiling does not change.
    value: Bytes<'a>,
}

/// The name that a form gives to the agent of its robot, which does not know its own.
const AGENT: &str = "me";

impl<'a> From<&'a Robot> for RobotForm<'a> {
    fn from(robot: &'a Robot) -> RobotForm<'a> {
        let agent = match robot.agent_match() {
            AgentMatch::Named => AGENT,
            AgentMatch::None | AgentMatch::Wildcard => WILDCARD,
        };
        let token = PolicyToken::AiTraining;
        let policy = robot.policy(token).into_iter();
        let mut policy: Vec<RecordForm<'a>> = policy
            .flat_map(|policy| RecordForm::of_groups(policy, token.as_str()))
            .collect();
        policy.sort_unstable_by_key(|record| record.line);
        let others = robot.records().map(|record| {
            let field = Directive::Extension(record.field());
            RecordForm::new(record.line(), field, record.value())
        });
        let mut records: Vec<RecordForm<'a>> =
            RecordForm::of_groups(robot, agent).chain(others).collect();
        records.sort_unstable_by_key(|record| record.line);
        let unplaced = |field, value: Cow<'a, [u8]>| RecordForm {
            line: None,
            field: Directive::Extension(field),
            value: Bytes(value),
        };
        records.extend(robot.crawl_delay().map(|delay| {
            let seconds = alloc::format!("{}.{:09}", delay.as_secs(), delay.subsec_nanos());
            unplaced(ExtensionField::CrawlDelay, seconds.into_bytes().into())
        }));
        let sitemaps = robot.sitemaps().map(|sitemap| sitemap.as_bytes().into());
        records.extend(sitemaps.map(|value| unplaced(ExtensionField::Sitemap, value)));
        RobotForm {
            version: VERSION,
            dialect: robot.dialect(),
            blanket: robot.view().blanket,
            records,
            policy,
        }
    }
}

impl<'a> RecordForm<'a> {
    fn of_groups(robot: &'a Robot, agent: &'a str) -> impl Iterator<Item = RecordForm<'a>> {
        let groups = robot.group_lines();
        let groups = groups.map(move |line| RecordForm::new(line, Directive::UserAgent, agent));
        let rules = robot.rules().map(|rule| {
            RecordForm::new(rule.line(), Directive::Rule(rule.access()), rule.pattern())
        });
        groups.chain(rules)
    }

    fn new(line: u32, field: Directive, value: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        RecordForm {
            line: Some(line),
            field,
            value: Bytes(Cow::Borrowed(value.as_ref())),
        }
    }
}

impl RobotForm<'_> {
    /// Reads the records as those of a file. The error is the reason why no file has them.
    fn robot<E: Error>(self) -> Result<Robot, E> {
        if let Some(blanket) = self.blanket {
            let robot = Robot::from(blanket);
            return if self == RobotForm::from(&robot) {
                Ok(robot)
            } else {
                Err(E::custom(
                    "a robot with one answer for the whole site must have no records, and the dialect `rfc9309`",
                ))
            };
        }
        let agents = [AGENT];
        let agents = AgentSet::new(&agents, self.dialect).map_err(E::custom)?;
        let view = collected(&self.records, |bytes| {
            Collector::new(agents, self.dialect, bytes)
        })?;
        let policy = collected(&self.policy, |bytes| {
            Collector::of_ai_training(self.dialect, bytes)
        })?;
        let is_named = policy.agent_match == AgentMatch::Named;
        if !is_named && !self.policy.is_empty() {
            return Err(E::custom(
                "no `User-agent` of `policy` names a known policy token",
            ));
        }
        let policy = is_named.then(|| policy.into());
        Ok(Robot::with_policy(view, policy))
    }
}

/// Hands the records to a collector that is made for a file of their length.
fn collected<'a, E: Error>(
    records: &[RecordForm<'_>],
    collector: impl Fn(usize) -> Collector<'a>,
) -> Result<AgentView, E> {
    use ExtensionField::{CrawlDelay, Sitemap};

    let bytes = records.iter().fold(0_usize, |bytes, record| {
        bytes.saturating_add(record.value.0.len())
    });
    // A byte of a file becomes at most three of a pattern.
    if bytes / 3 > MAX_BYTES {
        return Err(E::custom("the records are longer than any file"));
    }
    let mut collector = collector(bytes);
    let mut last = 0;
    for record in records {
        let (field, value) = (record.field, &*record.value.0);
        last = match record.line {
            // Each line but the last has a byte that ends it.
            Some(line) if last < line && line as usize <= MAX_BYTES + 1 => line,
            None if matches!(field, Directive::Extension(CrawlDelay | Sitemap)) => last,
            line => {
                return Err(E::custom(format_args!(
                    "line {} of a record of `{}` after line {last}; lines count from 1, ascend, and end with the longest file that is read, and only a crawl delay and a sitemap have none",
                    line.unwrap_or_default(),
                    field.as_str()
                )));
            }
        };
        if memchr::memchr2(b'\n', b'\r', value).is_some() {
            return Err(E::custom(format_args!(
                "the value {} of a record of `{}` has a line end",
                quote(value),
                field.as_str()
            )));
        }
        let mut take = |directive, written: &[u8]| {
            collector.take(Record {
                directive,
                written: Part::new(0, written),
                line: last,
            });
        };
        // Each agent of a form begins a group. In the file a rule ended the group before, but a
        // rule that matches nothing, like this one, is not kept.
        if field == Directive::UserAgent {
            take(Directive::Rule(Access::Disallow), b"-");
        }
        take(field, value);
    }
    Ok(collector.finish())
}
