//! `robots page`: what may be done with a page, by its `X-Robots-Tag` headers and robots `meta`
//! elements.

mod effects;
mod head;
mod html;
mod json;
mod text;
mod verdict;

use std::collections::HashSet;
use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use polite_robots::InvalidToken;
use polite_robots_audit::answer::{self, Readings};
use polite_robots_audit::known;
use polite_robots_page::{PageControls, PageRule, Recipient};

use crate::counted::counted;
use crate::fetch::{RequestOptions, fetch_page};
use crate::fetched_page::{FetchedPage, PageAnswer, PageEnd};
use crate::input::Input;
use crate::json::{Fields, Object, object};
use crate::outcome::{Answer, Failure};
use crate::page::effects::AgentPage;
use crate::page::head::Head;
use crate::page::html::Elements;
use crate::page::json::agent_fields;
use crate::page::verdict::Gate;
use crate::reading::Reading;
use crate::terminal::{self, printable, warn};

/// Show what agents may do with a page, by its X-Robots-Tag headers and robots meta tags
///
/// Whether it may be indexed, its links followed, a snippet or a copy shown, and until when; each
/// with the rule that decides. The most restrictive rule wins, as Google documents it, and a rule
/// for everyone holds for each agent too.
///
/// A page that robots.txt closes is never fetched, so nobody sees its noindex: --robots and --url
/// say whether that is so. For the URL of a live page both are fetched, the robots.txt first, and a
/// page that it closes to this command is not read.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Page {
    /// The page: HTML, with or without the head in front that `curl -i` prints; `-` is standard
    /// input, and the URL of a live page is fetched
    #[arg(value_name = "FILE|URL", required_unless_present_any = ["head", "fields"])]
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

    #[command(flatten, next_help_heading = "Options for a URL")]
    requests: RequestOptions,
}

impl Page {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once(&[
            ("the page", self.file.as_ref()),
            ("--headers", self.head.as_ref()),
            ("--robots", self.robots.as_ref()),
        ])?;
        if let Some(url) = &self.url {
            Failure::if_a_url_is_empty(std::slice::from_ref(url))?;
        }
        let fetched = self.fetched()?;
        let (head, elements) = self.page(fetched.as_ref())?;
        let agents = match self.agents.is_empty() {
            true => named_agents(&head, &elements),
            false => self.agents.clone(),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs().try_into().unwrap_or(i64::MAX));
        let pages: Result<Vec<AgentPage<'_>>, _> = agents
            .iter()
            .map(|agent| AgentPage::new(agent, &head, &elements, now))
            .collect();
        let pages = pages.map_err(Failure::invalid_agent)?;
        warn_of_rules_without_effect(&pages);
        let gates = match &fetched {
            Some(fetched) => live_gates(&agents, fetched, self.reading.whose())
                .map_err(Failure::invalid_agent)?,
            None => self.gates(&agents)?,
        };
        let unread = fetched.as_ref().and_then(|page| page.answer.as_ref().err());
        if let (Some(file), Some(reason)) = (&self.file, unread) {
            terminal::error(format_args!("{file} was not read: {reason}"));
        }
        let report = Report {
            file: self.file.as_ref(),
            url: match &fetched {
                Some(fetched) => fetched.hops.last().map(|hop| hop.url.as_str()),
                None => self.url.as_deref(),
            },
            status: head.status,
            fetched: fetched.as_ref(),
            unread: unread.map(String::as_str),
            pages: &pages,
            gates: &gates,
        };
        if self.json {
            terminal::print(|out| crate::json::write(out, &report.document()))?;
        } else if !self.quiet {
            terminal::print(|out| report.write(out))?;
        }
        Ok(match unread {
            Some(_) => Answer::Partial,
            None => answer(&pages, &gates),
        })
    }

    /// The page, if it is the URL of a live one.
    fn fetched(&self) -> Result<Option<FetchedPage>, Failure> {
        let Some(url) = self.file.as_ref().and_then(Input::url) else {
            return Ok(None);
        };
        if self.head.is_some() || self.robots.is_some() {
            return Err(Failure::usage(
                "a URL is fetched with its headers and its robots.txt; leave out --headers, --robots and --url, or save the \
                 page and give the file",
            ));
        }
        for agent in &self.agents {
            PageControls::new(agent).map_err(Failure::invalid_agent)?;
        }
        self.add_fields(&mut Head::default())?;
        let most_bytes = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX);
        fetch_page(url, &self.requests, most_bytes).map(Some)
    }

    /// The head and the elements of the page.
    fn page(&self, fetched: Option<&FetchedPage>) -> Result<(Head, Elements), Failure> {
        let mut head = Head::default();
        let mut elements = Elements::default();
        if let Some(fetched) = fetched {
            if let Ok(answer) = &fetched.answer {
                warn_of_missing_bytes(answer);
                head = Head::of_answer(answer);
                elements = Elements::read(&answer.body);
            }
        } else if let Some(file) = &self.file {
            let text = file.first_bytes(MOST_BYTES.saturating_add(1))?;
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
            head = Head::last(&file.first_bytes(MOST_BYTES)?, file)?;
        }
        self.add_fields(&mut head)?;
        if let Some(status) = head.status_without_index() {
            warn(format_args!(
                "the head has status {status}: these are not the rules of a page that crawlers index"
            ));
        }
        Ok((head, elements))
    }

    fn add_fields(&self, head: &mut Head) -> Result<(), Failure> {
        for field in &self.fields {
            head.add(field).map_err(Failure::usage)?;
        }
        Ok(())
    }

    /// The robots.txt as each agent reads it, if there is one.
    fn gates(&self, agents: &[String]) -> Result<Vec<Gate<'_>>, Failure> {
        let (Some(file), Some(url)) = (&self.robots, &self.url) else {
            return Ok(Vec::new());
        };
        let readings = Readings::new(&self.reading.read(file)?);
        let gates: Result<Vec<Gate<'_>>, _> = agents
            .iter()
            .map(|agent| Gate::new(agent, &readings, self.reading.whose(), url))
            .collect();
        gates.map_err(Failure::invalid_agent)
    }
}

