//! Whether following a proposal changes any answer of its file. The finder of a line knows what its
//! rule says, and not which other rules decide about the same URLs.

mod touched;

use polite_robots::document::{RuleRecord, UserAgent, leading_name, leading_token};
use polite_robots::record::ExtensionField;
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::difference::{AgentChange, Likeness, Question, Versions};
use polite_robots_audit::example_path::example_path;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Effect, Proposal};
use crate::rules::google_reading::{has_two_readings, is_another_record};
use crate::settled::touched::{Touched, differing};

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
        let new = RobotsTxt::parse_with(&proposal.apply(old.as_bytes()), &Options::google());
        let old = self.readings.get_or_insert_with(|| Readings::new(old));
        let versions = [old, &Readings::new(&new)];
        let is_same = |dialect| is_same(versions, dialect);
        let is_read_once = || {
            let files = versions.map(|version| version.in_dialect(Dialect::Google));
            files.into_iter().all(has_one_reading)
        };
        is_same(Dialect::Google) && (is_read_once() || is_same(Dialect::Rfc9309))
    }
}

/// Whether no answer about a request changes between two versions of a file, in one dialect.
fn is_same([old, new]: [&Readings; 2], dialect: Dialect) -> bool {
    let files = [old, new].map(|version| version.in_dialect(dialect));
    let touched = Touched::between(files);
    let robots = || touched.robots.iter();
    if robots().any(|[before, after]| decides_otherwise(before, after)) {
        return false;
    }
    let mut is_all = touched.is_all;
    for [before, after] in robots() {
        match Likeness::of(before, after) {
            Likeness::Alike => {}
            Likeness::Different(url) if is_requested(&url) => return false,
            Likeness::Different(_) | Likeness::Unknown => is_all = false,
        }
    }
    if is_all {
        return true;
    }
    // No client requests a URL such as `/./a`, about which alone some rules decide.
    !is_change(&Versions::read_by_crawlers(old, new, Reading::Of(dialect)))
}

/// Whether clients send a URL as it is: they resolve dot segments and escape blanks.
fn is_requested(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    let is_dot = |segment: &str| matches!(segment, "." | "..");
    url.bytes().all(|byte| byte.is_ascii_graphic()) && !path.split('/').any(is_dot)
}

/// Whether what changes nothing to Google's matcher changes nothing by RFC 9309 either: both read
/// the same records, and the answer about a URL by RFC 9309 is Google's about its normal form.
fn has_one_reading(file: &RobotsTxt) -> bool {
    let is_plain = |rule: RuleRecord<'_>| !has_two_readings(&rule) && !rule.value().contains(&b'%');
    let is_whole =
        |agent: UserAgent<'_>| leading_name(agent.value()) == leading_token(agent.value());
    // A `Content-Usage` may have a path.
    let mut records = file.extensions();
    !records.any(|record| record.field() == ExtensionField::ContentUsage)
        && !file.lines().any(is_another_record)
        && file
            .groups()
            .all(|group| group.rules().all(is_plain) && group.user_agents().all(is_whole))
}

/// Whether an example of a rule that only one of two robots has is answered otherwise. A `*` also
/// stands for the path of a rule that closes something: `/*.css` opens a part of `/admin/`.
fn decides_otherwise(before: &Robot, after: &Robot) -> bool {
    let [old, new] = [before, after].map(|robot| -> Vec<(Access, &str)> {
        let rules = robot.rules();
        rules.map(|rule| (rule.access(), rule.pattern())).collect()
    });
    let [of_old, of_new] = differing([&old, &new], |old, new| old == new);
    let changed = old.get(of_old).into_iter().chain(new.get(of_new));
    let mut changed = changed.flatten().take(MOST_CHANGED).peekable();
    if changed.peek().is_none() {
        return false;
    }
    let closing = old.iter().filter(|(access, _)| *access == Access::Disallow);
    let closed = closing
        .take(MOST_CHANGED)
        .map(|(_, pattern)| example_path(pattern, "x"));
    let fillers: Vec<String> = core::iter::once(String::from("x"))
        .chain(closed.map(|path| path.trim_start_matches('/').to_owned()))
        .collect();
    changed.any(|(_, pattern)| {
        let fillers = fillers.iter().take(match pattern.contains('*') {
            true => usize::MAX,
            false => 1,
        });
        let mut urls = fillers.map(|filler| example_path(pattern, filler));
        urls.any(|url| is_requested(&url) && before.allowed(&url) != after.allowed(&url))
    })
}

/// Rules of one version alone that are asked about.
const MOST_CHANGED: usize = 64;

/// A file that is compared with its new versions, and the bytes of these together. The comparison
/// is a search, which takes a millisecond for a file of some hundred rules.
const LONGEST_FILE: usize = 24 << 10;
const MOST_BYTES: usize = 96 << 10;
