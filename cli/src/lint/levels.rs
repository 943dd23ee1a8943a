//! Which findings are left out, and which make the run fail.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use polite_robots::lint::{DiagnosticCode, Severity};

#[derive(Debug, Default, Args)]
pub(super) struct Levels {
    /// Leave findings out: of one code, or of a level (notes, warnings) and below
    ///
    /// Several are separated by commas, or given one by one.
    #[arg(
        long,
        value_name = "CODE|LEVEL",
        value_delimiter = ',',
        value_parser = selector(&[Severity::Note, Severity::Warning]),
        hide_possible_values = true
    )]
    allow: Vec<Selector>,

    /// Exit with 1 on findings: of one code, or of a level (errors, warnings, notes) and above [default: warnings]
    ///
    /// Several as with --allow. A code wins over a level, and otherwise --allow over --deny.
    #[arg(
        long,
        value_name = "CODE|LEVEL",
        value_delimiter = ',',
        value_parser = selector(&[Severity::Error, Severity::Warning, Severity::Note]),
        hide_possible_values = true
    )]
    deny: Vec<Selector>,

    /// Report opinions too: no-sitemap, query-disallowed, revealing-path
    ///
    /// These are no mistakes: many good sites have them, and their owners mean it. All are notes. One of them alone is
    /// reported with --deny and its code.
    #[arg(long)]
    opinions: bool,
}

/// The treatment of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Treatment {
    LeftOut,
    Shown,
    /// Shown, and the run fails.
    Denied,
}

/// `CODE|LEVEL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selector {
    Code(DiagnosticCode),
    Level(Severity),
}

impl Levels {
    /// Two different wishes about one code contradict each other.
    pub(super) fn refuse_contradictions(&self) -> Result<(), &'static str> {
        self.allow
            .iter()
            .find(|allowed| self.deny.contains(allowed))
            .map_or(Ok(()), |both| Err(both.name()))
    }

    /// Whether opinions are asked for, all or some.
    pub(super) fn want_opinions(&self) -> bool {
        let is_opinion = |selector: &Selector| match selector {
            Selector::Code(code) => code.is_opinion(),
            Selector::Level(_) => false,
        };
        self.opinions || self.deny.iter().any(is_opinion)
    }

    pub(super) fn treatment(&self, code: DiagnosticCode, severity: Severity) -> Treatment {
        let is_code = |selector: &Selector| *selector == Selector::Code(code);
        let is_allowed_level =
            |selector: &Selector| selector.level().is_some_and(|most| severity <= most);
        let least_denied = self
            .deny
            .iter()
            .filter_map(|selector| selector.level())
            .min();
        let is_unwanted = code.is_opinion() && !self.opinions;
        if self.allow.iter().any(is_code) {
            Treatment::LeftOut
        } else if self.deny.iter().any(is_code) {
            Treatment::Denied
        } else if is_unwanted || self.allow.iter().any(is_allowed_level) {
            Treatment::LeftOut
        } else if severity >= least_denied.unwrap_or(Severity::Warning) {
            Treatment::Denied
        } else {
            Treatment::Shown
        }
    }
}

impl Selector {
    fn level(self) -> Option<Severity> {
        match self {
            Selector::Code(_) => None,
            Selector::Level(severity) => Some(severity),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Selector::Code(code) => code.as_str(),
            Selector::Level(severity) => level_name(severity),
        }
    }
}

/// As compilers have it: all of a level, in the plural.
fn level_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "errors",
        Severity::Warning => "warnings",
        Severity::Note => "notes",
    }
}

/// clap names what is unknown, the nearest that is known, and all others.
fn selector(levels: &'static [Severity]) -> impl TypedValueParser<Value = Selector> {
    let selectors = levels
        .iter()
        .map(|severity| Selector::Level(*severity))
        .chain(DiagnosticCode::ALL.iter().map(|code| Selector::Code(*code)));
    let selectors: Vec<Selector> = selectors.collect();
    PossibleValuesParser::new(selectors.iter().map(|selector| selector.name())).try_map(
        move |name| {
            let found = selectors.iter().find(|selector| selector.name() == name);
            found.copied().ok_or("neither a code nor a level")
        },
    )
}

/// A code by its name.
pub(super) fn code() -> impl TypedValueParser<Value = DiagnosticCode> {
    PossibleValuesParser::new(DiagnosticCode::ALL.iter().map(|code| code.as_str()))
        .try_map(|name| DiagnosticCode::from_name(&name).ok_or("no code"))
}
