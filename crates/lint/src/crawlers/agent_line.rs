//! [`AgentLine`]: a `User-agent` line among the groups of its file.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashSet};

use polite_robots::RobotsTxt;
use polite_robots::document::{Group, UserAgent};
use polite_robots_audit::known::KnownCrawler;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::crawlers::names::{name, names_of, renamed};
use crate::diagnostic::Diagnostic;
use crate::group_text::GroupText;
use crate::proposal::Proposal;
use crate::text::line::{line_at, without_lines};

/// A file with its names, and the number of rule comparisons that are still allowed: a hostile file
/// has thousands of names and of rules.
pub(super) struct File<'r> {
    pub(super) robots_txt: &'r RobotsTxt,
    names: OnceCell<HashSet<String>>,
    comparisons: Cell<usize>,
}

impl<'r> File<'r> {
    pub(super) fn new(robots_txt: &'r RobotsTxt) -> File<'r> {
        File {
            robots_txt,
            names: OnceCell::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
        }
    }

    /// Whether a group of the file names the crawler.
    pub(super) fn names(&self, crawler: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let groups = self.robots_txt.groups();
            names_of(groups.flat_map(|group| group.user_agents()))
        });
        names.contains(&crawler.to_ascii_lowercase())
    }

    /// Whether two names have the same rules; `false` also after too many comparisons.
    fn have_same_rules(&self, one: &str, other: &str) -> bool {
        let Some(left) = self.comparisons.get().checked_sub(1) else {
            return false;
        };
        self.comparisons.set(left);
        let [Ok(one), Ok(other)] = [one, other].map(|name| self.robots_txt.robot(name)) else {
            return false;
        };
        let [one, other] = [&one, &other].map(|robot| {
            let rules = robot.rules();
            rules
                .map(|rule| (rule.access(), rule.pattern()))
                .collect::<BTreeSet<_>>()
        });
        one == other
    }
}

/// Far more wrong names than any known file has beside the right ones.
const MOST_COMPARISONS: usize = 20;

/// A group, and the facts about it that are looked up once for all its agents.
pub(super) struct AgentGroup<'r> {
    group: Group<'r>,
    names: OnceCell<HashSet<String>>,
    has_wildcard: OnceCell<bool>,
}

impl<'r> AgentGroup<'r> {
    pub(super) fn new(group: Group<'r>) -> AgentGroup<'r> {
        AgentGroup {
            group,
            names: OnceCell::new(),
            has_wildcard: OnceCell::new(),
        }
    }

    pub(super) fn line(&self) -> u32 {
        self.group.line()
    }

    /// Whether a line of the group has the name.
    pub(super) fn names(&self, token: &str) -> bool {
        let agents = || names_of(self.group.user_agents());
        let names = self.names.get_or_init(agents);
        names.contains(&token.to_ascii_lowercase())
    }

    /// Whether a crawler without a group for its own name obeys the group: the group names
    /// everyone, or another crawler to whose rules this one falls back, as Googlebot-Image to those
    /// of Googlebot.
    pub(super) fn is_second_choice_of(&self, crawler: &KnownCrawler) -> bool {
        let mut second = crawler.falls_back_to().iter();
        second.any(|token| self.names(token)) || self.has_wildcard()
    }

    fn has_wildcard(&self) -> bool {
        let is_among = || self.group.user_agents().any(|agent| agent.is_wildcard());
        *self.has_wildcard.get_or_init(is_among)
    }
}

/// A `User-agent` line with its group and its file.
#[derive(Clone, Copy)]
pub(super) struct AgentLine<'f, 'r> {
    pub(super) file: &'f File<'r>,
    pub(super) group: &'f AgentGroup<'r>,
    pub(super) agent: UserAgent<'r>,
}

impl<'r> AgentLine<'_, 'r> {
    /// The name that this library compares.
    pub(super) fn token(&self) -> &'r str {
        name(self.agent.value())
    }

    /// Whether a crawler has the rules of the group by its own name. A list of all spellings does
    /// no harm: the right one is in the same group, or in another one with the same rules.
    pub(super) fn gives_rules_to(&self, crawler: &KnownCrawler) -> bool {
        let own = crawler.token();
        match self.file.names(own) {
            true => self.group.names(own) || self.file.have_same_rules(self.token(), own),
            false => self.group.is_second_choice_of(crawler),
        }
    }

    /// Whether a rule of the group closes the whole site.
    pub(super) fn closes_site(&self) -> bool {
        let rules = self.group.group.rules().take(MOST_RULES);
        let mut values = rules.filter(|rule| rule.access() == polite_robots::Access::Disallow);
        values.any(|rule| matches!(rule.value(), b"/" | b"*" | b"/*"))
    }

    pub(super) fn finding(&self, code: DiagnosticCode, advice: impl Into<Advice>) -> Diagnostic {
        Diagnostic::on(&self.agent, code, advice)
    }

    /// The finding that no crawler has the name, with others to write in its place.
    pub(super) fn misspelled(&self, message: String, names: &[&str]) -> Diagnostic {
        let advice = Advice::new(message).propose_all(renamed(self.agent, names));
        self.finding(DiagnosticCode::MisspelledCrawler, advice)
    }

    /// Proposes another name on the line below, in this group and in the other groups of this name:
    /// a crawler that finds its name in one of them obeys that group only.
    pub(super) fn beside(&self, other: &str) -> Proposal {
        let file = self.file.robots_txt.as_bytes();
        let text = format!("User-agent: {other}");
        let below = |agent: UserAgent<'_>| {
            let line = line_at(file, agent.span().start);
            Proposal::line_below(file, line, &text)
        };
        let own = self.group.group.line();
        let is_same =
            |agent: &UserAgent<'_>| name(agent.value()).eq_ignore_ascii_case(self.token());
        let groups = self.file.robots_txt.groups().take(MOST_GROUPS);
        let others = groups.filter(|group| group.line() != own);
        let others = others.filter_map(|group| group.user_agents().find(is_same));
        others.fold(below(self.agent), |all, agent| all.with(&below(agent)))
    }

    /// Removes the line, and with the only line of a group its records: without a name they would
    /// fall to the group above.
    pub(super) fn removal(&self) -> Option<Proposal> {
        let file = self.file.robots_txt.as_bytes();
        let start = self.agent.span().start;
        if self.group.group.user_agents().nth(1).is_some() {
            return without_lines(file, [start]);
        }
        let mut groups = self.file.robots_txt.groups();
        let next = groups.find(|group| group.line() > self.agent.line());
        let text = GroupText::of(file, self.group.group, next)?;
        let lines = text.agents.iter().chain(&text.records);
        without_lines(file, lines.map(|line| line.start))
    }
}

/// Groups that are looked at for each old name.
const MOST_GROUPS: usize = 100;

/// Rules of a group that are looked at for each of its agents.
const MOST_RULES: usize = 100;
