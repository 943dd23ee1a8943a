//! Picks the records of one agent, or of several as one, and makes an [`AgentView`] of them.

use alloc::vec::Vec;

use crate::agent::AgentSet;
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionField, Record};
use crate::parse::group::{Audience, Naming, Selection};
use crate::record::agent_records::{AgentRecord, AgentRecords};
use crate::record::crawl_delay::crawl_delay;
use crate::robots::agent_view::{AgentView, AppliedGroups};
use crate::rules::rule_list::RuleList;
use crate::rules::rule_set::RuleSet;

/// Takes every record in the order of the file, from a file or from a document: both give the same
/// records, so both give the same robot.
pub(crate) struct Collector<'a> {
    selection: Selection<'a>,
    /// All but the match, the rules and the records, which come last.
    view: AgentView,
    rules: RuleList,
    records: Vec<AgentRecord>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(agents: AgentSet<'a>, dialect: Dialect, file_len: usize) -> Collector<'a> {
        Collector {
            selection: Selection::new(agents),
            view: AgentView::without_groups(dialect),
            rules: RuleList::new(dialect, file_len),
            records: Vec::new(),
        }
    }

    /// Takes the next record.
    #[inline]
    pub(crate) fn take(&mut self, record: Record<'_>) {
        let Record {
            directive,
            value,
            line,
        } = record;
        match directive {
            Directive::UserAgent => {
                let naming = self.selection.user_agent(value.bytes());
                if naming == Naming::Supersedes {
                    self.drop_groups();
                }
                if naming != Naming::Nothing {
                    self.view.groups.push(line);
                }
            }
            Directive::Rule(access) => {
                if self.selection.rule() {
                    self.rules.push(access, value, line);
                }
            }
            Directive::Extension(field) => {
                let audience = self.selection.extension(field);
                match (field, audience) {
                    // `None` is less than any delay, so an invalid line does not erase a valid one.
                    (ExtensionField::CrawlDelay, Audience::Us) => {
                        self.view.crawl_delay =
                            self.view.crawl_delay.max(crawl_delay(value.bytes()));
                    }
                    (ExtensionField::Sitemap, _) => self.view.sitemaps.push(value.bytes()),
                    (_, Audience::Others) => {}
                    _ if AgentRecord::is_kept(field) => {
                        self.records
                            .push(AgentRecord::new(field, audience, value.bytes(), line));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Forgets the wildcard's groups when the first group names the agent.
    fn drop_groups(&mut self) {
        self.view.groups = AppliedGroups::default();
        self.rules.clear();
        self.view.crawl_delay = None;
        let records = &mut self.records;
        records.retain(|record| record.audience == Audience::Everyone);
        records.shrink_to_fit();
    }

    pub(crate) fn finish(self) -> AgentView {
        AgentView {
            agent_match: self.selection.agent_match(),
            rules: RuleSet::new(self.rules),
            records: AgentRecords::new(self.records, self.view.dialect),
            ..self.view
        }
    }
}
