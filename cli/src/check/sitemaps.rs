//! `--sitemap`: which URLs of sitemaps are disallowed, grouped by the lines that decide.

use std::io::{self, Write};

use clap::Args;
use polite_robots::Target;
use polite_robots_site::by_rule::{DisallowedByRule, RuleTally};
use polite_robots_site::host;
use polite_robots_site::sitemap::{self, Kind, SitemapError, Summary};

use crate::check::evidence::evidence_fields;
use crate::check::questions::Asked;
use crate::check::stream;
use crate::check::unmet::{UnmetRule, UnmetRules};
use crate::counted::{counted_long, grouped};
use crate::input::{Input, IsLastForNow};
use crate::json::{self, Fields, Object, object};
use crate::outcome::{Answer, Failure};
use crate::reading::Dialect;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, EMPHASIS, printable, warn};

/// The sitemaps to ask about.
#[derive(Debug, Args)]
pub(super) struct Sitemaps {
    /// Ask about the URLs of a sitemap: XML, or text with a URL per line, also as .gz; `-` is
    /// standard input
    ///
    /// May be given several times. The disallowed URLs are counted by the lines that decide,
    /// and the rules that no URL meets are listed. Of an
    /// index the listed sitemaps are asked about, not the pages in them.
    #[arg(
        id = "sitemaps",
        long = "sitemap",
        value_name = "FILE",
        conflicts_with_all = ["urls", "url_list", "explain"]
    )]
    files: Vec<Input>,

    /// With --sitemap: the host whose robots.txt it is; by default that of the first URL
    ///
    /// URLs of other hosts are counted, and not asked about.
    #[arg(long, requires = "sitemaps", value_name = "HOST")]
    host: Option<String>,
}

impl Sitemaps {
    pub(super) fn are_given(&self) -> bool {
        !self.files.is_empty()
    }

    pub(super) fn refuse_standard_input_twice(&self, robots_txt: &Input) -> Result<(), Failure> {
        let mut inputs = vec![("the robots.txt", Some(robots_txt))];
        let files = self.files.iter();
        inputs.extend(files.map(|file| ("--sitemap", Some(file))));
        Failure::unless_read_once(&inputs)
    }

    /// Asks about all URLs.
    pub(super) fn answers<'a>(&'a self, asked: &'a [Asked<'a>]) -> Result<Answers<'a>, Failure> {
        let mut agents: Vec<AgentAnswers<'_>> = asked
            .iter()
            .map(|asked| AgentAnswers {
                asked,
                disallowed: DisallowedByRule::new(MOST_EXAMPLES),
                unmet: UnmetRules::new(asked),
            })
            .collect();
        let (files, host) = self.each_url(|url| {
            let target = Target::requested(url);
            for agent in &mut agents {
                agent.disallowed.add(&agent.asked.answers, &target);
                agent.unmet.add(&target);
            }
        })?;
        Ok(Answers {
            files,
            agents,
            host,
        })
    }

    /// Prints a line of JSON per agent and URL.
    pub(super) fn stream(&self, asked: &[Asked<'_>]) -> Result<Answer, Failure> {
        stream::print_each(asked, |take| {
            self.each_url(|url| take(url, IsLastForNow(false)))
                .map(|_| ())
        })?
    }

    /// Passes on the URLs of one host, warns of oddities, and returns the files and the host.
    fn each_url(
        &self,
        mut take: impl FnMut(&str),
    ) -> Result<(Vec<SitemapFile<'_>>, String), Failure> {
        let mut wanted = self.host.as_ref().map(|host| host.to_ascii_lowercase());
        let mut files = Vec::new();
        let mut asked_about: u64 = 0;
        for input in &self.files {
            let mut elsewhere: u64 = 0;
            let mut first_elsewhere = None;
            let summary = sitemap::read(input.reader()?, |url| {
                let host = host(url).unwrap_or_default();
                let wanted = wanted.get_or_insert_with(|| host.to_ascii_lowercase());
                if host.eq_ignore_ascii_case(wanted) {
                    asked_about = asked_about.saturating_add(1);
                    take(url);
                } else {
                    elsewhere = elsewhere.saturating_add(1);
                    first_elsewhere.get_or_insert_with(|| url.to_owned());
                }
            });
            let summary = summary.map_err(|source| SitemapFailure {
                input: input.clone(),
                source,
            })?;
            warn_of_unusable(input, &summary);
            if let (Some(url), Some(wanted)) = (first_elsewhere, &wanted) {
                warn(format_args!(
                    "{input}: {} on another host than {}, such as `{}`; its robots.txt decides, so it is not asked about",
                    counted_long(elsewhere, "URL"),
                    printable(wanted),
                    printable(&url),
                ));
            }
            files.push(SitemapFile {
                input,
                summary,
                elsewhere,
            });
        }
        let host = wanted.unwrap_or_default();
        if asked_about == 0 {
            return Err(NoUrlOfHost { host }.into());
        }
        Ok((files, host))
    }
}

