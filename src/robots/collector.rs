//! Picks the records of one agent, or of several as one, and makes an [`AgentView`] of them.

use alloc::vec::Vec;
use core::time::Duration;

use crate::agent::{AgentMatch, AgentSet};
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionField, ExtensionLevel, Record};
use crate::parse::group::{Naming, Selection};
use crate::parse::trim::value_of;
use crate::record::agent_record::AgentRecord;
use crate::record::crawl_delay::crawl_delay;
use crate::record::policy_token::PolicyToken;
use crate::record::sitemap::Sitemaps;
use crate::robots::agent_view::{AgentView, AppliedGroups};
use crate::rules::rule_list::RuleList;
use crate::rules::rule_set::RuleSet;

/// Takes every record in the order of the file, from a file or from a document: both give the same
/// records, so both give the same robot.
pub(crate) struct Collector<'a> {
    selection: Selection<'a>,
    dialect: Dialect,
    file_len: usize,
    groups: AppliedGroups,
    rules: RuleList,
    crawl_delay: Option<Duration>,
    sitemaps: Sitemaps,
    records: Vec<AgentRecord>,
    names_policy: bool,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(agents: AgentSet<'a>, dialect: Dialect, file_len: usize) -> Collector<'a> {
        Collector {
            selection: Selection::new(agents),
            dialect,
            file_len,
            groups: AppliedGroups::default(),
            rules: RuleList::new(dialect),
            crawl_delay: None,
            sitemaps: Sitemaps::default(),
            records: Vec::new(),
            names_policy: false,
        }
    }

    /// The collector of the rules for the training of AI models. It takes the records of a file in
    /// a second walk, as few files name the token: [`Collector::names_policy`].
    pub(crate) fn of_ai_training(dialect: Dialect, file_len: usize) -> Collector<'a> {
        Collector::new(AgentSet::of_policy(AI_TRAINING, dialect), dialect, file_len)
    }

    /// Whether a `User-agent` record that was taken names a policy token.
    pub(crate) fn names_policy(&self) -> bool {
        self.names_policy
    }

    /// Takes the next record.
    #[inline]
    pub(crate) fn take(&mut self, record: Record<'_>) {
        let Record {
            directive,
            written,
            line,
        } = record;

        match directive {
            Directive::UserAgent => {
                let value = value_of(written.bytes);
                // The first byte alone separates nearly all names of crawlers from the token.
                self.names_policy |= value.first() == Some(&b'_') && self.is_policy_token(value);
                let naming = self.selection.user_agent(value);
                if naming == Naming::Supersedes {
                    self.drop_groups();
                }
                if naming != Naming::Nothing {
                    self.groups.push(line);
                    self.rules.reserve(self.file_len);
                }
            }
            Directive::Rule(access) => {
                if self.selection.rule() {
                    self.rules.push(access, written.bytes, line);
                }
            }
            Directive::Extension(field) => {
                let Some(level) = self.selection.extension(field) else {
                    return;
                };
                match (field, level) {
                    // `None` is less than any delay, so an invalid line does not erase a valid one.
                    (ExtensionField::CrawlDelay, ExtensionLevel::Group) => {
                        self.crawl_delay =
                            self.crawl_delay.max(crawl_delay(value_of(written.bytes)));
                    }
                    (ExtensionField::Sitemap, _) => self.sitemaps.push(value_of(written.bytes)),
                    _ if AgentRecord::is_kept(field) => {
                        self.records.push(AgentRecord::new(
                            field,
                            level,
                            value_of(written.bytes),
                            line,
                        ));
                    }
                    _ => {}
                }
            }
        }
    }

    #[cold]
    fn is_policy_token(&self, value: &[u8]) -> bool {
        let tokens = AgentSet::of_policy(AI_TRAINING, self.dialect);
        tokens.match_value(value) == AgentMatch::Named
    }

    /// Forgets the wildcard's groups when the first group names the agent.
    fn drop_groups(&mut self) {
        self.groups = AppliedGroups::default();
        self.rules.clear();
        self.crawl_delay = None;
        self.records
            .retain(|record| record.level() == ExtensionLevel::File);
    }

    pub(crate) fn finish(self) -> AgentView {
        AgentView {
            dialect: self.dialect,
            agent_match: self.selection.agent_match(),
            groups: self.groups,
            blanket: None,
            rules: RuleSet::new(self.rules),
            crawl_delay: self.crawl_delay,
            sitemaps: self.sitemaps,
            records: self.records.into_boxed_slice(),
        }
    }
}

const AI_TRAINING: &[&str] = &[PolicyToken::AiTraining.as_str()];
