//! Whether following a proposal changes any answer of its file. The finder of a line knows what its
//! rule says, and not which other rules decide about the same URLs.

use std::collections::BTreeSet;
use std::ops::Range;

use polite_robots::document::{Group, RuleRecord, UserAgent};
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::difference::{AgentChange, Question, Versions};
use polite_robots_audit::example_path::example_path;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Effect, Proposal};
use crate::text::token::{WILDCARD, use_in};

/// Says of proposals that change no answer of this file that they do not, in their effect and at
/// the end of the sentence.
pub(crate) fn settle(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let mut file = File::of(robots_txt);
    for finding in findings {
        let is_open = |proposal: &Proposal| proposal.effect() == Effect::Answers;
        if is_sure(finding.code()) || !finding.proposals().iter().any(is_open) {
            continue;
        }
        let idle: Vec<bool> = finding
            .proposals()
            .iter()
            .map(|proposal| is_open(proposal) && file.is_idle(proposal))
            .collect();
        if idle.contains(&true) {
            *finding = finding.clone().with_idle_proposals(&idle);
        }
    }
}

/// Whether the finder itself compares answers, or writes a record that is an answer of its own.
fn is_sure(code: DiagnosticCode) -> bool {
    matches!(
        code,
        DiagnosticCode::WildcardRulesDropped
            | DiagnosticCode::DeprecatedRecord
            | DiagnosticCode::UnsupportedField
            | DiagnosticCode::SeveralCrawlDelays
            | DiagnosticCode::RelativeSitemap
            | DiagnosticCode::InvalidSitemap
            | DiagnosticCode::PlaceholderSitemap
            | DiagnosticCode::SitemapNotUtf8
            | DiagnosticCode::SitemapOnOtherHost
            | DiagnosticCode::MixedSitemapSchemes
            | DiagnosticCode::MixedSitemapHosts
    )
}

/// Whether an answer changes about a URL that clients request; `true` also where that takes too
/// long to see. They percent-encode a blank, and Google's matcher takes that of a pattern for no
/// escape.
fn is_change(versions: &Versions<'_>) -> bool {
    let Some(difference) = versions.quick_difference(Question::Rules) else {
        return true;
    };
    let is_more = |change: &AgentChange| {
        !change.usages().is_empty()
            || !change.content_uses().is_empty()
            || !change.records().is_empty()
            || change.left_out() > 0
    };
    if !difference.records().is_empty() || difference.changes().iter().any(is_more) {
        return true;
    }
    let verdicts = difference.changes().iter().flat_map(AgentChange::verdicts);
    let urls: Vec<&str> = verdicts.map(|verdict| verdict.url).collect();
    if urls.iter().any(|url| !url.contains(' ')) {
        return true;
    }
    let escaped = urls.iter().map(|url| url.replace(' ', "%20")).collect();
    let requested = || versions.quick_difference(Question::Urls(escaped));
    !urls.is_empty() && requested().is_none_or(|difference| difference.is_change())
}

/// A file, and the bytes of new versions of it that may still be read.
struct File<'r> {
    robots_txt: &'r RobotsTxt,
    readings: Option<Readings>,
    bytes_left: usize,
}

