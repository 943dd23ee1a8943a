//! `robots agents`: whom does a robots.txt speak to, and what may they fetch?

pub(crate) mod access;
mod json;
pub(crate) mod known;
mod obeyed;
mod text;

use clap::Args;
use polite_robots::{AgentMatch, InvalidToken, MergedGroup, RobotsTxt};

use crate::agents::access::Extents;
use crate::agents::known::{KnownCrawler, Purpose};
use crate::agents::obeyed::Obeyed;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;

/// List the agents that a robots.txt speaks to, and what each may fetch
///
/// One line for each agent that the file names and one for all others: whether it may fetch nothing, a part or everything,
/// by how many rules, its crawl delay, and what the site asks about the use of content. Then how many of the known crawlers
/// may fetch how much, by what they fetch for.
///
/// The known crawlers are those of a dated table that comes with this command: AI crawlers as the ai.robots.txt project
/// lists them, search engines, SEO and others. Whether a crawler obeys the file is another question.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Agents {
    /// The robots.txt; `-` is standard input
    file: Input,

    /// List the known crawlers instead, each with the line and the group that decide
    #[arg(long)]
    known: bool,

    /// Of the known crawlers those for this purpose; may be given several times, or with commas. Implies --known
    #[arg(
        long = "purpose",
        value_enum,
        value_name = "PURPOSE",
        value_delimiter = ','
    )]
    purposes: Vec<Purpose>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// An agent that the file names, or everyone else.
struct NamedAgent<'a> {
    group: MergedGroup<'a>,
    obeyed: Obeyed,
    known: Option<&'static KnownCrawler>,
}

/// A known crawler and what it may fetch.
struct Judged {
    crawler: &'static KnownCrawler,
    obeyed: Obeyed,
    /// Whether the file names its second token and not its own.
    is_by_second_token: bool,
}

impl Agents {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let robots_txt = self.reading.read(&self.file)?;
        let mut extents = Extents::new(&robots_txt);
        let named: Vec<NamedAgent<'_>> = robots_txt
            .merged_groups()
            // What is in a file and no token could not be asked for.
            .filter_map(|group| NamedAgent::new(group, &robots_txt, &mut extents).ok())
            .collect();
        let known: Vec<Judged> = known::all()
            .iter()
            .filter(|crawler| self.is_wanted(crawler))
            .filter_map(|crawler| Judged::new(crawler, &robots_txt, &mut extents).ok())
            .collect();
        let lists_known = self.known || !self.purposes.is_empty();
        terminal::print(|out| match (self.json, lists_known) {
            (true, true) => json::write(out, &self, &named, Some(&known)),
            (true, false) => json::write(out, &self, &named, None),
            (false, true) => text::write_known(out, known),
            (false, false) => text::write(out, &named, &known),
        })?;
        Ok(Answer::Yes)
    }

    fn is_wanted(&self, crawler: &KnownCrawler) -> bool {
        self.purposes.is_empty() || self.purposes.contains(&crawler.purpose())
    }
}

impl<'a> NamedAgent<'a> {
    fn new(
        group: MergedGroup<'a>,
        robots_txt: &RobotsTxt,
        extents: &mut Extents,
    ) -> Result<NamedAgent<'a>, InvalidToken> {
        let robot = robots_txt.robot(group.product_token())?;
        Ok(NamedAgent {
            obeyed: Obeyed::new(&robot, extents),
            known: known::find(group.product_token()),
            group,
        })
    }
}

impl Judged {
    fn new(
        crawler: &'static KnownCrawler,
        robots_txt: &RobotsTxt,
        extents: &mut Extents,
    ) -> Result<Judged, InvalidToken> {
        let robot = crawler.robot(robots_txt)?;
        let is_by_second_token = match crawler.falls_back_to() {
            Some(_) if robot.agent_match() == AgentMatch::Named => {
                robots_txt.robot(crawler.token())?.agent_match() != AgentMatch::Named
            }
            _ => false,
        };
        Ok(Judged {
            crawler,
            obeyed: Obeyed::new(&robot, extents),
            is_by_second_token,
        })
    }
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots agents robots.txt
  robots agents robots.txt --known
  robots agents robots.txt --purpose training,ai-search --json
  curl -sL https://example.com/robots.txt | robots agents -

Exit codes:
  0  done
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
