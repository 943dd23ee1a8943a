//! The results of all files of a run: their findings, and the files that failed.

use crate::input::Input;
use crate::lint::levels::Levels;
use crate::lint::linted::Linted;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// The results of all files of a run, in the order of the files.
pub(super) struct Report<'a> {
    pub(super) reading: &'a Reading,
    levels: &'a Levels,
    host: Option<&'a str>,
    pub(super) linted: Vec<Linted<'a>>,
    pub(super) failed: Vec<Failed<'a>>,
}

/// A file that could not be read, or written.
pub(super) struct Failed<'a> {
    pub(super) input: &'a Input,
    pub(super) how: FailedTo,
    pub(super) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailedTo {
    Read,
    Write,
}

impl FailedTo {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            FailedTo::Read => "unreadable",
            FailedTo::Write => "unwritten",
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(
        reading: &'a Reading,
        levels: &'a Levels,
        host: Option<&'a str>,
    ) -> Report<'a> {
        Report {
            reading,
            levels,
            host,
            linted: Vec::new(),
            failed: Vec::new(),
        }
    }

    pub(super) fn lint(&mut self, input: &'a Input, bytes: &[u8]) {
        let options = self.reading.options();
        self.linted
            .push(Linted::new(input, bytes, &options, self.levels, self.host));
    }

    pub(super) fn failed(
        &mut self,
        input: &'a Input,
        how: FailedTo,
        error: &dyn std::error::Error,
    ) {
        self.failed.push(Failed {
            input,
            how,
            message: error.to_string(),
        });
    }

    /// Prints the failures and gives the answer. A file that could not be read or written is an
    /// error, however clean the rest is.
    pub(super) fn finish(&self) -> Result<Answer, Failure> {
        for failed in &self.failed {
            terminal::error(format_args!("{}", failed.message));
        }
        let mut findings = self.linted.iter().flat_map(|linted| &linted.findings);
        Ok(if !self.failed.is_empty() {
            Answer::Partial
        } else if findings.any(|finding| finding.is_denied) {
            Answer::No
        } else {
            Answer::Yes
        })
    }
}
