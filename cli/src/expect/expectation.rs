//! A line of a file of expectations: an agent, a URL, and whether it is allowed.

use std::rc::Rc;

use polite_robots::Access;
use polite_robots_audit::answer::{Answers, Reading, Readings};
use polite_robots_audit::known;

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

/// Expectations that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExpectationError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}", listed(.0))]
    Lines(Vec<LineError>),
    #[error("{input} holds no expectation; write one per line, as in `GPTBot /private/ disallow`")]
    Empty { input: Input },
}

/// A line that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{input}, line {line}: {reason}")]
pub(super) struct LineError {
    pub(super) input: Input,
    pub(super) line: usize,
    /// The reason and the way out, safe to print whatever was given.
    pub(super) reason: String,
}

fn listed(errors: &[LineError]) -> String {
    let shown = errors.iter().take(MOST_LISTED).map(LineError::to_string);
    let more = errors.len().saturating_sub(MOST_LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    shown.chain(more).collect::<Vec<_>>().join("\n")
}

/// The most bad lines that an error lists. A person corrects about as many before the next run.
const MOST_LISTED: usize = 20;

/// The expectations of a file. Lines that are not expectations are added to the errors. Blank lines
/// and lines that begin with `#` are skipped.
pub(super) fn read(
    input: &Input,
    errors: &mut Vec<LineError>,
) -> Result<Vec<Expectation>, ExpectationError> {
    let lines = input.numbered_lines()?;
    if lines.is_empty() {
        return Err(ExpectationError::Empty {
            input: input.clone(),
        });
    }
    let mut expectations = Vec::new();
    for (line, text) in lines {
        match parsed(line, &text) {
            Some(expectation) => expectations.push(expectation),
            None => errors.push(LineError {
                input: input.clone(),
                line,
                reason: format!(
                    "`{}` is no expectation; write an agent, a URL, and `allow` or `disallow`, as in \
                     `GPTBot /private/ disallow`",
                    printable(&text)
                ),
            }),
        }
    }
    Ok(expectations)
}

/// The answers about the agent of an expectation, or the reason why the agent cannot be tested.
/// `is_exact` accepts names that nearly equal those of known crawlers.
pub(super) fn answers<'a>(
    readings: &'a Readings,
    agent: &str,
    reading: Reading,
    is_exact: bool,
) -> Result<Rc<Answers<'a>>, String> {
    let answers = readings.answers(agent, reading).map_err(|error| {
        let way_out = match error.probably_meant() {
            // The message has the probable name already.
            Some(_) => "",
            None => "; write a name, as in `ExampleBot`",
        };
        format!("{error}{way_out}")
    })?;
    // An expectation about a name that no crawler has would hold, whatever the intended crawler
    // does.
    match known::meant(agent) {
        Some(meant) if !is_exact => Err(format!(
            "{}; --exact takes the names as they are given",
            meant.sentence(agent)
        )),
        _ => Ok(Rc::new(answers)),
    }
}

fn parsed(line: usize, text: &str) -> Option<Expectation> {
    let words = text.split_ascii_whitespace();
    // The fragment of a URL begins within a word.
    let mut words = words.take_while(|word| !word.starts_with('#'));
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
        let commented = parsed(3, "GPTBot /a#b allow\t# the `press` wants it").unwrap();
        assert_eq!(commented.url, "/a#b");
        for text in [
            "GPTBot /a",
            "GPTBot /a # allow",
            "GPTBot # /a allow",
            "GPTBot /a maybe",
            "GPTBot /a b allow",
            "allow",
        ] {
            assert!(parsed(1, text).is_none(), "{text}");
        }
    }
}
