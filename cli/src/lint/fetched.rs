//! The findings in a robots.txt that was fetched, for `robots fetch --lint`.

use std::io::{self, Write};

use serde::Serialize;

use crate::input::Input;
use crate::lint::human;
use crate::lint::json::FindingFields;
use crate::lint::levels::Levels;
use crate::lint::linted::Linted;
use crate::lint::volume::Volume;
use crate::outcome::Answer;
use crate::reading::Dialect;

/// A file with its findings, at the levels of `robots lint` without options.
pub(crate) struct FetchedFindings<'a>(Linted<'a>);

impl<'a> FetchedFindings<'a> {
    pub(crate) fn new(
        name: &'a Input,
        file: &[u8],
        dialect: Dialect,
        host: &str,
    ) -> FetchedFindings<'a> {
        let levels = Levels::default();
        let options = dialect.options();
        FetchedFindings(Linted::new(name, file, &options, &levels, Some(host)))
    }

    pub(crate) fn answer(&self) -> Answer {
        match self.0.findings.iter().any(|finding| finding.is_denied) {
            true => Answer::No,
            false => Answer::Yes,
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        human::write(out, std::slice::from_ref(&self.0), Volume::Few)
    }

    pub(crate) fn fields(&self) -> impl Serialize {
        FindingFields::of_file(&self.0)
    }
}
