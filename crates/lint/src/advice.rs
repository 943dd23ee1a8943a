//! [`Advice`]: the sentence of a finding, with what it proposes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::proposal::{Effect, Proposal};

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

    /// The advice as the end of a longer sentence.
    #[must_use]
    pub(crate) fn after(self, start: impl fmt::Display) -> Advice {
        let message = format!("{start}; {}", self.message).into();
        Advice { message, ..self }
    }

    /// The advice with further proposals.
    #[must_use]
    pub(crate) fn propose_all(self, proposals: impl IntoIterator<Item = Proposal>) -> Advice {
        proposals.into_iter().fold(self, Advice::propose)
    }

    /// The advice with a text to write at a place, which changes answers.
    #[must_use]
    pub(crate) fn write(self, place: Range<usize>, text: impl Into<String>) -> Advice {
        self.write_if(place, Some(text))
    }

    /// Like [`Advice::write`], if there is a text.
    #[must_use]
    pub(crate) fn write_if(self, place: Range<usize>, text: Option<impl Into<String>>) -> Advice {
        self.propose_all(text.map(|text| Proposal::write(place, text)))
    }

    /// The advice with a text to write at a place, which changes no answer of RFC 9309.
    #[must_use]
    pub(crate) fn suggest(self, place: Range<usize>, text: impl Into<String>) -> Advice {
        self.propose(Proposal::replace(place, text, Effect::Google))
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
