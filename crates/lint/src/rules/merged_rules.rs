//! The compiled rules of one merged group, and which of them never decide.

use polite_robots::document::Group;
use polite_robots::{Access, Dialect};

use crate::groups::file_rules::FileRules;
use crate::order::places_in_order;
use crate::rules::compiled_rule::CompiledRule;
use crate::rules::generic_path::for_each_generic_path;
use crate::rules::prefix_index::PrefixIndex;
use crate::rules::site_closed::{Closing, MOST_EXCEPTIONS, is_resource, is_small_exception};
use crate::rules::wildcard_index::WildcardIndex;

/// The rules of one merged group at a time; the memory is reused for the next group.
#[derive(Debug)]
pub(super) struct MergedRules<'p, 'r> {
    file: &'p FileRules<'r>,
    /// The rules in the order of the file.
    rules: Vec<CompiledRule<'r>>,
    /// The patterns with `*`. A pattern without `*` that covers another one is shorter, so it never
    /// takes precedence.
    wildcards: WildcardIndex,
    /// The places of the rules in the order of their patterns, and then of the file.
    by_pattern: Vec<usize>,
    /// The place, for each rule, of its duplicate that takes precedence: a rule with the same
    /// pattern.
    twins: Vec<Option<usize>>,
    /// A buffer for generic paths.
    path: Vec<u8>,
}

/// The reason why a rule never decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overruling {
    /// Another rule takes precedence.
    Rule { line: u32, access: Access },
    /// A rule with the same pattern and access takes precedence.
    SameRule { line: u32 },
    /// The rule matches `/robots.txt` only, which RFC 9309 §2.2.2 always allows.
    RobotsTxtItself,
}

impl Overruling {
    /// Whether the paths of the rule get the opposite of what it says.
    pub(super) fn is_opposite_of(self, of_rule: Access) -> bool {
        match self {
            Overruling::Rule { access, .. } => access != of_rule,
            Overruling::SameRule { .. } => false,
            Overruling::RobotsTxtItself => of_rule == Access::Disallow,
        }
    }
}

/// A `Disallow` rule that decides about some paths.
#[derive(Debug)]
pub(super) struct DecidingDisallow<'a> {
    pub(super) line: u32,
    pub(super) pattern: &'a [u8],
    /// A generic path about which it decides.
    path: Box<[u8]>,
}

