//! [`Advice`]: the sentence of a finding, with what it proposes.

use std::borrow::Cow;

use crate::proposal::Proposal;

/// A sentence, and the proposals that it names, in its order.
#[derive(Debug)]
pub(crate) struct Advice {
    pub(crate) message: Cow<'static, str>,
    pub(crate) proposals: Vec<Proposal>,
}

impl Advice {
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Advice {
        Advice {
            message: message.into(),
            proposals: Vec::new(),
        }
    }

    /// The advice with one more proposal.
    #[must_use]
    pub(crate) fn propose(mut self, proposal: Proposal) -> Advice {
        // Most findings have one, and a hostile file half a million findings.
        self.proposals.reserve_exact(1);
        self.proposals.push(proposal);
        self
    }

    /// The advice with one more proposal, if there is one.
    #[must_use]
    pub(crate) fn propose_if(self, proposal: Option<Proposal>) -> Advice {
        match proposal {
            Some(proposal) => self.propose(proposal),
            None => self,
        }
    }
}

/// A sentence without a proposal.
impl From<&'static str> for Advice {
    fn from(message: &'static str) -> Advice {
        Advice::new(message)
    }
}

impl From<String> for Advice {
    fn from(message: String) -> Advice {
        Advice::new(message)
    }
}
