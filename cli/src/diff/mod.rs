//! `robots diff`: which answers change from one robots.txt to the next?

mod json;
mod noted;
mod text;

use clap::Args;
use polite_robots_audit::answer::Readings;
use polite_robots_audit::difference::{Question, Versions};

use crate::diff::noted::Noted;
use crate::fetch::{RequestOptions, fetch_readings};
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// Show which answers change between two versions of a robots.txt, for whom, and by which lines
///
/// Only access counts: a file in another order or layout has not changed. The comparison is for all
/// agents that one of the files names, and for `*`, which stands for any other.
///
/// Without URLs, the command finds URLs that the rules of the two files decide differently: the
/// shortest for each pair of deciding rules.
///
/// A site is asked as `robots fetch` asks it: a 404 allows everything and a 503 nothing, and a note
/// says so.
///
/// Crawl delays, sitemaps, preferences about the use of content and other records are compared too.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Diff {
    /// The robots.txt as it was: a file, or a URL of a site that is asked; `-` is standard input
    old: Input,

    /// The robots.txt as it will be, in the same forms
    new: Input,

    /// Ask for this agent only, by its product token; may be given several times
    #[arg(long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,

    /// Ask about this URL or path; may be given several times
    #[arg(long = "url", value_name = "URL")]
    urls: Vec<String>,

    /// Ask about these URLs, one per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped.
    #[arg(long = "urls", value_name = "FILE")]
    url_list: Option<Input>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    requests: RequestOptions,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    /// Print a line per block of agents, with the numbers of rules and URLs that change
    #[arg(long, conflicts_with = "json")]
    stat: bool,

    /// Print nothing; the exit code says whether something changes
    #[arg(long, short, conflicts_with_all = ["json", "stat"])]
    quiet: bool,
}

impl Diff {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once(&[
            ("the old robots.txt", Some(&self.old)),
            ("the new one", Some(&self.new)),
            ("--urls", self.url_list.as_ref()),
        ])?;
        Failure::if_a_url_is_empty(&self.urls)?;
        let [old, new] = self.both()?;
        let versions = self.versions(&old, &new)?;
        let difference = versions.difference(self.question()?);
        let noted = Noted::new([&old, &new], self.reading.whose(), &difference);
        terminal::print(|out| {
            if self.quiet {
                Ok(())
            } else if self.stat {
                text::write_stat(out, &difference)
            } else if self.json {
                let answer = json::Answer {
                    old: &self.old,
                    new: &self.new,
                    dialect: self.reading.forced(),
                    versions: &versions,
                    difference: &difference,
                    noted,
                    bytes: old.bytes().len().saturating_add(new.bytes().len()),
                };
                json::write(out, &answer)
            } else {
                let notes = noted.map(|noted| noted.sentences(&difference));
                text::write(out, &difference, &notes.unwrap_or_default())
            }
        })?;
        Ok(match (difference.is_change(), difference.is_complete()) {
            (true, _) => Answer::No,
            (false, true) => Answer::Yes,
            // A script must not take an incomplete comparison for a yes.
            (false, false) => Answer::Partial,
        })
    }

    /// Both versions. Two sites are asked at once.
    fn both(&self) -> Result<[Readings; 2], Failure> {
        let inputs = [&self.old, &self.new];
        let urls: Vec<&str> = inputs.into_iter().filter_map(Input::url).collect();
        let mut fetched = fetch_readings(&urls, &self.requests)?.into_iter();
        let mut read = |input: &Input| match input.url().and_then(|_| fetched.next()) {
            Some(readings) => Ok(readings),
            None => Ok::<_, Failure>(Readings::new(&self.reading.read(input)?)),
        };
        Ok([read(&self.old)?, read(&self.new)?])
    }

    fn versions<'a>(&self, old: &'a Readings, new: &'a Readings) -> Result<Versions<'a>, Failure> {
        let reading = self.reading.whose();
        if self.agents.is_empty() {
            return Ok(Versions::read_by_crawlers(old, new, reading));
        }
        Versions::read_by(old, new, reading, &self.agents).map_err(Failure::invalid_agent)
    }

    fn question(&self) -> Result<Question, Failure> {
        let mut urls = self.urls.clone();
        if let Some(list) = &self.url_list {
            urls.extend(list.urls()?);
        }
        Ok(if urls.is_empty() {
            Question::Rules
        } else {
            Question::Urls(urls)
        })
    }
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots diff robots.txt new/robots.txt
  robots diff robots.txt new/robots.txt --agent Googlebot --agent '*' --urls top-pages.txt
  robots diff robots.txt new/robots.txt --stat
  robots diff https://example.com https://staging.example.com
  git show HEAD:robots.txt | robots diff - robots.txt --json

Exit codes:
  0  nothing changes
  1  something changes
  2  no answer: the command line or an input is wrong, and the message says what and where;
     or nothing was found that changes, and not all URLs or agents could be looked at

Colours are for terminals; NO_COLOR=1 turns them off.";
