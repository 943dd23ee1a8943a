//! The proposals of a finding, for programs: edits, and the answers that change.

use polite_robots::RobotsTxt;
use polite_robots_lint::{Diagnostic, Edit, Effect, Proposal};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct ProposalFields<'a> {
    changes: &'static str,
    agents: Option<Vec<String>>,
    urls: Option<Vec<String>>,
    edits: Vec<EditFields<'a>>,
}

#[derive(Debug, Serialize)]
struct EditFields<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// The comparisons of two versions that are left for a file: a hostile one has a finding on each
/// of its lines.
pub(super) struct Comparisons<'a> {
    robots_txt: &'a RobotsTxt,
    left: usize,
}

impl<'a> Comparisons<'a> {
    pub(super) fn new(robots_txt: &'a RobotsTxt) -> Comparisons<'a> {
        let left = MOST_BYTES / robots_txt.as_bytes().len().max(MOST_BYTES / MOST);
        Comparisons { robots_txt, left }
    }

    pub(super) fn of<'d>(&mut self, finding: &'d Diagnostic) -> Vec<ProposalFields<'d>> {
        let proposals = finding.proposals().iter();
        proposals.map(|proposal| self.fields(proposal)).collect()
    }

    fn fields<'d>(&mut self, proposal: &'d Proposal) -> ProposalFields<'d> {
        let (agents, urls) = match proposal.effect() {
            Effect::Nothing => (Some(Vec::new()), Some(Vec::new())),
            Effect::Google | Effect::Answers => self.changed(proposal).unzip(),
        };
        ProposalFields {
            changes: proposal.effect().as_str(),
            agents,
            urls,
            edits: proposal.edits().iter().map(EditFields::new).collect(),
        }
    }

    /// The agents that get another answer, and shortest URLs of those that are decided otherwise.
    fn changed(&mut self, proposal: &Proposal) -> Option<(Vec<String>, Vec<String>)> {
        self.left = self.left.checked_sub(1)?;
        let difference = proposal.difference(self.robots_txt);
        let changes = difference.changes().iter();
        let changes = changes.filter(|change| change.is_change());
        let agents = changes.clone().flat_map(|change| change.agents().to_vec());
        let verdicts = changes.flat_map(|change| change.verdicts());
        let mut urls: Vec<String> = Vec::new();
        for verdict in verdicts {
            if urls.len() < MOST_URLS && !urls.iter().any(|url| url == verdict.url) {
                urls.push(verdict.url.to_owned());
            }
        }
        Some((agents.collect(), urls))
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

/// Comparisons of one file, and the bytes of all its versions that are read for them.
const MOST: usize = 64;
const MOST_BYTES: usize = 1 << 20;

const MOST_URLS: usize = 5;
