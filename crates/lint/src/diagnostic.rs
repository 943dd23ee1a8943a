//! A finding about a robots.txt, and the sink that receives findings.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use polite_robots::document::{RuleRecord, UserAgent};
use polite_robots::record::Extension;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::order::in_order;
use crate::proposal::{Effect, Proposal};

/// A mistake or oddity in a robots.txt, with its position.
///
/// It is never an error: the parser always reads the rest of the file.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::{DiagnosticCode, lint};
///
/// let found = lint(&RobotsTxt::parse(b"User-agent: *\nDisalow: /x"));
/// let finding = &found[0];
/// assert_eq!(finding.code(), DiagnosticCode::MisspelledField);
/// assert_eq!((finding.line(), finding.span()), (2, 14..21));
/// assert_eq!(finding.suggestion(), Some("Disallow"));
/// assert_eq!(
///     finding.to_string(),
///     "line 2: `Disalow` is read as `Disallow` by some crawlers only; write `Disallow`",
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    code: DiagnosticCode,
    severity: Severity,
    line: u32,
    span: Range<usize>,
    message: Cow<'static, str>,
    proposals: Vec<Proposal>,
}

impl Diagnostic {
    /// A finding of another program, so that it can go to the same [`Sink`] and report as those of
    /// this crate. `span` is the position in
    /// [`RobotsTxt::as_bytes`](polite_robots::RobotsTxt::as_bytes), `message` one sentence without
    /// the line number and a full stop.
    ///
    /// ```
    /// use polite_robots_lint::{Diagnostic, DiagnosticCode};
    ///
    /// let message = "Google reads `Plum` of this name, and Plum is a crawler of ours";
    /// let finding = Diagnostic::new(DiagnosticCode::DigitInProductToken, 1, 12..17, message);
    /// assert!(finding.to_string().starts_with("line 1: Google reads"));
    /// ```
    pub fn new(
        code: DiagnosticCode,
        line: u32,
        span: Range<usize>,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            line,
            span,
            message: message.into(),
            proposals: Vec::new(),
        }
    }

    /// The finding with a severity that its code may have.
    #[must_use]
    pub fn with_severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    /// The finding with a replacement for the text at its span, as its first proposal; see
    /// [`Diagnostic::suggestion`].
    #[must_use]
    pub fn with_suggestion(mut self, suggestion: impl Into<String>) -> Diagnostic {
        let proposal = Proposal::replace(self.span(), suggestion, Effect::Google);
        self.proposals.reserve_exact(1);
        self.proposals.insert(0, proposal);
        self
    }

    /// The finding with one more proposal.
    #[must_use]
    pub(crate) fn with_proposal(mut self, proposal: Proposal) -> Diagnostic {
        self.proposals.reserve_exact(1);
        self.proposals.push(proposal);
        self
    }

    /// The finding with other proposals.
    #[must_use]
    pub(crate) fn with_proposals(self, proposals: Vec<Proposal>) -> Diagnostic {
        Diagnostic { proposals, ..self }
    }

    /// Marks the proposals that change no answer. If all of them are marked, the sentence says so.
    #[must_use]
    pub(crate) fn with_idle_proposals(mut self, are_idle: &[bool]) -> Diagnostic {
        let pairs = self.proposals.iter_mut().zip(are_idle);
        for (proposal, _) in pairs.filter(|(_, is_idle)| **is_idle) {
            *proposal = proposal.clone().with_effect(Effect::Nothing);
        }
        let effects = self.proposals.iter().map(Proposal::effect);
        match effects.max() {
            Some(Effect::Nothing) => self.with_advice(IDLE),
            _ => self,
        }
    }

    /// A finding with its sentence and its proposals.
    pub(crate) fn advised(
        code: DiagnosticCode,
        line: u32,
        span: Range<usize>,
        advice: impl Into<Advice>,
    ) -> Diagnostic {
        let Advice { message, proposals } = advice.into();
        Diagnostic::new(code, line, span, message).with_proposals(proposals)
    }

    /// A finding about a record of the file.
    pub(crate) fn on(
        record: &impl Placed,
        code: DiagnosticCode,
        advice: impl Into<Advice>,
    ) -> Diagnostic {
        Diagnostic::advised(code, record.number(), record.place(), advice)
    }

    /// The finding with one more piece of advice at the end of its message.
    pub(crate) fn with_advice(self, advice: &str) -> Diagnostic {
        let message = format!("{}; {advice}", self.message).into();
        Diagnostic { message, ..self }
    }

    /// The kind of the finding; stable across releases.
    pub fn code(&self) -> DiagnosticCode {
        self.code
    }

    /// The severity of this finding: that of its [`DiagnosticCode`], or a lower one.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The number of the line, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The position in [`RobotsTxt::as_bytes`](polite_robots::RobotsTxt::as_bytes), in bytes from
    /// 0.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// One sentence for the person who maintains the file, without the line number and a full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The texts that the owner can write, in the order in which the sentence names them; mostly
    /// one. A finding without proposals only states a fact.
    pub fn proposals(&self) -> &[Proposal] {
        &self.proposals
    }

    /// A replacement for the text at [`Diagnostic::span`] that changes no answer of RFC 9309, if
    /// there is one. It may change answers of Google's matcher. The suggestions of one file do not
    /// overlap.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_lint::lint;
    ///
    /// let mut file = b"User-agent: *\nDisalow: /x".to_vec();
    /// let found = lint(&RobotsTxt::parse(&file));
    /// // From the end, so that the other spans stay valid.
    /// for finding in found.iter().rev() {
    ///     if let Some(suggestion) = finding.suggestion() {
    ///         file.splice(finding.span(), suggestion.bytes());
    ///     }
    /// }
    /// assert_eq!(file, b"User-agent: *\nDisallow: /x");
    /// ```
    pub fn suggestion(&self) -> Option<&str> {
        let proposal = self.proposals.first()?;
        let [edit] = proposal.edits() else {
            return None;
        };
        // A text that is meant to change answers is no suggestion, even if other lines decide.
        let effects = self.proposals.iter().map(Proposal::effect);
        let is_idle = self.message.ends_with(IDLE);
        let keeps_answers = effects.max() <= Some(Effect::Google) && !is_idle;
        (edit.span == self.span && keeps_answers).then_some(edit.text())
    }
}

