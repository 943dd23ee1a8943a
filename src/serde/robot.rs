//! A robot as its rules in compared form, from which it is compiled again.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::parse::group::Audience;
use crate::parse::line::MAX_BYTES;
use crate::parse::value::Value;
use crate::record::agent_records::{AgentRecord, AgentRecords};
use crate::record::sitemap::Sitemaps;
use crate::robots::agent_view::{AgentView, AppliedGroups, Blanket};
use crate::robots::robot::Robot;
use crate::rules::rule_list::RuleList;
use crate::rules::rule_set::RuleSet;
use crate::serde::bytes::Bytes;
use crate::serde::document::{VERSION, known_version};
use crate::text::quote::quote;

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
    agent_match: AgentMatch,
    /// Ascending.
    group_lines: Vec<u32>,
    blanket: Option<Blanket>,
    crawl_delay: Option<Duration>,
    /// In the order of the file.
    rules: Vec<RuleForm<'a>>,
    sitemaps: Vec<Cow<'a, str>>,
    /// The records about usage, licenses, rates and times, in the order of the file.
    records: Vec<RecordForm<'a>>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm<'a> {
    access: Access,
    line: u32,
    /// In compared form. The length, the tier, and Google's further rule for the directory of an
    /// index page follow from it.
    pattern: Cow<'a, str>,
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordForm<'a> {
    field: ExtensionField,
    #[serde(rename = "scope", with = "ScopeForm")]
    audience: Audience,
    line: u32,
    value: Bytes<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Audience")]
enum ScopeForm {
    #[serde(rename = "file")]
    Everyone,
    #[serde(rename = "group")]
    Us,
    /// No robot keeps such a record.
    #[serde(skip)]
    Others,
}

impl<'a> From<&'a Robot> for RobotForm<'a> {
    fn from(robot: &'a Robot) -> RobotForm<'a> {
        let rules = robot.rules().map(|rule| RuleForm {
            access: rule.access(),
            line: rule.line(),
            pattern: rule.pattern().into(),
        });
        let mut rules: Vec<RuleForm<'_>> = rules.collect();
        rules.sort_unstable_by_key(|rule| rule.line);
        let view = robot.view();
        let records = view.records().iter().map(|record| RecordForm {
            field: record.field,
            audience: record.audience,
            line: record.line,
            value: Bytes(Cow::Borrowed(&record.value)),
        });
        RobotForm {
            version: VERSION,
            dialect: view.dialect,
            agent_match: robot.agent_match(),
            group_lines: robot.group_lines().collect(),
            blanket: view.blanket,
            crawl_delay: robot.crawl_delay(),
            rules,
            sitemaps: robot.sitemaps().map(Cow::from).collect(),
            records: records.collect(),
        }
    }
}

impl RobotForm<'_> {
    /// Compiles the robot. The error is the reason why no file could have made it.
    fn robot<E: Error>(self) -> Result<Robot, E> {
        if let Some(blanket) = self.blanket {
            let robot = Robot::from(blanket);
            return if self == RobotForm::from(&robot) {
                Ok(robot)
            } else {
                Err(E::custom(
                    "a robot with one answer for the whole site must have no rules, no delay, no sitemaps, no group, and the dialect `rfc9309`",
                ))
            };
        }
        let is_of_group = |record: &RecordForm<'_>| record.audience == Audience::Us;
        let needs_group = !self.rules.is_empty()
            || self.crawl_delay.is_some()
            || self.records.iter().any(is_of_group);
        if self.agent_match == AgentMatch::None && needs_group {
            return Err(E::custom(
                "a robot whose `agent_match` is `none` must have no rules, no delay, and no records of a group",
            ));
        }
        let groups = self.groups()?;
        self.check_lines()?;
        let view = AgentView {
            dialect: self.dialect,
            agent_match: self.agent_match,
            groups,
            blanket: None,
            rules: RuleSet::new(self.rule_list()?),
            crawl_delay: self.crawl_delay,
            sitemaps: self.sitemaps()?,
            records: self.records()?,
        };
        Ok(view.into())
    }

    fn groups<E: Error>(&self) -> Result<AppliedGroups, E> {
        let first_group = self.group_lines.first();
        let first_rule = self.rules.first().map(|rule| &rule.line);
        let is_rule_above = first_rule.is_some() && first_rule < first_group;
        if first_group.is_none() != (self.agent_match == AgentMatch::None) || is_rule_above {
            return Err(E::custom(
                "`group_lines` must have a line if and only if `agent_match` is not `none`, and no rule may stand above the first",
            ));
        }
        let mut groups = AppliedGroups::default();
        self.group_lines.iter().for_each(|line| groups.push(*line));
        Ok(groups)
    }

    /// The lines of each list ascend from 1, and every line has one record.
    fn check_lines<E: Error>(&self) -> Result<(), E> {
        let of_rules = self.rules.iter().map(|rule| rule.line).collect();
        let of_records = self.records.iter().map(|record| record.line).collect();
        let lists: [Vec<u32>; 3] = [self.group_lines.clone(), of_rules, of_records];
        let mut seen = BTreeSet::new();
        for list in lists {
            let mut last = 0;
            for line in list {
                if line <= last {
                    return Err(E::custom(format_args!(
                        "line {line} comes after line {last}; lines count from 1 and must ascend"
                    )));
                }
                // Each line but the last has a byte that ends it.
                if usize::try_from(line).is_ok_and(|line| line > MAX_BYTES.saturating_add(1)) {
                    return Err(E::custom(format_args!(
                        "line {line} is below the end of every file that is read"
                    )));
                }
                if !seen.insert(line) {
                    return Err(E::custom(format_args!(
                        "line {line} has two records; each group, rule and other record must have a line of its own"
                    )));
                }
                last = line;
            }
        }
        Ok(())
    }

    fn rule_list<E: Error>(&self) -> Result<RuleList, E> {
        let bytes = self.rules.iter().fold(0_usize, |bytes, rule| {
            bytes.saturating_add(rule.pattern.len())
        });
        // A byte of a file becomes at most three of a pattern.
        if bytes / 3 > MAX_BYTES {
            return Err(E::custom(
                "the patterns of the rules are longer than any file",
            ));
        }
        let mut list = RuleList::new(self.dialect, bytes);
        for RuleForm {
            access,
            line,
            pattern,
        } in &self.rules
        {
            let pattern = pattern.as_bytes();
            let at = list.entries().len();
            list.push(*access, Value::new(pattern), *line);
            // A pattern in compared form does not change when it is compiled.
            let entry = list.entries().get(at);
            if !is_line(pattern) || entry.is_none_or(|entry| list.pattern(entry) != pattern) {
                return Err(E::custom(format_args!(
                    "the pattern {} of line {line} is not in the compared form of the dialect",
                    quote(pattern)
                )));
            }
        }
        Ok(list)
    }

    fn sitemaps<E: Error>(&self) -> Result<Sitemaps, E> {
        let mut sitemaps = Sitemaps::default();
        for value in &self.sitemaps {
            let value = value.as_bytes();
            if value.is_empty() || !is_value(value) {
                return Err(E::custom(format_args!(
                    "the sitemap {} cannot be the value of a line: it is empty, or has a line end, a comment, or blanks around it",
                    quote(value)
                )));
            }
            sitemaps.push(value);
        }
        Ok(sitemaps)
    }

    fn records<E: Error>(&self) -> Result<Option<Box<AgentRecords>>, E> {
        let first_group = self.group_lines.first();
        let mut records = Vec::new();
        for record in &self.records {
            let (field, line, value) = (record.field, record.line, &*record.value.0);
            let is_above_groups = first_group.is_none_or(|first| line < *first);
            let is_in_place = match record.audience {
                Audience::Everyone => is_above_groups && field.is_for_everyone_above_groups(),
                Audience::Us | Audience::Others => !is_above_groups,
            };
            if !is_in_place || !AgentRecord::is_kept(field) {
                return Err(E::custom(format_args!(
                    "a robot cannot have a record of `{field}` on line {line}: records for everyone stand above all groups, and records of a group stand in it"
                )));
            }
            if !is_value(value) {
                return Err(E::custom(format_args!(
                    "the record {} cannot be the value of a line: it has a line end, a comment, or blanks around it",
                    quote(value)
                )));
            }
            records.push(AgentRecord::new(field, record.audience, value, line));
        }
        Ok(AgentRecords::new(records, self.dialect))
    }
}

/// Whether a line could have these bytes as its value: no line end, no comment and no blanks around
/// it.
fn is_value(bytes: &[u8]) -> bool {
    is_line(bytes) && Value::new(bytes).bytes() == bytes
}

fn is_line(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', bytes).is_none()
}
