//! The agents for people: tables.

use std::io::{self, Write};

use anstyle::Style;
use clap::ValueEnum as _;
use polite_robots::{AgentMatch, Preference};

use crate::agents::access::Extent;
use crate::agents::known::{self, KnownCrawler, Purpose};
use crate::agents::obeyed::{Obeyed, RuleCounts};
use crate::agents::{Judged, NamedAgent};
use crate::columns::{self, Cell};
use crate::counted::seconds;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, EMPHASIS, WARNING};

/// The agents of the file, and how many known crawlers may fetch how much.
pub(super) fn write(
    out: &mut dyn Write,
    named: &[NamedAgent<'_>],
    known: &[Judged],
) -> io::Result<()> {
    if named.is_empty() {
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
        let rows = named.iter().map(agent_row);
        let mut rows: Vec<Vec<Cell>> = std::iter::once(head_of(&head)).chain(rows).collect();
        let is_for_everyone = |agent: &NamedAgent<'_>| agent.group.product_token() == EVERYONE;
        if !named.iter().any(is_for_everyone) {
            let extent = Cell::styled(ALLOWED, Extent::Everything.as_str());
            rows.push(vec![Cell::new(ANY_OTHER), extent]);
        }
        columns::write(out, &rows)?;
    }
    writeln!(out)?;
    write_counts(out, known)
}

fn head_of(names: &[&str]) -> Vec<Cell> {
    names
        .iter()
        .map(|name| Cell::styled(EMPHASIS, name))
        .collect()
}

fn agent_row(agent: &NamedAgent<'_>) -> Vec<Cell> {
    let obeyed = &agent.obeyed;
    let name = match agent.group.product_token() {
        EVERYONE => ANY_OTHER,
        token => token,
    };
    let delay = obeyed.crawl_delay.map(seconds);
    vec![
        Cell::new(name),
        extent_cell(obeyed),
        Cell::new(&lines_of(obeyed)),
        Cell::new(&rules_of(obeyed.rules)),
        Cell::new(&delay.unwrap_or_default()),
        Cell::new(&usage_of(obeyed)),
        Cell::styled(ASIDE, &agent.known.map(known_as).unwrap_or_default()),
    ]
}

fn extent_cell(obeyed: &Obeyed) -> Cell {
    let style = match obeyed.extent {
        Extent::Nothing => DISALLOWED,
        Extent::Part => Style::new(),
        Extent::Everything => ALLOWED,
    };
    let extent = obeyed.extent.as_str();
    if obeyed.is_complete {
        Cell::styled(style, extent)
    } else {
        Cell::styled(style, &format!("{extent}, it seems"))
    }
}

fn lines_of(obeyed: &Obeyed) -> String {
    let lines: Vec<String> = obeyed.group_lines.iter().map(u32::to_string).collect();
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

/// As far as the file states it.
fn usage_of(obeyed: &Obeyed) -> String {
    let stated = obeyed
        .usage()
        .filter_map(|(category, preference)| match preference {
            Preference::Unstated => None,
            Preference::Allowed => Some(format!("{category} yes")),
            Preference::Disallowed => Some(format!("{category} no")),
        });
    stated.collect::<Vec<String>>().join(", ")
}

fn known_as(crawler: &KnownCrawler) -> String {
    match crawler.operator() {
        Some(operator) => format!("{operator}, {}", crawler.purpose()),
        None => crawler.purpose().to_string(),
    }
}

fn write_counts(out: &mut dyn Write, known: &[Judged]) -> io::Result<()> {
    let name = format!("known crawlers ({})", known::as_of());
    let extents = Extent::ALL.map(Extent::as_str);
    let mut rows = vec![head_of(&[&name, extents[0], extents[1], extents[2]])];
    for purpose in Purpose::value_variants() {
        let of_purpose = |judged: &&Judged| judged.crawler.purpose() == *purpose;
        let count = |extent| {
            known
                .iter()
                .filter(of_purpose)
                .filter(|judged| judged.obeyed.extent == extent)
                .count()
        };
        let counts = Extent::ALL.map(|extent| Cell::new(&count(extent).to_string()));
        rows.push(
            std::iter::once(Cell::new(&purpose.to_string()))
                .chain(counts)
                .collect(),
        );
    }
    columns::write(out, &rows)
}

/// Each known crawler, by what it fetches for.
pub(super) fn write_known(out: &mut dyn Write, mut known: Vec<Judged>) -> io::Result<()> {
    known.sort_by_key(|judged| judged.crawler.purpose());
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
    let rows: Vec<Vec<Cell>> = std::iter::once(head_of(&head)).chain(rows).collect();
    columns::write(out, &rows)
}

fn known_row(judged: &Judged) -> Vec<Cell> {
    let crawler = judged.crawler;
    let rule = judged.obeyed.closing_rule.as_ref();
    let rule = rule.map(|rule| format!("line {}: {}", rule.line, rule.text));
    vec![
        Cell::new(crawler.name()),
        Cell::new(crawler.operator().unwrap_or("unknown")),
        Cell::new(&crawler.purpose().to_string()),
        extent_cell(&judged.obeyed),
        Cell::new(&group_of(judged)),
        Cell::new(&rule.unwrap_or_default()),
        Cell::styled(WARNING, &remark(crawler).unwrap_or_default()),
    ]
}

fn group_of(judged: &Judged) -> String {
    let lines = lines_of(&judged.obeyed);
    match (judged.obeyed.agent_match, judged.crawler.falls_back_to()) {
        (AgentMatch::None, _) => "none".to_owned(),
        (AgentMatch::Wildcard, _) => format!("* ({lines})"),
        (AgentMatch::Named, Some(second)) if judged.is_by_second_token => {
            format!("{second} ({lines})")
        }
        (AgentMatch::Named, _) => format!("named ({lines})"),
    }
}

/// Where "blocked" is not what it seems.
fn remark(crawler: &KnownCrawler) -> Option<String> {
    match crawler.crawled_by() {
        Some(other) => Some(format!("a use of what {other} fetches")),
        None => crawler
            .ignores_wildcard()
            .then(|| "does not obey *".to_owned()),
    }
}

const EVERYONE: &str = "*";

const ANY_OTHER: &str = "* (any other agent)";

/// An agent may be named in hundreds of groups.
const MOST_LINES: usize = 3;
