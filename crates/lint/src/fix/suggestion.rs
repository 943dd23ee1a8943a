//! The one judge of suggestions: which of them can be applied without harm.
//!
//! Text for people, JSON, SARIF, annotations and [`fix`](crate::fix) all show or apply the
//! suggestions that it accepts. A suggestion is safe if the file answers every agent as before, by
//! RFC 9309 and by Google's matcher, and if nothing that its author meant is lost.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_lint::fix::Suggestions;
//! use polite_robots_lint::lint;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisalow: /x\nDisallow: /a b\n");
//! let found = lint(&robots_txt);
//! let suggestions = Suggestions::new(&robots_txt, &found);
//! assert_eq!(suggestions.safe(0, &found[0]), Some("Disallow"));
//! // Google's matcher would read `/a%20b` as another rule.
//! assert_eq!(found[1].suggestion(), Some("/a%20b"));
//! assert_eq!(suggestions.safe(1, &found[1]), None);
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use polite_robots::document::{Group, Line, LineKind, leading_name};
use polite_robots::record::ExtensionField;
use polite_robots::{Access, Dialect, Options, RobotsTxt};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::lines::{GOOGLE_FILE_BYTES, Text};
use crate::proposal::{Edit, Effect, Proposal};
use crate::rule_text::without_text;
use crate::rules::lint_rules;
use crate::rules::openings::in_other_dialect;

/// The safe suggestions of one file.
#[derive(Debug)]
pub struct Suggestions {
    /// The edits that follow the suggestion of each finding; none if the suggestion is not safe.
    edits: Vec<Vec<Edit>>,
}

impl Suggestions {
    /// Judges the suggestions of all findings in a file; they come from a
    /// [`Linter`](crate::Linter).
    #[must_use]
    pub fn new(robots_txt: &RobotsTxt, found: &[Diagnostic]) -> Suggestions {
        let mut edits = vec![Vec::new(); found.len()];
        let is_candidate = |finding: &Diagnostic| {
            let code = finding.code();
            let proposal = finding.proposals().first();
            is_fixable(code) && proposal.is_some_and(|first| first.effect() <= Effect::Google)
        };
        // A colon would not make an HTML page a robots.txt, and anything may follow the end of a
        // file that was cut.
        let is_closed = |finding: &Diagnostic| {
            let code = finding.code();
            matches!(
                code,
                DiagnosticCode::HtmlDocument
                    | DiagnosticCode::Utf16
                    | DiagnosticCode::NoRecord
                    | DiagnosticCode::Truncated
            )
        };
        if found.iter().any(is_candidate) && !found.iter().any(is_closed) {
            let judge = Judge::new(robots_txt, found);
            for (finding, edits) in found.iter().zip(&mut edits) {
                if is_candidate(finding) {
                    *edits = judge.edits(finding);
                }
            }
            judge.drop_lines_that_change(&mut edits);
            judge.keep_within_google_limit(&mut edits);
        }
        Suggestions { edits }
    }

    /// The suggestion of a finding, if it is safe; `index` is the place of the finding in the list.
    #[must_use]
    pub fn safe<'d>(&self, index: usize, finding: &'d Diagnostic) -> Option<&'d str> {
        finding.suggestion().filter(|_| self.can_fix(index))
    }

    /// Whether [`Fixes`](crate::fix::Fixes) can fix the finding at this place of the list. A
    /// finding about line ends has no suggestion, but a fix.
    #[must_use]
    pub fn can_fix(&self, index: usize) -> bool {
        !self.edits(index).is_empty()
    }

    pub(crate) fn edits(&self, index: usize) -> &[Edit] {
        self.edits.get(index).map_or(&[], Vec::as_slice)
    }
}

/// Whether a suggestion for a finding of this code can be safe.
///
/// For every other code a fix would change an answer, or only the author knows the right one: with
/// `shadowed-rule` the rule to remove may be the one that was meant.
#[must_use]
pub fn is_fixable(code: DiagnosticCode) -> bool {
    REMOVABLE.contains(&code)
        || matches!(
            code,
            DiagnosticCode::ByteOrderMark
                | DiagnosticCode::InvalidCrawlDelay
                | DiagnosticCode::InvalidProductToken
                | DiagnosticCode::LoneCarriageReturn
                | DiagnosticCode::MisspelledField
                | DiagnosticCode::MissingColon
                | DiagnosticCode::NonAsciiInPath
        )
}

/// The codes of duplicate rules: nothing is lost without them.
const REMOVABLE: &[DiagnosticCode] = &[DiagnosticCode::DuplicateRule];

