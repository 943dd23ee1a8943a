//! `robots fetch`: the robots.txt of a live site, the meaning of its answer, and the answers of
//! other subcommands about the file.

mod ask;
mod compared;
mod http;
mod json;
mod options;
mod origin;
mod page;
mod problem;
mod profiles;
mod progress;
mod round;
mod save;
mod site;
mod table;
mod text;

use std::collections::HashSet;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use polite_robots::RobotsTxt;
use polite_robots_policy::Origin;
use serde::Serialize;

use crate::agents::fetched::FetchedAgents;
use crate::check::fetched::FetchedAnswers;
use crate::fetch::ask::ask;
use crate::fetch::json::site_fields;
use crate::fetch::origin::{by_https, origin};
use crate::fetch::save::{is_folder, save};
use crate::fetch::site::Site;
use crate::fetch::table::Row;
use crate::input::Input;
use crate::json::object;
use crate::lint::fetched::FetchedFindings;
use crate::outcome::{Answer, Failure};
use crate::reading::{Dialect, at_least_one, whose};
use crate::terminal::{self, EMPHASIS, printable, warn};

pub(crate) use crate::fetch::compared::fetch_readings;
pub(crate) use crate::fetch::options::RequestOptions;
pub(crate) use crate::fetch::page::fetch_page;

/// Fetch the robots.txt of live sites, and show what crawlers make of the answer
///
/// Each redirect with its status; size, type and coding of the file; and what RFC 9309, Google, the
/// IBM Web crawler and Bing make of the answer: whether its rules decide, everything is allowed or
/// nothing, until when it is kept, or when it is asked for again. Bing publishes less: its row has
/// the group that its crawler reads.
///
/// Each site is asked once, different hosts at once, and a host at most once a second. Questions
/// about the file follow with
/// --check, --lint and --agents; other subcommands read it after --save.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Fetch {
    /// The sites: any URL of a site stands for the robots.txt of its scheme, host and port
    ///
    /// A host alone, such as example.com, is asked by https.
    #[arg(value_name = "URL", required_unless_present_any = ["checked", "url_list"])]
    urls: Vec<String>,

    /// More sites, a URL or a host per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped. A line that is no URL is an error, and
    /// the other sites are asked. Without --check, --lint or --agents each site is a line of a
    /// table.
    #[arg(long = "urls", value_name = "FILE")]
    url_list: Option<Input>,

    /// Ask up to N hosts at once
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "32")]
    parallel: usize,

    /// Check whether the agents may fetch this URL; may be given several times
    ///
    /// A whole URL is asked of its own site, which is fetched too; a path such as /a?b of every
    /// site.
    #[arg(long = "check", value_name = "URL", requires = "agents")]
    checked: Vec<String>,

    /// The crawler's product token for --check; may be given several times
    #[arg(long = "agent", value_name = "TOKEN", requires = "checked")]
    agents: Vec<String>,

    /// Print what `robots lint` finds in the file
    #[arg(long)]
    lint: bool,

    /// List the agents of the file, as `robots agents` does
    #[arg(long = "agents")]
    lists_agents: bool,

    /// Save the file; into a folder it goes as HOST.robots.txt, and `-` prints it in place of the
    /// report
    ///
    /// A folder that is not there is made if its name ends with `/`.
    ///
    /// Where the answer is no file nothing is saved, and the exit code is 2: an empty file would
    /// allow everything.
    #[arg(long, short = 'o', value_name = "FILE")]
    save: Option<Input>,

    /// Whose reading answers --check, --lint and --agents [default: that of each crawler, else RFC
    /// 9309]
    #[arg(long, value_enum)]
    dialect: Option<Dialect>,

    /// Exit with 0 also where a page of HTML or the like stands in place of the file
    #[arg(long)]
    any_text: bool,

    #[command(flatten)]
    requests: RequestOptions,

    /// Print a line for each site, with its answer, status and cause, in the order of the list
    ///
    /// The answer is `yes`, `no` or `none`, as the exit codes 0, 1 and 2.
    #[arg(long, value_enum)]
    format: Option<SiteFormat>,

    /// Print one JSON document
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Print nothing; the exit code says whether there is an answer, and whether it lets crawlers
    /// in
    #[arg(long, short, conflicts_with_all = ["json", "format"])]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SiteFormat {
    /// Columns for people
    Table,
    /// Lines for spreadsheets
    Csv,
    /// The document of --json
    Json,
}

