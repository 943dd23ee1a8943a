//! The answers of a robots.txt that was fetched, for `robots fetch --check`.

use std::io::{self, Write};

use polite_robots::InvalidToken;
use polite_robots_audit::answer::{Reading, Readings};
use serde::Serialize;

use crate::check::json::agent_results;
use crate::check::questions::{Asked, Urls, answer_of};
use crate::check::text;
use crate::outcome::Answer;

/// The agents with their answers.
pub(crate) struct FetchedAnswers<'a>(Vec<Asked<'a>>);

impl<'a> FetchedAnswers<'a> {
    pub(crate) fn new(
        agents: &[String],
        urls: &'a [&'a str],
        readings: &'a Readings,
        reading: Reading,
    ) -> Result<FetchedAnswers<'a>, InvalidToken> {
        let asked: Result<_, _> = agents
            .iter()
            .map(|agent| Asked::new(agent, urls, readings, reading))
            .collect();
        Ok(FetchedAnswers(asked?))
    }

    pub(crate) fn answer(&self) -> Answer {
        answer_of(&self.0)
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(out, &self.0)
    }

    pub(crate) fn fields(&self) -> impl Serialize {
        let results = self.0.iter().map(|asked| {
            let urls = Urls {
                given: asked.urls,
                list: None,
            };
            agent_results(asked, asked.answer(), urls)
        });
        results.collect::<Vec<_>>()
    }
}