/// The answers for all agents, as they are printed.
struct Report<'a> {
    file: Option<&'a Input>,
    url: Option<&'a str>,
    status: Option<u16>,
    fetched: Option<&'a FetchedPage>,
    /// The reason why the page was not read.
    unread: Option<&'a str>,
    pages: &'a [AgentPage<'a>],
    gates: &'a [Gate<'a>],
}

impl Report<'_> {
    fn document(&self) -> Object<impl Fields> {
        let agents = self.pages.iter().enumerate();
        let agents = agents.map(|(place, page)| {
            let gate = self.gates.get(place);
            let is_read = self.unread.is_none() || gate.is_none();
            agent_fields(page.agent, is_read.then_some(page), gate)
        });
        object! {
            // The page, or `null` without one.
            "file": self.file.map(Input::argument),
            "url": self.url,
            "status": self.status,
            // The requests for a live page.
            "requests"?: self.fetched.map(|fetched| fetched.requests.as_slice()),
            // The reason why a live page was not read.
            "unread"?: self.unread,
            "agents": agents.collect::<Vec<_>>(),
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(fetched) = self.fetched {
            text::write_requests(out, fetched)?;
        }
        for (place, page) in self.pages.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            match (self.unread, self.gates.get(place)) {
                (Some(_), Some(gate)) => text::write_unread(out, page.agent, gate)?,
                (_, gate) => text::write(out, page, gate)?,
            }
        }
        Ok(())
    }
}

/// The robots.txt that keeps each agent from the page: on the way to it, or of the page itself.
fn live_gates<'p>(
    agents: &[String],
    page: &'p FetchedPage,
    reading: answer::Reading,
) -> Result<Vec<Gate<'p>>, InvalidToken> {
    let mut gates = Vec::new();
    for agent in agents {
        let mut of_agent = None;
        for hop in &page.hops {
            let gate = Gate::new(agent, &hop.readings, reading, &hop.url)?;
            let is_open = gate.verdict().is_allowed();
            of_agent = Some(gate);
            if !is_open {
                break;
            }
        }
        gates.extend(of_agent);
    }
    Ok(gates)
}

