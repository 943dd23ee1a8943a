//! `robots survey` in a build without the feature `survey`: an error that says how to get it.

use std::ffi::OsString;

use clap::Args;
use clap::error::ErrorKind;

use crate::outcome::{Answer, Failure};

/// Not in this build
#[derive(Debug, Args)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Survey {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

impl Survey {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Err(clap::Error::raw(ErrorKind::InvalidSubcommand, NOT_IN_THIS_BUILD).into())
    }
}

const NOT_IN_THIS_BUILD: &str = "\
this `robots` was built without `survey`; build it with the default features, as in `cargo install polite-robots-cli`
";
