//! Finds groups for named agents that lack rules for everyone.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use polite_robots::document::{Group, MergedGroup, RuleRecord, leading_token};
use polite_robots::text::quote;
use polite_robots::{Access, Robot};
use polite_robots_audit::example_path::example_path;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
use crate::groups::file_rules::FileRules;
use crate::lines::{Text, has_dot_segment};
use crate::proposal::Proposal;
use crate::rule_text::RuleText;
use crate::rules::closed_files::{is_googlebot, is_of_resources};
use crate::rules::google_reading::OtherReading;
use crate::rules::merged_rules::{DecidingDisallow, MergedRules, matches_everything};
use crate::sentence;
use crate::text::line::line_at;
use crate::text::private_names::is_restricted;
use crate::text::words::is_one_of;

/// The rules for everyone, which named groups may lack.
pub(super) struct ForEveryone<'a, 'r> {
    file: &'a FileRules<'r>,
    other: &'a OtherReading<'a, 'r>,
    disallows: Vec<DecidingDisallow<'a>>,
    /// The lines of those about areas that are not for the public.
    restricted: OnceCell<BTreeSet<u32>>,
    /// Bytes of proposals that may still be written: thousands of groups may lack thousands of
    /// rules.
    text_left: usize,
}

impl<'a, 'r> ForEveryone<'a, 'r> {
    pub(super) fn new(
        file: &'a FileRules<'r>,
        other: &'a OtherReading<'a, 'r>,
        disallows: Vec<DecidingDisallow<'a>>,
        text: Text,
    ) -> ForEveryone<'a, 'r> {
        let text_left = match text {
            Text::Read => MOST_TEXT.saturating_add(file.bytes().len()),
            Text::Unread => 0,
        };
        ForEveryone {
            file,
            other,
            disallows,
            restricted: OnceCell::new(),
            text_left,
        }
    }

    /// Reports a named group if a `Disallow` for everyone closes paths that no rule of the group
    /// matches. `rules` are those of the group without an `Allow` of everything, which decides
    /// nothing.
    pub(super) fn dropped(
        &mut self,
        group: &MergedGroup<'_>,
        agents: &[&[u8]],
        rules: &MergedRules<'_, '_>,
    ) -> Option<Diagnostic> {
        if self.disallows.is_empty() || rules.match_everything() {
            return None;
        }
        let mut missed = self.missed(group, agents, rules);
        // With `Allow: /` alone the owner opens the site to a crawler by its name.
        let is_opened = rules.is_empty() && has_rule(group, self.file);
        let is_of_lists = |rule: &&RuleRecord<'_>| is_of_lists(rule.value());
        if missed.is_empty() || is_opened && missed.iter().all(is_of_lists) {
            return None;
        }
        let repetition = match self.file.work.is_spent() {
            false => self.repetition(group, agents, &missed),
            true => None,
        };
        let fix = match &repetition {
            Some(_) => "; if that is not meant, repeat those rules here",
            None => "",
        };
        let is_grave = |rule: &RuleRecord<'_>| self.restricted().contains(&rule.line());
        missed.sort_by_cached_key(|rule| !is_grave(rule));
        let is_of_area = || missed.first().is_some_and(|rule| is_grave(rule));
        let is_warning = !is_opened || is_of_area() && !agents.iter().all(is_of_media);
        let message = format!(
            "{} may fetch {}, which the group for `*` closes, because a crawler with a group of its own reads no other{fix}",
            sentence::agents(agents),
            list(&missed),
        );
        let code = DiagnosticCode::WildcardRulesDropped;
        let advice = Advice::new(message).propose_all(repetition);
        let finding = Diagnostic::on(&group.user_agent(), code, advice);
        Some(finding.with_severity(match is_warning {
            true => Severity::Warning,
            false => Severity::Note,
        }))
    }

    /// The rules that the group lacks, in the order of the file.
    fn missed(
        &self,
        group: &MergedGroup<'_>,
        agents: &[&[u8]],
        rules: &MergedRules<'_, '_>,
    ) -> Vec<&'a RuleRecord<'r>> {
        let mut other = None;
        let prefixes = rules.prefix_index();
        // Google asks for styles and scripts, so a copy of such a rule would be a mistake of its
        // own. A group may have as many agents as the file has rules, so they are searched once.
        let is_googlebot = is_googlebot(agents);
        let mut missed: Vec<&RuleRecord<'_>> = Vec::new();
        for disallow in &self.disallows {
            let is_known = missed
                .last()
                .is_some_and(|last| last.line() == disallow.line);
            if is_known
                || rules.match_path_of(disallow, &prefixes)
                || is_googlebot && is_of_resources(disallow.pattern)
                || is_of_nobody(disallow.pattern)
            {
                continue;
            }
            if self.file.work.is_spent() {
                break;
            }
            let other = other.get_or_insert_with(|| self.other.robot(group.user_agent()));
            if let Some(robot) = other {
                self.file.work.spend(STEPS_OF_A_QUESTION);
                if is_closed(robot, disallow) {
                    continue;
                }
            }
            missed.extend(self.file.rule_on(disallow.line));
        }
        missed
    }

