//! `robots check`: may the agent fetch these URLs?

mod json;
mod text;

use clap::Args;
use clap::error::ErrorKind;
use polite_robots::{InvalidToken, Verdict};

use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// Check which URLs an agent may fetch, and which line decides
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Check {
    /// The robots.txt; `-` is standard input
    file: Input,

    /// The URLs as they would be requested, or bare paths such as /a?b
    #[arg(value_name = "URL", required_unless_present = "url_list")]
    urls: Vec<String>,

    /// The crawler's product token, such as ExampleBot
    ///
    /// Not its whole User-Agent header. `*` asks for the wildcard group alone.
    #[arg(long, value_name = "TOKEN")]
    agent: String,

    /// More URLs, one per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped.
    #[arg(long = "urls", value_name = "FILE")]
    url_list: Option<Input>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document instead of a line per URL
    #[arg(long)]
    json: bool,
}

/// One URL with its answer.
struct Checked<'a> {
    url: &'a str,
    verdict: Verdict<'a>,
}

impl Check {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        self.refuse_to_share_standard_input()?;
        let robot = self
            .reading
            .read(&self.file)?
            .robot(&self.agent)
            .map_err(invalid_agent)?;
        self.refuse_an_empty_url()?;
        let listed = match &self.url_list {
            Some(list) => list.urls()?,
            None => Vec::new(),
        };
        let checked: Vec<Checked<'_>> = self
            .urls
            .iter()
            .chain(&listed)
            .map(|url| Checked {
                url,
                verdict: robot.check(url),
            })
            .collect();
        let answer = if checked.iter().all(|checked| checked.verdict.is_allowed()) {
            Answer::Yes
        } else {
            Answer::No
        };
        terminal::print(|out| {
            if self.json {
                json::write(out, &self, robot.agent_match(), answer, &checked)
            } else {
                text::write(out, &checked)
            }
        })?;
        Ok(answer)
    }

    /// An unset variable in a script must not become a permission.
    fn refuse_an_empty_url(&self) -> Result<(), Failure> {
        if self.urls.iter().any(|url| url.trim().is_empty()) {
            return Err(usage_error(
                ErrorKind::ValueValidation,
                "a URL is empty; give the URL that is to be fetched, or its path, such as `/`",
            ));
        }
        Ok(())
    }

    /// It can be read once only.
    fn refuse_to_share_standard_input(&self) -> Result<(), Failure> {
        if self.file == Input::StandardInput && self.url_list == Some(Input::StandardInput) {
            return Err(usage_error(
                ErrorKind::ArgumentConflict,
                "the robots.txt and --urls cannot both be `-`: standard input is one of them; name a file for the other",
            ));
        }
        Ok(())
    }
}

/// The library's message, which is safe to print whatever was given, and what to write instead.
fn invalid_agent(error: InvalidToken) -> Failure {
    let way_out = match error.probably_meant() {
        Some(token) => format!("write `--agent {token}`"),
        None => String::from("write one, as in `--agent ExampleBot`"),
    };
    usage_error(
        ErrorKind::ValueValidation,
        format_args!("{error}; {way_out}"),
    )
}

fn usage_error(kind: ErrorKind, message: impl std::fmt::Display) -> Failure {
    Failure::usage::<Check>("robots check", kind, message)
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots check robots.txt --agent ExampleBot https://example.com/private/x
  curl -sL https://example.com/robots.txt | robots check - --agent ExampleBot --urls urls.txt --json

Exit codes:
  0  every URL is allowed
  1  at least one URL is disallowed
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
