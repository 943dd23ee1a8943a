//! The subcommands that are not in this build: errors that say how to get them.

use clap::error::ErrorKind;

use crate::outcome::Failure;

/// A subcommand that takes any arguments.
macro_rules! absent {
    ($subcommand:ident, $name:literal) => {
        /// Not in this build
        #[derive(Debug, clap::Args)]
        #[command(hide = true, disable_help_flag = true)]
        pub(crate) struct $subcommand {
            #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
            _arguments: Vec<std::ffi::OsString>,
        }

        impl $subcommand {
            pub(crate) fn run(self) -> Result<$crate::outcome::Answer, $crate::outcome::Failure> {
                Err($crate::absent::not_in_this_build($name, ""))
            }
        }
    };
}
pub(crate) use absent;

/// The error, with another way at its end.
pub(crate) fn not_in_this_build(subcommand: &str, or: &str) -> Failure {
    let message = format!(
        "this `robots` was built without `{subcommand}`; build it with the default features, \
         as in `cargo install polite-robots-cli`{or}\n"
    );
    clap::Error::raw(ErrorKind::InvalidSubcommand, message).into()
}
