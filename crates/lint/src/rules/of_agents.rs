//! The findings about the rules that some agents have together: a pass over the merged groups,
//! whose rules are compiled one after the other.

use polite_robots::RobotsTxt;
use polite_robots::document::MergedGroup;

use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::lines::{Text, nearly_use};
use crate::rules::allow_alone::{ForOthers, allow_alone};
use crate::rules::dropped_rules::ForEveryone;
use crate::rules::google_reading::{ClosedSiteToGoogle, OtherReading};
use crate::rules::merged_rules::{MergedRules, matches_everything};
use crate::rules::overruled_rules::OverruledRules;
use crate::rules::readers::{EVERYONE, Readers};
use crate::rules::site_closed::{ClosedSite, Closing, ToGoogle, large_engines};
use crate::text::token::use_in;
use crate::work_budget::WorkBudget;

/// The pass over the merged groups of a file.
pub(super) struct Pass<'p, 'r> {
    robots_txt: &'r RobotsTxt,
    file: &'p FileRules<'r>,
    text: Text,
    other: &'p OtherReading<'r>,
    to_google: ClosedSiteToGoogle<'r>,
    overruled: OverruledRules,
    findings: Vec<Diagnostic>,
}

impl<'p, 'r> Pass<'p, 'r> {
    pub(super) fn new(
        robots_txt: &'r RobotsTxt,
        file: &'p FileRules<'r>,
        other: &'p OtherReading<'r>,
        text: Text,
    ) -> Pass<'p, 'r> {
        Pass {
            robots_txt,
            file,
            text,
            other,
            to_google: ClosedSiteToGoogle::of(robots_txt),
            overruled: OverruledRules::default(),
            findings: Vec::new(),
        }
    }

    /// The findings, and the rules that never decide.
    pub(super) fn run(
        mut self,
        readers: &Readers<'r>,
        keeps_open: impl Fn(&[u8]) -> bool,
        work: &mut WorkBudget,
    ) -> (Vec<Diagnostic>, OverruledRules) {
        let mut of_everyone = MergedRules::new(self.robots_txt.dialect());
        let mut closed = None;
        if let Some(group) = &readers.everyone {
            self.compile(&mut of_everyone, group, work);
            closed = of_everyone.closing(work).map(ClosedSite::new);
        }
        let mut disallows = of_everyone.deciding_disallows(work);
        // An allow-list: named groups let their crawlers into a site that is closed to all others,
        // so they lack its rules on purpose.
        let mut site = ForOthers::Open;
        if disallows
            .iter()
            .any(|rule| matches_everything(rule.pattern))
        {
            site = ForOthers::Closed;
            disallows.clear();
        }
        if let Some(group) = &readers.everyone {
            self.allow_alone(group, EVERYONE, site, work);
        }
        let mut for_everyone = ForEveryone::new(self.file, self.other, disallows, self.text);
        let mut rules = MergedRules::new(self.robots_txt.dialect());
        for (group, agents) in &readers.named {
            if work.is_spent() {
                break;
            }
            self.compile(&mut rules, group, work);
            let agents = without_uses(agents);
            if agents.is_empty() {
                continue;
            }
            let named =
                self.closed_to_engines(group, &agents, &rules, (site, closed.is_some()), work);
            closed = closed.and_then(|site| {
                let is_for_search = agents.iter().any(|agent| keeps_open(agent));
                site.with(named.as_ref(), is_for_search)
            });
            self.allow_alone(group, &agents, site, work);
            rules.remove_allow_of_everything(work);
            self.findings
                .extend(for_everyone.dropped(group, &agents, &rules, work));
        }
        if let Some(site) = closed.filter(|_| !work.is_spent()) {
            let to_google = self.to_google.answer("Googlebot");
            self.findings.push(site.finding(self.file, to_google));
        }
        (self.findings, self.overruled)
    }

    fn compile(
        &mut self,
        rules: &mut MergedRules<'r>,
        group: &MergedGroup<'r>,
        work: &mut WorkBudget,
    ) {
        rules.compile(group.groups(), self.file, work);
        self.overruled.add_rules(rules, work);
    }

    /// The rule that closes the site to some agents, if the answer is wanted; reports it where it
    /// closes an open site to a large search engine.
    fn closed_to_engines(
        &mut self,
        group: &MergedGroup<'r>,
        agents: &[&[u8]],
        rules: &MergedRules<'_>,
        (site, is_closed): (ForOthers, bool),
        work: &mut WorkBudget,
    ) -> Option<Closing> {
        let mut engines = large_engines(agents);
        engines.retain(|_| site == ForOthers::Open);
        let is_asked = is_closed || !engines.is_empty();
        let closing = is_asked.then(|| rules.closing(work)).flatten()?;
        engines.retain(|(token, _)| matches!(self.to_google.answer(token), ToGoogle::Closed));
        if !engines.is_empty() {
            let finding = closing.of_engines(&engines, group, agents, self.file);
            self.findings.push(finding);
        }
        Some(closing)
    }

    fn allow_alone(
        &mut self,
        group: &MergedGroup<'r>,
        agents: &[&[u8]],
        site: ForOthers,
        work: &mut WorkBudget,
    ) {
        let found = allow_alone(group, agents, site, self.file, self.other, work);
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
