//! Findings that a single line shows, in the order of the file.

mod agent_advice;
mod comment;
mod dot_segment;
mod extension;
mod field;
mod file;
mod findings;
mod foreign_text;
mod glued_record;
mod group_bleed;
mod groups_above;
mod invisible;
mod line_break_text;
mod meant_field;
mod meant_preference;
mod not_a_record;
mod path;
mod path_list;
mod path_syntax;
mod path_without_slash;
mod plain_path;
mod policy_token;
mod preference_name;
mod preference_syntax;
mod preferences;
mod prefixed;
mod record;
mod removal;
mod second_record;
mod sitemap;
mod sitemap_fault;
mod sitemap_url;
mod user_agent;

use std::cell::OnceCell;
use std::iter::Peekable;

use memchr::{memchr, memchr2};
use polite_robots::document::{GOOGLE_LINE_BYTES, Line, LineKind, Separator, Spelling};
use polite_robots::record::{Extension, ExtensionField};
use polite_robots::text::quote;
use polite_robots::{Dialect, RobotsTxt};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;
pub(crate) use crate::lines::dot_segment::has_dot_segment;
use crate::lines::extension::Repeats;
pub(crate) use crate::lines::file::GOOGLE_FILE_BYTES;
use crate::lines::file::Shape;
use crate::lines::findings::{Findings, Reported, WholeLine};
use crate::lines::foreign_text::ForeignText;
use crate::lines::groups_above::{GroupsAbove, Place};
use crate::lines::not_a_record::is_no_record;
use crate::lines::plain_path::is_plain_path;
use crate::lines::policy_token::may_be_nearly_token;
pub(crate) use crate::lines::policy_token::nearly_use;
pub(crate) use crate::lines::prefixed::has_another_record;
use crate::lines::prefixed::read_by_google_alone;
use crate::lines::record::{Record, standard_name};
use crate::lines::sitemap::is_sitemap_without_colon;
use crate::proposal::Proposal;
use crate::text::part::Part;
use crate::text::token::is_token_or_wildcard;

pub(crate) use crate::lines::findings::Text;
pub(crate) use crate::lines::group_bleed::{EMPTY_RULE, empty_rule_above};
pub(crate) use crate::lines::second_record::second_record;

/// Hands the findings about single lines to `report`.
pub(crate) fn lint_lines(robots_txt: &RobotsTxt, text: Text, report: &mut dyn FnMut(Diagnostic)) {
    let mut reporter = Reporter::new(robots_txt, robots_txt.extensions(), text, report);
    for line in robots_txt.lines() {
        reporter.findings.line = whole(&line);
        if !reporter.is_plain(&line) {
            reporter.line(&line);
        }
    }
    reporter.after_lines(robots_txt.truncated_at());
}

/// Reports on each line of a file. The groups above it show which rules have none.
struct Reporter<'r, 's, E: Iterator<Item = Extension<'r>>> {
    findings: Findings<'r, 's>,
    dialect: Dialect,
    shape: Shape,
    groups: GroupsAbove,
    /// The groups as Google's matcher sees them, from the first record that it alone reads.
    google: Option<GroupsAbove>,
    /// The first line with a rule above all groups, and whether such a rule is about the whole
    /// site.
    before_groups: Option<(Part<'r>, bool)>,
    /// The field of a record after the last `User-agent` line, until a rule follows.
    between_agents: Option<Part<'r>>,
    foreign_text: ForeignText,
    /// The records outside of RFC 9309 from this line on.
    extensions: Peekable<E>,
    repeats: OnceCell<Repeats>,
}