impl Fetch {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        self.refuse_what_cannot_be_asked()?;
        let (origins, unusable) = self.origins()?;
        for (_, message) in &unusable {
            terminal::error(format_args!("{message}"));
        }
        self.refuse_one_file_for_many(&origins)?;
        let mut answers = match self.format() {
            Some(format @ (SiteFormat::Table | SiteFormat::Csv)) => {
                self.run_table(origins, &unusable, format)?
            }
            _ => self.run_reports(origins, &unusable)?,
        };
        if !unusable.is_empty() {
            answers.push(Answer::Partial);
        }
        Ok(worst(&answers))
    }

    /// A list is a table, except where questions need more room than a line.
    fn format(&self) -> Option<SiteFormat> {
        let has_questions = self.lint || self.lists_agents || !self.checked.is_empty();
        let is_table = self.url_list.is_some() && !has_questions && !self.json && !self.quiet;
        self.format.or(is_table.then_some(SiteFormat::Table))
    }

    /// Keeps a line of each site, and not its file.
    fn run_table(
        &self,
        origins: Vec<Origin>,
        unusable: &Unusable,
        format: SiteFormat,
    ) -> Result<Vec<Answer>, Failure> {
        let settings = self.requests.settings();
        let (mut answers, mut failures) = (Vec::new(), Vec::new());
        let mut rows = ask(origins, settings, self.parallel, |site| {
            let questions = self.questions(&site);
            let answer = SiteReport::new(&site, &questions, self)?.answer(self);
            answers.push(answer);
            // They are reported below the bar.
            failures.extend(self.not_saved(&site));
            Ok(Row::new(&site, answer, self.dialect_of_file()))
        })?;
        rows.extend(
            unusable
                .iter()
                .map(|(url, message)| Row::unusable(url, message)),
        );
        terminal::print(|out| match format {
            _ if self.save == Some(Input::StandardInput) => Ok(()),
            SiteFormat::Csv => table::write_csv(out, &rows),
            _ => table::write(out, &rows),
        })?;
        answers.extend(failures.into_iter().map(reported));
        Ok(answers)
    }

    fn run_reports(
        &self,
        origins: Vec<Origin>,
        unusable: &Unusable,
    ) -> Result<Vec<Answer>, Failure> {
        let sites = ask(origins, self.requests.settings(), self.parallel, Ok)?;
        let questions: Vec<Vec<&str>> = sites.iter().map(|site| self.questions(site)).collect();
        let mut reports = Vec::new();
        for (site, questions) in sites.iter().zip(&questions) {
            reports.push(SiteReport::new(site, questions, self)?);
        }
        for report in &reports {
            report.warn(self.dialect_of_file());
        }
        let is_file_printed = self.save == Some(Input::StandardInput);
        if self.is_json() {
            terminal::print(|out| write_json(out, &reports, unusable))?;
        } else if !self.quiet && !is_file_printed {
            terminal::print(|out| write_text(out, &reports))?;
        }
        let mut answers: Vec<Answer> = reports.iter().map(|report| report.answer(self)).collect();
        let failures = sites.iter().filter_map(|site| self.not_saved(site));
        answers.extend(failures.map(reported));
        Ok(answers)
    }

    fn is_json(&self) -> bool {
        self.json || self.format == Some(SiteFormat::Json)
    }

    /// Saves the file of a site, if that is asked for. Returns the reason why it cannot be saved.
    fn not_saved(&self, site: &Site) -> Option<Failure> {
        save(site, self.save.as_ref()?).err()
    }

    /// The dialect in which the file is read where no agent is asked about.
    fn dialect_of_file(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Rfc9309)
    }

    /// Refuses wrong questions before any server is asked.
    fn refuse_what_cannot_be_asked(&self) -> Result<(), Failure> {
        Failure::if_a_url_is_empty(&self.urls)?;
        Failure::if_a_url_is_empty(&self.checked)?;
        let nothing = RobotsTxt::parse(b"");
        for agent in &self.agents {
            nothing.robot(agent).map_err(Failure::invalid_agent)?;
        }
        Ok(())
    }

    /// The origins of the command line and of the list, each once, and the URLs that have none,
    /// with a message.
    fn origins(&self) -> Result<(Vec<Origin>, Unusable), Failure> {
        let (mut origins, mut known, mut unusable) = (Vec::new(), HashSet::new(), Vec::new());
        let mut take = |url: &str, origin: Result<Origin, String>| match origin {
            Ok(origin) if !known.insert(origin.clone()) => {}
            Ok(origin) => origins.push(origin),
            Err(message) => unusable.push((url.to_owned(), message)),
        };
        for url in &self.urls {
            match by_https(url) {
                Some(origin) => {
                    terminal::tell(format_args!(
                        "{EMPHASIS}note:{EMPHASIS:#} `{}` has no scheme; asking {origin}",
                        printable(url)
                    ));
                    take(url, Ok(origin));
                }
                None => take(url, origin(url)),
            }
        }
        if let Some(list) = &self.url_list {
            let lines = list.numbered_lines()?;
            if lines.is_empty() {
                return Err(list.no_url().into());
            }
            for (line, url) in lines {
                // A list of hosts would have a note for each line.
                let origin = by_https(&url).map_or_else(|| origin(&url), Ok);
                let in_list = |message| format!("{list}, line {line}: {message}");
                take(&url, origin.map_err(in_list));
            }
        }
        for url in self.checked.iter().filter(|url| is_absolute(url)) {
            take(url, origin(url));
        }
        Ok((origins, unusable))
    }

    fn refuse_one_file_for_many(&self, origins: &[Origin]) -> Result<(), Failure> {
        let message = match &self.save {
            Some(Input::File(path)) if origins.len() > 1 && !is_folder(path) => {
                let path = printable(&path.to_string_lossy());
                format!("several sites cannot be saved as `{path}`; name a folder, as in `{path}/`")
            }
            Some(Input::StandardInput) if origins.len() > 1 => String::from(
                "several sites cannot be printed as one file; name a folder, as in `robots/`",
            ),
            Some(Input::StandardInput) if self.is_json() => {
                String::from("--json and `--save -` cannot both print; name a file to save")
            }
            None if origins.is_empty() && !self.checked.is_empty() && self.urls.is_empty() => {
                String::from("no site is named; give a URL of it, or check a whole URL")
            }
            _ => return Ok(()),
        };
        Err(Failure::usage(message))
    }

    /// The URLs to check that belong to a site.
    fn questions(&self, site: &Site) -> Vec<&str> {
        let is_own = |url: &&String| match is_absolute(url) {
            true => origin(url).is_ok_and(|origin| origin == site.origin),
            false => true,
        };
        let own = self.checked.iter().filter(is_own);
        own.map(String::as_str).collect()
    }
}

