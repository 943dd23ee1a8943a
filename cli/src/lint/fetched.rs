//! The findings in a robots.txt that was fetched, for `robots fetch --lint`.

use std::io::{self, Write};

use serde::Serialize;

use crate::input::Input;
use crate::lint::human;
use crate::lint::json::findings_fields;
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
        Answer::of(!self.0.findings.iter().any(|finding| finding.is_denied))
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        human::write(out, std::slice::from_ref(&self.0), Volume::Few)
    }

    pub(crate) fn fields(&self) -> impl Serialize {
        findings_fields(&self.0)
    }
}
