//! Whether following a proposal changes any answer of its file. The finder of a line knows what its
//! rule says, and not which other rules decide about the same URLs.

mod touched;

use polite_robots::document::{RuleRecord, UserAgent, leading_name, leading_token};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::{Access, Dialect, Options, Robot, RobotsTxt};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::difference::{AgentChange, Likeness, Question, RobotPairs, Versions};
use polite_robots_audit::example_path::example_path;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::lines::has_another_record;
use crate::proposal::{Effect, Proposal};
use crate::rules::google_reading::has_two_readings;
use crate::settled::touched::{Touched, differing};

/// Marks the proposals that change no answer of this file, in their effect and at the end of the
/// sentence.
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
/// long to see. Clients percent-encode a blank, and to Google's matcher a blank of a pattern is not
/// that escape.
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

/// A file, and the work on new versions of it that may still be done.
struct File<'r> {
    robots_txt: &'r RobotsTxt,
    readings: Option<Readings>,
    /// Bytes of new versions.
    bytes_left: usize,
    robots: Comparison,
}

/// The comparison of robots in all versions of a file. A hostile one has dozens of groups of
/// dozens of rules, and proposals that change all of them.
struct Comparison {
    pairs: RobotPairs,
    /// URLs that may still be asked about.
    questions_left: usize,
}

impl<'r> File<'r> {
    fn of(robots_txt: &'r RobotsTxt) -> File<'r> {
        File {
            robots_txt,
            readings: None,
            bytes_left: MOST_BYTES,
            robots: Comparison {
                pairs: RobotPairs::new(),
                questions_left: MOST_QUESTIONS,
            },
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
        let robots = &mut self.robots;
        let mut is_same = |dialect| robots.is_same(versions, dialect);
        let is_read_once = || {
            let files = versions.map(|version| version.in_dialect(Dialect::Google));
            files.into_iter().all(has_one_reading)
        };
        is_same(Dialect::Google) && (is_read_once() || is_same(Dialect::Rfc9309))
    }
}

impl Comparison {
    /// Whether no answer about a request changes between two versions of a file, in one dialect.
    fn is_same(&mut self, [old, new]: [&Readings; 2], dialect: Dialect) -> bool {
        let touched = Touched::between([old, new].map(|version| version.in_dialect(dialect)));
        for [before, after] in &touched.robots {
            if self.decide_otherwise(before, after) {
                return false;
            }
        }
        let mut is_all = touched.is_all;
        for [before, after] in &touched.robots {
            match self.pairs.compare(before, after) {
                Likeness::Alike => {}
                Likeness::Different(url) if is_requested(&url) => return false,
                Likeness::Different(_) | Likeness::Unknown => is_all = false,
            }
        }
        // No client requests a URL such as `/./a`, about which alone some rules decide.
        let versions = || Versions::read_by_crawlers(old, new, Reading::Of(dialect));
        is_all || !is_change(&versions())
    }

    /// Whether an example of a rule that only one of two robots has is answered otherwise. A `*`
    /// also stands for the path of a rule that closes something: `/*.css` opens a part of
    /// `/admin/`.
    fn decide_otherwise(&mut self, before: &Robot, after: &Robot) -> bool {
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
        let closing = closing.take(MOST_CHANGED);
        let closed = closing.map(|(_, pattern)| example_path(pattern, "x"));
        let fillers: Vec<String> = core::iter::once(String::from("x"))
            .chain(closed.map(|path| path.trim_start_matches('/').to_owned()))
            .collect();
        let urls = changed.flat_map(|(_, pattern)| {
            let fillers = fillers.iter().take(match pattern.contains('*') {
                true => usize::MAX,
                false => 1,
            });
            fillers.map(|filler| example_path(pattern, filler))
        });
        for url in urls.filter(|url| is_requested(url)) {
            let Some(left) = self.questions_left.checked_sub(1) else {
                return false;
            };
            self.questions_left = left;
            if before.allowed(&url) != after.allowed(&url) {
                return true;
            }
        }
        false
    }
}

/// Whether clients send a URL as it is: they resolve dot segments and escape blanks.
fn is_requested(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    let is_dot = |segment: &str| matches!(segment, "." | "..");
    let is_sent = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    url.bytes().all(is_sent) && !path.split('/').any(is_dot)
}

/// Whether what changes nothing to Google's matcher changes nothing by RFC 9309 either: both read
/// the same records, and the answer about a URL by RFC 9309 is Google's about its normal form.
fn has_one_reading(file: &RobotsTxt) -> bool {
    let is_plain = |rule: RuleRecord<'_>| !has_two_readings(&rule) && !rule.value().contains(&b'%');
    let is_whole =
        |agent: UserAgent<'_>| leading_name(agent.value()) == leading_token(agent.value());
    // A preference may have a path too.
    let has_path = |record: &Extension<'_>| {
        use ExtensionField::{ContentSignal, ContentUsage};
        matches!(record.field(), ContentSignal | ContentUsage) && record.value().contains(&b'/')
    };
    !file.extensions().any(|record| has_path(&record))
        && !has_another_record(file)
        && file
            .groups()
            .all(|group| group.rules().all(is_plain) && group.user_agents().all(is_whole))
}

/// Rules of one version alone that are asked about.
const MOST_CHANGED: usize = 64;

/// Questions about all versions of a file: a tenth of a second. Real files take five for a version.
const MOST_QUESTIONS: usize = 1 << 14;

/// A file that is compared with its new versions, and the bytes of these together. The comparison
/// is a search, which takes a millisecond for a file of some hundred rules.
const LONGEST_FILE: usize = 24 << 10;
const MOST_BYTES: usize = 96 << 10;
