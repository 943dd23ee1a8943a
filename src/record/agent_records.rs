//! The extension records that apply to one agent: collected while a file is read, then ready to
//! answer.

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

/// An extension record that applies to an agent. Its audience is never [`Audience::Others`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct AgentRecord<'r> {
    pub(crate) field: ExtensionField,
    pub(crate) audience: Audience,
    /// The value as written.
    pub(crate) value: &'r [u8],
    /// Counted from 1.
    pub(crate) line: u32,
}

/// Collects the records of an agent, in the order of the file. Most files have none of them.
#[derive(Clone, Default)]
pub(crate) struct AgentRecordsBuilder {
    /// The values, one after the other.
    text: Vec<u8>,
    records: Vec<PackedRecord>,
}

#[derive(Clone)]
struct PackedRecord {
    field: ExtensionField,
    audience: Audience,
    value: Range<usize>,
    line: u32,
}

impl AgentRecordsBuilder {
    /// Whether a robot can answer a question by such a record. The others stay with the document;
    /// `Crawl-delay` and `Sitemap` have places of their own.
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

    // Out of line, to keep the loop over the lines small: few records come here.
    #[cold]
    pub(crate) fn push(&mut self, record: AgentRecord<'_>) {
        let start = self.text.len();
        self.text.extend_from_slice(record.value);
        self.records.push(PackedRecord {
            field: record.field,
            audience: record.audience,
            value: start..self.text.len(),
            line: record.line,
        });
    }

    /// Drops the records of groups, text included: a named group replaces those of `*`.
    #[cold]
    pub(crate) fn drop_groups(&mut self) {
        let before = core::mem::take(self);
        before
            .iter()
            .filter(|record| record.audience == Audience::Everyone)
            .for_each(|record| self.push(record));
    }

    fn iter(&self) -> impl Iterator<Item = AgentRecord<'_>> + Clone {
        self.records.iter().map(|record| self.unpacked(record))
    }

    fn get(&self, at: usize) -> Option<AgentRecord<'_>> {
        self.records.get(at).map(|record| self.unpacked(record))
    }

    fn unpacked(&self, record: &PackedRecord) -> AgentRecord<'_> {
        AgentRecord {
            field: record.field,
            audience: record.audience,
            // The range was taken from this text when the record was pushed.
            value: self.text.get(record.value.clone()).unwrap_or_default(),
            line: record.line,
        }
    }
}

/// The records of an agent, with the paths of its usage preferences compiled.
pub(crate) struct AgentRecords {
    records: AgentRecordsBuilder,
    signals: Statements,
    usages: Statements,
}

impl AgentRecords {
    /// `None` if there are no records.
    #[cold]
    pub(crate) fn new(records: AgentRecordsBuilder, dialect: Dialect) -> Option<Box<AgentRecords>> {
        if records.records.is_empty() {
            return None;
        }
        let signals = Statements::new(&records, ExtensionField::ContentSignal, dialect, |value| {
            ContentSignal::new(value).preferences()
        });
        let usages = Statements::new(&records, ExtensionField::ContentUsage, dialect, |value| {
            // A malformed value has no preferences but still shadows shorter paths.
            ContentUsage::new(value)
                .map(|usage| usage.preferences())
                .unwrap_or_default()
        });
        Some(Box::new(AgentRecords {
            records,
            signals,
            usages,
        }))
    }

    /// The records that apply to everyone, for an agent without a group.
    pub(crate) fn for_everyone(&self, dialect: Dialect) -> Option<Box<AgentRecords>> {
        let mut records = self.records.clone();
        records.drop_groups();
        AgentRecords::new(records, dialect)
    }

    /// The records as they were pushed.
    pub(crate) fn records(&self) -> impl Iterator<Item = AgentRecord<'_>> {
        self.records.iter()
    }

    /// The preferences about a path in the form of the dialect. If the path must not be fetched, a
    /// `Content-Usage` record states nothing about it (draft-ietf-aipref-attach §3.1).
    pub(crate) fn usage(&self, path: &[u8], access: Access) -> Usage<'_> {
        let signals = self.signals.applying(path);
        let usages = match access {
            Access::Allow => Some(self.usages.applying(path)),
            Access::Disallow => None,
        };
        let applying = signals.chain(usages.into_iter().flatten());
        Usage::combined(applying.filter_map(|statement| {
            let AgentRecord {
                field, value, line, ..
            } = self.records.get(statement.record)?;
            Some((UsageRecord::new(field, value, line), statement.preferences))
        }))
    }

    /// The licenses of the agent's groups, or if they have none, the licenses for everyone.
    pub(crate) fn licenses(&self) -> impl Iterator<Item = &str> {
        let valid = |audience| {
            let records = self.with_field(ExtensionField::License);
            let records = records.filter(move |record| record.audience == audience);
            records.filter_map(|record| Some(License::new(record.value)?.uri()))
        };
        let audience = match valid(Audience::Us).next() {
            Some(_) => Audience::Us,
            None => Audience::Everyone,
        };
        valid(audience)
    }

    pub(crate) fn request_rates(&self) -> impl Iterator<Item = RequestRate> {
        self.with_field(ExtensionField::RequestRate)
            .filter_map(|record| RequestRate::new(record.value))
    }

    pub(crate) fn visit_times(&self) -> impl Iterator<Item = DayWindow> {
        self.with_field(ExtensionField::VisitTime)
            .filter_map(|record| DayWindow::new(record.value))
    }

    fn with_field(&self, field: ExtensionField) -> impl Iterator<Item = AgentRecord<'_>> {
        self.records().filter(move |record| record.field == field)
    }
}

impl fmt::Debug for AgentRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.records().map(|record| {
            let value = String::from_utf8_lossy(record.value);
            (record.line, record.audience, record.field, value)
        });
        f.debug_list().entries(shown).finish()
    }
}

/// The records of one field that state preferences, those with the longest path first.
struct Statements {
    /// The paths of the records.
    patterns: Patterns,
    statements: Vec<Statement>,
}

struct Statement {
    /// The place of the record among all records of the agent.
    record: usize,
    preferences: PerCategory<Preference>,
    /// `None` if the record is about the whole site.
    path: Option<Pattern>,
}

impl Statements {
    fn new(
        records: &AgentRecordsBuilder,
        field: ExtensionField,
        dialect: Dialect,
        preferences: impl Fn(&[u8]) -> PerCategory<Preference>,
    ) -> Statements {
        let mut patterns = Patterns::new(dialect);
        let mut statements = Vec::new();
        let records = records.iter().enumerate();
        for (at, record) in records.filter(|(_, record)| record.field == field) {
            let path = split_path(record.value).0;
            let path = path.and_then(|path| patterns.push(Value::new(path)));
            statements.push(Statement {
                record: at,
                preferences: preferences(record.value),
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

    /// The statements about a path: all whose own path matches and is as long as the longest that
    /// does.
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
