//! The findings about the rules that some agents have together: a pass over the merged groups,
//! whose rules are compiled one after the other.

use std::collections::BTreeMap;

use polite_robots::document::MergedGroup;

use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::lines::{Text, nearly_use};
use crate::rules::allow_alone::{ForOthers, allow_alone};
use crate::rules::dropped_rules::ForEveryone;
use crate::rules::google_reading::{OtherReading, closed_site_to_google};
use crate::rules::merged_rules::{DecidingDisallow, MergedRules, matches_everything};
use crate::rules::overruled_rules::OverruledRules;
use crate::rules::readers::{EVERYONE, Readers};
use crate::rules::site_closed::{ClosedSite, Closing, ToGoogle, large_engines};
use crate::text::token::use_in;

/// The pass over the merged groups of a file.
pub(super) struct Pass<'p, 'r> {
    file: &'p FileRules<'r>,
    text: Text,
    other: &'p OtherReading<'p, 'r>,
    /// The answers of Google's matcher about a closed site. Each agent is asked about once:
    /// thousands of groups may be for `Googlebot1`, `Googlebot2` and so on, which Google's matcher
    /// takes for one.
    to_google: BTreeMap<&'static str, ToGoogle>,
    overruled: OverruledRules,
    findings: Vec<Diagnostic>,
}

impl<'p, 'r> Pass<'p, 'r> {
    pub(super) fn new(
        file: &'p FileRules<'r>,
        other: &'p OtherReading<'p, 'r>,
        text: Text,
    ) -> Pass<'p, 'r> {
        Pass {
            file,
            text,
            other,
            to_google: BTreeMap::new(),
            overruled: OverruledRules::default(),
            findings: Vec::new(),
        }
    }

    /// The findings, and the rules that never decide.
    pub(super) fn run(
        mut self,
        readers: &Readers<'r>,
        keeps_open: impl Fn(&[u8]) -> bool,
    ) -> (Vec<Diagnostic>, OverruledRules) {
        let mut of_everyone = MergedRules::of(self.file);
        let mut closed = None;
        if let Some(group) = &readers.everyone {
            self.compile(&mut of_everyone, group);
            closed = of_everyone.closing().map(ClosedSite::new);
        }
        let mut disallows = of_everyone.deciding_disallows();
        // An allow-list: named groups let their crawlers into a site that is closed to all others,
        // so they lack its rules on purpose.
        let mut site = ForOthers::Open;
        let closes_everything = |rule: &DecidingDisallow<'_>| matches_everything(rule.pattern);
        if disallows.iter().any(closes_everything) {
            site = ForOthers::Closed;
            disallows.clear();
        }
        if let Some(group) = &readers.everyone {
            self.allow_alone(group, EVERYONE, site);
        }
        let mut for_everyone = ForEveryone::new(self.file, self.other, disallows, self.text);
        let mut rules = MergedRules::of(self.file);
        for (group, agents) in &readers.named {
            if self.file.work.is_spent() {
                break;
            }
            self.compile(&mut rules, group);
            let agents = without_uses(agents);
            if agents.is_empty() {
                continue;
            }
            let named = self.closed_to_engines(group, &agents, &rules, (site, closed.is_some()));
            closed = closed.and_then(|site| {
                let is_for_search = agents.iter().any(|agent| keeps_open(agent));
                site.with(named.as_ref(), is_for_search)
            });
            self.allow_alone(group, &agents, site);
            rules.remove_allow_of_everything();
            self.findings
                .extend(for_everyone.dropped(group, &agents, &rules));
        }
        if let Some(site) = closed.filter(|_| !self.file.work.is_spent()) {
            let to_google = self.google_answer("Googlebot");
            self.findings.push(site.finding(self.file, to_google));
        }
        (self.findings, self.overruled)
    }

    fn google_answer(&mut self, agent: &'static str) -> ToGoogle {
        let answer = self.to_google.entry(agent);
        *answer.or_insert_with(|| closed_site_to_google(self.file.robots_txt, agent))
    }

    fn compile(&mut self, rules: &mut MergedRules<'p, 'r>, group: &MergedGroup<'r>) {
        rules.compile(group.groups());
        self.overruled.add_rules(rules);
    }

    /// The rule that closes the site to some agents, if the answer is wanted; reports it where it
    /// closes an open site to a large search engine.
    fn closed_to_engines(
        &mut self,
        group: &MergedGroup<'r>,
        agents: &[&[u8]],
        rules: &MergedRules<'_, '_>,
        (site, is_closed): (ForOthers, bool),
    ) -> Option<Closing> {
        let mut engines = large_engines(agents);
        engines.retain(|_| site == ForOthers::Open);
        let is_asked = is_closed || !engines.is_empty();
        let closing = is_asked.then(|| rules.closing()).flatten()?;
        engines.retain(|(token, _)| matches!(self.google_answer(token), ToGoogle::Closed));
        if !engines.is_empty() {
            let finding = closing.of_engines(&engines, group, agents, self.file);
            self.findings.push(finding);
        }
        Some(closing)
    }

    fn allow_alone(&mut self, group: &MergedGroup<'r>, agents: &[&[u8]], site: ForOthers) {
        let found = allow_alone(group, agents, site, self.file, self.other);
        self.findings.extend(found);
    }
}

/// The crawlers among some agents. A use is no crawler: nobody fetches by its rules, or misses
/// those for everyone. A name that is nearly that of a use has a finding of its own.
fn without_uses<'r>(agents: &[&'r [u8]]) -> Vec<&'r [u8]> {
    let is_use = |agent: &&[u8]| use_in(agent).or_else(|| nearly_use(agent)).is_some();
    let agents = agents.iter().copied();
    agents.filter(|agent| !is_use(agent)).collect()
}