/// The URLs that no site can be asked for, each with a message.
type Unusable = Vec<(String, String)>;

/// A site with the answers to the questions about it.
struct SiteReport<'a> {
    site: &'a Site,
    check: Option<FetchedAnswers<'a>>,
    lint: Option<FetchedFindings<'a>>,
    agents: Option<FetchedAgents<'a>>,
}

impl<'a> SiteReport<'a> {
    fn new(
        site: &'a Site,
        urls: &'a [&'a str],
        asked: &'a Fetch,
    ) -> Result<SiteReport<'a>, Failure> {
        let reading = whose(asked.dialect);
        let check = match urls.is_empty() {
            true => None,
            false => Some(
                FetchedAnswers::new(&asked.agents, urls, &site.readings, reading)
                    .map_err(Failure::invalid_agent)?,
            ),
        };
        let file = site.file();
        Ok(SiteReport {
            site,
            check,
            lint: file.filter(|_| asked.lint).map(|file| {
                let host = site.origin.host();
                FetchedFindings::new(&site.name, file, asked.dialect_of_file(), host)
            }),
            agents: (asked.lists_agents && file.is_some())
                .then(|| FetchedAgents::new(&site.readings, reading)),
        })
    }

    /// Warns on standard error if something makes the answer doubtful.
    fn warn(&self, dialect: Dialect) {
        let name = &self.site.name;
        if let Some(problem) = self.site.round.problem() {
            terminal::error(format_args!("{name}: {problem}"));
        }
        if let Some(doubt) = self.site.doubt(dialect) {
            warn(format_args!(
                "{name} seems to be no robots.txt: {}",
                doubt.message()
            ));
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(out, self.site)?;
        if let Some(check) = &self.check {
            writeln!(out)?;
            check.write(out)?;
        }
        if let Some(lint) = &self.lint {
            writeln!(out)?;
            lint.write(out)?;
        }
        if let Some(agents) = &self.agents {
            writeln!(out)?;
            agents.write(out)?;
        }
        Ok(())
    }

    fn fields(&self) -> impl Serialize {
        site_fields(
            self.site,
            self.check.as_ref().map(FetchedAnswers::fields),
            self.lint.as_ref().map(FetchedFindings::fields),
            self.agents.as_ref().map(FetchedAgents::fields),
        )
    }

    /// The answers to the questions that were asked. Without questions, the answer is whether
    /// the site lets crawlers in, by a robots.txt or without one.
    fn answer(&self, asked: &Fetch) -> Answer {
        let questions = [
            self.check.as_ref().map(FetchedAnswers::answer),
            self.lint.as_ref().map(FetchedFindings::answer),
        ];
        let questions: Vec<Answer> = questions.into_iter().flatten().collect();
        match self.site.answer() {
            Answer::Partial => Answer::Partial,
            Answer::Yes if questions.is_empty() => match self.site.doubt(asked.dialect_of_file()) {
                Some(_) if !asked.any_text => Answer::No,
                _ => Answer::Yes,
            },
            closed if questions.is_empty() => closed,
            _ => worst(&questions),
        }
    }
}

