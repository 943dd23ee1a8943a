//! The answers for people: about one agent a line per URL, in columns.

use std::io::{self, Write};

use polite_robots::{AgentMatch, Reason, Verdict};

use crate::check::questions::Asked;
use crate::check::{matrix, notes};
use crate::columns::WIDEST_COLUMN;
use crate::terminal::{ALLOWED, ASIDE, DISALLOWED, printable};

pub(super) fn write(out: &mut dyn Write, asked: &[Asked<'_>]) -> io::Result<()> {
    match asked {
        [one] => write_lines(out, one)?,
        several => matrix::write(out, several)?,
    }
    notes::write(out, asked)
}

fn write_lines(out: &mut dyn Write, asked: &Asked<'_>) -> io::Result<()> {
    let lines: Vec<Line<'_>> = asked
        .checked()
        .map(|(url, verdict)| Line::new(url, verdict))
        .collect();
    let url_column = lines
        .iter()
        .map(|line| line.url.chars().count())
        .filter(|length| *length <= WIDEST_COLUMN)
        .max()
        .unwrap_or(0);
    lines
        .iter()
        .try_for_each(|line| line.write(out, url_column))
}

struct Line<'a> {
    url: String,
    verdict: Verdict<'a>,
}

impl<'a> Line<'a> {
    fn new(url: &str, verdict: Verdict<'a>) -> Line<'a> {
        Line {
            url: printable(url),
            verdict,
        }
    }

    fn write(&self, out: &mut dyn Write, url_column: usize) -> io::Result<()> {
        let (style, verdict) = if self.verdict.is_allowed() {
            (ALLOWED, "allowed")
        } else {
            (DISALLOWED, "disallowed")
        };
        // The library's `Display` of a rule escapes control characters, so it is safe to print.
        write!(
            out,
            "{style}{verdict:<10}{style:#}  {url:<url_column$}  {reason}",
            url = self.url,
            reason = self.verdict.reason(),
        )?;
        if let Some(group) = group_behind(&self.verdict) {
            write!(out, "  {ASIDE}({group}){ASIDE:#}")?;
        }
        writeln!(out)
    }
}

/// The group that was asked; `None` if the reason itself says that no group was asked.
fn group_behind(verdict: &Verdict<'_>) -> Option<AgentMatch> {
    match verdict.reason() {
        Reason::Rule(_) | Reason::DirectoryOfIndex(_) | Reason::NoRuleMatches => {
            Some(verdict.agent_match())
        }
        _ => None,
    }
}