impl<'r> File<'r> {
    fn of(robots_txt: &'r RobotsTxt) -> File<'r> {
        File {
            robots_txt,
            readings: None,
            bytes_left: MOST_BYTES,
        }
    }

    /// Whether no answer changes in either dialect; `false` also where that takes too long to see.
    fn is_idle(&mut self, proposal: &Proposal) -> bool {
        let old = self.robots_txt;
        // A comparison of two long files takes seconds.
        let len = old.as_bytes().len();
        let left = self.bytes_left.checked_sub(len);
        let Some(left) = left.filter(|_| len <= LONGEST_FILE) else {
            return false;
        };
        self.bytes_left = left;
        let followed = proposal.apply(old.as_bytes());
        let new = RobotsTxt::parse_with(&followed, &Options::new(old.dialect()));
        if shows_change(old, &new, proposal) {
            return false;
        }
        let old = self.readings.get_or_insert_with(|| Readings::new(old));
        let new = Readings::new(&new);
        // No client requests a URL such as `/./a`, about which alone some rules decide.
        let dialects = [Dialect::Rfc9309, Dialect::Google];
        let mut versions = dialects
            .iter()
            .map(|dialect| Versions::read_by_crawlers(old, &new, Reading::Of(*dialect)));
        !versions.any(|versions| is_change(&versions))
    }
}

/// Whether clients send a URL as it is: they resolve dot segments and escape blanks.
fn is_requested(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    let is_dot = |segment: &str| matches!(segment, "." | "..");
    url.bytes().all(|byte| byte.is_ascii_graphic()) && !path.split('/').any(is_dot)
}

/// Fast, and true for most proposals that change an answer: whether an example of a rule in the
/// text of the edits is answered otherwise, for the first agent of its group.
fn shows_change(old: &RobotsTxt, new: &RobotsTxt, proposal: &Proposal) -> bool {
    let (Some(first), Some(last)) = (proposal.edits().first(), proposal.edits().last()) else {
        return false;
    };
    let old_len = old.as_bytes().len();
    let after_last = old_len.saturating_sub(last.span().end);
    let new_end = new.as_bytes().len().saturating_sub(after_last);
    let places = [
        (new, first.span().start..new_end),
        (old, first.span().start..last.span().end),
    ];
    let readers = places.map(|(file, place)| readers(file, &place));
    let robots = |agent: &str| [old, new].map(|file| file.robot(agent));
    let mut agents = BTreeSet::new();
    for (agent, urls) in readers.iter().flatten() {
        if let [Ok(before), Ok(after)] = robots(agent) {
            let mut urls = urls.iter().filter(|url| is_requested(url));
            if urls.any(|url| before.allowed(url) != after.allowed(url)) {
                return true;
            }
        }
        agents.insert(agent);
    }
    agents.into_iter().any(|agent| match robots(agent) {
        [Ok(before), Ok(after)] => decides_otherwise(&before, &after),
        _ => false,
    })
}

/// Whether an example of a rule that only one of two robots has is answered otherwise. A `*` also
/// stands for the path of a rule that closes something: `/*.css` opens a part of `/admin/`.
fn decides_otherwise(before: &Robot, after: &Robot) -> bool {
    let rules = |robot: &Robot| -> BTreeSet<(Access, String)> {
        let rules = robot.rules();
        let rules = rules.map(|rule| (rule.access(), rule.pattern().to_owned()));
        rules.collect()
    };
    let (old, new) = (rules(before), rules(after));
    let is_closing = |(access, _): &&(Access, String)| *access == Access::Disallow;
    let closing = old.iter().filter(is_closing).take(MOST_CHANGED);
    let closed = closing.map(|(_, pattern)| example_path(pattern, "x"));
    let fillers: Vec<String> = core::iter::once(String::from("x"))
        .chain(closed.map(|path| path.trim_start_matches('/').to_owned()))
        .collect();
    let mut changed = old.symmetric_difference(&new).take(MOST_CHANGED);
    changed.any(|(_, pattern)| {
        let fillers = fillers.iter().take(match pattern.contains('*') {
            true => usize::MAX,
            false => 1,
        });
        let mut urls = fillers.map(|filler| example_path(pattern, filler));
        urls.any(|url| is_requested(&url) && before.allowed(&url) != after.allowed(&url))
    })
}

/// The agents of the groups that a place of the file touches, the first one and those of the place,
/// each with URLs of the rules of the place or of the first one that closes something.
fn readers(file: &RobotsTxt, place: &Range<usize>) -> Vec<(String, Vec<String>)> {
    let touches = |span: Range<usize>| span.start <= place.end && place.start <= span.end;
    let url = |rule: RuleRecord<'_>| {
        let pattern = rule.pattern(file.dialect())?;
        (!pattern.is_empty()).then(|| example_path(&pattern, "x"))
    };
    let start = |group: &Group<'_>| group.user_agents().next().map(|agent| agent.span().start);
    let is_before = |group: &Group<'_>| start(group).is_some_and(|start| start <= place.start);
    let last = file.groups().take_while(is_before).last();
    // A rule above the line of an agent takes the rules below from the agents above.
    let holds_place = |group: Group<'_>| last.is_some_and(|last| last.line() == group.line());
    let mut readers = Vec::new();
    for group in file.groups() {
        let touched = group.user_agents().filter(|agent| touches(agent.span()));
        let touched: Vec<UserAgent<'_>> = touched.take(MOST_EXAMPLES).collect();
        let of_place = group.rules().filter(|rule| touches(rule.span()));
        let mut urls: Vec<String> = of_place.filter_map(url).take(MOST_EXAMPLES).collect();
        if urls.is_empty() && touched.is_empty() && !holds_place(group) {
            continue;
        }
        if urls.is_empty() {
            let mut closing = group
                .rules()
                .filter(|rule| rule.access() == Access::Disallow);
            urls.extend(closing.find_map(url));
        }
        let agents = group.user_agents().next().into_iter().chain(touched);
        // A use is no crawler, and nobody fetches by its rules.
        for agent in agents.filter(|agent| use_in(agent.value()).is_none()) {
            if readers.len() == MOST_READERS {
                return readers;
            }
            let name = match agent.is_wildcard() {
                true => WILDCARD,
                false => agent.product_token(),
            };
            readers.push((name.to_owned(), urls.clone()));
        }
    }
    readers
}

/// Agents that are asked: a proposal may be about all lines of a file.
const MOST_READERS: usize = 16;

/// Rules of one version alone that are asked about.
const MOST_CHANGED: usize = 64;

/// Agents and rules of a group that are asked about.
const MOST_EXAMPLES: usize = 4;

/// A file that is compared with its new versions, and the bytes of these together. The comparison
/// is a search, which takes a millisecond for a file of some hundred rules.
const LONGEST_FILE: usize = 24 << 10;
const MOST_BYTES: usize = 96 << 10;
