//! The expectations of a file with the answers of the robots.txt.

use std::rc::Rc;

use polite_robots::Access;
use polite_robots_audit::answer::{Answer, Answers};

use crate::expect::expectation::Expectation;
use crate::input::Input;

/// A file of expectations with all of its answers.
pub(super) struct AnsweredFile<'a> {
    pub(super) input: &'a Input,
    pub(super) answers: Vec<Answered<'a>>,
}

/// An expectation, and the answers by which it is judged.
pub(super) struct Answered<'a> {
    pub(super) expectation: Expectation,
    pub(super) answers: Rc<Answers<'a>>,
}

impl<'a> AnsweredFile<'a> {
    pub(super) fn failures(&self) -> impl Iterator<Item = &Answered<'a>> {
        let answers = self.answers.iter();
        answers.filter(|answered| !answered.is_as_expected())
    }
}

impl Answered<'_> {
    pub(super) fn answer(&self) -> Answer<'_> {
        self.answers.about(&self.expectation.url)
    }

    pub(super) fn is_as_expected(&self) -> bool {
        self.answers.allowed(&self.expectation.url) == (self.expectation.access == Access::Allow)
    }

    /// The kind of failure, in two words.
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