impl<'r, 's, E: Iterator<Item = Extension<'r>>> Reporter<'r, 's, E> {
    fn new(
        robots_txt: &'r RobotsTxt,
        extensions: E,
        text: Text,
        sink: &'s mut dyn FnMut(Diagnostic),
    ) -> Reporter<'r, 's, E> {
        let file = Part::new(0, robots_txt.as_bytes());
        let (number, part) = (1, file.head(0));
        let mut findings = Findings {
            file,
            line: WholeLine { number, part },
            sink,
            text,
            has_line_break_text: false,
            robots_txt,
            groups: OnceCell::new(),
        };
        let shape = Shape::of(robots_txt);
        shape.before_lines(&mut findings);
        Reporter {
            findings,
            dialect: robots_txt.dialect(),
            shape,
            groups: GroupsAbove::default(),
            google: None,
            before_groups: None,
            between_agents: None,
            foreign_text: ForeignText::default(),
            extensions: extensions.peekable(),
            repeats: OnceCell::new(),
        }
    }

    /// A fast path for nearly all lines: takes the next line of the file if a few of its bytes show
    /// that there is nothing to report. Returns whether it did.
    #[inline]
    fn is_plain(&mut self, line: &Line<'r>) -> bool {
        let kind = line.kind();
        let is_plain = match kind {
            // A comment without a colon holds no record.
            LineKind::Blank => memchr(b':', line.as_bytes()).is_none(),
            LineKind::Rule(_) => {
                self.groups.has_group()
                    && standard_value(line).is_some_and(|value| is_plain_path(value.bytes))
            }
            LineKind::UserAgent => {
                let value = standard_value(line);
                self.between_agents.is_none()
                    && value.is_some_and(|value| {
                        is_token_or_wildcard(value.bytes) && !may_be_nearly_token(value.bytes)
                    })
            }
            // Pages are few and long, and hold half of the bytes of a crawl.
            LineKind::NotARecord | LineKind::UnknownField => {
                let is_new_to_google = line.key().and_then(read_by_google_alone).is_some();
                !self.shape.is_text()
                    && !is_new_to_google
                    && memchr2(b'#', 0, line.as_bytes()).is_none()
            }
            _ => false,
        };
        if !is_plain || self.shape.is_odd(self.findings.file, self.findings.line) {
            return false;
        }
        match kind {
            LineKind::UserAgent => self.next(kind),
            LineKind::Rule(_) => {
                self.next(kind);
                self.between_agents = None;
            }
            _ => {}
        }
        true
    }

    /// Takes the next line of the file.
    fn line(&mut self, line: &Line<'r>) {
        let text = match self.dialect {
            Dialect::Rfc9309 => self.findings.line.part,
            Dialect::Google => self.findings.line.part.head(GOOGLE_LINE_BYTES),
        };
        self.shape.line(&mut self.findings, text, line.kind());
        let read = text.without_comment();
        // The text from the `#` or the NUL on, which is empty if there is none.
        let comment = text.tail(read.bytes.len());
        if comment.bytes.len() > SHORTEST_GLUED {
            self.findings.glued_record(comment);
        }
        let is_unread = matches!(line.kind(), LineKind::NotARecord | LineKind::UnknownField);
        let may_be_foreign = is_unread && self.shape.is_text();
        if may_be_foreign && self.foreign_text.line(&mut self.findings, read.trim()) {
            return;
        }
        match (Record::of(line), line.kind()) {
            (None, LineKind::NotARecord) if self.shape.is_text() => {
                self.findings.not_a_record(read.trim());
            }
            (Some(record), LineKind::UnknownField) => self.unknown(record, read.trim()),
            (Some(record), kind) => {
                let spelling = line.spelling().unwrap_or(Spelling::Standard);
                if spelling != Spelling::Standard || record.separator != Separator::Colon {
                    self.spelling(record, kind, spelling);
                }
                self.known(record, kind);
            }
            (None, _) => {}
        }
    }

    /// Reports the end of what is read, if that is not the end of the file.
    fn after_lines(&mut self, truncated_at: Option<usize>) {
        if let Some(at) = truncated_at {
            let end = Part::new(at, b"");
            self.findings.report(DiagnosticCode::Truncated, end, || {
                format!("only the first {at} bytes were read, and the rest has no effect")
            });
        }
    }

    /// Takes a known record.
    #[inline]
    fn next(&mut self, kind: LineKind) {
        if let Some(google) = &mut self.google {
            google.next(kind);
        }
        self.groups.next(kind);
    }

    fn known(&mut self, record: Record<'r>, kind: LineKind) {
        let above = self.groups;
        self.next(kind);
        match kind {
            LineKind::UserAgent => self.user_agent(record.value, above),
            LineKind::Rule(access) => {
                if !above.has_group() {
                    self.before_group(record, kind, Severity::Error);
                }
                self.between_agents = None;
                self.findings.path(access, record.value);
            }
            LineKind::Extension(field) => {
                if field == ExtensionField::CrawlDelay && !above.has_group() {
                    self.before_group(record, kind, Severity::Warning);
                }
                self.between_agents = Some(record.field);
                let number = self.findings.line.number;
                let is_above = |extension: &Extension<'_>| extension.line() < number;
                while self.extensions.next_if(is_above).is_some() {}
                let is_here = |extension: &Extension<'_>| extension.line() == number;
                if let Some(extension) = self.extensions.next_if(is_here) {
                    let (place, robots_txt) = (self.place(), self.findings.robots_txt);
                    let repeats = || self.repeats.get_or_init(|| Repeats::of(robots_txt));
                    self.findings.extension(record, extension, place, repeats);
                }
            }
            _ => {}
        }
    }

    fn before_group(&mut self, record: Record<'r>, kind: LineKind, severity: Severity) {
        let first = self.findings.line.part;
        let robots_txt = self.findings.robots_txt;
        let above = self.before_groups.get_or_insert_with(|| {
            let is_whole_site = |line: Line<'_>| matches!(line.value(), Some(b"/" | b"*" | b"/*"));
            (first, orphans(robots_txt).any(is_whole_site))
        });
        let (file, (first, close_site)) = (self.findings.file.bytes, *above);
        let is_in_google_group = self.google.is_some_and(GroupsAbove::has_group);
        let code = DiagnosticCode::RuleBeforeGroup;
        self.findings.grade(code, severity, record.field, || {
            let name = standard_name(kind);
            let mut effect =
                format!("this `{name}` has no effect, because no `User-agent` line is above it");
            if is_in_google_group {
                effect.insert_str(0, "by RFC 9309 ");
                effect.push_str(TO_GOOGLE);
            }
            // A hint must not close or open a whole site.
            let advice = match close_site {
                true => "with one above, the rules here are about the whole site".into(),
                false => Advice::new(
                    "write `User-agent: *` above the first such line if they are for every crawler",
                )
                .propose(Proposal::line_above(file, first.span(), "User-agent: *")),
            };
            advice.after(effect)
        });
    }

    /// Reports on how the name of a known record and its separator are written.
    fn spelling(&mut self, record: Record<'r>, kind: LineKind, spelling: Spelling) {
        let standard = standard_name(kind);
        let field = record.field;
        let quoted = quote(field.bytes);
        if let Some(google) = read_by_google_alone(field.bytes) {
            self.prefixed(record, google);
        } else if spelling == Spelling::Misspelled {
            self.findings
                .report(DiagnosticCode::MisspelledField, field, || {
                    misspelled(field, standard)
                });
        }
        if record.separator == Separator::Blank {
            let line = self.findings.line.part;
            let between = line.tail(field.end() - line.start);
            let blanks = between.head(record.value.start - field.end());
            self.findings.report(DiagnosticCode::MissingColon, blanks, || {
                Advice::new(format!(
                    "there is no colon after {quoted}, and some crawlers drop such a line; write one"
                ))
                .suggest(blanks.span(), ": ")
            });
        }
    }

    /// Takes a record whose field is unknown; `text` is its line without the comment.
    fn unknown(&mut self, record: Record<'r>, text: Part<'r>) {
        let google = read_by_google_alone(record.field.bytes);
        if self.shape.is_text() {
            self.between_agents = Some(record.field);
            match google {
                Some(_) if is_sitemap_without_colon(record) => {
                    self.findings.sitemap_without_colon(record)
                }
                Some(google) => self.prefixed(record, google),
                None if is_no_record(text.bytes) => self.findings.not_a_record(text),
                None => self.findings.unknown_field(record, self.place()),
            };
        }
        if let Some(google) = google {
            self.google.get_or_insert(self.groups).next(google);
        }
    }

    fn prefixed(&mut self, record: Record<'r>, google: LineKind) -> Option<Reported> {
        let groups = self.google.unwrap_or(self.groups);
        let place = self.place();
        self.findings.prefixed(record, google, groups, place)
    }

    /// The place of the line among the groups of the file.
    fn place(&self) -> Place {
        // A survey counts findings without their sentences.
        let is_asked = self.findings.text == Text::Read && self.groups == GroupsAbove::Agents;
        let number = self.findings.line.number;
        Place {
            groups: self.groups,
            agent_below: is_asked
                .then(|| self.findings.groups().agent_before_rule(number))
                .flatten(),
        }
    }

    fn user_agent(&mut self, value: Part<'r>, above: GroupsAbove) {
        let between = self.between_agents.take();
        if let Some(field) = between.filter(|_| !above.is_ended()) {
            self.findings.group_bleed(field);
        }
        self.findings.agent_name(value);
    }
}

