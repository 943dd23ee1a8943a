//! The reasons for which an edit is refused.

use std::fmt;

use polite_robots::record::PolicyToken;

use crate::policy::{key_of, use_of};
use crate::printable::printable;

/// An edit that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// A name that no file can have.
    InvalidAgent {
        /// The problem of the name.
        why: String,
    },
    /// A preference that nobody reads.
    InvalidSignal {
        /// The key and the value.
        pair: String,
    },
    /// The name of a use in place of an agent.
    Use {
        /// The name.
        token: PolicyToken,
    },
    /// An agent that is to be closed out and let in.
    ClosedAndOpened {
        /// The agent.
        agent: String,
    },
    /// A file that is something else.
    NoRobotsTxt {
        /// The finding about it.
        why: String,
    },
    /// The edit would change other answers than those that were asked for.
    OtherChange {
        /// The agent that would be affected.
        agent: String,
    },
    /// The file has too many agents and rules, or rules that meet in too many ways, for the proof
    /// that nothing else changes.
    TooLong,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::InvalidAgent { why } => f.write_str(why),
            EditError::InvalidSignal { pair } => write!(
                f,
                "`{}` is no preference; there are search, ai-input, ai-train and training with yes or no, and use with \
                 immediate, reference or full",
                printable(pair)
            ),
            EditError::Use { token } => write!(
                f,
                "`{}` is the name of a use, {}, and no crawler, so that there is nobody to close or open the site to; \
                 state the preference `{}=no` or `{}=yes`",
                token.as_str(),
                use_of(*token),
                key_of(*token),
                key_of(*token),
            ),
            EditError::ClosedAndOpened { agent } => {
                write!(
                    f,
                    "`{agent}` is to be both closed and opened; leave one out"
                )
            }
            EditError::NoRobotsTxt { why } => write!(f, "the file is no robots.txt: {why}"),
            EditError::OtherChange { agent } => write!(
                f,
                "the file is written so that the edit would change other answers too, or not all that was asked, for {}; \
                 edit it by hand and compare with `robots diff`",
                printable(agent)
            ),
            EditError::TooLong => f.write_str(
                "the file has too many agents and rules, or rules that meet in too many ways, for a proof \
                 that the edit changes nothing else; edit it by hand and compare with `robots diff`",
            ),
        }
    }
}

impl std::error::Error for EditError {}
