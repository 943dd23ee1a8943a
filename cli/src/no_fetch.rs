//! `robots fetch` in a build without the feature `fetch`: an error that says how to get it.

use std::ffi::OsString;

use clap::Args;
use clap::error::ErrorKind;

use crate::outcome::{Answer, Failure};

/// Not in this build
#[derive(Debug, Args)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Fetch {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

impl Fetch {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Err(clap::Error::raw(ErrorKind::InvalidSubcommand, NOT_IN_THIS_BUILD).into())
    }
}

const NOT_IN_THIS_BUILD: &str = "\
this `robots` was built without `fetch`; build it with the feature, as in `cargo install polite-robots-cli --features fetch`
";
