//! Edits of a robots.txt: a site that is closed or opened to agents, and preferences about the use
//! of content.
//!
//! Lines that need no change keep every byte. An edit is proven before it is returned: both
//! dialects give the agents that were meant the access that was asked for, and every other agent
//! the same answers as before.
//!
//! ```
//! use polite_robots_audit::edit::Edit;
//!
//! let file = b"User-agent: *\nDisallow: /cart\nCrawl-delay: 2\n";
//! let edited = Edit::new().close("GPTBot")?.signal("ai-train", "no")?.applied(file)?;
//! assert_eq!(
//!     String::from_utf8_lossy(&edited),
//!     "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /cart\nCrawl-delay: 2\n\n\
//!      User-agent: GPTBot\nContent-Signal: ai-train=no\nCrawl-delay: 2\nDisallow: /\n"
//! );
//! # Ok::<(), polite_robots_audit::edit::EditError>(())
//! ```

mod access;
mod error;
mod groups;
mod patch;
mod proof;
mod signals;

use polite_robots::record::PolicyToken;
use polite_robots::{ProductToken, RobotsTxt};

use crate::doubt::Doubt;
use crate::edit::access::{Goal, with_access};
pub use crate::edit::error::EditError;
use crate::edit::proof::{Asked, prove};
use crate::edit::signals::{Signal, with_signals};
use crate::policy::key_of;

/// The changes that are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    close: Vec<String>,
    open: Vec<String>,
    signals: Vec<Signal>,
    /// Uses, and whether they are wanted.
    uses: Vec<(PolicyToken, bool)>,
}

impl Edit {
    /// No change.
    #[must_use]
    pub fn new() -> Edit {
        Edit::default()
    }

    /// Closes the whole site to an agent, or with `*` to every agent that is not named.
    ///
    /// The agent gets a group of its own unless it has one, with the records for it that are not
    /// rules.
    ///
    /// # Errors
    ///
    /// If the agent is no product token, or the name of a use.
    pub fn close(mut self, agent: &str) -> Result<Edit, EditError> {
        self.close.push(checked(agent)?);
        Ok(self)
    }

    /// Opens the site to an agent that is kept out of everything: the rules that close the whole
    /// site are removed, and its other rules stay. If none are left, it gets a copy of the rules
    /// for everyone, which do not apply to an agent that is named.
    ///
    /// # Errors
    ///
    /// If the agent is no product token, or the name of a use.
    pub fn open(mut self, agent: &str) -> Result<Edit, EditError> {
        self.open.push(checked(agent)?);
        Ok(self)
    }

    /// States a preference to every agent: `search`, `ai-input` or `ai-train` with `yes` or `no`,
    /// or `use` with `immediate`, `reference` or `full`, by `Content-Signal`.
    ///
    /// `training` with `yes` or `no` is stated by a group for the policy token
    /// `__usage_ai-training` (draft-kelley-aipref-training-preference-signal-00).
    ///
    /// ```
    /// use polite_robots_audit::edit::Edit;
    ///
    /// let file = b"User-agent: *\nDisallow: /cart\n";
    /// let edited = Edit::new().signal("training", "no")?.applied(file)?;
    /// assert_eq!(
    ///     String::from_utf8_lossy(&edited),
    ///     "User-agent: *\nDisallow: /cart\n\nUser-agent: __usage_ai-training\nDisallow: /\n"
    /// );
    /// # Ok::<(), polite_robots_audit::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the key or the value is another one, which would state nothing.
    pub fn signal(mut self, key: &str, value: &str) -> Result<Edit, EditError> {
        let is_key = |token: &&PolicyToken| key_of(**token).eq_ignore_ascii_case(key);
        let is_wanted = || match value.to_ascii_lowercase().as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let token = PolicyToken::ALL.iter().find(is_key);
        if let Some((token, is_wanted)) = token.and_then(|token| Some((*token, is_wanted()?))) {
            self.uses.retain(|(other, _)| *other != token);
            self.uses.push((token, is_wanted));
            return Ok(self);
        }
        let signal = SIGNALS.iter().find_map(|(known, values)| {
            let value = values
                .iter()
                .find(|known| known.eq_ignore_ascii_case(value));
            let value = value.filter(|_| known.eq_ignore_ascii_case(key))?;
            Some(Signal { key: known, value })
        });
        let signal = signal.ok_or_else(|| EditError::InvalidSignal {
            pair: format!("{key}={value}"),
        })?;
        self.signals.retain(|other| other.key != signal.key);
        self.signals.push(signal);
        Ok(self)
    }