const TO_GOOGLE: &str =
    "; to Google's matcher other names are fields too, and a line above it is a `User-agent` line";

/// The rules above all groups.
fn orphans(robots_txt: &RobotsTxt) -> impl Iterator<Item = Line<'_>> {
    let lines = robots_txt.lines();
    let lines = lines.take_while(|line| line.kind() != LineKind::UserAgent);
    lines.filter(|line| matches!(line.kind(), LineKind::Rule(_)))
}

/// The line with its number and its place.
fn whole<'r>(line: &Line<'r>) -> WholeLine<'r> {
    WholeLine {
        number: line.number(),
        part: Part::new(line.span().start, line.as_bytes()),
    }
}

/// The value of a record that is written as its specification has it, with a colon after the name.
/// It has the comment, which no plain value has.
#[inline]
fn standard_value<'r>(line: &Line<'r>) -> Option<Part<'r>> {
    let start = line.span().start;
    let key_len = line.key_span()?.end.saturating_sub(start);
    let is_standard =
        line.spelling() == Some(Spelling::Standard) && line.as_bytes().get(key_len) == Some(&b':');
    let after = Part::new(start, line.as_bytes()).tail(key_len.saturating_add(1));
    is_standard.then(|| after.trim())
}

/// The length of `#xAllow:/`; a shorter comment cannot hold a record.
const SHORTEST_GLUED: usize = 8;