fn warn_of_unusable(input: &Input, summary: &Summary) {
    if let Some((line, text)) = summary.first_unusable() {
        let entries = match summary.unusable() {
            1 => "1 entry is".to_owned(),
            count => format!("{} entries are", grouped(count)),
        };
        warn(format_args!(
            "{input}: {entries} no absolute URL, the first on line {line}: `{}`",
            printable(text)
        ));
    }
    if summary.kind() == Kind::Index {
        warn(format_args!(
            "{input} is an index: the sitemaps that it lists are asked about, not the pages in them; give those files too"
        ));
    }
}

/// A file that is not a sitemap.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {input} as a sitemap: {source}")]
struct SitemapFailure {
    input: Input,
    source: SitemapError,
}

/// Sitemaps without a URL to ask about.
#[derive(Debug, thiserror::Error)]
#[error("the sitemaps hold no URL{}", match host.as_str() {
    "" => String::new(),
    host => format!(" of {}", printable(host)),
})]
struct NoUrlOfHost {
    host: String,
}

struct SitemapFile<'a> {
    input: &'a Input,
    summary: Summary,
    elsewhere: u64,
}

struct AgentAnswers<'a> {
    asked: &'a Asked<'a>,
    disallowed: DisallowedByRule,
    unmet: UnmetRules<'a>,
}

/// The answers about all URLs.
pub(super) struct Answers<'a> {
    files: Vec<SitemapFile<'a>>,
    agents: Vec<AgentAnswers<'a>>,
    host: String,
}

impl Answers<'_> {
    pub(super) fn answer(&self) -> Answer {
        let mut agents = self.agents.iter();
        Answer::of(agents.all(|agent| agent.disallowed.disallowed() == 0))
    }

    /// Writes a sentence for each agent, and below it the deciding lines with some of the URLs that
    /// they close.
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (place, agent) in self.agents.iter().enumerate() {
            if place > 0 {
                writeln!(out)?;
            }
            write_agent(out, agent)?;
        }
        Ok(())
    }

    pub(super) fn write_json(
        &self,
        out: &mut dyn Write,
        file: &Input,
        bytes: &[u8],
        dialect: Option<Dialect>,
    ) -> io::Result<()> {
        let document = object! {
            "file": file.argument(),
            ..evidence_fields(bytes),
            // The dialect of the command line; each agent has its own.
            "dialect": dialect,
            "host": &self.host,
            "sitemaps": self.files.iter().map(sitemap_fields).collect::<Vec<_>>(),
            "all_allowed": self.answer() == Answer::Yes,
            "agents": self.agents.iter().map(agent_fields).collect::<Vec<_>>(),
        };
        json::write(out, &document)
    }
}

fn write_agent(out: &mut dyn Write, agent: &AgentAnswers<'_>) -> io::Result<()> {
    let (name, urls) = (printable(agent.asked.agent()), agent.disallowed.urls());
    write!(out, "{EMPHASIS}{name}{EMPHASIS:#}: ")?;
    match (agent.disallowed.disallowed(), urls) {
        (0, 1) => writeln!(out, "{ALLOWED}the URL is allowed{ALLOWED:#}")?,
        (0, _) => writeln!(
            out,
            "{ALLOWED}all {} are allowed{ALLOWED:#}",
            counted_long(urls, "URL")
        )?,
        (disallowed, _) => {
            let verb = if disallowed == 1 { "is" } else { "are" };
            let (disallowed, urls) = (grouped(disallowed), counted_long(urls, "URL"));
            writeln!(
                out,
                "{DISALLOWED}{disallowed} of {urls} {verb} disallowed{DISALLOWED:#}"
            )?;
        }
    }
    agent
        .disallowed
        .rules()
        .try_for_each(|rule| write_rule(out, rule))?;
    write_unmet(out, &agent.unmet)?;
    agent.asked.answers.remarks().try_for_each(|remark| {
        writeln!(out, "  {EMPHASIS}note:{EMPHASIS:#} {}", printable(&remark))
    })?;
    match agent.disallowed.first_note() {
        Some(note) => {
            let urls = counted_long(agent.disallowed.noted(), "URL");
            let note = printable(note);
            writeln!(
                out,
                "  {EMPHASIS}note:{EMPHASIS:#} another reading differs about {urls}, such as {note}"
            )
        }
        None => Ok(()),
    }
}