fn warn_of_missing_bytes(answer: &PageAnswer) {
    if answer.body.len() as u64 > MOST_BYTES {
        warn(format_args!(
            "the page is longer than 15 MiB, of which Google reads no more; only those were read"
        ));
    }
    if answer.end == PageEnd::CutShort {
        warn(format_args!(
            "the answer ended after {} bytes, before it was whole",
            answer.body.len()
        ));
    }
}

/// Warns of the rules that no crawler follows.
fn warn_of_rules_without_effect(pages: &[AgentPage<'_>]) {
    let rules = pages.iter().flat_map(AgentPage::rules_without_effect);
    let mut warned = HashSet::new();
    for rule in rules {
        if !warned.insert(rule.text()) || warned.len() > MOST_WARNINGS {
            continue;
        }
        let problem = match (rule.rule(), rule.probably_meant()) {
            (_, Some(meant)) => format!("is no rule; write `{meant}` if you mean it"),
            (PageRule::InvalidValue, None) => "has a value that no rule of its name has".to_owned(),
            (_, None) => "is no rule that a crawler is known to follow".to_owned(),
        };
        let rule = rule.text();
        let cut = rule.get(..LONGEST_SHOWN).unwrap_or(rule);
        let ellipsis = if cut.len() < rule.len() { "…" } else { "" };
        let text = printable(&String::from_utf8_lossy(cut));
        warn(format_args!(
            "`{text}{ellipsis}` has no effect: it {problem}"
        ));
    }
    if let Some(more @ 1..) = warned.len().checked_sub(MOST_WARNINGS) {
        let more = counted(more, "more rule");
        warn(format_args!("not shown: {more} without an effect"));
    }
}

/// The exit code. With a robots.txt it says whether all rules are seen; without one, whether all
/// agents may index the page. A page with the status of an error is not indexed.
fn answer(pages: &[AgentPage<'_>], gates: &[Gate<'_>]) -> Answer {
    let has_status = pages
        .iter()
        .any(|page| page.status_without_index().is_some());
    let is_yes = match gates.is_empty() {
        _ if has_status => false,
        true => !pages
            .iter()
            .any(|page| page.is_kept_out() || page.has_expired()),
        false => {
            let mut both = pages.iter().zip(gates);
            !both.any(|(page, gate)| gate.hides_a_rule(page))
        }
    };
    Answer::of(is_yes)
}

/// `*`, the agents that the head names, and the known crawlers that `meta` elements name. Other
/// names of `meta` elements, such as `viewport`, are no agents.
fn named_agents(head: &Head, elements: &Elements) -> Vec<String> {
    let mut agents = vec![String::from("*")];
    let mut seen = HashSet::from([String::from("*")]);
    let mut add = |agent: &str| {
        let is_new = seen.insert(agent.to_ascii_lowercase());
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
    let left_out = seen.len().saturating_sub(agents.len());
    if left_out > 0 {
        warn(format_args!(
            "not shown: {} with rules of their own; --agent shows one of them",
            counted(left_out, "more agent")
        ));
    }
    agents
}

/// The most bytes that are read. Google reads no more of an HTML file.
const MOST_BYTES: u64 = 15 << 20;

/// The most warnings. A hostile head may have thousands of rules that mean nothing.
const MOST_WARNINGS: usize = 8;

/// The most bytes of a rule in a warning.
const LONGEST_SHOWN: usize = 60;

/// The most agents. A hostile head may name thousands.
const MOST_AGENTS: usize = 32;

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots page page.html
  robots page https://example.com/a --agent Googlebot
  curl -si https://example.com/a | robots page - --agent Googlebot
  curl -sI https://example.com/a.pdf | robots page --headers - --json
  robots page page.html --header 'X-Robots-Tag: noindex' --robots robots.txt --url https://example.com/a

Exit codes:
  0  every agent may index the page; with --robots or a URL: no rule of the page is hidden from an agent that it is for
  1  at least one agent may not, or the status keeps the page out of every index; with --robots or a URL: robots.txt
     keeps an agent from a page whose rules it should see
  2  no answer: the command line or an input is wrong, or a live page was not read, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
