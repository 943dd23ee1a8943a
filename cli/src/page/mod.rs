//! `robots page`: what may be done with a page, by its `X-Robots-Tag` headers and robots `meta` elements.

mod effects;
mod head;
mod html;
mod json;
mod text;
mod verdict;

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use clap::error::ErrorKind;
use polite_robots::page::{PageControls, Recipient};
use polite_robots_audit::known;

use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::page::effects::AgentPage;
use crate::page::head::Head;
use crate::page::html::Elements;
use crate::page::json::{AgentFields, Document};
use crate::page::verdict::Gate;
use crate::reading::Reading;
use crate::terminal::{self, warn};

/// Show what agents may do with a page, by its X-Robots-Tag headers and robots meta tags
///
/// Whether it may be indexed, its links followed, a snippet or a copy shown, and until when; each with the rule that decides.
/// The most restrictive rule wins, as Google documents it, and a rule for everyone holds for each agent too.
///
/// A page that robots.txt closes is never fetched, so nobody sees its noindex: --robots and --url say whether that is so.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Page {
    /// The page: HTML, with or without the head in front that `curl -i` prints; `-` is standard input
    #[arg(required_unless_present_any = ["head", "fields"])]
    file: Option<Input>,

    /// The head of the response, as `curl -sI` prints it; `-` is standard input
    ///
    /// The last one counts if there are several, as redirects leave them.
    #[arg(long = "headers", value_name = "FILE")]
    head: Option<Input>,

    /// A field of the head, such as 'X-Robots-Tag: noindex'; may be given several times
    #[arg(long = "header", value_name = "FIELD")]
    fields: Vec<String>,

    /// The crawler's product token; may be given several times
    ///
    /// By default `*`, for which the rules for everyone hold, and each crawler that the page names.
    #[arg(long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,

    /// The robots.txt of the site, to find rules that nobody sees; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "url")]
    robots: Option<Input>,

    /// The URL of the page, for --robots
    #[arg(long, value_name = "URL", requires = "robots")]
    url: Option<String>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    /// Print nothing; the exit code is the answer
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

impl Page {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once::<Page>(
            SUBCOMMAND,
            &[
                ("the page", self.file.as_ref()),
                ("--headers", self.head.as_ref()),
                ("--robots", self.robots.as_ref()),
            ],
        )?;
        if let Some(url) = &self.url {
            Failure::if_a_url_is_empty::<Page>(SUBCOMMAND, std::slice::from_ref(url))?;
        }
        let (head, elements) = self.page()?;
        let agents = match self.agents.is_empty() {
            true => named_agents(&head, &elements),
            false => self.agents.clone(),
        };
        let invalid = |error| Failure::invalid_agent::<Page>(SUBCOMMAND, &error);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs().try_into().unwrap_or(i64::MAX));
        let pages: Result<Vec<AgentPage<'_>>, _> = agents
            .iter()
            .map(|agent| AgentPage::new(agent, &head, &elements, now))
            .collect();
        let pages = pages.map_err(invalid)?;
        let gates = self.gates(&agents)?;
        terminal::print(|out| {
            if self.quiet {
                return Ok(());
            }
            let gate = |place: usize| gates.get(place);
            if self.json {
                let agents = pages.iter().enumerate();
                let document = Document {
                    file: self.file.as_ref().map(|file| file.argument().into_owned()),
                    url: self.url.as_deref(),
                    status: head.status,
                    agents: agents
                        .map(|(place, page)| AgentFields::new(page, gate(place)))
                        .collect(),
                };
                return crate::json::write(out, &document);
            }
            for (place, page) in pages.iter().enumerate() {
                if place > 0 {
                    writeln!(out)?;
                }
                text::write(out, page, gate(place))?;
            }
            Ok(())
        })?;
        Ok(answer(&pages, &gates))
    }

    /// The head and the elements of the page.
    fn page(&self) -> Result<(Head, Elements), Failure> {
        let mut head = Head::default();
        let mut elements = Elements::default();
        if let Some(file) = &self.file {
            let text = file.first_octets(MOST_BYTES.saturating_add(1))?;
            if text.len() as u64 > MOST_BYTES {
                warn(format_args!(
                    "{file} is longer than 15 MiB, of which Google reads no more; only those were read"
                ));
            }
            let body;
            (head, body) = Head::before_body(&text, file)?;
            elements = Elements::read(body);
            if !elements.is_html && head == Head::default() {
                warn(format_args!(
                    "{file} holds no element of HTML, so it states no rule"
                ));
            }
        }
        if let Some(file) = &self.head {
            head = Head::last(&file.first_octets(MOST_BYTES)?, file)?;
        }
        for field in &self.fields {
            head.add(field).map_err(|message| {
                Failure::usage::<Page>(SUBCOMMAND, ErrorKind::ValueValidation, message)
            })?;
        }
        if let Some(status) = head.status.filter(|status| !(200..300).contains(status)) {
            warn(format_args!(
                "the head has status {status}: these are not the rules of a page that crawlers index"
            ));
        }
        Ok((head, elements))
    }

    /// The robots.txt as each agent reads it, if there is one.
    fn gates(&self, agents: &[String]) -> Result<Vec<Gate<'_>>, Failure> {
        let (Some(file), Some(url)) = (&self.robots, &self.url) else {
            return Ok(Vec::new());
        };
        let robots_txt = self.reading.read(file)?;
        let gates: Result<Vec<Gate<'_>>, _> = agents
            .iter()
            .map(|agent| Gate::new(agent, &robots_txt, url))
            .collect();
        gates.map_err(|error| Failure::invalid_agent::<Page>(SUBCOMMAND, &error))
    }
}