fn write_rule(out: &mut dyn Write, rule: &RuleTally) -> io::Result<()> {
    let urls = counted_long(rule.urls(), "URL");
    // The library's `Display` of a rule escapes control characters.
    writeln!(
        out,
        "  line {}: {}  {ASIDE}({urls}){ASIDE:#}",
        rule.line(),
        rule.text()
    )?;
    let shown = rule.examples().iter().take(MOST_SHOWN);
    for url in shown {
        writeln!(out, "    {}", printable(url))?;
    }
    match rule.urls().saturating_sub(MOST_SHOWN as u64) {
        0 => Ok(()),
        more => writeln!(out, "    {ASIDE}and {} more{ASIDE:#}", grouped(more)),
    }
}

fn write_unmet(out: &mut dyn Write, unmet: &UnmetRules<'_>) -> io::Result<()> {
    let Some(rules) = unmet.rules() else {
        let reason = "there are too many of both";
        return writeln!(
            out,
            "  {ASIDE}which rules no URL meets is not known: {reason}{ASIDE:#}"
        );
    };
    let rules: Vec<&UnmetRule> = rules.collect();
    match rules.len() {
        0 => return Ok(()),
        1 => writeln!(out, "  no URL meets this rule:")?,
        count => writeln!(out, "  no URL meets these {} rules:", grouped(count as u64))?,
    }
    for UnmetRule { line, text, .. } in rules.iter().take(MOST_UNMET) {
        writeln!(out, "    line {line}: {text}")?;
    }
    match rules.len().saturating_sub(MOST_UNMET) as u64 {
        0 => Ok(()),
        more => writeln!(
            out,
            "    {ASIDE}and {} more, all of them in --json{ASIDE:#}",
            grouped(more)
        ),
    }
}

fn sitemap_fields(file: &SitemapFile<'_>) -> Object<impl Fields> {
    object! {
        "file": file.input.argument(),
        "kind": file.summary.kind().as_str(),
        "urls": file.summary.urls(),
        "other_hosts": file.elsewhere,
        "unusable": file.summary.unusable(),
    }
}

fn agent_fields(agent: &AgentAnswers<'_>) -> Object<impl Fields> {
    let AgentAnswers {
        asked,
        disallowed,
        unmet,
    } = agent;
    let unmet = unmet.rules().map(|rules| {
        let fields = |rule: &UnmetRule| object! { "line": rule.line, "rule": rule.text.clone() };
        rules.map(fields).collect::<Vec<_>>()
    });
    object! {
        "agent": asked.agent(),
        "dialect": Dialect::from(asked.answers.dialect()),
        "agent_match": asked.answers.robot().agent_match().as_str(),
        "urls": disallowed.urls(),
        "disallowed": disallowed.disallowed(),
        "lines": disallowed.rules().map(line_fields).collect::<Vec<_>>(),
        // The rules that match no URL; `null` if there were too many URLs and rules to compare.
        "unmet_rules": unmet,
        // The URLs about which another reading of the file gives another answer.
        "noted": disallowed.noted(),
        "first_note": disallowed.first_note(),
    }
}

/// A line of the robots.txt, and the URLs that it closes.
fn line_fields(rule: &RuleTally) -> Object<impl Fields> {
    object! {
        "line": rule.line(),
        "rule": rule.text(),
        "urls": rule.urls(),
        "examples": rule.examples(),
    }
}

/// The examples of each line in JSON.
const MOST_EXAMPLES: usize = 10;

/// The rules for people that no URL meets.
const MOST_UNMET: usize = 10;

/// The examples of each line for people.
const MOST_SHOWN: usize = 3;
