//! `robots completions`: the script with which a shell completes the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::outcome::{Answer, Failure};
use crate::terminal;

/// Print the completions for a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the completions of `command`, the whole command line with all its subcommands.
    pub(crate) fn run(self, mut command: Command) -> Result<Answer, Failure> {
        let name = command.get_name().to_owned();
        // The script goes into memory first, because `generate` panics if it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        terminal::print_bytes(&script)?;
        Ok(Answer::Yes)
    }
}

const EXAMPLES: &str = "\
Examples:
  robots completions bash > ~/.local/share/bash-completion/completions/robots
  robots completions zsh > ~/.zfunc/_robots            # with ~/.zfunc in $fpath
  robots completions fish > ~/.config/fish/completions/robots.fish";
