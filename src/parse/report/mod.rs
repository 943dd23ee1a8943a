//! Lines to diagnostics: the problems that a single line shows, for the owner of the file.

mod comment;
mod dot_segment;
mod extension;
mod field;
mod file;
pub(crate) mod findings;
mod foreign_text;
mod glued_record;
mod group_bleed;
mod invisible;
mod path;
mod path_syntax;
mod placeholder;
mod preferences;
mod prefixed;
mod second_record;
mod sitemap;
mod user_agent;

use alloc::format;

use crate::lint::code::{DiagnosticCode, Severity};
use crate::lint::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::parse::content::Content;
use crate::parse::field::{Directive, ExtensionField, Spelling, may_begin_with_name};
use crate::parse::group::{Grouping, Membership, Opening, Placement};
use crate::parse::line::{PhysicalLine, RawRecord, Separator, Value};
use crate::parse::part::Part;
use crate::parse::report::file::Shape;
use crate::parse::report::findings::{Findings, Text};
use crate::parse::report::foreign_text::ForeignText;
use crate::parse::report::path::is_common;
use crate::parse::report::user_agent::is_token_or_wildcard;
use crate::parse::trim::{trim, trim_start};
use crate::text::quote::quote;

/// Reports on each line while the parser reads it. A [`Grouping`] of its own shows which rules have
/// no group.
pub(crate) struct Reporter<'a, 's> {
    findings: Findings<'a, 's>,
    dialect: Dialect,
    shape: Shape,
    /// The offset of the first `#` or NUL from some line on. Lines before it need no search of their own; it is searched
    /// for again after them.
    comment_at: usize,
    grouping: Grouping,
    /// The groups as Google's matcher sees them, from the first record that it alone reads.
    google: Option<Grouping>,
    /// The field of a record after the last `User-agent` line, until a rule follows.
    between_agents: Option<&'a [u8]>,
    /// The value of the last `User-agent` line.
    agent_above: Option<Value<'a>>,
    foreign_text: ForeignText,
}

impl<'a, 's> Reporter<'a, 's> {
    pub(crate) fn new(
        file: &'a [u8],
        dialect: Dialect,
        sink: &'s mut dyn FnMut(Diagnostic),
        text: Text,
    ) -> Reporter<'a, 's> {
        let file = Part::new(0, file);
        let (number, part) = (1, file.head(0));
        let mut findings = Findings {
            file,
            line: PhysicalLine { number, part },
            sink,
            text,
        };
        let shape = Shape::of(file.bytes);
        shape.before_lines(&mut findings);
        Reporter {
            findings,
            dialect,
            shape,
            comment_at: first_comment(file),
            grouping: Grouping::default(),
            google: None,
            between_agents: None,
            agent_above: None,
            foreign_text: ForeignText::default(),
        }
    }

    /// Takes the next line of the file if it is a record in the standard spelling with nothing to
    /// report. Returns whether it is.
    #[inline]
    pub(crate) fn passes(
        &mut self,
        line: PhysicalLine<'a>,
        directive: Directive,
        value: Value<'a>,
    ) -> bool {
        let written = trim(value.with_comment());
        let is_common = match directive {
            Directive::Rule(_) => self.grouping.has_group() && is_common(written),
            Directive::UserAgent => self.between_agents.is_none() && is_token_or_wildcard(written),
            Directive::Extension(_) => false,
        };
        if !is_common || self.shape.is_odd(self.findings.file, line) {
            return false;
        }
        self.findings.line = line;
        self.membership(directive);
        match directive {
            Directive::UserAgent => self.agent_above = Some(value),
            _ => self.between_agents = None,
        }
        true
    }

    /// Takes the next line of the file, which is empty or begins with a comment.
    #[inline]
    pub(crate) fn blank_line(&mut self, line: PhysicalLine<'a>, text: Part<'a>) {
        self.findings.line = line;
        self.shape.line(&mut self.findings, text);
        self.comment(text);
    }

    /// Takes the next line of a file that is not text, if no known field begins so: with a tag, mostly. Returns whether it is
    /// such a line. Pages are few and long, and hold half of the bytes of a crawl.
    pub(crate) fn passes_over(&mut self, line: PhysicalLine<'a>, text: Part<'a>) -> bool {
        let is_passed = !self.shape.is_text() && !may_begin_with_name(indented(text.bytes));
        if is_passed {
            self.findings.line = line;
            self.shape.line(&mut self.findings, text);
            let read = self.without_comment(text);
            self.comment(text.tail(read.bytes.len()));
        }
        is_passed
    }