impl<'p, 'r> MergedRules<'p, 'r> {
    pub(super) fn of(file: &'p FileRules<'r>) -> MergedRules<'p, 'r> {
        MergedRules {
            file,
            rules: Vec::new(),
            wildcards: WildcardIndex::default(),
            by_pattern: Vec::new(),
            twins: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Replaces the rules by those of some groups.
    pub(super) fn compile(&mut self, groups: impl Iterator<Item = Group<'r>>) {
        let (file, dialect) = (self.file, self.file.robots_txt.dialect());
        self.rules.clear();
        for group in groups {
            file.work.spend(group.record_count());
            for rule in file.of_group(group) {
                file.work.spend_on_text(rule.value().len());
                CompiledRule::push(&mut self.rules, *rule, dialect);
            }
        }
        self.index();
    }

    /// Takes out each `Allow` of everything: that is the default, so it decides nothing about a
    /// path that another rule matches.
    pub(super) fn remove_allow_of_everything(&mut self) {
        let len = self.rules.len();
        self.rules
            .retain(|rule| rule.access == Access::Disallow || !matches_everything(rule.pattern()));
        if self.rules.len() < len {
            self.file.work.spend(len);
            self.index();
        }
    }

    /// Whether there is no rule with a path.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn index(&mut self) {
        self.wildcards.fill(&self.rules);
        self.find_twins();
    }

    fn find_twins(&mut self) {
        let pattern = |at: usize| self.rules.get(at).map(|rule| equivalent(rule.pattern()));
        self.by_pattern = places_in_order(self.rules.len(), &|one, other| {
            pattern(one).cmp(&pattern(other))
        });
        self.twins.clear();
        self.twins.resize(self.rules.len(), None);
        let precedence = |at: usize| self.rules.get(at).map(CompiledRule::precedence);
        for same in self
            .by_pattern
            .chunk_by(|one, other| pattern(*one) == pattern(*other))
        {
            let mut same = same.iter().copied();
            let Some(mut winner) = same.next() else {
                continue;
            };
            for next in same {
                let mut loser = next;
                if precedence(next) > precedence(winner) {
                    (winner, loser) = (next, winner);
                }
                if let Some(twin) = self.twins.get_mut(loser) {
                    *twin = Some(winner);
                }
            }
        }
    }

    /// Whether a rule has this pattern, or the other way to write it.
    fn has_pattern(&self, pattern: &[u8]) -> bool {
        let wanted = equivalent(pattern);
        let place = self.by_pattern.binary_search_by(|at| {
            let pattern = self.rules.get(*at).map(CompiledRule::pattern);
            equivalent(pattern.unwrap_or_default()).cmp(wanted)
        });
        place.is_ok()
    }

    /// Visits the rules that never decide, each with the reason.
    pub(super) fn for_each_overruled(&mut self, mut visit: impl FnMut(u32, Overruling)) {
        let mut path = core::mem::take(&mut self.path);
        for (rule, twin) in self.rules.iter().zip(&self.twins) {
            if !rule.is_written {
                continue;
            }
            let overruling = match twin.and_then(|twin| self.rules.get(twin)) {
                Some(twin) => Some(self.overruling_by_twin(rule, twin, &mut path)),
                None => self.overruling(rule, &mut path),
            };
            if let Some(overruling) = overruling {
                visit(rule.line, overruling);
            }
        }
        self.path = path;
    }

    /// The reason why a rule decides about none of its paths; `None` if it decides about some.
    fn overruling(&self, rule: &CompiledRule<'_>, path: &mut Vec<u8>) -> Option<Overruling> {
        let pattern = rule.pattern();
        let least = Some(rule.precedence());
        if pattern != ROBOTS_TXT
            && !self
                .wildcards
                .has_candidate(pattern, least, &self.file.work)
        {
            return None;
        }
        let mut decides = rule.depends_on_query;
        let mut overruling = None;
        for_each_generic_path(pattern, path, |path| {
            match self.overruling_at(rule, path) {
                None => decides = true,
                // The opposite answer is the one that matters to the owner.
                some => {
                    let is_opposite = |of: &Overruling| of.is_opposite_of(rule.access);
                    overruling = overruling.filter(is_opposite).or(some);
                }
            }
        });
        overruling.filter(|_| !decides)
    }

    fn overruling_at(&self, rule: &CompiledRule<'_>, path: &[u8]) -> Option<Overruling> {
        if path == b"/robots.txt" && self.file.robots_txt.dialect() == Dialect::Rfc9309 {
            return Some(Overruling::RobotsTxtItself);
        }
        let pattern = rule.pattern();
        let least = Some(rule.precedence());
        let other = self
            .wildcards
            .deciding(&self.rules, pattern, path, least, &self.file.work)?;
        Some(self.overruling_by(rule, other))
    }

    /// The overruling by the rule that really decides, if the duplicate says the opposite and never
    /// decides: an `Allow: /` does not open `Disallow: /` beside a `Disallow: /*`.
    fn overruling_by_twin(
        &self,
        rule: &CompiledRule<'_>,
        twin: &CompiledRule<'_>,
        path: &mut Vec<u8>,
    ) -> Overruling {
        let by_twin = self.overruling_by(rule, twin);
        match by_twin.is_opposite_of(rule.access) {
            true => self.overruling(twin, path).unwrap_or(by_twin),
            false => by_twin,
        }
    }

    fn overruling_by(&self, rule: &CompiledRule<'_>, other: &CompiledRule<'_>) -> Overruling {
        let line = other.line;
        if rule.access == other.access && rule.pattern() == other.pattern() {
            Overruling::SameRule { line }
        } else {
            Overruling::Rule {
                line,
                access: other.access,
            }
        }
    }

    /// The `Disallow` rules that decide, once for each generic path about which they do.
    pub(super) fn deciding_disallows(&self) -> Vec<DecidingDisallow<'_>> {
        let mut disallows = Vec::new();
        let mut path = Vec::new();
        for (rule, twin) in self.rules.iter().zip(&self.twins) {
            if rule.access == Access::Allow || twin.is_some() {
                continue;
            }
            let pattern = rule.pattern();
            for_each_generic_path(pattern, &mut path, |path| {
                if self.overruling_at(rule, path).is_none() && !self.file.work.is_spent() {
                    disallows.push(DecidingDisallow {
                        line: rule.line,
                        pattern,
                        path: path.into(),
                    });
                }
            });
        }
        disallows
    }

