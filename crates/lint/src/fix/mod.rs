//! Fixes that change no answer, neither by RFC 9309 nor by Google's matcher, and leave every other
//! byte as it is.
//!
//! ```
//! use polite_robots_lint::fix::Fixes;
//!
//! let fixes = Fixes::new(b"useragent: *\nDisalow: /x # all\n", |_| true);
//! assert_eq!(fixes.file(), b"User-agent: *\nDisallow: /x # all\n");
//! assert_eq!(fixes.count(), 2);
//! ```

mod suggestion;

use polite_robots::RobotsTxt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::linter::lint;
use crate::proposal::{Edit, apply};

pub use crate::fix::suggestion::{Suggestions, is_fixable};

/// The fixes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixes {
    file: Vec<u8>,
    count: usize,
}

impl Fixes {
    /// Fixes the findings whose codes are wanted, as far as that changes no answer.
    pub fn new(file: &[u8], is_wanted: impl Fn(DiagnosticCode) -> bool) -> Fixes {
        Fixes::chosen(file, |_| |finding: &Diagnostic| is_wanted(finding.code()))
    }

    /// Fixes the findings that are wanted, as far as that changes no answer. A fix moves lines and
    /// may reveal further findings, so the file is read again after each round, and `choice` is
    /// called again.
    pub fn chosen<C>(file: &[u8], choice: impl Fn(&RobotsTxt) -> C) -> Fixes
    where
        C: Fn(&Diagnostic) -> bool,
    {
        let mut fixes = Fixes {
            file: file.to_vec(),
            count: 0,
        };
        // A rule turns out to be a duplicate once its name is fixed. No file was seen to need more
        // than three rounds.
        for _ in 0..MOST_ROUNDS {
            let edits = edits(&fixes.file, &choice);
            if edits.is_empty() {
                break;
            }
            fixes.count = fixes.count.saturating_add(edits.len());
            fixes.file = apply(&fixes.file, &edits);
        }
        fixes
    }

    /// The file with its fixes.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// The number of fixes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// The edits in the order of the file, none of which overlap.
fn edits<C>(file: &[u8], choice: impl Fn(&RobotsTxt) -> C) -> Vec<Edit>
where
    C: Fn(&Diagnostic) -> bool,
{
    let robots_txt = RobotsTxt::parse(file);
    let found = lint(&robots_txt);
    let is_wanted = choice(&robots_txt);
    let suggestions = Suggestions::new(&robots_txt, &found);
    let mut edits: Vec<Edit> = found
        .iter()
        .enumerate()
        .filter(|(_, finding)| is_wanted(finding))
        .flat_map(|(at, _)| suggestions.edits(at).iter().cloned())
        .collect();
    edits.sort_by_key(|edit| edit.span.start);
    let mut end = 0;
    edits.retain(|edit| {
        let is_apart = edit.span.start >= end;
        if is_apart {
            end = edit.span.end;
        }
        is_apart
    });
    edits
}

/// A bound far above the three rounds that files were seen to need.
const MOST_ROUNDS: usize = 100;

#[cfg(test)]
mod tests;
