//! `robots agents`: whom does a robots.txt speak to, and what may they fetch?

#[cfg(feature = "fetch")]
pub(crate) mod fetched;
mod json;
mod text;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use polite_robots_audit::agent::{CrawlerSummary, NamedAgents};
use polite_robots_audit::answer::Readings;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{KnownCrawler, Purpose};

use crate::input::Input;
use crate::outcome::{Answer, Failure, quoted};
use crate::reading::Reading;
use crate::terminal;

/// List the agents that a robots.txt speaks to, and what each may fetch
///
/// One line for each agent that the file names and one for all others: whether it may fetch
/// nothing, a part or everything, by how many rules, its crawl delay, and what the site asks about
/// the use of content. Then how many of the known crawlers may fetch how much, by what they fetch
/// for; and which crawlers may have been forgotten: others with their purpose are kept out by name.
///
/// The known crawlers are those of a dated table that comes with this command: AI crawlers as the
/// ai.robots.txt project lists them, search engines, SEO and others. Whether a crawler obeys the
/// file is another question.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Agents {
    /// The robots.txt; `-` is standard input
    file: Input,

    /// List the known crawlers instead, each with the line and the group that decide
    #[arg(long)]
    known: bool,

    /// Known crawlers for this purpose alone; may be given several times, or with commas. Implies
    /// --known
    #[arg(
        long = "purpose",
        value_parser = purpose(),
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

impl Agents {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::if_a_url(&self.file, |url| {
            format!("robots fetch {} --agents", quoted(url))
        })?;
        let robots_txt = self.reading.read(&self.file)?;
        let readings = Readings::new(&robots_txt);
        let named = NamedAgents::of(&readings, self.reading.whose());
        let mut known = CrawlerSummary::all(&readings, self.reading.whose());
        known.retain(|summary| self.is_wanted(summary.crawler()));
        let lists_known = self.known || !self.purposes.is_empty();
        let dialect = self.reading.forced();
        let forgotten = Forgotten::all(&known);
        terminal::print(|out| match (self.json, lists_known) {
            (true, _) => {
                let listed = lists_known.then_some(&known[..]);
                json::write(out, &self.file, dialect, &named, listed, &forgotten)
            }
            (false, true) => text::write_known(out, known, &forgotten),
            (false, false) => text::write(out, &named, &known, &forgotten),
        })?;
        Ok(match named.left_out() {
            0 => Answer::Yes,
            _ => Answer::Partial,
        })
    }

    fn is_wanted(&self, crawler: &KnownCrawler) -> bool {
        self.purposes.is_empty() || self.purposes.contains(&crawler.purpose())
    }
}

/// A purpose by its name, with its description in the help.
fn purpose() -> impl TypedValueParser<Value = Purpose> {
    let purposes = Purpose::ALL
        .map(|purpose| PossibleValue::new(purpose.as_str()).help(purpose.description()));
    PossibleValuesParser::new(purposes)
        .try_map(|name| Purpose::from_name(&name).ok_or("no purpose"))
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots agents robots.txt
  robots agents robots.txt --known
  robots agents robots.txt --purpose training,ai-search --json
  curl -sL https://example.com/robots.txt | robots agents -

Exit codes:
  0  done
  2  no answer: the command line or an input is wrong, and the message says what and where;
     or the file names more agents than can be listed

Colours are for terminals; NO_COLOR=1 turns them off.";
