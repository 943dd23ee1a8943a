//! Lines to diagnostics: the problems that a single line shows, for the owner of the file.

mod extension;
mod field;
mod file;
mod findings;
mod path;
mod prefixed;
mod user_agent;

use alloc::format;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::options::Dialect;
use crate::parse::content::Content;
use crate::parse::field::{Directive, Spelling};
use crate::parse::group::{Grouping, Membership, Opening};
use crate::parse::line::{PhysicalLine, RawRecord, Separator, Value};
use crate::parse::part::Part;
use crate::parse::report::file::Shape;
use crate::parse::report::findings::Findings;
use crate::text::quote::quote;

/// Reports on each line while the parser reads it. A [`Grouping`] of its own shows which rules have
/// no group.
#[derive(Debug)]
pub(crate) struct Reporter<'a, 's, S: ?Sized> {
    findings: Findings<'a, 's, S>,
    dialect: Dialect,
    shape: Shape,
    grouping: Grouping,
    /// The groups as Google's matcher sees them. It reads more names, so they may be others.
    google: Grouping,
    /// The field of a record after the last `User-agent` line, until a rule follows.
    between_agents: Option<&'a [u8]>,
    last_line: u32,
}

impl<'a, 's, S: Sink + ?Sized> Reporter<'a, 's, S> {
    pub(crate) fn new(file: &'a [u8], dialect: Dialect, sink: &'s mut S) -> Reporter<'a, 's, S> {
        let mut findings = Findings { file, sink };
        let shape = Shape::of(file);
        shape.before_lines(&mut findings);
        Reporter {
            findings,
            dialect,
            shape,
            grouping: Grouping::default(),
            google: Grouping::default(),
            between_agents: None,
            last_line: 0,
        }
    }

    /// Takes the next line of the file.
    #[inline]
    pub(crate) fn line(&mut self, line: &PhysicalLine<'a>, content: &Content<'a>) {
        self.last_line = line.number;
        let text = line.text(self.dialect);
        self.shape.line(&mut self.findings, line, text);
        match content {
            Content::Blank => {}
            Content::NotARecord => self.not_a_record(line, text.without_comment().trim()),
            Content::UnknownField(record) => self.unknown(line, record),
            Content::Known(record, directive, spelling) => {
                if (*spelling, record.separator) != (Spelling::Standard, Separator::Colon) {
                    self.spelling(line, record, *directive, *spelling);
                }
                self.known(line, record, *directive);
            }
        }
    }

    /// Reports the end of what is read, if that is not the end of the file.
    pub(crate) fn after_lines(&mut self, truncated_at: Option<usize>) {
        if let Some(at) = truncated_at {
            let message = format!(
                "only the first {at} bytes were read, and the rest has no effect; raise the limit or shorten the file"
            );
            let truncated =
                Diagnostic::new(DiagnosticCode::Truncated, self.last_line, at..at, message);
            self.findings.sink.report(truncated);
        }
    }

    fn known(&mut self, line: &PhysicalLine<'a>, record: &RawRecord<'a>, directive: Directive) {
        self.google.next(directive);
        match self.grouping.next(directive) {
            Membership::Agent(opening) => self.user_agent(line, record.value, opening),
            membership @ (Membership::Rule | Membership::StrayRule) => {
                if membership == Membership::StrayRule {
                    let message = format!(
                        "this `{}` has no effect, because no `User-agent` line is above it; write one that says to whom it applies",
                        directive.as_str()
                    );
                    let code = DiagnosticCode::RuleBeforeGroup;
                    self.findings.report(code, line, record.field, message);
                }
                self.between_agents = None;
                self.findings.path(line, record.value);
            }
            Membership::Extension(field, _) => {
                self.between_agents = Some(record.field.bytes);
                self.findings.extension(line, record, field);
            }
        }
    }

    /// Reports on how the name of a known record and its separator are written.
    fn spelling(
        &mut self,
        line: &PhysicalLine<'a>,
        record: &RawRecord<'a>,
        directive: Directive,
        spelling: Spelling,
    ) {
        let standard = directive.as_str();
        let field = record.field;
        if let Some(google) = prefixed::read_by_google_alone(field.bytes) {
            self.findings.prefixed(line, record, google, self.google);
        } else if spelling == Spelling::Misspelled {
            let code = DiagnosticCode::MisspelledField;
            // In `Disallow /a:b` the name holds a part of the value, which must stay.
            if is_name_and_more(field.bytes, standard) {
                let message = format!(
                    "{} is read as `{standard}`, and the text after the colon as its value; write a colon after `{standard}`",
                    quote(field.bytes)
                );
                self.findings.report(code, line, field, message);
            } else {
                let message = format!(
                    "{} is read as `{standard}` by some crawlers only; write `{standard}`",
                    quote(field.bytes)
                );
                self.findings.suggest(code, line, field, message, standard);
            }
        }
        if record.separator == Separator::Blank {
            let code = DiagnosticCode::MissingColon;
            let between = line.part.tail(field.end() - line.part.start);
            let blanks = between.head(record.value.part().start - field.end());
            let message = format!(
                "there is no colon after {}, and some crawlers drop such a line; write one",
                quote(field.bytes)
            );
            self.findings.suggest(code, line, blanks, message, ": ");
        }
    }

    fn unknown(&mut self, line: &PhysicalLine<'a>, record: &RawRecord<'a>) {
        let google = prefixed::read_by_google_alone(record.field.bytes);
        if self.shape.is_text() {
            self.between_agents = Some(record.field.bytes);
            match google {
                Some(google) => self.findings.prefixed(line, record, google, self.google),
                None => self.findings.unknown_field(line, record),
            }
        }
        if let Some(google) = google {
            self.google.next(google);
        }
    }

    fn not_a_record(&mut self, line: &PhysicalLine<'a>, text: Part<'a>) {
        if self.shape.is_text() {
            let message = format!(
                "{} is not a record (a field name, a colon and a value), so the line has no effect; if it is a comment, put a `#` before it",
                quote(text.bytes)
            );
            self.findings
                .report(DiagnosticCode::NotARecord, line, text, message);
        }
    }

    fn user_agent(&mut self, line: &PhysicalLine<'a>, value: Value<'a>, opening: Opening) {
        let between = self.between_agents.take();
        if let Some(field) = between.filter(|_| opening != Opening::Group) {
            let message = format!(
                "{} above does not end the group, so the rules below also apply to the agents above it; if that is not meant, give those agents rules of their own",
                quote(field)
            );
            let text = line.part.without_comment().trim();
            self.findings
                .report(DiagnosticCode::GroupBleed, line, text, message);
        }
        self.findings.agent_name(line, value);
    }
}

/// Whether a blank and more text follow the field's name.
fn is_name_and_more(field: &[u8], standard: &str) -> bool {
    field
        .split_at_checked(standard.len())
        .is_some_and(|(name, more)| {
            name.eq_ignore_ascii_case(standard.as_bytes()) && matches!(more, [b' ' | b'\t', ..])
        })
}
