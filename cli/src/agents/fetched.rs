//! The agents of a robots.txt that was fetched, for `robots fetch --agents`.

use std::io::{self, Write};

use polite_robots::RobotsTxt;
use polite_robots_audit::agent::{CrawlerSummary, NamedAgents};
use polite_robots_audit::coverage::CoverageSearch;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known;
use serde::Serialize;

use crate::agents::json::AgentFields;
use crate::agents::text;

/// The agents of a file, and the known crawlers.
pub(crate) struct FetchedAgents<'a> {
    named: NamedAgents<'a>,
    known: Vec<CrawlerSummary>,
}

impl<'a> FetchedAgents<'a> {
    pub(crate) fn new(robots_txt: &'a RobotsTxt) -> FetchedAgents<'a> {
        let mut search = CoverageSearch::new(robots_txt);
        let named = NamedAgents::of(robots_txt, &mut search);
        let known = known::all()
            .iter()
            .filter_map(|crawler| CrawlerSummary::new(crawler, robots_txt, &mut search).ok())
            .collect();
        FetchedAgents { named, known }
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(out, &self.named, &self.known, &Forgotten::all(&self.known))
    }

    pub(crate) fn fields(&self) -> impl Serialize {
        AgentFields::of_all(&self.named)
    }
}