/// A file, and what is needed to judge an edit of it.
struct Judge<'f> {
    file: &'f [u8],
    lines: Vec<Line<'f>>,
    /// The numbers of the lines that name agents, and of the lines that nobody understands.
    agent_lines: Vec<u32>,
    unknown_lines: Vec<u32>,
    /// The lines whose rules say nothing new in the other dialect.
    removable_in_other_dialect: BTreeSet<u32>,
}

impl<'f> Judge<'f> {
    fn new(robots_txt: &'f RobotsTxt, found: &[Diagnostic]) -> Judge<'f> {
        let removable = |found: &[Diagnostic]| -> BTreeSet<u32> {
            let is_removable = |finding: &&Diagnostic| REMOVABLE.contains(&finding.code());
            let removable = found.iter().filter(is_removable);
            removable.map(Diagnostic::line).collect()
        };
        let lines: Vec<Line<'_>> = robots_txt.lines().collect();
        let mut removable_in_other_dialect = removable(found);
        if !removable_in_other_dialect.is_empty() {
            // The table of crawlers has no say about these, so the rest of the findings is left
            // out.
            let read_otherwise = in_other_dialect(robots_txt);
            removable_in_other_dialect =
                removable(&lint_rules(&read_otherwise, Text::Unread, |_| true));
        }
        let elsewhere = twins_elsewhere(&removable_in_other_dialect, robots_txt);
        removable_in_other_dialect.retain(|line| !elsewhere.contains(line));
        let numbers = |is_wanted: fn(LineKind) -> bool| {
            let wanted = lines.iter().filter(|line| is_wanted(line.kind()));
            wanted.map(Line::number).collect()
        };
        Judge {
            file: robots_txt.as_bytes(),
            agent_lines: numbers(|kind| kind == LineKind::UserAgent),
            unknown_lines: numbers(|kind| {
                matches!(kind, LineKind::UnknownField | LineKind::NotARecord)
            }),
            lines,
            removable_in_other_dialect,
        }
    }

    /// The edits that follow a suggestion; none if this suggestion alone would do harm.
    fn edits(&self, finding: &Diagnostic) -> Vec<Edit> {
        let code = finding.code();
        // All line ends of the file are one fix.
        if code == DiagnosticCode::LoneCarriageReturn {
            let edits = finding.proposals().first().map(Proposal::edits);
            return edits.unwrap_or_default().to_vec();
        }
        let (Some(line), Some(suggestion)) = (self.line(finding), finding.suggestion()) else {
            return Vec::new();
        };
        if REMOVABLE.contains(&code) {
            // The deciding rule stays, as it is reported in neither dialect.
            let is_safe = self.removable_in_other_dialect.contains(&finding.line())
                && !self.is_below_unknown_line(line);
            let span = without_text(self.file, line.span(), finding.span());
            let text = String::new();
            return Vec::from_iter(is_safe.then_some(Edit { span, text }));
        }
        let edit = Edit {
            span: finding.span(),
            text: suggestion.to_owned(),
        };
        let is_safe = match code {
            // It is no part of the first line.
            DiagnosticCode::ByteOrderMark => true,
            DiagnosticCode::InvalidProductToken => {
                let name = self.file.get(finding.span()).unwrap_or_default();
                let rest = name.strip_prefix(suggestion.as_bytes());
                rest.is_some_and(is_decoration) && self.is_same_line(line, &[&edit])
            }
            _ => self.is_same_line(line, &[&edit]),
        };
        Vec::from_iter(is_safe.then_some(edit))
    }

    /// Whether a line that was not understood stands between a rule and the agents above it. Its
    /// author may have meant an agent to which the rule applies: `User-agen: PlumBot`.
    fn is_below_unknown_line(&self, line: &Line<'_>) -> bool {
        let last_above = |numbers: &[u32]| {
            let after = numbers.partition_point(|number| *number < line.number());
            after.checked_sub(1).and_then(|at| numbers.get(at)).copied()
        };
        last_above(&self.unknown_lines) > last_above(&self.agent_lines)
    }

    fn line(&self, finding: &Diagnostic) -> Option<&Line<'f>> {
        let number = usize::try_from(finding.line()).unwrap_or_default();
        self.lines.get(number.saturating_sub(1))
    }

