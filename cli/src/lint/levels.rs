//! Which findings are left out, and which make the run fail.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use polite_robots_lint::{DiagnosticCode, Severity};

use crate::terminal::printable;

#[derive(Debug, Default, Args)]
pub(super) struct Levels {
    /// Leave findings out: of one code, or of a level (notes, warnings) and below
    ///
    /// Several are separated by commas, or given one by one. `closed` is site-closed, for the file
    /// of a staging site.
    #[arg(
        long,
        value_name = "CODE|LEVEL",
        value_delimiter = ',',
        value_parser = selector(&[Severity::Note, Severity::Warning]),
        hide_possible_values = true
    )]
    allow: Vec<Selector>,

    /// Exit with 1 on findings: of one code, or of a level (errors, warnings, notes) and above
    /// [default: warnings]
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
    /// These are no mistakes: many good sites have them, and their owners mean it. All are notes.
    /// One of them alone is reported with --deny and its code.
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
    /// Refuses options that contradict each other about one code.
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

/// The short name of a code that the owners of staging sites need.
const CLOSED: (&str, Selector) = ("closed", Selector::Code(DiagnosticCode::SiteClosed));

/// The name that stands for all codes of a level, in the plural as in compilers.
fn level_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "errors",
        Severity::Warning => "warnings",
        Severity::Note => "notes",
    }
}

fn selector(levels: &'static [Severity]) -> impl TypedValueParser<Value = Selector> {
    let levels = levels.iter().map(|severity| Selector::Level(*severity));
    let codes = DiagnosticCode::ALL.iter().copied().map(Selector::Code);
    let named = levels
        .chain(codes)
        .map(|selector| (selector.name(), selector));
    Named {
        values: named.chain([CLOSED]).collect(),
    }
}

/// A code by its name.
pub(super) fn code() -> impl TypedValueParser<Value = DiagnosticCode> {
    let codes = DiagnosticCode::ALL.iter();
    Named {
        values: codes.map(|code| (code.as_str(), *code)).collect(),
    }
}

/// Values by their names. The error about another name has the nearest ones; clap's own would list
/// all of them.
#[derive(Debug, Clone)]
struct Named<T> {
    values: Vec<(&'static str, T)>,
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let name = value.to_string_lossy();
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let argument = argument.map(|argument| format!(" for '{argument}'"));
            let message = format!(
                "invalid value '{}'{}{}; `robots lint --explain` lists all codes",
                printable(&name),
                argument.unwrap_or_default(),
                self.nearest(&name),
            );
            command.clone().error(ErrorKind::InvalidValue, message)
        })
    }

    /// The names for the completions of shells.
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.values.iter().map(|(name, _)| *name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

impl<T> Named<T> {
    fn nearest(&self, name: &str) -> String {
        let name = name.to_ascii_lowercase();
        let similarity = |known: &str| match has_words_of(known, &name) {
            true => strsim::jaro_winkler(known, &name).max(LEAST_SIMILAR),
            false => strsim::jaro_winkler(known, &name),
        };
        let known = self
            .values
            .iter()
            .map(|(known, _)| (similarity(known), *known));
        let mut near: Vec<(f64, &str)> = known.filter(|(near, _)| *near >= LEAST_SIMILAR).collect();
        near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let near: Vec<String> = near
            .iter()
            .take(MOST_NAMES)
            .map(|(_, known)| format!("`{known}`"))
            .collect();
        match near.is_empty() {
            true => String::new(),
            false => format!("; the nearest: {}", near.join(", ")),
        }
    }
}

/// Whether a name has the longer words of another name, in any order: `site-closed` has those of
/// `closed-site`, and `missing-colon` has those of `no-colon`.
fn has_words_of(known: &str, name: &str) -> bool {
    let mut words = name.split('-').filter(|word| word.len() >= SHORTEST_WORD);
    let is_known = |word| {
        let mut parts = known.split('-');
        parts.any(|part| strsim::jaro_winkler(part, word) >= LEAST_SIMILAR)
    };
    words.clone().next().is_some() && words.all(is_known)
}

/// The shortest word that counts, in bytes. `no` and `in` say little about a code.
const SHORTEST_WORD: usize = 4;

/// The least similarity of a name to suggest, from 0 to 1. `foo-bar` has nothing in common with
/// `too-large`, and their similarity is 0.81.
const LEAST_SIMILAR: f64 = 0.85;

const MOST_NAMES: usize = 3;