/// The advice about a name that is read as the standard one.
fn misspelled(field: Part<'_>, standard: &str) -> Advice {
    let quoted = quote(field.bytes);
    let end = field.head(standard.len()).end();
    // In `Disallow /a:b` the name holds a part of the value, which must stay.
    let fix = match after_name(field.bytes, standard) {
        None => {
            return Advice::new(format!(
                "{quoted} is read as `{standard}` by some crawlers only; write `{standard}`"
            ))
            .suggest(field.span(), standard);
        }
        Some([b'/' | b'*', ..]) => {
            Advice::new(format!("write a colon after `{standard}`")).write(end..end, ":")
        }
        Some(more) => Advice::new(format!("remove {} if that is meant", quote(more)))
            .suggest(end..field.end(), ""),
    };
    fix.after(format_args!(
        "{quoted} is read as `{standard}`, and the text after the colon as its value"
    ))
}

/// The text that follows the field's name after a blank.
fn after_name<'f>(field: &'f [u8], standard: &str) -> Option<&'f [u8]> {
    let (name, more) = field.split_at_checked(standard.len())?;
    let is_parted =
        name.eq_ignore_ascii_case(standard.as_bytes()) && matches!(more, [b' ' | b'\t', ..]);
    is_parted.then(|| more.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The findings about the lines of a file, and the number of lines that take the fast path.
    fn read(robots_txt: &RobotsTxt, has_gate: bool) -> (Vec<Diagnostic>, usize) {
        let (mut found, mut plain) = (Vec::new(), 0);
        let mut keep = |finding| found.push(finding);
        let extensions = robots_txt.extensions();
        let mut reporter = Reporter::new(robots_txt, extensions, Text::Read, &mut keep);
        for line in robots_txt.lines() {
            reporter.findings.line = whole(&line);
            if has_gate && reporter.is_plain(&line) {
                plain += 1;
            } else {
                reporter.line(&line);
            }
        }
        reporter.after_lines(robots_txt.truncated_at());
        (found, plain)
    }

    const LINE: &str = r"[ \t]{0,2}(#|<|\{|\x00|0)?((Dis)?allow|User-agent|Allowx|Sitemap|x y)?[:# ]{0,2}[/*]?(http|Disallow: /a|&amp;|[/.*%$#a2()\[\]\\ ,;|<é\x00_]){0,4}\r?";

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn the_gate_changes_no_finding(
            start in prop_oneof![Just("User-agent: a\n"), Just("<html>\n"), Just(""), Just("\x00U\x00s\x00e\x00r\n")],
            lines in vec(LINE, 0..6),
            google: bool,
        ) {
            let file = [start, &lines.join("\n")].concat();
            let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
            let options = polite_robots::Options::new(dialect);
            let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &options);
            let (found, _) = read(&robots_txt, true);
            let (expected, _) = read(&robots_txt, false);
            prop_assert_eq!(found, expected, "{}", file.escape_debug());
        }
    }

    #[test]
    fn usual_lines_pass_the_gate() {
        let file = "User-agent: *\nDisallow: /a/b.html\nAllow: /*.css$\n# a comment\n\nDisallow:\nUser-agent: PlumBot\nDisallow: /caf%C3%A9";
        let robots_txt = RobotsTxt::parse(file.as_bytes());
        assert_eq!(read(&robots_txt, true), (Vec::new(), file.lines().count()));
        let page = "<html>\n<body class=\"a\">\n<p>Not found\n";
        let robots_txt = RobotsTxt::parse(page.as_bytes());
        assert_eq!(read(&robots_txt, true).1, 4);
    }
}
