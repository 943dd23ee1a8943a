//! How a run ends, and its exit code: 0 for yes, 1 for no, 2 for no answer, as grep and diff have it.

use std::fmt;
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::input::InputError;
use crate::report::ReportError;
use crate::survey::error::SurveyError;
use crate::terminal::PrintError;

/// The answer to a subcommand's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// An answer, but not to all that was asked; what is missing was said.
    Partial,
    /// By Ctrl-C, or a signal that means the same.
    Interrupted,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> ExitCode {
        match answer {
            Answer::Yes => ExitCode::SUCCESS,
            Answer::No => ExitCode::from(1),
            Answer::Partial => ExitCode::from(2),
            // As shells have it: 128 and the number of the signal.
            Answer::Interrupted => ExitCode::from(130),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line is wrong; or it asked for help, which clap hands over as an error too.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Print(#[from] PrintError),
    #[error(transparent)]
    Survey(#[from] SurveyError),
}

impl Failure {
    /// A usage error that clap cannot see by itself, shown as its own are: with the usage line of the subcommand.
    pub(crate) fn usage<A: clap::Args>(
        subcommand: &'static str,
        kind: ErrorKind,
        message: impl fmt::Display,
    ) -> Failure {
        let mut command = A::augment_args(clap::Command::new(subcommand));
        Failure::Usage(command.error(kind, message))
    }

    /// Says what is wrong on standard error, in clap's words and colours. Help goes to standard output.
    pub(crate) fn report(self) -> ExitCode {
        let error = match self {
            Failure::Usage(error) => error,
            failure => clap::Error::raw(ErrorKind::Io, format!("{failure}\n")),
        };
        // If even the message cannot be written, the exit code is all that is left to say.
        let _ = error.print();
        match error.exit_code() {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::from(2),
        }
    }
}