    /// Whether a line means the same with all of these edits, to both dialects.
    fn is_same_line(&self, line: &Line<'_>, edits: &[&Edit]) -> bool {
        let start = line.span().start;
        let mut after = Vec::with_capacity(line.as_bytes().len());
        let mut end = start;
        for edit in edits {
            after.extend_from_slice(self.file.get(end..edit.span.start).unwrap_or_default());
            after.extend_from_slice(edit.text.as_bytes());
            end = edit.span.end;
        }
        after.extend_from_slice(self.file.get(end..line.span().end).unwrap_or_default());
        [Options::rfc9309(), Options::google()]
            .iter()
            .all(|options| Meaning::of(line.as_bytes(), options) == Meaning::of(&after, options))
    }

    /// Drops the edits of lines that all of the edits together would change in meaning: Google's
    /// matcher does not read the end of a line that becomes too long.
    fn drop_lines_that_change(&self, edits: &mut [Vec<Edit>]) {
        let mut of_lines: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
        for edit in edits.iter().flatten() {
            let line = self.index_of_line(edit);
            let is_within = |line: &Line<'_>| {
                line.span().start <= edit.span.start && edit.span.end <= line.span().end
            };
            if self.lines.get(line).is_some_and(is_within) {
                of_lines.entry(line).or_default().push(edit);
            }
        }
        let mut changed = BTreeSet::new();
        for (at, mut of_line) in of_lines {
            of_line.sort_by_key(|edit| edit.span.start);
            let line = self.lines.get(at);
            if of_line.len() > 1 && !line.is_some_and(|line| self.is_same_line(line, &of_line)) {
                changed.insert(at);
            }
        }
        for edits in edits {
            edits.retain(|edit| !changed.contains(&self.index_of_line(edit)));
        }
    }

    fn index_of_line(&self, edit: &Edit) -> usize {
        self.lines
            .partition_point(|line| line.span().start <= edit.span.start)
            .saturating_sub(1)
    }

    /// Google reads 500 KiB of a file, so in a larger one each edit would move lines across that
    /// limit.
    fn keep_within_google_limit(&self, edits: &mut [Vec<Edit>]) {
        let inserted: usize = edits.iter().flatten().map(|edit| edit.text.len()).sum();
        if self.file.len().saturating_add(inserted) > GOOGLE_FILE_BYTES {
            edits.iter_mut().for_each(Vec::clear);
        }
    }
}

/// The duplicates whose first copy is in another group, if other lines separate the agents of a
/// group. These agents may have its rules by mistake, and would then depend on them.
fn twins_elsewhere(removable: &BTreeSet<u32>, robots_txt: &RobotsTxt) -> BTreeSet<u32> {
    let is_parted = |group: Group<'_>| {
        let mut lines = group.user_agents().map(|agent| agent.line());
        let mut above = lines.next();
        lines.any(|line| {
            let next = above.replace(line).map(|above| above.saturating_add(1));
            next != Some(line)
        })
    };
    let mut elsewhere = BTreeSet::new();
    if removable.is_empty() || !robots_txt.groups().any(is_parted) {
        return elsewhere;
    }
    for group in robots_txt.groups() {
        let mut above = BTreeSet::new();
        for rule in group.rules() {
            let is_first = above.insert((rule.access(), rule.pattern(Dialect::Google)));
            if is_first && removable.contains(&rule.line()) {
                elsewhere.insert(rule.line());
            }
        }
    }
    elsewhere
}

/// The reading of one line in one dialect.
#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    Nothing,
    Agent {
        is_wildcard: bool,
        token: String,
        /// The name with digits and dots, which is compared with agents that have them.
        name: Vec<u8>,
    },
    Rule {
        access: Access,
        is_empty: bool,
        patterns: Vec<String>,
    },
    Delay(Option<Duration>),
    Record(ExtensionField, Vec<u8>),
}

impl Meaning {
    fn of(line: &[u8], options: &Options) -> Meaning {
        // With an agent above it, a rule applies to somebody.
        let file = [b"User-agent: *\n", line].concat();
        let robots_txt = RobotsTxt::parse_with(&file, options);
        let Some(line) = robots_txt.lines().nth(1) else {
            return Meaning::Nothing;
        };
        let value = line.value().unwrap_or_default();
        match line.kind() {
            LineKind::UserAgent => {
                let agents = robots_txt.groups().flat_map(|group| group.user_agents());
                agents
                    .last()
                    .map_or(Meaning::Nothing, |agent| Meaning::Agent {
                        is_wildcard: agent.is_wildcard(),
                        token: agent.product_token().to_owned(),
                        name: leading_name(agent.value()).to_ascii_lowercase(),
                    })
            }
            LineKind::Rule(access) => {
                let robot = robots_txt.robot("*").ok();
                let rules = robot.iter().flat_map(|robot| robot.rules());
                Meaning::Rule {
                    access,
                    is_empty: value.is_empty(),
                    patterns: rules.map(|rule| rule.pattern().to_owned()).collect(),
                }
            }
            LineKind::Extension(ExtensionField::CrawlDelay) => {
                let robot = robots_txt.robot("*").ok();
                Meaning::Delay(robot.and_then(|robot| robot.crawl_delay()))
            }
            LineKind::Extension(field) => Meaning::Record(field, value.to_owned()),
            _ => Meaning::Nothing,
        }
    }
}

