//! The agents for people: tables.

use std::io::{self, Write};

use anstyle::Style;
use polite_robots::AgentMatch;
use polite_robots_audit::agent::{
    AgentSummary, CrawlerSummary, NamedAgent, NamedAgents, RuleCounts,
};
use polite_robots_audit::coverage::Extent;
use polite_robots_audit::forgotten::Forgotten;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};
use polite_robots_audit::policy::use_of;
use polite_robots_records::Preference;

use crate::columns::{self, Cell};
use crate::counted::{counted, seconds};
use crate::terminal::{self, ALLOWED, ASIDE, DISALLOWED, EMPHASIS, WARNING};
use crate::wrap::wrapped;

/// The agents of the file, and how many known crawlers may fetch how much.
pub(super) fn write(
    out: &mut dyn Write,
    named: &NamedAgents<'_>,
    known: &[CrawlerSummary],
    forgotten: &[Forgotten],
) -> io::Result<()> {
    let agents = named.agents().iter();
    let (uses, agents): (Vec<_>, Vec<_>) = agents.partition(|agent| agent.policy_token().is_some());
    if agents.is_empty() && named.left_out() == 0 {
        writeln!(
            out,
            "no agent is named, so that every agent may fetch everything"
        )?;
    } else {
        let head = [
            "agent",
            "may fetch",
            "line",
            "rules",
            "delay",
            "use of content",
            "known as",
        ];
        let rows = agents.iter().copied().map(agent_row);
        let mut rows: Vec<Vec<Cell>> = std::iter::once(head_of(&head)).chain(rows).collect();
        let mut names = agents.iter().map(|agent| agent.token());
        if !names.any(|token| token == EVERYONE) && named.left_out() == 0 {
            let extent = Cell::styled(ALLOWED, Extent::Everything.as_str());
            rows.push(vec![Cell::new(ANY_OTHER), extent]);
        }
        columns::write_whole_in_pipes(out, rows)?;
    }
    if named.left_out() > 0 {
        let more = counted(named.left_out(), "more agent");
        writeln!(
            out,
            "{WARNING}and {more}, which are too many to be looked at{WARNING:#}"
        )?;
    }
    writeln!(out)?;
    if !uses.is_empty() {
        let head = ["use, no crawler", "not wanted", "line", "rules"];
        let rows = uses.into_iter().map(use_row);
        columns::write_whole_in_pipes(out, std::iter::once(head_of(&head)).chain(rows).collect())?;
        writeln!(out)?;
    }
    write_counts(out, known)?;
    write_forgotten(out, forgotten)
}

fn head_of(names: &[&str]) -> Vec<Cell> {
    names
        .iter()
        .map(|name| Cell::styled(EMPHASIS, name))
        .collect()
}

fn agent_row(agent: &NamedAgent<'_>) -> Vec<Cell> {
    let summary = agent.summary();
    let name = match agent.token() {
        EVERYONE => ANY_OTHER,
        token => token,
    };
    let delay = summary.crawl_delay().map(seconds);
    vec![
        Cell::new(name),
        extent_cell(summary),
        Cell::new(&lines_of(summary)),
        Cell::new(&rules_of(summary.rule_counts())),
        Cell::new(&delay.unwrap_or_default()),
        Cell::new(&usage_of(summary)),
        Cell::styled(ASIDE, &agent.crawler().map(known_as).unwrap_or_default()),
    ]
}

/// The row of a use. Its rules say where the use is not wanted. No crawler decides by them what to
/// fetch.
fn use_row(agent: &NamedAgent<'_>) -> Vec<Cell> {
    let summary = agent.summary();
    let name = match agent.policy_token() {
        Some(token) => format!("{} ({})", use_of(token), token.as_str()),
        None => agent.token().to_owned(),
    };
    let (style, place) = match summary.coverage().extent() {
        Extent::Nothing => (DISALLOWED, "anywhere"),
        Extent::Part => (Style::new(), "in a part"),
        Extent::Everything => (ALLOWED, "nowhere"),
    };
    let place = match summary.coverage().is_certain() {
        true => place.to_owned(),
        false => format!("{place}, it seems"),
    };
    vec![
        Cell::new(&name),
        Cell::styled(style, &place),
        Cell::new(&lines_of(summary)),
        Cell::new(&rules_of(summary.rule_counts())),
    ]
}

fn extent_cell(summary: &AgentSummary) -> Cell {
    let style = match summary.coverage().extent() {
        Extent::Nothing => DISALLOWED,
        Extent::Part => Style::new(),
        Extent::Everything => ALLOWED,
    };
    let extent = summary.coverage().extent().as_str();
    if summary.coverage().is_certain() {
        Cell::styled(style, extent)
    } else {
        Cell::styled(style, &format!("{extent}, it seems"))
    }
}

fn lines_of(summary: &AgentSummary) -> String {
    let lines: Vec<String> = summary.group_lines().iter().map(u32::to_string).collect();
    match lines.get(MOST_LINES..) {
        Some(others) if !others.is_empty() => {
            let shown = lines.get(..MOST_LINES).unwrap_or_default().join(",");
            format!("{shown} +{}", others.len())
        }
        _ => lines.join(","),
    }
}

fn rules_of(RuleCounts { allow, disallow }: RuleCounts) -> String {
    match (disallow, allow) {
        (0, 0) => "none".to_owned(),
        (disallow, 0) => format!("{disallow} Disallow"),
        (0, allow) => format!("{allow} Allow"),
        (disallow, allow) => format!("{disallow} Disallow, {allow} Allow"),
    }
}

