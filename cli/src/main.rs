//! The command `robots`: questions about a robots.txt, answered by the crate `polite-robots`.
//!
//! Arguments, input and output are here; the answers come from the crates `polite-robots`,
//! `polite-robots-audit` and, with the features `site`, `survey` and `fetch`, `polite-robots-site`,
//! `polite-robots-survey`, `polite-robots-client` and `polite-robots-policy`.
//!
//! Each file uses only those before it in the order of `tests/suite/layering.rs`: `counted`
//! (numbers with their nouns), `terminal` (styles, standard output and error), `wrap` (prose that
//! fits it), `input` (bytes from a file or standard input), `unified_diff` and `rewrite` (the
//! change of a file, printed or made), `outcome` (the end of a run), `reading` (the options for
//! reading a robots.txt), `columns` and `json` (answers for people and for programs),
//! `verdict_fields` (a verdict as JSON), then one module per subcommand.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

#[cfg(not(all(feature = "fetch", feature = "site", feature = "survey")))]
mod absent;
mod agents;
mod check;
mod columns;
mod completions;
mod counted;
mod diff;
mod edit;
mod expect;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(not(feature = "fetch"))]
#[path = "no_fetch.rs"]
mod fetch;
mod fetched_page;
mod first_list;
mod format;
mod input;
mod json;
mod lint;
mod man;
#[cfg(feature = "site")]
mod obeyed;
#[cfg(not(feature = "site"))]
mod obeyed {
    crate::absent::absent!(Obeyed, "obeyed");
}
mod outcome;
mod page;
mod reading;
mod rewrite;
#[cfg(feature = "survey")]
mod survey;
#[cfg(not(feature = "survey"))]
mod survey {
    crate::absent::absent!(Survey, "survey");
}
mod terminal;
mod unified_diff;
mod verdict_fields;
mod wrap;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::agents::Agents;
use crate::check::Check;
use crate::completions::Completions;
use crate::diff::Diff;
use crate::edit::EditFile;
use crate::expect::Expect;
use crate::fetch::Fetch;
use crate::first_list::with_first_list;
use crate::format::Format;
use crate::lint::Lint;
use crate::man::Man;
use crate::obeyed::Obeyed;
use crate::outcome::{Answer, Failure};
use crate::page::Page;
use crate::survey::Survey;

fn main() -> ExitCode {
    let answer = match with_first_list(Arguments::command()).try_get_matches() {
        Ok(matches) => run(&matches).map_err(|failure| failure.with_usage_of(|| asked(&matches))),
        Err(error) => Err(error.into()),
    };
    answer.map_or_else(Failure::report, ExitCode::from)
}

fn run(matches: &ArgMatches) -> Result<Answer, Failure> {
    match Arguments::from_arg_matches(matches)?.command {
        Command::Agents(agents) => agents.run(),
        Command::Check(check) => check.run(),
        Command::Completions(completions) => completions.run(Arguments::command()),
        Command::Diff(diff) => diff.run(),
        Command::Edit(edit) => edit.run(),
        Command::Fetch(fetch) => fetch.run(),
        Command::Fmt(format) => format.run(),
        Command::Lint(lint) => lint.run(),
        Command::Man(man) => man.run(Arguments::command()),
        Command::Obeyed(obeyed) => obeyed.run(),
        Command::Page(page) => page.run(),
        Command::Survey(survey) => survey.run(),
        Command::Test(test) => test.run(),
    }
}

/// The subcommand that was asked for.
fn asked(mut matches: &ArgMatches) -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    while let Some((name, below)) = matches.subcommand() {
        command = command.find_subcommand(name).cloned().unwrap_or(command);
        matches = below;
    }
    command
}

/// Questions about a robots.txt, answered with the line that decides
///
/// The robots.txt is a file or standard input; only `robots fetch` asks a server, and `robots diff`
/// and `robots page` for a URL.
///
/// It is read as RFC 9309 says, or as Google's matcher does.
#[derive(Debug, Parser)]
#[command(name = "robots", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Agents(Agents),
    Check(Check),
    Completions(Completions),
    Diff(Diff),
    Edit(EditFile),
    Fetch(Fetch),
    Fmt(Format),
    Lint(Lint),
    Man(Man),
    Obeyed(Obeyed),
    Page(Page),
    Survey(Box<Survey>),
    Test(Expect),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  yes, or done; of check: every URL is allowed; of diff: nothing changes;
     of fetch: each site lets crawlers in; of lint: nothing is found that is denied;
     of obeyed: every crawler obeyed; of page: every agent may index it;
     of test: all is as expected
  1  no
  2  no answer: the command line or an input is wrong, and the message says what and where";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;
    use crate::first_list::{GROUPS, with_first_list};

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn each_subcommand_is_in_the_first_list_or_serves_the_shell() {
        let command = with_first_list(Arguments::command());
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.extend(["completions", "man"]);
        listed.sort_unstable();
        let names: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        assert_eq!(listed, names);
    }
}
