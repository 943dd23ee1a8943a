//! How a run ends, and its exit code: 0 for yes, 1 for no, 2 for no answer, as grep and diff have
//! it.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use polite_robots::InvalidToken;

use crate::input::Input;
use crate::terminal::{printable, printed};

/// The answer to a subcommand's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// An answer to a part of the question. The missing part was reported.
    Partial,
    /// Ctrl-C, or a signal that means the same, ended the command.
    #[cfg(feature = "survey")]
    Interrupted,
}

impl Answer {
    pub(crate) fn of(is_yes: bool) -> Answer {
        match is_yes {
            true => Answer::Yes,
            false => Answer::No,
        }
    }
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> ExitCode {
        match answer {
            Answer::Yes => ExitCode::SUCCESS,
            Answer::No => ExitCode::from(1),
            Answer::Partial => ExitCode::from(2),
            // Shells use 128 plus the number of the signal.
            #[cfg(feature = "survey")]
            Answer::Interrupted => ExitCode::from(130),
        }
    }
}

/// The error because of which there is no answer. A [`clap::Error`] is a wrong command line or a
/// request for help, which clap also returns as an error.
#[derive(Debug)]
pub(crate) struct Failure(Box<dyn Error>);

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(Box::new(error))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

#[derive(Debug, thiserror::Error)]
#[error("`{url}` is a URL, and nothing is fetched here; ask the site with `{command}`")]
struct UrlForFile {
    url: String,
    command: String,
}

/// A word of a command line as shells take it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/:._-%@+,".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", printable(&path.to_string_lossy()))]
pub(crate) struct WriteError {
    pub(crate) path: PathBuf,
    pub(crate) source: io::Error,
}

impl WriteError {
    pub(crate) fn new(path: impl Into<PathBuf>, source: io::Error) -> WriteError {
        WriteError {
            path: path.into(),
            source,
        }
    }
}

impl Failure {
    /// A wrong command line that clap cannot see by itself.
    pub(crate) fn usage(message: impl fmt::Display) -> Failure {
        UsageError(message.to_string()).into()
    }

    /// A usage error as clap shows its own: with the usage line of the subcommand.
    pub(crate) fn with_usage_of(self, command: impl FnOnce() -> clap::Command) -> Failure {
        match self.0.downcast::<UsageError>() {
            Ok(error) => command().error(ErrorKind::ValueValidation, error).into(),
            Err(error) => Failure(error),
        }
    }

    /// Refuses to read standard input twice. The inputs are given with their names for people.
    pub(crate) fn unless_read_once(inputs: &[(&str, Option<&Input>)]) -> Result<(), Failure> {
        let from_standard_input =
            |(_, input): &&(&str, Option<&Input>)| matches!(input, Some(Input::StandardInput));
        let mut names = inputs.iter().filter(from_standard_input);
        match (names.next(), names.next()) {
            (Some((one, _)), Some((other, _))) => Err(Failure::usage(format_args!(
                "{one} and {other} cannot both be `-`: standard input is one of them; name a file for the other"
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses an empty URL: an unset variable in a script must not become a permission.
    pub(crate) fn if_a_url_is_empty(urls: &[String]) -> Result<(), Failure> {
        match urls.iter().any(|url| url.trim().is_empty()) {
            true => Err(Failure::usage(
                "a URL is empty; give the URL that is to be fetched, or its path, such as `/`",
            )),
            false => Ok(()),
        }
    }

    /// Refuses a URL in place of a file, and names the command that fetches.
    pub(crate) fn if_a_url(
        input: &Input,
        command: impl FnOnce(&str) -> String,
    ) -> Result<(), Failure> {
        match input.url() {
            None => Ok(()),
            Some(url) => Err(UrlForFile {
                url: printable(url),
                command: printable(&command(url)),
            }
            .into()),
        }
    }

    /// The error of a value of `--agent`: the library's message, which is safe to print whatever
    /// was given, and what to write instead.
    pub(crate) fn invalid_agent(error: InvalidToken) -> Failure {
        let way_out = match error.probably_meant() {
            Some(token) => format!("write `--agent {token}`"),
            None => String::from("write one, as in `--agent ExampleBot`"),
        };
        Failure::usage(format_args!("{error}; {way_out}"))
    }

    /// The error itself, if it is of this type.
    #[cfg(feature = "survey")]
    pub(crate) fn cause<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }

    /// Says what is wrong on standard error, in clap's words and colours. Help goes to standard
    /// output.
    pub(crate) fn report(self) -> ExitCode {
        let error = match self.0.downcast::<clap::Error>() {
            Ok(error) => *error,
            Err(error) => clap::Error::raw(ErrorKind::Io, format!("{error}\n")),
        };
        let result = error.print();
        if error.exit_code() == 0 {
            return match printed(result) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => Failure::from(error).report(),
            };
        }
        // If even the message cannot be written, only the exit code is left.
        ExitCode::from(2)
    }
}
