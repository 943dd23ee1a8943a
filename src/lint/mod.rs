//! What the rules of a file show together.

pub(crate) mod code;
pub(crate) mod comparison;
pub(crate) mod diagnostic;
mod generic_path;
mod prefixes;
mod set;
mod wildcards;
mod work;

#[cfg(doc)]
pub use crate::lint::code::codes;
pub use crate::lint::code::{DiagnosticCode, Severity};
pub use crate::lint::comparison::{Comparison, Difference, Disagreement};
pub use crate::lint::diagnostic::{Diagnostic, Sink};

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::document::groups::{Group, RuleRecord};
use crate::document::merged_groups::MergedGroup;
use crate::lint::set::{Disallow, Overruling, RulesOfSet};
use crate::lint::work::Work;
use crate::parse::line::{Separator, byte_order_mark_len, raw_record};
use crate::parse::part::Part;
use crate::robots::robots_txt::RobotsTxt;
use crate::text::quote::quote;

impl RobotsTxt {
    /// Looks for what no line shows alone, in the order of the file: rules that stand twice
    /// ([`DiagnosticCode::DuplicateRule`]) or can never decide ([`DiagnosticCode::ShadowedRule`]), and groups for named agents to whom the
    /// rules for everyone would apply without them ([`DiagnosticCode::WildcardRulesDropped`]).
    ///
    /// What lines show alone comes from [`RobotsTxt::parse_with`]. The findings are exact: a shadowed rule is one that
    /// decides about no URL for any agent that its group names. Left out are patterns with an escape whose meaning
    /// depends on the query (`%2F` behind a `*`). Files made to be slow, with thousands of patterns that may hold each
    /// other or of groups that share their rules, are looked at only so far that the time stays linear; what is found in
    /// them is exact as well.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::lint::Diagnostic;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /admin/\nDisallow: /search\nAllow: /search*\n\nUser-agent: ExampleBot\nCrawl-delay: 5");
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// robots_txt.lint(&mut found);
    /// let codes: Vec<(u32, &str)> = found.iter().map(|odd| (odd.line(), odd.code().as_str())).collect();
    /// assert_eq!(codes, [(3, "shadowed-rule"), (6, "wildcard-rules-dropped")]);
    /// ```
    pub fn lint(&self, sink: &mut (impl Sink + ?Sized)) {
        if !sink.is_listening() {
            return;
        }
        let mut findings = Lint::new(self).findings();
        findings.sort_by_key(|finding| (finding.line(), finding.span().start));
        for finding in findings {
            sink.report(finding);
        }
    }
}

struct Lint<'r> {
    robots_txt: &'r RobotsTxt,
    groups: Vec<Group<'r>>,
    /// By the line of a rule: in how many sets it never decides, and what does instead in the last of them.
    overruled: BTreeMap<u32, (usize, Overruling)>,
    work: Work,
    findings: Vec<Diagnostic>,
}