    /// Takes the next line of the file.
    pub(crate) fn line(&mut self, line: PhysicalLine<'a>, content: Content<'a>) {
        self.findings.line = line;
        let text = line.text(self.dialect);
        self.shape.line(&mut self.findings, text);
        let read = self.without_comment(text);
        self.comment(text.tail(read.bytes.len()));
        match content {
            Content::Blank => {}
            Content::NotARecord | Content::UnknownField(_) if self.is_foreign(read) => {}
            Content::NotARecord => self.not_a_record(read.trim()),
            Content::UnknownField(record) => self.unknown(record),
            Content::Known(record, directive, spelling) => {
                if spelling != Spelling::Standard || record.separator != Separator::Colon {
                    self.spelling(record, directive, spelling);
                }
                self.known(record, directive);
            }
        }
    }

    /// Reports the end of what is read, if that is not the end of the file.
    pub(crate) fn after_lines(&mut self, truncated_at: Option<usize>) {
        if let Some(at) = truncated_at {
            let message = || {
                format!(
                    "only the first {at} bytes were read, and the rest has no effect; raise the limit or shorten the file"
                )
            };
            let end = Part::new(at, b"");
            self.findings
                .report(DiagnosticCode::Truncated, end, message);
        }
    }

    /// The text up to its comment. The texts come in the order of the file.
    fn without_comment(&mut self, text: Part<'a>) -> Part<'a> {
        if self.comment_at < text.start {
            self.comment_at = first_comment(self.findings.file.tail(text.start));
        }
        text.head(self.comment_at - text.start)
    }

    /// Takes the text from the `#` on, which is empty if there is none.
    fn comment(&mut self, text: Part<'a>) {
        if text.bytes.len() > SHORTEST_GLUED {
            self.findings.glued_record(text);
        }
    }

    #[inline]
    fn membership(&mut self, directive: Directive) -> Membership {
        if let Some(google) = &mut self.google {
            google.next(directive);
        }
        self.grouping.next(directive)
    }

    fn known(&mut self, record: RawRecord<'a>, directive: Directive) {
        match self.membership(directive) {
            Membership::Agent(opening) => self.user_agent(record.value, opening),
            membership @ (Membership::Rule | Membership::StrayRule) => {
                if membership == Membership::StrayRule {
                    self.before_group(record, directive, Severity::Error);
                }
                self.between_agents = None;
                self.findings.path(directive, record.value.part());
            }
            Membership::Extension(field, placement) => {
                if (field, placement) == (ExtensionField::CrawlDelay, Placement::Nowhere) {
                    self.before_group(record, directive, Severity::Warning);
                }
                self.between_agents = Some(record.field.bytes);
                self.findings.extension(record, field);
            }
        }
    }

    fn before_group(&mut self, record: RawRecord<'a>, directive: Directive, severity: Severity) {
        let message = || {
            format!(
                "this `{}` has no effect, because no `User-agent` line is above it; write one that says to whom it applies",
                directive.as_str()
            )
        };
        let code = DiagnosticCode::RuleBeforeGroup;
        self.findings.grade(code, severity, record.field, message);
    }

    /// Reports on how the name of a known record and its separator are written.
    fn spelling(&mut self, record: RawRecord<'a>, directive: Directive, spelling: Spelling) {
        let standard = directive.as_str();
        let field = record.field;
        let quoted = quote(field.bytes);
        if let Some(google) = prefixed::read_by_google_alone(field.bytes) {
            self.prefixed(record, google);
        } else if spelling == Spelling::Misspelled {
            let code = DiagnosticCode::MisspelledField;
            // In `Disallow /a:b` the name holds a part of the value, which must stay.
            if is_name_and_more(field.bytes, standard) {
                let message = || {
                    format!(
                        "{quoted} is read as `{standard}`, and the text after the colon as its value; write a colon after `{standard}`"
                    )
                };
                self.findings.report(code, field, message);
            } else {
                let message = || {
                    format!(
                        "{quoted} is read as `{standard}` by some crawlers only; write `{standard}`"
                    )
                };
                self.findings
                    .suggest(code, field, message, || Some(standard));
            }
        }
        if record.separator == Separator::Blank {
            let code = DiagnosticCode::MissingColon;
            let line = self.findings.line.part;
            let between = line.tail(field.end() - line.start);
            let blanks = between.head(record.value.part().start - field.end());
            let message = || {
                format!(
                    "there is no colon after {quoted}, and some crawlers drop such a line; write one"
                )
            };
            self.findings.suggest(code, blanks, message, || Some(": "));
        }
    }

    fn unknown(&mut self, record: RawRecord<'a>) {
        let google = prefixed::read_by_google_alone(record.field.bytes);
        if self.shape.is_text() {
            self.between_agents = Some(record.field.bytes);
            match google {
                Some(google) => self.prefixed(record, google),
                None => self.findings.unknown_field(record),
            }
        }
        if let Some(google) = google {
            self.google.get_or_insert(self.grouping).next(google);
        }
    }

    fn prefixed(&mut self, record: RawRecord<'a>, google: Directive) {
        let groups = self.google.unwrap_or(self.grouping);
        self.findings.prefixed(record, google, groups);
    }

    fn is_foreign(&mut self, text: Part<'a>) -> bool {
        self.shape.is_text() && self.foreign_text.line(&mut self.findings, text.trim())
    }

    fn not_a_record(&mut self, text: Part<'a>) {
        if self.shape.is_text() {
            let text = self.findings.with_whole_character(text);
            let fix = if text.bytes == "\u{ef}\u{bb}\u{bf}".as_bytes() {
                "it is a byte order mark that was saved as text, so remove it"
            } else {
                "if it is a comment, put a `#` before it"
            };
            let message = || {
                format!(
                    "{} is not a record (a field name, a colon and a value), so the line has no effect; {fix}",
                    quote(text.bytes)
                )
            };
            self.findings
                .report(DiagnosticCode::NotARecord, text, message);
        }
    }

    fn user_agent(&mut self, value: Value<'a>, opening: Opening) {
        let between = self.between_agents.take();
        let above = self.agent_above.replace(value);
        if let Some((field, above)) = between.zip(above).filter(|_| opening != Opening::Group) {
            self.findings.group_bleed(above, field, self.dialect);
        }
        self.findings.agent_name(value);
    }
}

/// The length of `#xAllow:/`; a shorter comment cannot hold a record.
const SHORTEST_GLUED: usize = 8;

/// The text after its indentation, of which pages have much.
fn indented(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let Some((b"        ", after)) = rest.split_first_chunk() {
        rest = after;
    }
    trim_start(rest)
}

/// The offset of the first byte that ends the text of a line.
fn first_comment(file: Part<'_>) -> usize {
    file.without_comment().end()
}

/// Whether a blank and more text follow the field's name.
fn is_name_and_more(field: &[u8], standard: &str) -> bool {
    field
        .split_at_checked(standard.len())
        .is_some_and(|(name, more)| {
            name.eq_ignore_ascii_case(standard.as_bytes()) && matches!(more, [b' ' | b'\t', ..])
        })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::parse::line::PhysicalLines;
    use crate::parse::shortcut::{Start, start};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn a_line_that_passes_has_nothing_to_report(
            line in r"((Dis)?allow: ?[/*]?(http|[/.*%$#a2()\[\]\\ <é\x00]){0,4}|User-agent: ?[*a_. 2#:\x00]{0,4})\r?",
        ) {
            let file = ["User-agent: a\n", &line].concat();
            let mut lines = PhysicalLines::new(file.as_bytes());
            let (agent, line) = (lines.next().unwrap(), lines.next().unwrap());
            let mut found = 0;
            let mut count = |_| found += 1;
            let mut reporter =
                Reporter::new(file.as_bytes(), Dialect::Rfc9309, &mut count, Text::Unread);
            for line in [agent, line] {
                reporter.line(line, Content::new(&line, Dialect::Rfc9309));
            }

            let mut fail = |diagnostic| panic!("{diagnostic} is reported by a quick look");
            let mut reporter =
                Reporter::new(file.as_bytes(), Dialect::Rfc9309, &mut fail, Text::Unread);
            for line in [agent, line] {
                if let Start::Known(directive, value) = start(line.part) {
                    let passes = reporter.passes(line, directive, value);
                    let is_agent = line == agent;
                    let is_right = if is_agent { passes } else { !passes || found == 0 };
                    prop_assert!(is_right);
                }
            }
        }

        #[test]
        fn a_line_of_a_page_that_is_passed_over_is_no_record_and_has_the_same_findings(
            lines in vec(
                r"[ \t]{0,9}[</}*0a\x00#é]?[ \t]?((Dis)?allow|User-agent|Sitemap|Allowx|x)?:?[ #\x00]?(Disallow: /a)?\r?",
                0..6,
            ),
        ) {
            let file = ["<html>\n", &lines.join("\n")].concat();
            let read = |most_passed: usize| {
                let mut found = Vec::new();
                let mut keep = |diagnostic| found.push(diagnostic);
                let mut passed = Vec::new();
                let mut reporter =
                    Reporter::new(file.as_bytes(), Dialect::Rfc9309, &mut keep, Text::Read);
                for line in PhysicalLines::new(file.as_bytes()) {
                    let content = Content::new(&line, Dialect::Rfc9309);
                    if passed.len() < most_passed && reporter.passes_over(line, line.part) {
                        passed.push(content);
                    } else {
                        reporter.line(line, content);
                    }
                }
                reporter.after_lines(None);
                (found, passed)
            };
            let (found_at_all, _) = read(0);
            let (found, passed) = read(usize::MAX);
            prop_assert_eq!(found, found_at_all);
            let is_known = |content: &Content<'_>| matches!(content, Content::Known(..));
            prop_assert!(!passed.iter().any(is_known));
            prop_assert!(!passed.is_empty());
        }
    }
}