    fn restricted(&self) -> &BTreeSet<u32> {
        self.restricted.get_or_init(|| {
            let disallows = self.disallows.iter();
            let restricted = disallows.filter(|disallow| is_restricted(disallow.pattern));
            restricted.map(|disallow| disallow.line).collect()
        })
    }

    /// The rules that a group lacks at the start of its rules, as they stand in the file. `None`
    /// where other agents would get them too, or where an `Allow` of the group wins against each.
    fn repetition(
        &mut self,
        group: &MergedGroup<'_>,
        agents: &[&[u8]],
        missed: &[&RuleRecord<'_>],
    ) -> Option<Proposal> {
        let is_own = |group: &Group<'_>| group.user_agents().count() == agents.len();
        let steps = group.groups().map(|group| group.record_count());
        self.text_left = self.text_left.checked_sub(steps.sum())?;
        let own = group.groups().find(is_own)?;
        let opening = longest_opening(group);
        if missed.iter().all(|rule| rule.value().len() <= opening) {
            return None;
        }
        let mut text = String::new();
        for rule in missed {
            self.text_left = self.text_left.checked_sub(rule.value().len())?;
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str("Disallow: ");
            text.push_str(core::str::from_utf8(rule.value()).ok()?);
        }
        let (file, rules) = (self.file.bytes(), self.file.of_group(own));
        let Some(first) = rules.first() else {
            let line = line_at(file, own.user_agents().last()?.span().start);
            return Some(Proposal::line_below(file, line, &text));
        };
        let place = RuleText::of(file, first);
        let above = Proposal::line_above(file, place.line.clone(), &text);
        Some(match (first.value(), rules.len()) {
            // The only rule opens everything, so the proposal replaces it.
            ([], 1) => Proposal::lines(file, place.text, &text),
            _ => above,
        })
    }
}

/// Whether nobody misses a rule: a crawler may always fetch `/robots.txt`, and no client requests
/// `/a/../b/`.
fn is_of_nobody(pattern: &[u8]) -> bool {
    pattern == b"/robots.txt" || has_dot_segment(pattern)
}

/// The length of the longest `Allow` of everything, which wins against all rules that are not
/// longer.
fn longest_opening(group: &MergedGroup<'_>) -> usize {
    let rules = group.rules();
    let opens =
        |rule: &RuleRecord<'_>| rule.access() == Access::Allow && matches_everything(rule.value());
    let lengths = rules.filter(opens).map(|rule| rule.value().len());
    lengths.max().unwrap_or_default()
}

fn has_rule(group: &MergedGroup<'_>, file: &FileRules<'_>) -> bool {
    group.groups().any(|group| !file.of_group(group).is_empty())
}

/// The first of some rules, as a part of a sentence.
fn list(rules: &[&RuleRecord<'_>]) -> String {
    let named = rules.iter().take(MAX_LISTED);
    let named = named.map(|rule| format!("{} (line {})", quote(rule.value()), rule.line()));
    let named: Vec<String> = named.collect();
    match rules.len() > MAX_LISTED {
        true => format!("{} and more", named.join(", ")),
        false => named.join(", "),
    }
}

/// Whether a crawler fetches images or films, which are in no area for members.
fn is_of_media(agent: &&[u8]) -> bool {
    let name = leading_token(agent).to_ascii_lowercase();
    MEDIA.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Whether a pattern is about pages that a site has in other forms too: queries and feeds.
fn is_of_lists(pattern: &[u8]) -> bool {
    let mut names = pattern.split(|byte| matches!(byte, b'/' | b'*' | b'.' | b'$'));
    pattern.contains(&b'?') || names.any(|name| is_one_of(name, &FEEDS))
}

/// Whether the group has the rule all the same where a dialect takes another record for one.
fn is_closed(robot: &Robot, disallow: &DecidingDisallow<'_>) -> bool {
    let pattern = core::str::from_utf8(disallow.pattern);
    pattern.is_ok_and(|pattern| !robot.allowed(&example_path(pattern, "x")))
}

/// Ends of the names of such crawlers.
const MEDIA: [&str; 3] = ["-image", "-mmcrawler", "-video"];

const FEEDS: [&str; 5] = ["atom", "feed", "feeds", "rss", "trackback"];

/// Rules that one finding lists.
const MAX_LISTED: usize = 3;

/// Bytes of the proposals of one file, beside its own length.
const MOST_TEXT: usize = 1 << 20;

/// A question to all rules of an agent.
const STEPS_OF_A_QUESTION: usize = 1 << 10;