impl<'r> Lint<'r> {
    fn new(robots_txt: &'r RobotsTxt) -> Lint<'r> {
        Lint {
            robots_txt,
            groups: robots_txt.groups().collect(),
            overruled: BTreeMap::new(),
            work: Work::on_file(robots_txt.as_bytes().len()),
            findings: Vec::new(),
        }
    }

    fn findings(mut self) -> Vec<Diagnostic> {
        let file_len = self.robots_txt.as_bytes().len();
        let dialect = self.robots_txt.dialect();
        let (wildcard, named) = sets(self.robots_txt);
        let mut for_everyone = RulesOfSet::new(dialect, file_len);
        let mut disallows = Vec::new();
        if let Some(set) = &wildcard {
            self.look_at_rules(set, &mut for_everyone);
            disallows = for_everyone.deciding_disallows(&mut self.work);
        }
        let mut rules = RulesOfSet::new(dialect, file_len);
        for set in &named {
            if self.work.is_done() {
                break;
            }
            self.look_at_rules(set, &mut rules);
            self.look_for_dropped(set, &rules, &disallows);
        }
        self.report_overruled(wildcard.iter().chain(&named));
        self.findings
    }

    fn look_at_rules(&mut self, set: &MergedGroup<'r>, rules: &mut RulesOfSet) {
        rules.compile(set.groups(), &mut self.work);
        rules.for_each_overruled(&mut self.work, |rule, overruling| {
            let in_sets = self.overruled.entry(rule.line).or_insert((0, overruling));
            *in_sets = (in_sets.0 + 1, overruling);
        });
    }

    /// Which rules for everyone are about paths that no rule of this set is about.
    fn look_for_dropped(
        &mut self,
        set: &MergedGroup<'r>,
        rules: &RulesOfSet,
        for_everyone: &[Disallow<'_>],
    ) {
        // An empty `Disallow:` says that the agent may go everywhere.
        let misses_nothing = for_everyone.is_empty()
            || rules.is_about_everything(&mut self.work)
            || set.rules().any(|rule| rule.value().is_empty());
        if misses_nothing {
            return;
        }
        let mut dropped: Vec<String> = Vec::new();
        let mut last = 0;
        let mut more = "";
        let prefixes = rules.prefixes();
        for rule in for_everyone {
            if rule.line == last || rules.is_about(rule, &prefixes, &mut self.work) {
                continue;
            }
            if self.work.is_done() {
                break;
            }
            if dropped.len() == MOST_LISTED {
                more = " and more";
                break;
            }
            last = rule.line;
            dropped.push(format!("{} on line {last}", quote(rule.pattern)));
        }
        if dropped.is_empty() {
            return;
        }
        let agent = set.user_agent();
        let message = format!(
            "for {} this group takes the place of the rules for everyone, so it is free of {}{more}; repeat here what is to hold",
            quote(agent.value()),
            dropped.join(", ")
        );
        self.findings.push(Diagnostic::new(
            DiagnosticCode::WildcardRulesDropped,
            agent.line(),
            agent.part().span(),
            message,
        ));
    }

    /// A rule is told if it never decides in any of the sets that it is in.
    fn report_overruled<'s>(&mut self, sets: impl Iterator<Item = &'s MergedGroup<'r>>)
    where
        'r: 's,
    {
        if self.overruled.is_empty() {
            return;
        }
        let mut sets_of_groups = vec![0_usize; self.groups.len()];
        for group in sets.flat_map(MergedGroup::groups) {
            let at = self.place_of_group(group.line());
            if let Some(count) = sets_of_groups.get_mut(at) {
                *count += 1;
            }
        }
        let file = self.robots_txt.as_bytes();
        let all_rules: Vec<RuleRecord<'r>> = self.groups.iter().flat_map(Group::rules).collect();
        for (line, (sets, overruling)) in &self.overruled {
            let at = self.place_of_group(*line);
            if sets_of_groups.get(at) != Some(sets) {
                continue;
            }
            let Ok(place) = all_rules.binary_search_by_key(line, RuleRecord::line) else {
                continue;
            };
            let (earlier, from) = all_rules.split_at(place);
            let Some(rule) = from.first() else {
                continue;
            };
            let (code, message) = told(*overruling, *rule, &all_rules);
            let end = rule.part().end();
            let before = file.get(..end).unwrap_or_default();
            let start = memchr::memrchr2(b'\n', b'\r', before)
                .map_or(byte_order_mark_len(file), |at| at.saturating_add(1));
            let finding = Diagnostic::new(code, *line, start..end, message);
            // Without the first rule of a group the agents below would belong to the group above.
            let is_first = earlier
                .last()
                .is_none_or(|other| self.place_of_group(other.line()) != at);
            let can_go = !is_first && can_be_emptied(file, start..end, *rule);
            self.findings.push(if can_go {
                finding.with_suggestion("")
            } else {
                finding
            });
        }
    }

    /// Of the group that a line is in.
    fn place_of_group(&self, line: u32) -> usize {
        self.groups
            .partition_point(|group| group.line() <= line)
            .saturating_sub(1)
    }
}

/// The set of rules for everyone, if there is one, and each other set once: agents of the same groups share it.
fn sets(robots_txt: &RobotsTxt) -> (Option<MergedGroup<'_>>, Vec<MergedGroup<'_>>) {
    let (wildcard, mut named): (Vec<_>, Vec<_>) = robots_txt
        .merged_groups()
        .partition(|set| set.user_agent().is_wildcard());
    let compare = |one: &MergedGroup<'_>, other: &MergedGroup<'_>| {
        let ones = one.groups().map(|group| group.line());
        ones.cmp(other.groups().map(|group| group.line()))
    };
    named.sort_by(compare);
    named.dedup_by(|one, other| compare(one, other).is_eq());
    (wildcard.into_iter().next(), named)
}

/// Whether the text of a rule can be taken from its line. What [`RobotsTxt::parse_with`] has a suggestion for is mended
/// first, as suggestions do not overlap.
fn can_be_emptied(file: &[u8], span: Range<usize>, rule: RuleRecord<'_>) -> bool {
    let name = rule.access().as_str().as_bytes();
    let text = file.get(span.clone()).unwrap_or_default();
    let is_standard = raw_record(Part::new(span.start, text)).is_ok_and(|record| {
        record.separator == Separator::Colon && record.field.bytes.eq_ignore_ascii_case(name)
    });
    // Between a CR and an LF there is a line only while it holds something.
    let before = file.get(..span.start).unwrap_or_default();
    let is_all_that_parts = before.ends_with(b"\r") && file.get(span.end) == Some(&b'\n');
    is_standard && rule.value().iter().all(u8::is_ascii_graphic) && !is_all_that_parts
}

fn told(
    overruling: Overruling,
    rule: RuleRecord<'_>,
    all_rules: &[RuleRecord<'_>],
) -> (DiagnosticCode, Cow<'static, str>) {
    match overruling {
        Overruling::RobotsTxtItself => (
            DiagnosticCode::ShadowedRule,
            "this rule never decides: /robots.txt itself is always allowed".into(),
        ),
        Overruling::Rule {
            line,
            is_same: true,
            ..
        } => (
            DiagnosticCode::DuplicateRule,
            format!("{} stands on line {line} already", quote(rule.value())).into(),
        ),
        Overruling::Rule { line, access, .. } => {
            let place = all_rules.binary_search_by_key(&line, RuleRecord::line);
            let other = place.ok().and_then(|place| all_rules.get(place));
            let value = other.map_or(&b""[..], RuleRecord::value);
            let message = format!(
                "this rule never decides: the `{access}` {} on line {line} matches all of its paths and takes precedence",
                quote(value)
            );
            (DiagnosticCode::ShadowedRule, message.into())
        }
    }
}

/// Rules that one finding lists.
const MOST_LISTED: usize = 3;
