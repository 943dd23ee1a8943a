//! `robots check`: may these agents fetch these URLs?

mod evidence;
mod explain;
#[cfg(feature = "fetch")]
pub(crate) mod fetched;
mod json;
mod matrix;
mod notes;
mod questions;
#[cfg(feature = "site")]
mod sitemaps;
mod stream;
mod taken_for;
mod text;
#[cfg(feature = "site")]
mod unmet;

use clap::Args;
use polite_robots_audit::answer::Readings;

use crate::check::questions::{Asked, Urls, answer_of};
use crate::check::taken_for::TakenForHosts;
use crate::input::{Input, InputError};
use crate::outcome::{Answer, Failure, quoted};
use crate::reading::Reading;
use crate::terminal;

/// Check which URLs an agent may fetch, and which line decides
///
/// One line per URL, with the rule that decides and the group it is in. With several agents, a
/// table of agents and URLs.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Check {
    /// The robots.txt; `-` is standard input
    file: Input,

    /// The URLs as they would be requested, or bare paths such as /a?b
    #[arg(value_name = "URL")]
    urls: Vec<String>,

    /// The crawler's product token, such as ExampleBot
    ///
    /// Not its whole User-Agent header. `*` asks for the wildcard group alone. Give it several
    /// times to compare agents.
    #[arg(long = "agent", value_name = "TOKEN", required = true)]
    agents: Vec<String>,

    /// More URLs, one per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped.
    #[arg(long = "urls", value_name = "FILE")]
    url_list: Option<Input>,

    #[cfg(feature = "site")]
    #[command(flatten)]
    sitemaps: sitemaps::Sitemaps,

    #[command(flatten)]
    reading: Reading,

    /// Show the deciding line of each URL in its place, and say why it wins
    ///
    /// Also which group was asked and why, what else matches, and whether Google's matcher and RFC
    /// 9309 differ.
    #[arg(long, conflicts_with = "json")]
    explain: bool,

    /// Print one JSON document instead of a line per URL
    ///
    /// Memory stays the same for any number of URLs, each of which is read twice.
    #[arg(long)]
    json: bool,

    /// Print a line of JSON per agent and URL, as soon as the URL is read
    ///
    /// Memory stays the same for any number of URLs.
    #[arg(long, conflicts_with_all = ["json", "explain"])]
    ndjson: bool,

    /// Print nothing; the exit code says whether all is allowed
    #[arg(long, short, conflicts_with_all = ["json", "ndjson", "explain"])]
    quiet: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once(&[
            ("the robots.txt", Some(&self.file)),
            ("--urls", self.url_list.as_ref()),
        ])?;
        Failure::if_a_url(&self.file, |url| self.command_for(url))?;
        #[cfg(feature = "site")]
        if self.sitemaps.are_given() {
            return self.run_sitemaps();
        }
        if self.urls.is_empty() && self.url_list.is_none() {
            return Err(Failure::usage(NO_URL));
        }
        let robots_txt = self.reading.read(&self.file)?;
        let readings = Readings::new(&robots_txt);
        Failure::if_a_url_is_empty(&self.urls)?;
        if self.ndjson {
            let asked = self.asked(&readings, &[])?;
            return Ok(stream::print(&asked, &self.urls, self.url_list.as_ref())??);
        }
        if self.json {
            return self.run_json(&readings);
        }
        let listed = match &self.url_list {
            Some(list) => list.urls()?,
            None => Vec::new(),
        };
        let urls: Vec<&str> = self
            .urls
            .iter()
            .chain(&listed)
            .map(String::as_str)
            .collect();
        let asked = self.asked(&readings, &urls)?;
        let mut hosts = TakenForHosts::default();
        urls.iter().for_each(|url| hosts.add(url));
        hosts.warn();
        terminal::print(|out| {
            if self.quiet {
                Ok(())
            } else if self.explain {
                explain::write(out, &self.file, &robots_txt, &asked)
            } else {
                text::write(out, &asked)
            }
        })?;
        Ok(answer_of(&asked))
    }

    /// The command that answers the question about a live site.
    fn command_for(&self, site: &str) -> String {
        let urls = match &self.urls[..] {
            [] => &[site.to_owned()],
            urls => urls,
        };
        let is_asked = self.url_list.is_none();
        #[cfg(feature = "site")]
        let is_asked = is_asked && !self.sitemaps.are_given();
        if !is_asked {
            return format!("robots fetch {} --save robots.txt", quoted(site));
        }
        let urls = urls.iter().map(|url| format!(" --check {}", quoted(url)));
        let agents = self.agents.iter();
        let agents = agents.map(|agent| format!(" --agent {}", quoted(agent)));
        let questions: String = urls.chain(agents).collect();
        format!("robots fetch {}{questions}", quoted(site))
    }

    /// Reads the URLs once for the answer about all of them, which stands first in the document,
    /// and once more for each agent, so that memory stays the same for any number of URLs.
    fn run_json(&self, readings: &Readings) -> Result<Answer, Failure> {
        let given: Vec<&str> = self.urls.iter().map(String::as_str).collect();
        let list = self.url_list.as_ref();
        let list = list.map(|input| Ok::<_, InputError>((input, input.seekable()?)));
        let list = list.transpose()?;
        let urls = Urls {
            given: &given,
            list: list.as_ref().map(|(input, file)| (*input, file)),
        };
        let asked = self.asked(readings, &[])?.into_iter();
        let mut asked: Vec<(Asked<'_>, Answer)> = asked.map(|asked| (asked, Answer::Yes)).collect();
        let mut hosts = TakenForHosts::default();
        urls.each(|url| {
            hosts.add(url);
            for (asked, answer) in &mut asked {
                if !asked.answers.allowed(url) {
                    *answer = Answer::No;
                }
            }
        })?;
        hosts.warn();
        terminal::print(|out| {
            let (bytes, dialect) = (readings.bytes(), self.reading.forced());
            json::write(out, &self.file, bytes, dialect, &asked, urls)
        })?;
        let is_open = |(_, answer): &(Asked<'_>, Answer)| *answer == Answer::Yes;
        Ok(Answer::of(asked.iter().all(is_open)))
    }

    #[cfg(feature = "site")]
    fn run_sitemaps(&self) -> Result<Answer, Failure> {
        self.sitemaps.refuse_standard_input_twice(&self.file)?;
        let robots_txt = self.reading.read(&self.file)?;
        let readings = Readings::new(&robots_txt);
        let asked = self.asked(&readings, &[])?;
        if self.ndjson {
            return self.sitemaps.stream(&asked);
        }
        let answers = self.sitemaps.answers(&asked)?;
        terminal::print(|out| {
            if self.quiet {
                Ok(())
            } else if self.json {
                let bytes = readings.bytes();
                answers.write_json(out, &self.file, bytes, self.reading.forced())
            } else {
                answers.write_text(out)
            }
        })?;
        Ok(answers.answer())
    }

    fn asked<'a>(
        &self,
        readings: &'a Readings,
        urls: &'a [&'a str],
    ) -> Result<Vec<Asked<'a>>, Failure> {
        let agents = self.agents.iter();
        let asked: Result<_, _> = agents
            .map(|agent| Asked::new(agent, urls, readings, self.reading.whose()))
            .collect();
        asked.map_err(Failure::invalid_agent)
    }
}

#[cfg(feature = "site")]
const NO_URL: &str = "no URL is given; name one, or a list with --urls, or a --sitemap";

#[cfg(not(feature = "site"))]
const NO_URL: &str = "no URL is given; name one, or a list with --urls";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots check robots.txt --agent ExampleBot https://example.com/private/x
  robots check robots.txt --agent Googlebot --agent GPTBot --agent '*' --urls urls.txt
  robots check robots.txt --agent ExampleBot --explain /private/x
  curl -sL https://example.com/robots.txt | robots check - --agent ExampleBot --urls urls.txt --json
  robots check robots.txt --agent Googlebot --sitemap sitemap.xml.gz

Exit codes:
  0  every URL is allowed, to every agent
  1  at least one URL is disallowed, to at least one agent
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
