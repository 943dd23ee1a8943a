//! How a robots.txt is read: the options that every subcommand has.

use clap::{Args, ValueEnum};
use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::answer;
use polite_robots_audit::doubt::Doubt;
use serde::Serialize;

use crate::input::{Input, InputError};
use crate::terminal::warn;

#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Whose reading of the file decides [default: that of each crawler, else RFC 9309]
    ///
    /// By default a known crawler obeys the groups that its operator says it obeys, and Google's
    /// crawlers read the file as Google's matcher does. With a dialect the name of the agent alone
    /// counts.
    #[arg(long, value_enum)]
    dialect: Option<Dialect>,

    /// Read the whole lines within the first N bytes only
    ///
    /// RFC 9309 §2.5 asks crawlers for at least 512000. By default the whole file is read.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_bytes: Option<usize>,
}

/// The library's dialects by the names of the command line.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dialect {
    /// RFC 9309, forgiving malformed lines as it permits
    Rfc9309,
    /// Google's open-source matcher, verdict for verdict
    Google,
}

impl From<polite_robots::Dialect> for Dialect {
    fn from(dialect: polite_robots::Dialect) -> Dialect {
        match dialect {
            polite_robots::Dialect::Rfc9309 => Dialect::Rfc9309,
            polite_robots::Dialect::Google => Dialect::Google,
        }
    }
}

impl From<Dialect> for polite_robots::Dialect {
    fn from(dialect: Dialect) -> polite_robots::Dialect {
        match dialect {
            Dialect::Rfc9309 => polite_robots::Dialect::Rfc9309,
            Dialect::Google => polite_robots::Dialect::Google,
        }
    }
}

impl Dialect {
    /// The options for reading a whole file.
    pub(crate) fn options(self) -> Options {
        match self {
            Dialect::Rfc9309 => Options::rfc9309(),
            Dialect::Google => Options::google(),
        }
    }
}

impl Reading {
    /// The reading that answers follow.
    pub(crate) fn whose(&self) -> answer::Reading {
        whose(self.dialect)
    }

    /// The dialect that all answers are of, if the command line has one.
    pub(crate) fn forced(&self) -> Option<Dialect> {
        self.dialect
    }

    /// The dialect in which the file is read where no agent is asked about.
    pub(crate) fn of_file(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Rfc9309)
    }

    /// Reads the file, and warns if some of it does not count or it is no robots.txt at all.
    pub(crate) fn read(&self, file: &Input) -> Result<RobotsTxt, InputError> {
        let robots_txt = RobotsTxt::parse_with(&self.bytes(file)?, &self.options());
        if let Some(doubt) = Doubt::about(&robots_txt) {
            warn(format_args!(
                "{file} seems to be no robots.txt: {}",
                doubt.message()
            ));
        }
        if let Some(kept) = robots_txt.truncated_at() {
            warn(format_args!(
                "{file} is longer than the limit; only its first {kept} bytes were read"
            ));
        }
        Ok(robots_txt)
    }

    /// The bytes of the file. With a limit, at most one byte beyond the limit is read.
    pub(crate) fn bytes(&self, file: &Input) -> Result<Vec<u8>, InputError> {
        match self.max_bytes {
            // One more byte shows that the file is longer.
            Some(most) => file.first_bytes((most as u64).saturating_add(1)),
            None => file.bytes(),
        }
    }

    pub(crate) fn options(&self) -> Options {
        let options = self.of_file().options();
        match self.max_bytes {
            Some(max_bytes) => options.with_max_bytes(max_bytes),
            None => options,
        }
    }
}

/// The reading that a dialect of the command line stands for.
pub(crate) fn whose(dialect: Option<Dialect>) -> answer::Reading {
    dialect.map_or(answer::Reading::Crawler, |dialect| {
        answer::Reading::Of(dialect.into())
    })
}

/// Parses a limit. A limit of 0 would leave nothing to read.
pub(crate) fn at_least_one(argument: &str) -> Result<usize, String> {
    match argument.parse() {
        Ok(0) => Err(String::from("give at least 1")),
        Ok(number) => Ok(number),
        Err(error) => Err(error.to_string()),
    }
}
