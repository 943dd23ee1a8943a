//! A robot as its rules in compared form, from which it is compiled again.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::parse::group::Audience;
use crate::parse::line::{MAX_BYTES, Value};
use crate::record::agent_records::{AgentRecord, AgentRecords, AgentRecordsBuilder};
use crate::record::sitemap::Sitemaps;
use crate::robots::agent_view::{AgentView, AppliedGroups, Blanket};
use crate::robots::robot::Robot;
use crate::rules::rule_list::RuleList;
use crate::rules::rule_set::RuleSet;
use crate::serde::bytes::Bytes;
use crate::serde::document::{BlanketForm, Version};
use crate::text::quote::quote;

impl Serialize for Robot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = self.rules().map(|rule| RuleForm {
            access: rule.access(),
            line: rule.line(),
            pattern: rule.pattern().into(),
        });
        let mut rules: Vec<RuleForm<'_>> = rules.collect();
        rules.sort_unstable_by_key(|rule| rule.line);
        let form = RobotForm {
            version: Version,
            dialect: self.view().dialect,
            agent_match: self.agent_match(),
            group_lines: self.group_lines().collect(),
            blanket: self.view().blanket.map(BlanketForm::from),
            crawl_delay: self.crawl_delay(),
            rules,
            sitemaps: self.sitemaps().map(Cow::from).collect(),
            records: self.view().records().map(RecordForm::from).collect(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Robot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Robot, D::Error> {
        let form = RobotForm::deserialize(deserializer)?;
        form.compile().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotForm<'a> {
    version: Version,
    dialect: Dialect,
    agent_match: AgentMatch,
    /// Ascending.
    group_lines: Vec<u32>,
    blanket: Option<BlanketForm>,
    crawl_delay: Option<Duration>,
    /// In the order of the file.
    rules: Vec<RuleForm<'a>>,
    sitemaps: Vec<Cow<'a, str>>,
    /// The records about usage, licenses, rates and times, in the order of the file.
    records: Vec<RecordForm<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordForm<'a> {
    field: ExtensionField,
    scope: RecordScope,
    line: u32,
    value: Bytes<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RecordScope {
    File,
    Group,
}

impl<'a> From<AgentRecord<'a>> for RecordForm<'a> {
    fn from(record: AgentRecord<'a>) -> RecordForm<'a> {
        RecordForm {
            field: record.field,
            scope: match record.audience {
                Audience::Everyone => RecordScope::File,
                Audience::Us | Audience::Others => RecordScope::Group,
            },
            line: record.line,
            value: Bytes(record.value.into()),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm<'a> {
    access: Access,
    line: u32,
    /// In compared form. The length, the tier, and Google's further rule for the directory of an
    /// index page follow from it.
    pattern: Cow<'a, str>,
}

impl RobotForm<'_> {
    fn compile(self) -> Result<Robot, BrokenRobot> {
        let has_group_records = self
            .records
            .iter()
            .any(|record| record.scope == RecordScope::Group);
        let needs_group = !self.rules.is_empty() || self.crawl_delay.is_some() || has_group_records;
        if let Some(BlanketForm { access, cause }) = self.blanket {
            let is_alone = !needs_group
                && self.sitemaps.is_empty()
                && self.records.is_empty()
                && self.agent_match == AgentMatch::None
                && self.group_lines.is_empty()
                && self.dialect == Dialect::default();
            return if is_alone {
                Ok(Blanket { access, cause }.into())
            } else {
                Err(BrokenRobot::BlanketAndMore)
            };
        }
        if self.agent_match == AgentMatch::None && needs_group {
            return Err(BrokenRobot::NoGroupAndMore);
        }
        let groups = self.groups()?;
        self.check_lines()?;
        let view = AgentView {
            dialect: self.dialect,
            agent_match: self.agent_match,
            groups,
            blanket: None,
            rules: RuleSet::new(rule_list(&self.rules, self.dialect)?),
            crawl_delay: self.crawl_delay,
            sitemaps: sitemaps(&self.sitemaps)?,
            records: self.records()?,
        };
        Ok(view.into())
    }

    /// The lines of each list ascend from 1, and every line has one record.
    fn check_lines(&self) -> Result<(), BrokenRobot> {
        let of_rules = self.rules.iter().map(|rule| rule.line);
        let of_records = self.records.iter().map(|record| record.line);
        let of_groups = self.group_lines.iter().copied();
        check_ascending(of_groups.clone())?;
        check_ascending(of_rules.clone())?;
        check_ascending(of_records.clone())?;
        let mut lines: Vec<u32> = of_groups.chain(of_rules).chain(of_records).collect();
        lines.sort_unstable();
        let shared = lines.windows(2).find(|pair| pair.first() == pair.last());
        match shared.and_then(|pair| pair.first().copied()) {
            Some(line) => Err(BrokenRobot::SharedLine { line }),
            None => Ok(()),
        }
    }

    fn groups(&self) -> Result<AppliedGroups, BrokenRobot> {
        let first_group = self.group_lines.first();
        let first_rule = self.rules.first().map(|rule| &rule.line);
        let is_rule_above = first_rule.is_some() && first_rule < first_group;
        if first_group.is_none() != (self.agent_match == AgentMatch::None) || is_rule_above {
            return Err(BrokenRobot::Groups);
        }
        let mut groups = AppliedGroups::default();
        self.group_lines.iter().for_each(|line| groups.push(*line));
        Ok(groups)
    }

    fn records(&self) -> Result<Option<Box<AgentRecords>>, BrokenRobot> {
        let first_group = self.group_lines.first();
        let mut records = AgentRecordsBuilder::default();
        for record in &self.records {
            let (field, line, value) = (record.field, record.line, &*record.value.0);
            let is_above_groups = first_group.is_none_or(|first| line < *first);
            let (audience, is_in_place) = match record.scope {
                RecordScope::File => (
                    Audience::Everyone,
                    is_above_groups && field.is_for_everyone_above_groups(),
                ),
                RecordScope::Group => (Audience::Us, !is_above_groups),
            };
            if !is_in_place || !AgentRecordsBuilder::keeps(field) {
                return Err(BrokenRobot::Place { field, line });
            }
            if !is_value(value) {
                let value = quote(value).to_string();
                return Err(BrokenRobot::Record { value });
            }
            records.push(AgentRecord {
                field,
                audience,
                value,
                line,
            });
        }
        Ok(AgentRecords::new(records, self.dialect))
    }
}

fn check_ascending(lines: impl Iterator<Item = u32>) -> Result<(), BrokenRobot> {
    let mut last = 0;
    for line in lines {
        if line <= last {
            return Err(BrokenRobot::Line { line, last });
        }
        last = line;
    }
    Ok(())
}

fn rule_list(rules: &[RuleForm<'_>], dialect: Dialect) -> Result<RuleList, BrokenRobot> {
    let bytes = rules.iter().fold(0_usize, |bytes, rule| {
        bytes.saturating_add(rule.pattern.len())
    });
    // A byte of a file becomes at most three of a pattern.
    if bytes / 3 > MAX_BYTES {
        return Err(BrokenRobot::TooLarge);
    }
    let mut list = RuleList::new(dialect, bytes);
    for rule in rules {
        let pattern = rule.pattern.as_bytes();
        let at = list.entries().len();
        list.push(rule.access, Value::new(pattern), rule.line);
        // A pattern in compared form does not change when it is compiled.
        let entry = list.entries().get(at);
        if !is_line(pattern) || entry.is_none_or(|entry| list.pattern(entry) != pattern) {
            return Err(BrokenRobot::Pattern {
                line: rule.line,
                pattern: quote(pattern).to_string(),
            });
        }
    }
    Ok(list)
}

fn sitemaps(values: &[Cow<'_, str>]) -> Result<Sitemaps, BrokenRobot> {
    let mut sitemaps = Sitemaps::default();
    for value in values {
        let value = value.as_bytes();
        if value.is_empty() || !is_value(value) {
            let value = quote(value).to_string();
            return Err(BrokenRobot::Sitemap { value });
        }
        sitemaps.push(value);
    }
    Ok(sitemaps)
}

/// Whether a line could have these bytes as its value: no line end, no comment and no blanks around
/// it.
fn is_value(bytes: &[u8]) -> bool {
    is_line(bytes) && Value::new(bytes).bytes() == bytes
}

fn is_line(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', bytes).is_none()
}

/// The reason why no file could have made a robot.
#[derive(Debug, thiserror::Error)]
enum BrokenRobot {
    #[error(
        "a robot with one answer for the whole site must have no rules, no delay, no sitemaps, no group, and the dialect `rfc9309`"
    )]
    BlanketAndMore,
    #[error(
        "a robot whose `agent_match` is `none` must have no rules, no delay, and no records of a group"
    )]
    NoGroupAndMore,
    #[error(
        "`group_lines` must have a line if and only if `agent_match` is not `none`, and no rule may stand above the first"
    )]
    Groups,
    #[error("the patterns of the rules are longer than any file")]
    TooLarge,
    #[error("line {line} comes after line {last}; lines count from 1 and must ascend")]
    Line { line: u32, last: u32 },
    #[error("the pattern {pattern} of line {line} is not in the compared form of the dialect")]
    Pattern { line: u32, pattern: String },
    #[error(
        "the sitemap {value} cannot be the value of a line: it is empty, or has a line end, a comment, or blanks around it"
    )]
    Sitemap { value: String },
    #[error(
        "the record {value} cannot be the value of a line: it has a line end, a comment, or blanks around it"
    )]
    Record { value: String },
    #[error(
        "line {line} has two records; each group, rule and other record must have a line of its own"
    )]
    SharedLine { line: u32 },
    #[error(
        "a robot cannot have a record of `{field}` on line {line}: records for everyone stand above all groups, and records of a group stand in it"
    )]
    Place { field: ExtensionField, line: u32 },
}
