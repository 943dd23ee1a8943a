//! [`Removal`]: the advice to remove a line.

use crate::advice::Advice;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

/// The line of a record, which may part the agents above it from those below.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal<'a> {
    file: Part<'a>,
    line: Part<'a>,
    agent_below: Option<u32>,
}

impl<'a> Removal<'a> {
    /// `agent_below` is the next agent of a list that the line stands in.
    pub(super) fn new(file: Part<'a>, line: Part<'a>, agent_below: Option<u32>) -> Removal<'a> {
        Removal {
            file,
            line,
            agent_below,
        }
    }

    /// The advice to remove the line, after a sentence, or the reason why it stays.
    pub(super) fn advice(self, sentence: &str, effect: Effect) -> Advice {
        match self.agent_below {
            None => Advice::new(format!("{sentence}; remove the line")).propose(
                Proposal::without_line(self.file.bytes, self.line.span(), effect),
            ),
            Some(line) => Advice::new(format!(
                "{sentence}; without the line the agents above it would get the records from line {line} on"
            )),
        }
    }
}
