//! `AGENT|PURPOSE`: a product token, or all known crawlers for a purpose.

use std::str::FromStr;

use polite_robots::ProductToken;
use polite_robots_audit::known::{self, Compliance, Purpose};

/// Agents as the command line names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agents {
    One(String),
    For(Purpose),
}

impl FromStr for Agents {
    type Err = String;

    fn from_str(argument: &str) -> Result<Agents, String> {
        if let Some(purpose) = Purpose::from_name(argument) {
            return Ok(Agents::For(purpose));
        }
        if argument == EVERYONE {
            return Ok(Agents::One(argument.to_owned()));
        }
        match ProductToken::new(argument) {
            Ok(token) => Ok(Agents::One(token.as_str().to_owned())),
            Err(error) => Err(match error.probably_meant() {
                Some(token) => format!("{error}; write `{token}`"),
                None => format!(
                    "{error}; give an agent such as GPTBot, or a purpose such as {}",
                    Purpose::Training.as_str()
                ),
            }),
        }
    }
}

impl Agents {
    /// Their product tokens. Names that are no longer used are left out, and crawlers that no rule
    /// keeps out.
    pub(super) fn tokens(&self) -> Vec<String> {
        match self {
            Agents::One(token) => vec![token.clone()],
            Agents::For(purpose) => {
                let crawlers = known::all().iter();
                let crawlers = crawlers.filter(|crawler| {
                    let is_used = crawler.retired().is_none();
                    crawler.purpose() == *purpose && is_used && crawler.obeys() != Compliance::No
                });
                crawlers.map(|crawler| crawler.token().to_owned()).collect()
            }
        }
    }
}

const EVERYONE: &str = "*";
