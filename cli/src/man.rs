//! `robots man`: the manual pages.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man as Page;

use crate::outcome::{Answer, Failure, WriteError};
use crate::terminal;

/// Print a manual page, or write all of them
///
/// They say what --help says, in the form that man reads: one page for the command and one for each
/// subcommand, those of subcommands too.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Man {
    /// The subcommand whose page is wanted, as `check` or `survey merge`; by default the page of
    /// the command itself
    subcommand: Vec<String>,

    /// Write all pages into this directory, which is made if it is not there
    #[arg(long, value_name = "DIR", conflicts_with = "subcommand")]
    dir: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages of `command`, the whole command line with all its subcommands.
    pub(crate) fn run(self, command: Command) -> Result<Answer, Failure> {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        match &self.dir {
            Some(dir) => {
                fs::create_dir_all(dir).map_err(|source| WriteError::new(dir, source))?;
                for (_, command) in with_subcommands(&command, String::new()) {
                    let path = dir.join(page_of(&command).get_filename());
                    fs::write(&path, rendered(&command)?)
                        .map_err(|source| WriteError::new(path, source))?;
                }
            }
            None => {
                let command = self.command_of(&command)?;
                terminal::print_bytes(&rendered(&command)?)?;
            }
        }
        Ok(Answer::Yes)
    }

    fn command_of(&self, command: &Command) -> Result<Command, Failure> {
        let wanted = self.subcommand.join(" ");
        let all = with_subcommands(command, String::new());
        match all.iter().find(|(name, _)| *name == wanted) {
            Some((_, command)) => Ok(command.clone()),
            None => {
                let names: Vec<&str> = all.iter().skip(1).map(|(name, _)| name.as_str()).collect();
                Err(Failure::usage(format_args!(
                    "`{}` is no subcommand; there are {}",
                    terminal::printable(&wanted),
                    names.join(", ")
                )))
            }
        }
    }
}

/// A command and all its subcommands, each with its name after `robots`.
fn with_subcommands(command: &Command, name: String) -> Vec<(String, Command)> {
    let below = command.get_subcommands().flat_map(|subcommand| {
        let name = format!("{name} {}", subcommand.get_name());
        with_subcommands(subcommand, name.trim_start().to_owned())
    });
    let below: Vec<(String, Command)> = below.collect();
    [vec![(name, command.clone())], below].concat()
}

fn page_of(command: &Command) -> Page {
    Page::new(command.clone()).source(concat!("robots ", env!("CARGO_PKG_VERSION")))
}

fn rendered(command: &Command) -> Result<Vec<u8>, WriteError> {
    let page = page_of(command);
    let mut bytes = Vec::new();
    page.render(&mut bytes)
        .map_err(|source| WriteError::new(page.get_filename(), source))?;
    Ok(with_usage(&String::from_utf8_lossy(&bytes), command).into_bytes())
}

/// The page with the usage of `--help` as its synopsis: clap_mangen's own leaves the values out,
/// `<--agent>`.
fn with_usage(page: &str, command: &Command) -> String {
    const SYNOPSIS: &str = ".SH SYNOPSIS\n";
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim_start();
    let Some((before, behind)) = page.split_once(SYNOPSIS) else {
        return page.to_owned();
    };
    let behind = behind.find("\n.SH ").and_then(|at| behind.get(at..));
    let lines: Vec<String> = usage
        .lines()
        .map(|line| line.trim_start().replace('-', "\\-"))
        .collect();
    let usage = lines.join("\n.br\n");
    format!("{before}{SYNOPSIS}{usage}{}", behind.unwrap_or_default())
}

const EXAMPLES: &str = "\
Examples:
  robots man check | man -l -
  robots man survey merge | man -l -
  robots man --dir ~/.local/share/man/man1";
