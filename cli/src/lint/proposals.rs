//! The proposals of a finding, for programs: edits, and which kind of answers they change.

use polite_robots_lint::{Diagnostic, Edit, Proposal};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct ProposalFields<'a> {
    changes: &'static str,
    edits: Vec<EditFields<'a>>,
}

#[derive(Debug, Serialize)]
struct EditFields<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl<'a> ProposalFields<'a> {
    pub(super) fn of(finding: &'a Diagnostic) -> Vec<ProposalFields<'a>> {
        finding
            .proposals()
            .iter()
            .map(ProposalFields::new)
            .collect()
    }

    fn new(proposal: &'a Proposal) -> ProposalFields<'a> {
        ProposalFields {
            changes: proposal.effect().as_str(),
            edits: proposal.edits().iter().map(EditFields::new).collect(),
        }
    }
}

impl<'a> EditFields<'a> {
    fn new(edit: &'a Edit) -> EditFields<'a> {
        EditFields {
            start: edit.span().start,
            end: edit.span().end,
            text: edit.text(),
        }
    }
}
