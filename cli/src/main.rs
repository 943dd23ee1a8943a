//! The command `robots`: questions about a robots.txt, answered by the crate `polite-robots`.
//!
//! One file per idea, each using only those before it: `terminal` (what is safe and pleasant to print), `input`
//! (octets from a file or standard input), `outcome` (how a run ends), `reading` (the options of reading a
//! robots.txt), then one module per subcommand.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod check;
mod input;
mod outcome;
mod reading;
mod survey;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::check::Check;
use crate::outcome::{Answer, Failure};
use crate::survey::Survey;

fn main() -> ExitCode {
    match run() {
        Ok(answer) => answer.into(),
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<Answer, Failure> {
    match Arguments::try_parse()?.command {
        Command::Check(check) => check.run(),
        Command::Survey(survey) => survey.run(),
    }
}

/// Questions about a robots.txt, answered with the line that decides
///
/// Nothing is fetched: the robots.txt is a file or standard input.
///
/// It is read as RFC 9309 says, or as Google's matcher does.
#[derive(Debug, Parser)]
#[command(name = "robots", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Check),
    Survey(Survey),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  yes; of check: every URL is allowed
  1  no
  2  no answer: the command line or an input is wrong, and the message says what and where";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
