//! One agent's view: its rules, compiled again.

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
use crate::record::agent_records::{AgentRecords, AgentRecordsBuilder};
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
    /// About usage, licences, rates and times, in the order of the file.
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

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RecordScope {
    File,
    Group,
}

impl<'a> From<(ExtensionField, Audience, &'a [u8], u32)> for RecordForm<'a> {
    fn from(record: (ExtensionField, Audience, &'a [u8], u32)) -> RecordForm<'a> {
        let (field, addressee, value, line) = record;
        RecordForm {
            field,
            scope: match addressee {
                Audience::Everyone => RecordScope::File,
                Audience::Us | Audience::Others => RecordScope::Group,
            },
            line,
            value: Bytes(value.into()),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm<'a> {
    access: Access,
    line: u32,
    /// In compared form. The length, the tier and Google's rule for the directory of an index page follow from it.
    pattern: Cow<'a, str>,
}

impl RobotForm<'_> {
    fn compile(self) -> Result<Robot, BrokenRobot> {
        let of_group = |record: &RecordForm<'_>| matches!(record.scope, RecordScope::Group);
        let has_more = !self.rules.is_empty()
            || self.crawl_delay.is_some()
            || self.records.iter().any(of_group);
        if let Some(BlanketForm { access, cause }) = self.blanket {
            let is_alone = !has_more
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
        if self.agent_match == AgentMatch::None && has_more {
            return Err(BrokenRobot::NoGroupAndMore);
        }
        let view = AgentView {
            dialect: self.dialect,
            agent_match: self.agent_match,
            groups: self.groups()?,
            blanket: None,
            rules: RuleSet::new(rule_list(&self.rules, self.dialect)?),
            crawl_delay: self.crawl_delay,
            sitemaps: sitemaps(&self.sitemaps)?,
            records: self.records()?,
        };
        self.check_lines()?;
        Ok(view.into())
    }
}

impl RobotForm<'_> {
    fn groups(&self) -> Result<AppliedGroups, BrokenRobot> {
        let mut groups = AppliedGroups::default();
        let mut last = 0;
        for line in self.group_lines.iter().copied() {
            if line <= last {
                return Err(BrokenRobot::Line { line, last });
            }
            last = line;
            groups.push(line);
        }
        let is_without = self.group_lines.is_empty();
        let first_rule = self.rules.first().map(|rule| rule.line);
        let is_rule_above = first_rule.is_some() && first_rule < self.group_lines.first().copied();
        if is_without != (self.agent_match == AgentMatch::None) || is_rule_above {
            return Err(BrokenRobot::Groups);
        }
        Ok(groups)
    }

    fn records(&self) -> Result<Option<Box<AgentRecords>>, BrokenRobot> {
        let first_group = self.group_lines.first();
        let mut gathered = None;
        let mut last = 0;
        for record in &self.records {
            let (field, line, value) = (record.field, record.line, &*record.value.0);
            if line <= last {
                return Err(BrokenRobot::Line { line, last });
            }
            last = line;
            let is_above_groups = first_group.is_none_or(|first| line < *first);
            let (addressee, is_in_place) = match record.scope {
                RecordScope::File => (
                    Audience::Everyone,
                    is_above_groups && field.is_for_all_above_groups(),
                ),
                RecordScope::Group => (Audience::Us, !is_above_groups),
            };
            if !is_in_place || !AgentRecordsBuilder::keeps(field) {
                return Err(BrokenRobot::Place { field, line });
            }
            if !is_line(value) || Value::new(value).bytes() != value {
                let value = quote(value).to_string();
                return Err(BrokenRobot::Record { value });
            }
            AgentRecordsBuilder::push(&mut gathered, field, value, line, addressee);
        }
        Ok(gathered.and_then(|gathered| AgentRecords::new(*gathered, self.dialect)))
    }

    fn check_lines(&self) -> Result<(), BrokenRobot> {
        let of_rules = self.rules.iter().map(|rule| rule.line);
        let of_records = self.records.iter().map(|record| record.line);
        let of_groups = self.group_lines.iter().copied();
        let mut lines: Vec<u32> = of_groups.chain(of_rules).chain(of_records).collect();
        lines.sort_unstable();
        let shared = lines.windows(2).find(|pair| pair.first() == pair.last());
        match shared.and_then(|pair| pair.first().copied()) {
            Some(line) => Err(BrokenRobot::SharedLine { line }),
            None => Ok(()),
        }
    }
}

fn rule_list(rules: &[RuleForm<'_>], dialect: Dialect) -> Result<RuleList, BrokenRobot> {
    let bytes = rules.iter().fold(0_usize, |bytes, rule| {
        bytes.saturating_add(rule.pattern.len())
    });
    // An byte of a file becomes three of a pattern at most.
    if bytes / 3 > MAX_BYTES {
        return Err(BrokenRobot::TooLarge);
    }
    let mut list = RuleList::new(dialect, bytes);
    let mut last = 0;
    for rule in rules {
        if rule.line <= last {
            let line = rule.line;
            return Err(BrokenRobot::Line { line, last });
        }
        last = rule.line;
        let pattern = rule.pattern.as_bytes();
        let at = list.entries().len();
        list.push(rule.access, Value::new(pattern), rule.line);
        // What is in compared form stays as it is when it is brought into it.
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
        if value.is_empty() || !is_line(value) || Value::new(value).bytes() != value {
            let value = quote(value).to_string();
            return Err(BrokenRobot::Sitemap { value });
        }
        sitemaps.push(value);
    }
    Ok(sitemaps)
}

fn is_line(bytes: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', bytes).is_none()
}

#[derive(Debug, thiserror::Error)]
enum BrokenRobot {
    #[error(
        "a robot with an answer for the whole site has no rules, delay and sitemaps, no group and the dialect `rfc9309`"
    )]
    BlanketAndMore,
    #[error("a robot whose `agent_match` is `none` has no rules and no delay")]
    NoGroupAndMore,
    #[error(
        "`group_lines` has a line if and only if `agent_match` is not `none`, and no rule stands above the first"
    )]
    Groups,
    #[error("the patterns of the rules are longer than those of any file")]
    TooLarge,
    #[error("line {line} stands behind line {last}; lines count from 1 and ascend")]
    Line { line: u32, last: u32 },
    #[error("the pattern {pattern} of line {line} is not in the compared form of the dialect")]
    Pattern { line: u32, pattern: String },
    #[error(
        "the sitemap {value} is not the value of a line: empty, or with a line end, a comment or blanks around it"
    )]
    Sitemap { value: String },
    #[error(
        "the record {value} is not the value of a line: with a line end, a comment or blanks around it"
    )]
    Record { value: String },
    #[error(
        "line {line} has two records; a group, a rule and any other record has a line of its own"
    )]
    SharedLine { line: u32 },
    #[error(
        "a robot has no record of `{field}` from line {line}: those for everyone stand above all groups, and those of a group in it"
    )]
    Place { field: ExtensionField, line: u32 },
}