    /// The `Disallow` that closes every path, if the rules open a few paths at most.
    pub(super) fn closing(&self) -> Option<Closing> {
        let rules = || {
            let rules = self.rules.iter().zip(&self.twins);
            rules.filter_map(|(rule, twin)| twin.is_none().then_some(rule))
        };
        let closes = |rule: &&CompiledRule<'_>| {
            rule.access == Access::Disallow && matches_everything(rule.pattern())
        };
        let closing = rules().find(closes)?;
        let all_closing = self.rules.iter().filter(closes).map(|rule| rule.line);
        let mut path = Vec::new();
        let (mut exceptions, mut has_resources, mut home_page) = (0_usize, false, None);
        for rule in rules().filter(|rule| rule.access == Access::Allow) {
            if self.overruling(rule, &mut path).is_some() {
                continue;
            }
            match rule.pattern() {
                b"/$" => home_page = Some(rule.line),
                pattern if is_resource(pattern) => has_resources = true,
                _ => exceptions += 1,
            }
            if exceptions > MOST_EXCEPTIONS || !is_small_exception(rule.pattern()) {
                return None;
            }
        }
        (!self.file.work.is_spent()).then_some(Closing {
            line: closing.line,
            lines: all_closing.collect(),
            has_exceptions: exceptions > 0 || has_resources,
            home_page,
        })
    }

    /// The patterns without `*`, for [`MergedRules::match_path_of`].
    pub(super) fn prefix_index(&self) -> PrefixIndex<'_> {
        PrefixIndex::new(&self.rules)
    }

    /// Whether a rule matches the path of a `Disallow` for everyone.
    pub(super) fn match_path_of(
        &self,
        disallow: &DecidingDisallow<'_>,
        prefixes: &PrefixIndex<'_>,
    ) -> bool {
        let DecidingDisallow { pattern, path, .. } = disallow;
        self.file.work.spend_on_text(path.len());
        // Named groups often repeat the rules for everyone, so the cheap test comes first.
        self.has_pattern(pattern)
            || prefixes.has_match(path)
            || self.wildcard_matches(pattern, path)
    }

    /// Whether a rule matches every path.
    pub(super) fn match_everything(&self) -> bool {
        self.has_pattern(b"/") || self.wildcard_matches(b"/", GENERIC_PATH_OF_ROOT)
    }

    fn wildcard_matches(&self, pattern: &[u8], path: &[u8]) -> bool {
        self.wildcards
            .deciding(&self.rules, pattern, path, None, &self.file.work)
            .is_some()
    }
}

/// One pattern for both that match the same: `*` is `/`. No other two patterns of one length are
/// equivalent.
fn equivalent(pattern: &[u8]) -> &[u8] {
    if pattern == b"*" { b"/" } else { pattern }
}

/// Whether a pattern matches every path: `/`, `*`, `/*`.
pub(super) fn matches_everything(pattern: &[u8]) -> bool {
    let open = match pattern {
        [open @ .., b'*', b'$'] => open,
        open => open,
    };
    let is_star = |byte: &u8| *byte == b'*';
    let stars = open.iter().take_while(|byte| is_star(byte)).count();
    let rest = open.get(stars..).unwrap_or_default();
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    !pattern.is_empty() && rest.iter().all(is_star)
}

/// The generic path of the pattern `/`.
const GENERIC_PATH_OF_ROOT: &[u8] = b"/\xFF";

/// The only pattern that matches `/robots.txt` and no other path.
const ROBOTS_TXT: &[u8] = b"/robots.txt$";
