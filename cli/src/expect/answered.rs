//! The expectations of a file with the answers of the robots.txt.

use polite_robots::{Access, Robot, Verdict};

use crate::expect::expectation::Expectation;
use crate::input::Input;

/// A file of expectations with all of its answers.
pub(super) struct AnsweredFile<'a> {
    pub(super) input: &'a Input,
    pub(super) answers: Vec<Answered>,
}

/// An expectation, and the rules by which it is judged.
pub(super) struct Answered {
    pub(super) expectation: Expectation,
    pub(super) robot: Robot,
}

impl AnsweredFile<'_> {
    pub(super) fn failures(&self) -> impl Iterator<Item = &Answered> {
        let answers = self.answers.iter();
        answers.filter(|answered| !answered.is_as_expected())
    }
}

impl Answered {
    pub(super) fn verdict(&self) -> Verdict<'_> {
        self.robot.check(&self.expectation.url)
    }

    pub(super) fn is_as_expected(&self) -> bool {
        self.verdict().is_allowed() == (self.expectation.access == Access::Allow)
    }

    /// The failure that the answer is, in two words.
    pub(super) fn failure(&self) -> &'static str {
        match self.expectation.access {
            Access::Allow => "not allowed",
            Access::Disallow => "not disallowed",
        }
    }
}

/// The number of answers, and of those that are not as expected.
pub(super) fn counts<'a>(files: impl IntoIterator<Item = &'a AnsweredFile<'a>>) -> (usize, usize) {
    files.into_iter().fold((0, 0), |(answers, failures), file| {
        (
            file.answers.len().saturating_add(answers),
            file.failures().count().saturating_add(failures),
        )
    })
}
