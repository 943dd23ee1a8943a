//! The agents of a robots.txt that was fetched, for `robots fetch --agents`.

use std::io::{self, Write};

use polite_robots_audit::agent::{CrawlerSummary, NamedAgents};
use polite_robots_audit::answer::{Reading, Readings};
use polite_robots_audit::forgotten::Forgotten;
use serde::Serialize;

use crate::agents::json::agents_fields;
use crate::agents::text;

/// The agents of a file, and the known crawlers.
pub(crate) struct FetchedAgents<'a> {
    named: NamedAgents<'a>,
    known: Vec<CrawlerSummary>,
}

impl<'a> FetchedAgents<'a> {
    pub(crate) fn new(readings: &'a Readings, reading: Reading) -> FetchedAgents<'a> {
        FetchedAgents {
            named: NamedAgents::of(readings, reading),
            known: CrawlerSummary::all(readings, reading),
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(out, &self.named, &self.known, &Forgotten::all(&self.known))
    }

    pub(crate) fn fields(&self) -> impl Serialize {
        agents_fields(&self.named)
    }
}
