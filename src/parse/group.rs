//! Directives → groups: where a group starts, what belongs to it, and whose it is.

use crate::agent::{AgentMatch, AgentSet};
use crate::parse::field::{ExtensionField, ExtensionLevel};

/// Folds the records of a file into groups, without keeping any.
///
/// Two groupings run side by side. RFC 9309's decides verdicts: a group's list of agents is ended by an `Allow`
/// or `Disallow` line only, whatever stands in between (§2.1, §2.2.4; real files put `Crawl-delay` there).
/// The *extension run* decides to whom a `Crawl-delay` belongs, where authors mean the lines directly above:
/// it is ended by an extension record of group level too. So in
///
/// ```text
/// User-agent: a
/// Crawl-delay: 1
/// User-agent: b
/// Crawl-delay: 2
/// Disallow: /
/// ```
///
/// `a` has a delay of 1 and `b` of 2, while the `Disallow` binds both.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Grouping {
    agents: AgentList,
    run: AgentList,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum AgentList {
    #[default]
    Missing,
    Open,
    Ended,
}

/// What a `User-agent` line begins besides adding a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    Nothing,
    Run,
    /// A group, and with it a run: what ends the agents of a group ends the run too.
    Group,
}

impl Grouping {
    pub(crate) fn user_agent(&mut self) -> Begins {
        let begins = if self.agents != AgentList::Open {
            Begins::Group
        } else if self.run != AgentList::Open {
            Begins::Run
        } else {
            Begins::Nothing
        };
        self.agents = AgentList::Open;
        self.run = AgentList::Open;
        begins
    }

    /// Whether the rule is in a group at all (RFC 9309 §2.2.2: one before any group is ignored).
    pub(crate) fn rule(&mut self) -> bool {
        let is_in_group = self.agents != AgentList::Missing;
        if is_in_group {
            self.agents = AgentList::Ended;
            self.run = AgentList::Ended;
        }
        is_in_group
    }

    pub(crate) fn extension(&mut self, level: ExtensionLevel) {
        if level == ExtensionLevel::Group && self.run == AgentList::Open {
            self.run = AgentList::Ended;
        }
    }

    /// Where an extension record stands that comes next.
    pub(crate) fn placement(&self, field: ExtensionField) -> Placement {
        match (field.level(), self.run) {
            (ExtensionLevel::File, _) => Placement::File,
            (ExtensionLevel::Group, AgentList::Open | AgentList::Ended) => Placement::Run,
            (ExtensionLevel::Group, AgentList::Missing) if field.is_for_all_above_groups() => {
                Placement::File
            }
            (ExtensionLevel::Group, AgentList::Missing) => Placement::Nowhere,
        }
    }
}

/// Where an extension record stands, which tells to whom it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    File,
    Run,
    /// Above every `User-agent` line, where it speaks to nobody.
    Nowhere,
}

/// To whom an extension record speaks, from where a set of agents stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Audience {
    Everyone,
    Us,
    Others,
}

/// Which records of a file are for a set of agents, asked in the order of the file.
///
/// The wildcard groups count until a group names one of the agents, then never again (RFC 9309 §2.2.1), so a
/// caller that keeps what [`Selection::rule`] accepts drops it all when [`Selection::user_agent`] says so.
#[derive(Debug)]
pub(crate) struct Selection<'a> {
    agents: AgentSet<'a>,
    grouping: Grouping,
    group: AgentMatch,
    run: AgentMatch,
    best: AgentMatch,
}

/// What a `User-agent` line does to what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    Nothing,
    /// The group is one of those that apply from here on.
    Applies,
    /// The same, and what was kept was the wildcard's: now only named groups count.
    Supersedes,
}

impl<'a> Selection<'a> {
    pub(crate) fn new(agents: AgentSet<'a>) -> Selection<'a> {
        Selection {
            agents,
            grouping: Grouping::default(),
            group: AgentMatch::None,
            run: AgentMatch::None,
            best: AgentMatch::None,
        }
    }

    pub(crate) fn user_agent(&mut self, value: &[u8]) -> Naming {
        match self.grouping.user_agent() {
            Begins::Group => {
                self.group = AgentMatch::None;
                self.run = AgentMatch::None;
            }
            Begins::Run => self.run = AgentMatch::None,
            Begins::Nothing => {}
        }
        let this = self.agents.match_value(value);
        let before = self.best;
        let applied = self.is_in_force(self.group);
        self.group = self.group.max(this);
        self.run = self.run.max(this);
        self.best = self.best.max(this);
        if self.best == AgentMatch::Named && before == AgentMatch::Wildcard {
            Naming::Supersedes
        } else if !applied && self.is_in_force(self.group) {
            Naming::Applies
        } else {
            Naming::Nothing
        }
    }

    pub(crate) fn rule(&mut self) -> bool {
        self.grouping.rule() && self.is_in_force(self.group)
    }

    pub(crate) fn extension(&mut self, field: ExtensionField) -> Audience {
        let placement = self.grouping.placement(field);
        self.grouping.extension(field.level());
        match placement {
            Placement::File => Audience::Everyone,
            Placement::Run if self.is_in_force(self.run) => Audience::Us,
            Placement::Run | Placement::Nowhere => Audience::Others,
        }
    }

    /// How the file speaks to the agents; final after its last record.
    pub(crate) fn agent_match(&self) -> AgentMatch {
        self.best
    }

    fn is_in_force(&self, applies: AgentMatch) -> bool {
        applies != AgentMatch::None && applies == self.best
    }
}
