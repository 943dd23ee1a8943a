//! The extension records that concern one agent, and what they come to.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use core::ops::Range;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::parse::group::Audience;
use crate::parse::line::Value;
use crate::record::content_signal::ContentSignal;
use crate::record::content_usage::ContentUsage;
use crate::record::day_window::DayWindow;
use crate::record::license::License;
use crate::record::preference::{PerCategory, Preference, split_path};
use crate::record::request_rate::RequestRate;
use crate::record::usage::{Usage, UsageRecord};
use crate::rules::patterns::{Pattern, Patterns};

/// Records as written, gathered while a file is read. Most files have none that are kept here.
#[derive(Clone, Default)]
pub(crate) struct AgentRecordsBuilder {
    text: Vec<u8>,
    records: Vec<GatheredRecord>,
}

#[derive(Debug, Clone)]
struct GatheredRecord {
    field: ExtensionField,
    reach: Reach,
    value: Range<usize>,
    line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Everyone,
    Group,
}

impl AgentRecordsBuilder {
    // Out of line: few records come here, and the loop over the lines is to stay small.
    #[cold]
    pub(crate) fn push(
        slot: &mut Option<Box<AgentRecordsBuilder>>,
        field: ExtensionField,
        value: &[u8],
        line: u32,
        addressee: Audience,
    ) {
        let reach = match addressee {
            Audience::Everyone => Reach::Everyone,
            Audience::Us => Reach::Group,
            Audience::Others => return,
        };
        if AgentRecordsBuilder::keeps(field) {
            slot.get_or_insert_default().keep(field, reach, value, line);
        }
    }

    pub(crate) const fn keeps(field: ExtensionField) -> bool {
        matches!(
            field,
            ExtensionField::ContentSignal
                | ExtensionField::ContentUsage
                | ExtensionField::License
                | ExtensionField::RequestRate
                | ExtensionField::VisitTime
        )
    }

    fn keep(&mut self, field: ExtensionField, reach: Reach, value: &[u8], line: u32) {
        let start = self.text.len();
        self.text.extend_from_slice(value);
        self.records.push(GatheredRecord {
            field,
            reach,
            value: start..self.text.len(),
            line,
        });
    }

    /// A group names the agent, so what was gathered from the wildcard's does not count, and is not to be kept as long as the
    /// robot is: its text goes too.
    #[cold]
    pub(crate) fn drop_groups(&mut self) {
        let before = core::mem::take(self);
        for record in &before.records {
            if record.reach == Reach::Everyone {
                self.keep(
                    record.field,
                    record.reach,
                    before.value(record),
                    record.line,
                );
            }
        }
    }

    /// As they were pushed.
    fn records(&self) -> impl Iterator<Item = (ExtensionField, Audience, &[u8], u32)> {
        self.records.iter().map(|record| {
            let addressee = match record.reach {
                Reach::Everyone => Audience::Everyone,
                Reach::Group => Audience::Us,
            };
            (record.field, addressee, self.value(record), record.line)
        })
    }

    fn of(&self, field: ExtensionField) -> impl Iterator<Item = (usize, &GatheredRecord)> {
        let records = self.records.iter().enumerate();
        records.filter(move |(_, record)| record.field == field)
    }

    fn value(&self, record: &GatheredRecord) -> &[u8] {
        self.text.get(record.value.clone()).unwrap_or_default()
    }
}

/// What was gathered, with the statements about usage ready to be asked.
pub(crate) struct AgentRecords {
    gathered: AgentRecordsBuilder,
    signals: Statements,
    usages: Statements,
}

impl AgentRecords {
    /// What it was made from.
    pub(crate) fn records(&self) -> impl Iterator<Item = (ExtensionField, Audience, &[u8], u32)> {
        self.gathered.records()
    }

    /// `None` if none is left of them.
    #[cold]
    pub(crate) fn new(
        gathered: AgentRecordsBuilder,
        dialect: Dialect,
    ) -> Option<Box<AgentRecords>> {
        if gathered.records.is_empty() {
            return None;
        }
        let signals = Statements::new(&gathered, ExtensionField::ContentSignal, dialect, |value| {
            ContentSignal::new(value).preferences()
        });
        let usages = Statements::new(&gathered, ExtensionField::ContentUsage, dialect, |value| {
            // What is no dictionary states nothing, but it is still the statement of its path.
            ContentUsage::new(value)
                .map(|usage| usage.preferences())
                .unwrap_or_default()
        });
        Some(Box::new(AgentRecords {
            gathered,
            signals,
            usages,
        }))
    }

