//! A line of a file of expectations: an agent, a URL, and whether it is allowed.

use polite_robots::{Access, InvalidToken};

use crate::input::{Input, InputError};
use crate::terminal::printable;

/// The access that an owner expects for one agent and URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    /// The number of the line, from 1.
    pub(super) line: usize,
    pub(super) agent: String,
    pub(super) url: String,
    pub(super) access: Access,
}

/// A file of expectations that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExpectationError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(
        "{input}, line {line}: `{}` is no expectation; write an agent, a URL, and `allow` or `disallow`, \
         as in `GPTBot /private/ disallow`",
        printable(text)
    )]
    Malformed {
        input: Input,
        line: usize,
        text: String,
    },
    /// The message of the core, which is safe to print whatever was given, and the way out.
    #[error("{input}, line {line}: {message}")]
    InvalidAgent {
        input: Input,
        line: usize,
        message: String,
    },
    #[error("{input} holds no expectation; write one per line, as in `GPTBot /private/ disallow`")]
    Empty { input: Input },
}

impl ExpectationError {
    pub(super) fn invalid_agent(
        input: &Input,
        expectation: &Expectation,
        error: &InvalidToken,
    ) -> ExpectationError {
        let way_out = match error.probably_meant() {
            // The message names it.
            Some(_) => "",
            None => "; write a name, as in `ExampleBot`",
        };
        ExpectationError::InvalidAgent {
            input: input.clone(),
            line: expectation.line,
            message: format!("{error}{way_out}"),
        }
    }
}

/// The expectations of a file. Blank lines and lines that begin with `#` are skipped.
pub(super) fn read(input: &Input) -> Result<Vec<Expectation>, ExpectationError> {
    let mut expectations = Vec::new();
    for (line, text) in input.numbered_lines()? {
        let expectation = parsed(line, &text).ok_or_else(|| ExpectationError::Malformed {
            input: input.clone(),
            line,
            text: text.clone(),
        })?;
        expectations.push(expectation);
    }
    if expectations.is_empty() {
        return Err(ExpectationError::Empty {
            input: input.clone(),
        });
    }
    Ok(expectations)
}

fn parsed(line: usize, text: &str) -> Option<Expectation> {
    let mut words = text.split_ascii_whitespace();
    let (agent, url, access) = (words.next()?, words.next()?, words.next()?);
    let access = match access.to_ascii_lowercase().as_str() {
        "allow" | "allowed" => Access::Allow,
        "disallow" | "disallowed" => Access::Disallow,
        _ => return None,
    };
    words.next().is_none().then(|| Expectation {
        line,
        agent: agent.to_owned(),
        url: url.to_owned(),
        access,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_is_three_words() {
        let expectation = parsed(3, "GPTBot\t/private/  Disallow").unwrap();
        assert_eq!(
            (expectation.line, expectation.agent.as_str()),
            (3, "GPTBot")
        );
        assert_eq!(
            (expectation.url.as_str(), expectation.access),
            ("/private/", Access::Disallow)
        );
        for text in ["GPTBot /a", "GPTBot /a maybe", "GPTBot /a b allow", "allow"] {
            assert!(parsed(1, text).is_none(), "{text}");
        }
    }
}