/// Whether the text after a name is a version, a remark in brackets, or without any word: `/2.1`,
/// ` (all robots)`, `*`. Anything else may be another name or a rule that its author meant.
fn is_decoration(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii();
    let is_bracketed = rest.starts_with(b"(") && rest.ends_with(b")");
    let is_version = rest.starts_with(b"/") && rest.iter().all(u8::is_ascii_graphic);
    let has_word = rest
        .iter()
        .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let is_record = |from: &[u8]| !from.starts_with(b"://");
    let mut colons = memchr::memchr_iter(b':', rest);
    let has_record = colons.any(|at| rest.get(at..).is_some_and(is_record));
    !has_word || !has_record && (is_bracketed || is_version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::lint;

    /// Asserts that both dialects have these suggestions, each of which is safe or not.
    #[track_caller]
    fn assert_judged(file: impl AsRef<[u8]>, expected: &[(&str, bool)]) {
        for options in [Options::rfc9309(), Options::google()] {
            let judged = judged(file.as_ref(), &options);
            let judged: Vec<(&str, bool)> = judged
                .iter()
                .map(|(suggestion, is_safe)| (suggestion.as_str(), *is_safe))
                .collect();
            assert_eq!(judged, expected, "{options:?}");
        }
    }

    /// The suggestions of one dialect's findings, and whether each is safe.
    fn judged(file: &[u8], options: &Options) -> Vec<(String, bool)> {
        let robots_txt = RobotsTxt::parse_with(file, options);
        let found = lint(&robots_txt);
        let suggestions = Suggestions::new(&robots_txt, &found);
        let judged = found.iter().enumerate().filter_map(|(at, finding)| {
            let is_safe = suggestions.safe(at, finding).is_some();
            Some((finding.suggestion()?.to_owned(), is_safe))
        });
        judged.collect()
    }

    #[test]
    fn a_name_loses_its_decoration_only() {
        for (name, token, is_safe) in [
            ("PlumBot/2.1", "PlumBot", true),
            ("PlumBot/2.0;+https://example.com/bot", "PlumBot", true),
            ("PlumBot/2.0+host:example.com", "PlumBot", false),
            ("* (all robots)", "*", true),
            ("* -- ", "*", true),
            ("* all", "*", false),
            ("* GPTBot", "*", false),
            ("* (all) but PlumBot", "*", false),
        ] {
            let file = format!("User-agent: {name}\nDisallow: /\n");
            assert_judged(file, &[(token, is_safe)]);
        }
    }

    #[test]
    fn no_other_name_is_lost() {
        assert_judged("User-agent: PlumBot*\nDisallow: /\n", &[]);
        assert_judged("User-agent: GPTBot/CCBot\nDisallow: /\n", &[]);
    }

    #[test]
    fn a_rule_in_a_name_is_not_lost() {
        assert_judged("User-agent: * Disallow: /\n", &[]);
        assert!(!is_decoration(b" Disallow: /"));
        assert!(!is_decoration(b" (Disallow: /)"));
    }

    #[test]
    fn an_invisible_character_is_not_encoded() {
        assert_judged("User-agent: *\nDisallow: /x\u{200b}\n", &[]);
    }

    #[test]
    fn google_answers_as_before() {
        assert_judged(
            "User-agent: *\nDisallow: /a b\nDisallow: /é\n",
            &[("/a%20b", false), ("/%C3%A9", true)],
        );
        // A control character got there by mistake, so nobody should encode it.
        assert_judged("User-agent: *\nDisallow: /é\u{1}\n", &[]);
        // To Google `/é` with a vertical tab is not `/%C3%A9%0B`.
        assert_judged(
            "User-agent: *\nDisallow: /é\u{b}a\n",
            &[("/%C3%A9%0Ba", false)],
        );
    }

    #[test]
    fn a_conflict_is_for_the_author_to_decide() {
        let file = "User-agent: *\nDisallow: /\nDisallow: /x\nAllow: /x\n";
        assert_judged(file, &[]);
    }

    #[test]
    fn a_duplicate_may_go_if_both_dialects_hold_it_equal() {
        let twice = "User-agent: *\nDisallow: /é\nDisallow: /x\nDisallow: /%c3%a9\n";
        assert_judged(twice, &[("/%C3%A9", true), ("", true)]);
    }

    #[test]
    fn a_rule_below_a_line_that_is_not_understood_stays() {
        // The last rule may be the rule of `PearBot`, whose line is misspelled.
        let misspelled = "User-agent: PlumBot\nDisallow: /\nUser-agen: PearBot\nDisallow: /\n";
        assert_judged(misspelled, &[("", false)]);
        let understood = "Colour: blue\nUser-agent: PlumBot\nDisallow: /\nDisallow: /\n";
        assert_judged(understood, &[("", true)]);
    }

    #[test]
    fn a_duplicate_is_judged_by_both_dialects() {
        for (file, expected) in [
            (
                "User-agent: A\nDisallow: /a\nDisallow: /a\n",
                &[("", true)][..],
            ),
            ("User-agent: A\nDisallow: /a\nDisallow: /%61\n", &[]),
            (
                "User-agent: A\nDisallow: /é%2f\nDisallow: /%c3%A9%2F\n",
                &[("/%C3%A9%2f", true), ("", true)],
            ),
            ("User-agent: A\nDisallow: /%ag\nDisallow: /%Ag\n", &[]),
            ("User-agent: A\nDisallow: /a\nAllow: /a\n", &[]),
            (
                "User-agent: A\nDisalow: /a\nDisallow: /a\n",
                &[("Disallow", true), ("", true)],
            ),
            (
                "User-agent: A\nDisallow: /a\n\nUser-agent: A\nDisallow: /b\nDisallow: /a\n",
                &[("", true)],
            ),
            (
                "User-agent: A\nDisallow: /a\nUser-agents: B\nDisallow: /a\n",
                &[("User-agent", true)],
            ),
        ] {
            let judged = judged(file.as_bytes(), &Options::rfc9309());
            let judged: Vec<_> = judged.iter().map(|(text, safe)| (&**text, *safe)).collect();
            assert_eq!(judged, expected, "{file}");
        }
    }

    #[test]
    fn a_rule_stays_that_one_dialect_needs() {
        // Google reads no digits in names, so to Google both groups are for one crawler. By RFC
        // 9309 each group needs the rule.
        let names = "User-agent: MJ\nDisallow: /x\nDisallow: /a\n\nUser-agent: MJ12bot\nDisallow: /y\nDisallow: /a\n";
        assert_eq!(
            judged(names.as_bytes(), &Options::google()),
            [(String::new(), false)]
        );
        assert_eq!(judged(names.as_bytes(), &Options::rfc9309()), []);
        // The last rule is an exact duplicate for `B` only. For `A` Google needs it beside `/a+b`.
        let groups = "User-agent: A\nDisallow: /1\nDisallow: /a+b\n\nUser-agent: B\nDisallow: /2\nDisallow: /a%2Bb\n\n\
                      User-agent: A\nUser-agent: B\nDisallow: /3\nDisallow: /a%2Bb\n";
        assert_eq!(
            judged(groups.as_bytes(), &Options::rfc9309()),
            [(String::new(), false)]
        );
    }

    #[test]
    fn a_file_that_is_cut_has_no_safe_suggestion() {
        let file = b"User-agent: *\nDisalow: /x\nDisallow: /y\n";
        let robots_txt = RobotsTxt::parse_with(file, &Options::rfc9309().with_max_bytes(30));
        let found = lint(&robots_txt);
        let suggestions = Suggestions::new(&robots_txt, &found);
        assert!(
            (0..found.len()).all(|at| !suggestions.can_fix(at)),
            "{found:?}"
        );
        let padding = format!("#{}\n", "x".repeat(GOOGLE_FILE_BYTES));
        for file in [
            format!("{padding}User-agent *\n"),
            format!("User-agent *\n{padding}"),
        ] {
            assert_judged(file, &[(": ", false)]);
        }
    }

    /// Google's matcher reads 16,663 bytes of a line. The fixes of this line add six.
    #[test]
    fn fixes_of_one_line_are_judged_together() {
        for (len, are_safe) in [(16_657, true), (16_658, false)] {
            let path = "x".repeat(len - "Disalow /é".len());
            let file = format!("User-agent: *\nDisalow /{path}é\n");
            let suggestions = ["Disallow", ": ", &format!("/{path}%C3%A9")];
            assert_judged(file, &suggestions.map(|suggestion| (suggestion, are_safe)));
        }
    }
}