    /// What is left of them for an agent that no group is for.
    pub(crate) fn for_everyone(&self, dialect: Dialect) -> Option<Box<AgentRecords>> {
        let mut gathered = self.gathered.clone();
        gathered.drop_groups();
        AgentRecords::new(gathered, dialect)
    }

    /// `path` must be in the form of the dialect. For a path that must not be fetched a `Content-Usage` record states
    /// nothing (draft-ietf-aipref-attach §3.1).
    pub(crate) fn usage(&self, path: &[u8], access: Access) -> Usage<'_> {
        let signals = self.signals.applying(path);
        let usages = match access {
            Access::Allow => Some(self.usages.applying(path)),
            Access::Disallow => None,
        };
        let applying = signals.chain(usages.into_iter().flatten());
        Usage::combined(applying.filter_map(|statement| {
            let record = self.gathered.records.get(statement.record)?;
            let value = self.gathered.value(record);
            Some((
                UsageRecord::new(record.field, value, record.line),
                statement.preferences,
            ))
        }))
    }

    pub(crate) fn licenses(&self) -> impl Iterator<Item = &str> {
        let valid = |reach| {
            let records = self.gathered.of(ExtensionField::License);
            let of_reach = records.filter(move |(_, record)| record.reach == reach);
            of_reach
                .filter_map(|(_, record)| Some(License::new(self.gathered.value(record))?.uri()))
        };
        let reach = match valid(Reach::Group).next() {
            Some(_) => Reach::Group,
            None => Reach::Everyone,
        };
        valid(reach)
    }

    pub(crate) fn request_rates(&self) -> impl Iterator<Item = RequestRate> {
        let records = self.gathered.of(ExtensionField::RequestRate);
        records.filter_map(|(_, record)| RequestRate::new(self.gathered.value(record)))
    }

    pub(crate) fn visit_times(&self) -> impl Iterator<Item = DayWindow> {
        let records = self.gathered.of(ExtensionField::VisitTime);
        records.filter_map(|(_, record)| DayWindow::new(self.gathered.value(record)))
    }
}

impl fmt::Debug for AgentRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for record in &self.gathered.records {
            let value = String::from_utf8_lossy(self.gathered.value(record));
            list.entry(&(record.line, record.reach, record.field, value));
        }
        list.finish()
    }
}

/// The records of one field that state preferences, those with the longest path first.
struct Statements {
    patterns: Patterns,
    statements: Vec<Statement>,
}

struct Statement {
    /// Its place among what was gathered.
    record: usize,
    preferences: PerCategory<Preference>,
    /// `None` if the statement is about the whole site.
    path: Option<Pattern>,
}

impl Statements {
    fn new(
        gathered: &AgentRecordsBuilder,
        field: ExtensionField,
        dialect: Dialect,
        preferences: impl Fn(&[u8]) -> PerCategory<Preference>,
    ) -> Statements {
        let mut patterns = Patterns::new(dialect);
        let mut statements = Vec::new();
        for (at, record) in gathered.of(field) {
            let value = gathered.value(record);
            let path = split_path(value).0;
            let path = path.and_then(|path| patterns.push(Value::new(path)));
            statements.push(Statement {
                record: at,
                preferences: preferences(value),
                path,
            });
        }
        patterns.finish(statements.iter().filter_map(|statement| statement.path));
        statements.sort_by_key(|statement| Reverse(statement.length()));
        Statements {
            patterns,
            statements,
        }
    }

    /// The statements about a path: all of those whose own path matches and is the longest that does.
    fn applying<'s>(&'s self, path: &'s [u8]) -> impl Iterator<Item = &'s Statement> + Clone {
        let matches = move |statement: &&Statement| {
            let pattern = statement.path;
            pattern.is_none_or(|pattern| self.patterns.is_match(pattern, path))
        };
        let mut matching = self.statements.iter().filter(matches).peekable();
        let longest = matching.peek().map(|statement| statement.length());
        matching.take_while(move |statement| Some(statement.length()) == longest)
    }
}

impl Statement {
    /// The bytes of the path, by which the more specific of two statements counts.
    fn length(&self) -> u32 {
        self.path.map_or(0, |path| path.len)
    }
}