/// The uses that the file allows or disallows.
fn usage_of(summary: &AgentSummary) -> String {
    let stated = summary
        .usage()
        .filter_map(|(category, preference)| match preference {
            Preference::Unstated => None,
            Preference::Allowed => Some(format!("{category} yes")),
            Preference::Disallowed => Some(format!("{category} no")),
        });
    let uses = summary.content_uses().iter();
    let uses = uses.map(|content_use| format!("use={content_use}"));
    stated.chain(uses).collect::<Vec<String>>().join(", ")
}

fn known_as(crawler: &KnownCrawler) -> String {
    let retired = crawler.retired().map(|_| "no longer used".to_owned());
    let facts = crawler.operator().map(str::to_owned).into_iter();
    let facts = facts.chain([crawler.purpose().to_string()]).chain(retired);
    facts.collect::<Vec<String>>().join(", ")
}

fn write_counts(out: &mut dyn Write, known: &[CrawlerSummary]) -> io::Result<()> {
    let name = format!("known crawlers ({})", known::as_of());
    let extents = Extent::ALL.map(Extent::as_str);
    let mut rows = vec![head_of(&[&name, extents[0], extents[1], extents[2]])];
    for purpose in Purpose::ALL {
        let of_purpose = |summary: &&CrawlerSummary| {
            let crawler = summary.crawler();
            crawler.purpose() == purpose && crawler.retired().is_none()
        };
        let count = |extent| {
            known
                .iter()
                .filter(of_purpose)
                .filter(|crawler| crawler.agent().coverage().extent() == extent)
                .count()
        };
        let counts = Extent::ALL.map(|extent| Cell::new(&count(extent).to_string()));
        rows.push(
            std::iter::once(Cell::new(&purpose.to_string()))
                .chain(counts)
                .collect(),
        );
    }
    columns::write_whole_in_pipes(out, rows)
}

/// A sentence for each purpose for which some crawlers are kept out by name, and others are not.
fn write_forgotten(out: &mut dyn Write, forgotten: &[Forgotten]) -> io::Result<()> {
    if !forgotten.is_empty() {
        writeln!(out)?;
    }
    for forgotten in forgotten {
        let verb = match forgotten.kept_out() {
            [_] => "is",
            _ => "are",
        };
        let sentence = format!(
            "{} {verb} kept out by name, but not {} (--purpose {})",
            several(forgotten.kept_out()),
            several(forgotten.others()),
            forgotten.purpose().as_str(),
        );
        let purpose = forgotten.purpose();
        let sentence = format!("forgotten? {purpose}: {sentence}");
        for line in wrapped(&sentence, terminal::usual_width(), 2) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// `A`, `A and B`, `A, B, C, D and 3 more`.
fn several(crawlers: &[&'static KnownCrawler]) -> String {
    let names: Vec<&str> = crawlers.iter().map(|crawler| crawler.name()).collect();
    let (shown, more) = match names.split_at_checked(MOST_NAMES) {
        Some((shown, more)) if more.len() > 1 => (shown, more.len()),
        _ => (&names[..], 0),
    };
    match (shown.split_last(), more) {
        (None, _) => String::new(),
        (Some((last, [])), 0) => (*last).to_owned(),
        (Some((last, others)), 0) => format!("{} and {last}", others.join(", ")),
        (Some(_), more) => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Each known crawler, by what it fetches for.
pub(super) fn write_known(
    out: &mut dyn Write,
    mut known: Vec<CrawlerSummary>,
    forgotten: &[Forgotten],
) -> io::Result<()> {
    known.sort_by_key(|crawler| crawler.crawler().purpose());
    let head = [
        "crawler",
        "operator",
        "purpose",
        "may fetch",
        "group",
        "deciding line",
        "",
    ];
    let rows = known.iter().map(known_row);
    let rows = std::iter::once(head_of(&head)).chain(rows).collect();
    columns::write_fitting(out, rows, &DISPENSABLE)?;
    write_forgotten(out, forgotten)
}

/// The columns of known crawlers that narrow lines leave out, by their places.
const DISPENSABLE: [(usize, &str); 4] = [
    (1, "operator"),
    (6, "remarks"),
    (5, "deciding line"),
    (4, "group"),
];

fn known_row(summary: &CrawlerSummary) -> Vec<Cell> {
    let crawler = summary.crawler();
    let rule = summary.agent().closing_rule();
    let rule = rule.map(|rule| format!("line {}: {}", rule.line(), rule.text()));
    vec![
        Cell::new(crawler.name()),
        Cell::new(crawler.operator().unwrap_or("unknown")),
        Cell::new(&crawler.purpose().to_string()),
        extent_cell(summary.agent()),
        Cell::new(&group_of(summary)),
        Cell::new(&rule.unwrap_or_default()),
        Cell::styled(WARNING, &crawler.remarks().collect::<Vec<_>>().join("; ")),
    ]
}

fn group_of(crawler: &CrawlerSummary) -> String {
    let lines = lines_of(crawler.agent());
    match (crawler.agent().agent_match(), crawler.second_token()) {
        (AgentMatch::None, _) => "none".to_owned(),
        (AgentMatch::Wildcard, _) => format!("* ({lines})"),
        (AgentMatch::Named, Some(second)) => format!("{second} ({lines})"),
        (AgentMatch::Named, _) => format!("named ({lines})"),
    }
}

/// The most names of a purpose, which may have fifty crawlers.
const MOST_NAMES: usize = 6;

const EVERYONE: &str = "*";

const ANY_OTHER: &str = "* (any other agent)";

/// The most lines of an agent, which may be named in hundreds of groups.
const MOST_LINES: usize = 3;