/// The end of a sentence whose proposals change no answer because of other lines.
const IDLE: &str = "no answer changes by that in this file";

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// A record with its place in the file.
pub(crate) trait Placed {
    /// The number of its line.
    fn number(&self) -> u32;

    /// The place of its value.
    fn place(&self) -> Range<usize>;
}

macro_rules! placed {
    ($($record:ident),+) => {$(
        impl Placed for $record<'_> {
            fn number(&self) -> u32 {
                self.line()
            }

            fn place(&self) -> Range<usize> {
                self.span()
            }
        }
    )+};
}

placed!(Extension, RuleRecord, UserAgent);

/// A receiver of findings: a `Vec` stores them, and a closure is called with each.
/// [`Linter::report`](crate::Linter::report) has an example.
pub trait Sink {
    /// Receives one finding. Findings come in the order of the file.
    fn report(&mut self, diagnostic: Diagnostic);

    /// Whether the sink reads the messages and the suggestions. If not, findings about single lines
    /// may have an empty [`Diagnostic::message`] and no [`Diagnostic::suggestion`], and other
    /// messages may lack advice, which saves the work of writing them; everything else is the same.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Sink};
    ///
    /// struct Codes(Vec<DiagnosticCode>);
    ///
    /// impl Sink for Codes {
    ///     fn report(&mut self, finding: Diagnostic) {
    ///         self.0.push(finding.code());
    ///     }
    ///
    ///     fn reads_text(&self) -> bool {
    ///         false
    ///     }
    /// }
    ///
    /// let mut codes = Codes(Vec::new());
    /// Linter::new().report(&RobotsTxt::parse(b"User-agent: *\nDisalow: /x"), &mut codes);
    /// assert_eq!(codes.0, [DiagnosticCode::MisspelledField]);
    /// ```
    fn reads_text(&self) -> bool {
        true
    }
}

impl Sink for Vec<Diagnostic> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.push(diagnostic);
    }
}

impl<F: FnMut(Diagnostic)> Sink for F {
    fn report(&mut self, diagnostic: Diagnostic) {
        self(diagnostic);
    }
}

/// The findings in the order of the file; those of one place stay as they were.
pub(crate) fn by_place(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    in_order(findings, |one, other| {
        let lines = one.line.cmp(&other.line);
        lines.then(one.span.start.cmp(&other.span.start))
    })
}