/// With a robots.txt, whether all rules are seen; without one, whether all agents may index the page.
fn answer(pages: &[AgentPage<'_>], gates: &[Gate<'_>]) -> Answer {
    let is_yes = match gates.is_empty() {
        true => !pages.iter().any(AgentPage::is_kept_out),
        false => {
            let mut both = pages.iter().zip(gates);
            !both.any(|(page, gate)| gate.hides_a_rule(page))
        }
    };
    match is_yes {
        true => Answer::Yes,
        false => Answer::No,
    }
}

/// `*`, the agents that the head names, and the known crawlers that `meta` elements name. Other names of `meta` elements,
/// such as `viewport`, are no agents.
fn named_agents(head: &Head, elements: &Elements) -> Vec<String> {
    let mut agents = vec![String::from("*")];
    let mut add = |agent: &str| {
        let is_new = !agents.iter().any(|known| known.eq_ignore_ascii_case(agent));
        if is_new && agents.len() < MOST_AGENTS {
            agents.push(agent.to_owned());
        }
    };
    if let Ok(mut page) = PageControls::new("*") {
        for (name, value) in &head.fields {
            page = page.with_header(name, value);
        }
        for statement in page.statements() {
            if let Recipient::OtherAgent(agent) = statement.recipient() {
                add(agent);
            }
        }
    }
    for (name, _) in &elements.metas {
        let name = String::from_utf8_lossy(name);
        if known::find(name.trim()).is_some() {
            add(name.trim());
        }
    }
    agents
}

/// Google reads no more of an HTML file.
const MOST_BYTES: u64 = 15 << 20;

/// A hostile head may name thousands.
const MOST_AGENTS: usize = 32;

const SUBCOMMAND: &str = "robots page";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots page page.html
  curl -si https://example.com/a | robots page - --agent Googlebot
  curl -sI https://example.com/a.pdf | robots page --headers - --json
  robots page page.html --header 'X-Robots-Tag: noindex' --robots robots.txt --url https://example.com/a

Exit codes:
  0  every agent may index the page; with --robots: no rule of the page is hidden from an agent that it is for
  1  at least one agent may not; with --robots: robots.txt keeps an agent from a page whose rules it should see
  2  no answer: the command line or an input is wrong, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