    /// The file with the changes; the same file, byte for byte, if nothing needs to change.
    ///
    /// # Errors
    ///
    /// If the file is no robots.txt, an agent is to be both closed and opened, the edit would
    /// change answers for others, as two names on odd lines may belong together, or the file has
    /// too many agents and rules for the proof.
    pub fn applied(&self, file: &[u8]) -> Result<Vec<u8>, EditError> {
        let both = |agent: &&String| {
            self.open
                .iter()
                .any(|other| other.eq_ignore_ascii_case(agent))
        };
        if let Some(agent) = self.close.iter().find(both) {
            return Err(EditError::ClosedAndOpened {
                agent: agent.clone(),
            });
        }
        let robots_txt = RobotsTxt::parse(file);
        if let Some(doubt) = Doubt::about(&robots_txt) {
            return Err(EditError::NoRobotsTxt {
                why: doubt.message().to_owned(),
            });
        }
        let mut edited = robots_txt;
        let of_uses = |is_wanted: bool| -> Vec<&str> {
            let uses = self.uses.iter().filter(|(_, other)| *other == is_wanted);
            uses.map(|(token, _)| token.as_str()).collect()
        };
        for (agents, goal) in [
            (texts(&self.close), Goal::Closed),
            (texts(&self.open), Goal::Open),
            (of_uses(false), Goal::Unwanted),
            (of_uses(true), Goal::Wanted),
        ] {
            if !agents.is_empty() {
                edited = RobotsTxt::parse(&with_access(&edited, &agents, goal));
            }
        }
        if !self.signals.is_empty() {
            edited = RobotsTxt::parse(&with_signals(&edited, &self.signals));
        }
        let edited = edited.as_bytes().to_vec();
        if edited.len() > file.len().saturating_mul(4).saturating_add(MOST_ADDED) {
            return Err(EditError::TooLong);
        }
        let asked = Asked {
            close: &self.close,
            open: &self.open,
            signals: &self.signals,
            uses: &self.uses,
        };
        prove(&asked, file, &edited)?;
        Ok(edited)
    }
}

fn texts(agents: &[String]) -> Vec<&str> {
    agents.iter().map(String::as_str).collect()
}

fn checked(agent: &str) -> Result<String, EditError> {
    if let Some(token) = PolicyToken::find(agent) {
        return Err(EditError::Use { token });
    }
    match agent {
        "*" => Ok(agent.to_owned()),
        agent => match ProductToken::new(agent) {
            Ok(token) => Ok(token.as_str().to_owned()),
            Err(error) => Err(EditError::InvalidAgent {
                why: error.to_string(),
            }),
        },
    }
}

/// The keys of `Content-Signal` and their values (contentsignals.org, 2025-09-24).
const SIGNALS: &[(&str, &[&str])] = &[
    ("search", &["yes", "no"]),
    ("ai-input", &["yes", "no"]),
    ("ai-train", &["yes", "no"]),
    ("use", &["immediate", "reference", "full"]),
];

/// The bytes that an edit may add, beside three times those of the file: if each of dozens of
/// agents gets all rules for everyone, the result may be longer than anyone reads.
const MOST_ADDED: usize = 1 << 19;

#[cfg(test)]
mod tests;