fn write_text(out: &mut dyn Write, reports: &[SiteReport<'_>]) -> io::Result<()> {
    for (place, report) in reports.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        report.write(out)?;
    }
    Ok(())
}

fn write_json(
    out: &mut dyn Write,
    reports: &[SiteReport<'_>],
    unusable: &Unusable,
) -> io::Result<()> {
    // No site can be asked for these URLs of the command line.
    let unusable = unusable.iter();
    let unusable = unusable.map(|(url, message)| object! { "url": url, "message": message });
    let document = object! {
        "sites": reports.iter().map(SiteReport::fields).collect::<Vec<_>>(),
        "unusable": unusable.collect::<Vec<_>>(),
    };
    crate::json::write(out, &document)
}

/// Reports that a file is not saved. The other sites may have one.
fn reported(failure: Failure) -> Answer {
    failure.report();
    Answer::Partial
}

/// The worst answer: no answer is worse than a no, and a no is worse than a yes.
fn worst(answers: &[Answer]) -> Answer {
    if answers.contains(&Answer::Partial) {
        Answer::Partial
    } else if answers.contains(&Answer::No) {
        Answer::No
    } else {
        Answer::Yes
    }
}

fn is_absolute(url: &str) -> bool {
    !url.starts_with('/') && url.contains("://")
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots fetch https://example.com
  robots fetch --check https://example.com/private/x --agent ExampleBot
  robots fetch http://127.0.0.1:8080 --lint
  robots fetch https://example.com https://example.org --save robots/
  robots fetch --urls sites.txt --format csv > sites.csv
  robots fetch https://example.com --save - | robots edit - --close training

Exit codes:
  0  each site has answered and lets crawlers in; with --check every URL is allowed; with --lint nothing is denied
  1  a site keeps all crawlers out, as by a 503, or has something else in place of a robots.txt, such as HTML (unless
     --any-text is given); with --check a URL is disallowed; with --lint a finding is denied
  2  a URL cannot be asked, a site gives no answer, or nothing can be saved, and the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
