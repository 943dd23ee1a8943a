//! Directives to groups: where a group starts, which records belong to it, and which agents it is
//! for.

use core::mem;

use crate::agent::{AgentMatch, AgentSet};
use crate::parse::field::{Directive, ExtensionField, ExtensionLevel};

/// Folds the records of a file into groups, without keeping any.
///
/// ```text
/// robotstxt = *( group / emptyline )
/// group     = startgroupline *( startgroupline / emptyline ) *( rule / emptyline )
/// ```
///
/// Two groupings run side by side. RFC 9309's decides verdicts: a group's list of agents is ended
/// by an `Allow` or `Disallow` line only, whatever stands in between (§2.1, §2.2.4; real files put
/// `Crawl-delay` there). The *extension run* decides whom a `Crawl-delay` applies to. Authors mean
/// the lines directly above, so an extension record of group level ends a run too. In
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
pub(crate) enum Grouping {
    /// No `User-agent` line came yet.
    #[default]
    Above,
    /// The list of agents and the run are open.
    Agents,
    /// An extension record ended the run; the list of agents is open.
    Extensions,
    /// A rule ended both.
    Rules,
}

/// The place of a record among the groups of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Membership {
    /// A `User-agent` record.
    Agent(Opening),
    /// A rule of the last group.
    Rule,
    /// A rule before any group, which is ignored (RFC 9309 §2.2.2).
    StrayRule,
    Extension(ExtensionField, Placement),
}

/// The lists that a `User-agent` line starts, besides adding a name to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    Nothing,
    Run,
    /// A group, and with it a run: whatever ends the agents of a group ends the run too.
    Group,
}

/// The place of an extension record, which decides whom it applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    File,
    Run,
    /// Above every `User-agent` line, where it applies to nobody.
    Nowhere,
}

impl Grouping {
    /// Takes the next record of the file.
    #[inline]
    pub(crate) fn next(&mut self, directive: Directive) -> Membership {
        match directive {
            Directive::UserAgent => Membership::Agent(self.user_agent()),
            Directive::Rule(_) if self.rule() => Membership::Rule,
            Directive::Rule(_) => Membership::StrayRule,
            Directive::Extension(field) => Membership::Extension(field, self.extension(field)),
        }
    }

    /// Whether a `User-agent` line came, so that rules are in a group.
    #[inline]
    pub(crate) fn has_group(self) -> bool {
        !matches!(self, Grouping::Above)
    }

    #[inline]
    fn user_agent(&mut self) -> Opening {
        match mem::replace(self, Grouping::Agents) {
            Grouping::Above | Grouping::Rules => Opening::Group,
            Grouping::Extensions => Opening::Run,
            Grouping::Agents => Opening::Nothing,
        }
    }

    /// Whether the rule is in a group.
    #[inline]
    fn rule(&mut self) -> bool {
        let is_in_group = self.has_group();
        if is_in_group {
            *self = Grouping::Rules;
        }
        is_in_group
    }

    #[inline]
    fn extension(&mut self, field: ExtensionField) -> Placement {
        match (field.level(), *self) {
            (ExtensionLevel::File, _) => Placement::File,
            (_, Grouping::Above) if field.is_for_everyone_above_groups() => Placement::File,
            (_, Grouping::Above) => Placement::Nowhere,
            (_, Grouping::Rules) => Placement::Run,
            (_, Grouping::Agents | Grouping::Extensions) => {
                *self = Grouping::Extensions;
                Placement::Run
            }
        }
    }
}

/// Selects the records of a file that apply to a set of agents, in the order of the file.
///
/// The wildcard groups count until a group names one of the agents, and never again after it (RFC
/// 9309 §2.2.1). So a caller keeps the rules that [`Selection::rule`] accepts, and drops all of
/// them when [`Selection::user_agent`] returns [`Naming::Supersedes`].
#[derive(Debug)]
pub(crate) struct Selection<'a> {
    agents: AgentSet<'a>,
    grouping: Grouping,
    group: AgentMatch,
    run: AgentMatch,
    best: AgentMatch,
}

/// The effect of a `User-agent` line on the selected records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    Nothing,
    /// The group applies from here on.
    Applies,
    /// The group applies, and the wildcard's records no longer do: now only named groups count.
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
        let opening = self.grouping.user_agent();
        if opening == Opening::Group {
            self.group = AgentMatch::None;
        }
        if opening != Opening::Nothing {
            self.run = AgentMatch::None;
        }
        let applied = self.is_in_force(self.group);
        let this = self.agents.match_value(value);
        let supersedes = self.best == AgentMatch::Wildcard && this == AgentMatch::Named;
        self.group = self.group.max(this);
        self.run = self.run.max(this);
        self.best = self.best.max(this);
        if supersedes {
            Naming::Supersedes
        } else if !applied && self.is_in_force(self.group) {
            Naming::Applies
        } else {
            Naming::Nothing
        }
    }

    /// Whether the next rule applies to the agents.
    pub(crate) fn rule(&mut self) -> bool {
        self.grouping.rule() && self.is_in_force(self.group)
    }

    /// The part of the file that the next extension record applies to; `None` if that is not for
    /// the agents.
    pub(crate) fn extension(&mut self, field: ExtensionField) -> Option<ExtensionLevel> {
        match self.grouping.extension(field) {
            _ if self.agents.is_policy() => None,
            Placement::File => Some(ExtensionLevel::File),
            Placement::Run if self.is_in_force(self.run) => Some(ExtensionLevel::Group),
            Placement::Run | Placement::Nowhere => None,
        }
    }

    /// The groups that the rules were taken from; final after the last record of the file.
    pub(crate) fn agent_match(&self) -> AgentMatch {
        self.best
    }

    fn is_in_force(&self, applies: AgentMatch) -> bool {
        applies != AgentMatch::None && applies == self.best
    }
}
