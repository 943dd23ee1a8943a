//! Lines → diagnostics: what a person who maintains the file would want to know of a line.

mod extension;
mod field;
mod file;
mod findings;
mod path;
mod prefixed;
mod user_agent;

use alloc::format;

use nom::Offset as _;

use crate::diagnostic::code::Code;
use crate::diagnostic::{Diagnostic, Sink, quote};
use crate::parse::directive::{Directive, Spelling};
use crate::parse::group::{Begins, Grouping};
use crate::parse::line::{PhysicalLine, Record, Separator, Value, trim, without_comment};
use crate::parse::report::file::Shape;
use crate::parse::report::findings::Findings;

/// Looks at each line beside the parser; its own [`Grouping`] tells which rules have no group.
#[derive(Debug)]
pub(crate) struct Reporter<'a, 's, S: ?Sized> {
    findings: Findings<'a, 's, S>,
    shape: Shape,
    grouping: Grouping,
    /// Google's matcher reads more names, so its groups may be others.
    google: Grouping,
    /// The field of a record behind the last `User-agent` line, while no rule stands there.
    between_agents: Option<&'a [u8]>,
}

impl<'a, 's, S: Sink + ?Sized> Reporter<'a, 's, S> {
    pub(crate) fn new(file: &'a [u8], sink: &'s mut S) -> Reporter<'a, 's, S> {
        let mut findings = Findings { file, sink };
        let shape = Shape::of(file);
        shape.before_lines(&mut findings);
        Reporter {
            findings,
            shape,
            grouping: Grouping::default(),
            google: Grouping::default(),
            between_agents: None,
        }
    }

    /// A line of which `read` is read.
    #[inline]
    pub(crate) fn line(&mut self, line: &PhysicalLine<'a>, read: &'a [u8]) {
        self.shape.line(&mut self.findings, line, read);
    }

    /// A record whose field is known; `field` is the name as written.
    #[inline]
    pub(crate) fn known(
        &mut self,
        line: &PhysicalLine<'a>,
        field: &'a [u8],
        directive: Directive,
        value: Value<'a>,
    ) {
        self.google_reads(directive);
        match directive {
            Directive::UserAgent => self.user_agent(line, value),
            Directive::Rule(access) => {
                if !self.grouping.rule() {
                    let message = format!(
                        "this `{access}` has no effect before the first `User-agent` line; put one above it"
                    );
                    self.findings
                        .report(Code::RuleBeforeGroup, line, field, message);
                }
                self.between_agents = None;
                self.findings.path(line, value);
            }
            Directive::Extension(extension) => {
                self.grouping.extension(extension.level());
                self.between_agents = Some(field);
                self.findings
                    .extension(line, field, extension, value.octets());
            }
        }
    }

    /// What is odd about how a known record is written.
    pub(crate) fn spelling(
        &mut self,
        line: &PhysicalLine<'a>,
        record: &Record<'a>,
        directive: Directive,
        spelling: Spelling,
    ) {
        let standard = directive.as_str();
        if let Some(google) = prefixed::read_by_google_alone(record.field) {
            self.findings.prefixed(line, record, google, self.google);
        } else if spelling == Spelling::Misspelled {
            let code = Code::MisspelledField;
            // `Disallow /a:b`: the part of the value in the name has to stay.
            if is_name_and_more(record.field, standard) {
                let message = format!(
                    "{} is read as `{standard}`, and what follows the colon as its value; write a colon after `{standard}`",
                    quote(record.field)
                );
                self.findings.report(code, line, record.field, message);
            } else {
                let message = format!("{} is read as `{standard}`", quote(record.field));
                self.findings
                    .suggest(code, line, record.field, message, standard);
            }
        }
        if record.separator == Separator::Blank {
            let start = self.findings.file.offset(record.field) + record.field.len();
            let end = self.findings.file.offset(record.value.octets());
            let blanks = self.findings.file.get(start..end).unwrap_or_default();
            let message = format!("there is no colon after {}", quote(record.field));
            self.findings
                .suggest(Code::MissingColon, line, blanks, message, ": ");
        }
    }

    pub(crate) fn unknown(&mut self, line: &PhysicalLine<'a>, record: &Record<'a>) {
        let google = prefixed::read_by_google_alone(record.field);
        if self.shape.is_text() {
            self.between_agents = Some(record.field);
            match google {
                Some(google) => self.findings.prefixed(line, record, google, self.google),
                None => self.findings.unknown_field(line, record),
            }
        }
        if let Some(google) = google {
            self.google_reads(google);
        }
    }

    /// A line without a record: blank, a comment, or something else.
    pub(crate) fn not_a_record(&mut self, line: &PhysicalLine<'a>, read: &'a [u8]) {
        let text = trim(without_comment(read));
        if !text.is_empty() && self.shape.is_text() {
            let message = format!(
                "{} is no record, which is a field name, a colon and a value; put a `#` before a remark",
                quote(text)
            );
            self.findings.report(Code::NotARecord, line, text, message);
        }
    }

    pub(crate) fn after_lines(&mut self, last_line: u32, truncated_at: Option<usize>) {
        if let Some(at) = truncated_at {
            let message = format!(
                "only the first {at} octets are read and what follows has no effect; raise the limit or shorten the file"
            );
            let truncated = Diagnostic::new(Code::Truncated, last_line, at..at, message);
            self.findings.sink.report(truncated);
        }
    }

    fn google_reads(&mut self, directive: Directive) {
        match directive {
            Directive::UserAgent => {
                self.google.user_agent();
            }
            Directive::Rule(_) => {
                self.google.rule();
            }
            Directive::Extension(_) => {}
        }
    }

    fn user_agent(&mut self, line: &PhysicalLine<'a>, value: Value<'a>) {
        let begins = self.grouping.user_agent();
        if let (false, Some(field)) = (begins == Begins::Group, self.between_agents.take()) {
            let message = format!(
                "{} above does not end the group, so the rules below are for the agents above it too; give those an `Allow` or `Disallow` line",
                quote(field)
            );
            self.findings.report(
                Code::GroupBleed,
                line,
                trim(without_comment(line.octets)),
                message,
            );
        }
        self.between_agents = None;
        self.findings.agent_name(line, value);
    }
}

/// Whether a blank and something else stand behind the field's name.
fn is_name_and_more(field: &[u8], standard: &str) -> bool {
    field
        .split_at_checked(standard.len())
        .is_some_and(|(name, more)| {
            name.eq_ignore_ascii_case(standard.as_bytes()) && matches!(more, [b' ' | b'\t', ..])
        })
}
