//! The extension records that apply to one agent: collected while a file is read, then ready to
//! answer.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::parse::group::Audience;
use crate::parse::value::Value;
use crate::record::content_signal::ContentSignal;
use crate::record::content_usage::ContentUsage;
use crate::record::day_window::DayWindow;
use crate::record::license::License;
use crate::record::preference::{PerCategory, Preference, split_path};
use crate::record::request_rate::RequestRate;
use crate::record::usage::{Usage, UsageRecord, UsageSource};
use crate::rules::path_index::IndexedPath;
use crate::rules::patterns::{Pattern, Patterns};
use crate::sort;

/// An extension record that applies to an agent. Its audience is never [`Audience::Others`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AgentRecord {
    pub(crate) field: ExtensionField,
    pub(crate) audience: Audience,
    /// The value as written.
    pub(crate) value: Box<[u8]>,
    /// Counted from 1.
    pub(crate) line: u32,
}

impl AgentRecord {
    // Out of line, to keep the loop over the lines small: few records come here.
    #[cold]
    pub(crate) fn new(field: ExtensionField, audience: Audience, value: &[u8], line: u32) -> Self {
        AgentRecord {
            field,
            audience,
            value: value.into(),
            line,
        }
    }

    /// Whether a robot can answer a question by such a record. The others stay with the document;
    /// `Crawl-delay` and `Sitemap` have places of their own.
    pub(crate) const fn is_kept(field: ExtensionField) -> bool {
        matches!(
            field,
            ExtensionField::ContentSignal
                | ExtensionField::ContentUsage
                | ExtensionField::License
                | ExtensionField::RequestRate
                | ExtensionField::VisitTime
        )
    }
}

/// The records of an agent, with the paths of its usage preferences compiled.
pub(crate) struct AgentRecords {
    /// In the order of the file.
    records: Vec<AgentRecord>,
    signals: Statements,
    usages: Statements,
}

impl AgentRecords {
    /// `None` if there are no records.
    #[cold]
    pub(crate) fn new(records: Vec<AgentRecord>, dialect: Dialect) -> Option<Box<AgentRecords>> {
        if records.is_empty() {
            return None;
        }
        let signals = Statements::new(&records, ExtensionField::ContentSignal, dialect, |value| {
            let signal = ContentSignal::new(value);
            PerCategory::from_fn(|category| signal.preference(category))
        });
        let usages = Statements::new(&records, ExtensionField::ContentUsage, dialect, |value| {
            // A malformed value has no preferences but still shadows shorter paths.
            let usage = ContentUsage::new(value);
            let preference = |category| usage.map(|usage| usage.preference(category));
            PerCategory::from_fn(|category| preference(category).unwrap_or_default())
        });
        Some(Box::new(AgentRecords {
            records,
            signals,
            usages,
        }))
    }

    /// The records that apply to everyone, for an agent without a group.
    pub(crate) fn for_everyone(&self, dialect: Dialect) -> Option<Box<AgentRecords>> {
        let records = self.records.iter();
        let for_everyone = records.filter(|record| record.audience == Audience::Everyone);
        AgentRecords::new(for_everyone.cloned().collect(), dialect)
    }

    /// The records as the file has them.
    pub(crate) fn records(&self) -> &[AgentRecord] {
        &self.records
    }

    /// The preferences about a path in the form of the dialect. If the path must not be fetched, a
    /// `Content-Usage` record states nothing about it (draft-ietf-aipref-attach §3.1).
    pub(crate) fn usage(&self, path: &[u8], access: Access) -> Usage<'_> {
        let mut path = IndexedPath::new(path);
        let mut applying = self.signals.applying(&mut path);
        if access == Access::Allow {
            applying.extend(self.usages.applying(&mut path));
        }
        Usage::combined(applying.into_iter().filter_map(|statement| {
            let record = self.records.get(statement.record)?;
            let source = UsageSource::RobotsTxt;
            let record = UsageRecord::new(source, record.field, &record.value, record.line);
            Some(Usage::of_record(record, |category| {
                *statement.preferences.of(category)
            }))
        }))
    }

    /// The licenses of the agent's groups, or if they have none, the licenses for everyone.
    pub(crate) fn licenses(&self) -> impl Iterator<Item = &str> {
        let valid = |audience| {
            let records = self.with_field(ExtensionField::License);
            let records = records.filter(move |record| record.audience == audience);
            records.filter_map(|record| Some(License::new(&record.value)?.uri()))
        };
        let audience = match valid(Audience::Us).next() {
            Some(_) => Audience::Us,
            None => Audience::Everyone,
        };
        valid(audience)
    }

    pub(crate) fn request_rates(&self) -> impl Iterator<Item = RequestRate> {
        self.with_field(ExtensionField::RequestRate)
            .filter_map(|record| RequestRate::new(&record.value))
    }

    pub(crate) fn visit_times(&self) -> impl Iterator<Item = DayWindow> {
        self.with_field(ExtensionField::VisitTime)
            .filter_map(|record| DayWindow::new(&record.value))
    }

    fn with_field(&self, field: ExtensionField) -> impl Iterator<Item = &AgentRecord> {
        let records = self.records.iter();
        records.filter(move |record| record.field == field)
    }
}

impl fmt::Debug for AgentRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.records.iter().map(|record| {
            let value = String::from_utf8_lossy(&record.value);
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
        records: &[AgentRecord],
        field: ExtensionField,
        dialect: Dialect,
        preferences: impl Fn(&[u8]) -> PerCategory<Preference>,
    ) -> Statements {
        let mut patterns = Patterns::new(dialect);
        let mut statements = Vec::new();
        let records = records.iter().enumerate();
        for (at, record) in records.filter(|(_, record)| record.field == field) {
            let path = split_path(&record.value).0;
            let path = path.and_then(|path| patterns.push(Value::new(path)));
            statements.push(Statement {
                record: at,
                preferences: preferences(&record.value),
                path,
            });
        }
        patterns.finish(statements.iter().filter_map(|statement| statement.path));
        // The order of the file among those of one length.
        sort::unstable_by_key(&mut statements, |statement| {
            (Reverse(statement.length()), statement.record)
        });
        Statements {
            patterns,
            statements,
        }
    }

    /// The statements about a path: all whose own path matches and is as long as the longest that
    /// does.
    fn applying(&self, path: &mut IndexedPath<'_>) -> Vec<&Statement> {
        let mut applying: Vec<&Statement> = Vec::new();
        for statement in &self.statements {
            if applying
                .first()
                .is_some_and(|longest| longest.length() > statement.length())
            {
                break;
            }
            let pattern = statement.path;
            if pattern.is_none_or(|pattern| path.is_match(&self.patterns, pattern)) {
                applying.push(statement);
            }
        }
        applying
    }
}

impl Statement {
    /// The bytes of the path, by which the more specific of two statements counts.
    fn length(&self) -> u32 {
        self.path.map_or(0, |path| path.len)
    }
}
