//! `robots survey changes`: which sites closed or opened between two surveys, and to whom.

use std::path::PathBuf;

use clap::Args;
use polite_robots_survey::changes::RowChanges;

use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::survey::text;
use crate::terminal::{self, ASIDE};

/// Compare the rows of two surveys: which sites closed or opened, and to whom
///
/// Only hosts that are in both are compared, so the figures show how sites changed and not that
/// other sites were asked. A site closed to an agent if it lets it fetch less than before: all,
/// then a part, then none. A status of 4xx lets everyone fetch all; a host with nothing but
/// redirects or errors of the server is left out.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Changes {
    /// The earlier rows, a file that `robots survey --rows` wrote, with a name in .jsonl; `-` is
    /// standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The later rows; `-` is standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Changes for this known crawler alone, or `*`; may be given several times, or with commas
    #[arg(long = "agent", value_name = "AGENT", value_delimiter = ',')]
    agents: Vec<String>,

    /// Print one JSON document with every site that changed
    #[arg(long)]
    json: bool,
}

impl Changes {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once(&[
            (
                "the earlier rows",
                Some(&Input::from(self.old.clone().into_os_string())),
            ),
            (
                "the later ones",
                Some(&Input::from(self.new.clone().into_os_string())),
            ),
        ])?;
        let mut changes = RowChanges::read(&self.old, &self.new)?;
        if !self.agents.is_empty()
            && let Err(unknown) = changes.retain_agents(&self.agents)
        {
            return Err(Failure::usage(format_args!(
                "`{}` is no known crawler; rows have `*` and those that `robots agents --known` lists",
                terminal::printable(&unknown)
            )));
        }
        terminal::print(|out| match self.json {
            true => crate::json::write(out, &changes),
            false => changes.tables().iter().try_for_each(|table| {
                text::write(out, std::slice::from_ref(table))?;
                match &table.note {
                    Some(note) => writeln!(out, "{ASIDE}{note}{ASIDE:#}"),
                    None => Ok(()),
                }
            }),
        })?;
        Ok(Answer::Yes)
    }
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots survey 2024/ --rows 2024.jsonl
  robots survey 2026/ --rows 2026.jsonl
  robots survey changes 2024.jsonl 2026.jsonl
  robots survey changes 2024.jsonl 2026.jsonl --agent GPTBot,CCBot --json

Exit codes:
  0  compared
  2  one of them cannot be read or is not made of rows, and the message says which and why";
