//! A file with its findings.

use polite_robots::{Options, RobotsTxt};
use polite_robots_lint::fix::Suggestions;
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Severity};

use crate::input::Input;
use crate::lint::allowed::Allowed;
use crate::lint::levels::{Levels, Treatment};
use crate::lint::place::{Lines, Place};

pub(super) struct Linted<'a> {
    pub(super) input: &'a Input,
    /// The part of the file that was read.
    pub(super) robots_txt: RobotsTxt,
    pub(super) findings: Vec<Finding>,
    /// The findings that comments of the file allow.
    pub(super) allowed: Vec<Finding>,
}

pub(super) struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) place: Place,
    pub(super) is_denied: bool,
    /// Whether the suggestion of the finding changes no answer and loses nothing.
    pub(super) can_fix: bool,
}

impl<'a> Linted<'a> {
    pub(super) fn new(
        input: &'a Input,
        bytes: &[u8],
        options: &Options,
        levels: &Levels,
        host: Option<&str>,
    ) -> Linted<'a> {
        let robots_txt = RobotsTxt::parse_with(bytes, options);
        let mut linter = Linter::new();
        if levels.want_opinions() {
            linter = linter.with_opinions();
        }
        if let Some(host) = host {
            linter = linter.with_host(host);
        }
        let diagnostics = linter.lint(&robots_txt);
        let comments = Allowed::of(&robots_txt);
        comments.warn_of_unknown(input);
        let lines = Lines::of(&robots_txt, &diagnostics);
        let (allowed, diagnostics): (Vec<_>, Vec<_>) = diagnostics
            .into_iter()
            .partition(|finding| comments.contains(finding.code(), finding.line()));
        let suggestions = Suggestions::new(&robots_txt, &diagnostics);
        let finding = |diagnostic: Diagnostic, can_fix: bool| {
            let treatment = levels.treatment(diagnostic.code(), diagnostic.severity());
            (treatment != Treatment::LeftOut).then(|| Finding {
                place: lines.place(&diagnostic),
                is_denied: treatment == Treatment::Denied,
                can_fix,
                diagnostic,
            })
        };
        let diagnostics = diagnostics.into_iter().enumerate();
        let findings = diagnostics
            .filter_map(|(at, diagnostic)| finding(diagnostic, suggestions.can_fix(at)))
            .collect();
        let allowed = allowed.into_iter();
        let allowed = allowed
            .filter_map(|diagnostic| finding(diagnostic, false))
            .collect();
        Linted {
            input,
            findings,
            allowed,
            robots_txt,
        }
    }

    /// The line of a finding that is shown with it.
    pub(super) fn line(&self, finding: &Finding) -> &[u8] {
        let line = self.robots_txt.as_bytes().get(finding.place.line.clone());
        line.unwrap_or_default()
    }
}

impl Finding {
    pub(super) fn code(&self) -> DiagnosticCode {
        self.diagnostic.code()
    }

    /// The replacement for the text of the finding, if it is safe.
    pub(super) fn suggestion(&self) -> Option<&str> {
        self.diagnostic.suggestion().filter(|_| self.can_fix)
    }

    pub(super) fn severity(&self) -> Severity {
        self.diagnostic.severity()
    }
}
