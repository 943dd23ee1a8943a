//! `robots fetch` in a build without the feature `fetch`: an error that says how to get it.

use std::ffi::OsString;

use clap::Args;
use clap::error::ErrorKind;

use crate::fetched_page::FetchedPage;
use crate::outcome::{Answer, Failure};
use crate::terminal::printable;

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

/// The options of requests, of which there are none.
#[derive(Debug, Args)]
pub(crate) struct RequestOptions {}

/// An error that says how to get a build that fetches, and the way without one.
pub(crate) fn fetch_page(
    url: &str,
    _options: &RequestOptions,
    _most_bytes: usize,
) -> Result<FetchedPage, Failure> {
    let url = printable(url);
    let without = NOT_IN_THIS_BUILD.trim_end();
    let message =
        format!("{without}; or pipe the page in, as in `curl -si {url} | robots page -`\n");
    Err(clap::Error::raw(ErrorKind::InvalidValue, message).into())
}

const NOT_IN_THIS_BUILD: &str = "\
this `robots` was built without `fetch`; build it with the default features, as in `cargo install polite-robots-cli`
";
