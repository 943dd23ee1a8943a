//! A row as comma-separated values (RFC 4180). The names in its head are part of the contract of
//! the command.

use std::fmt::{self, Write as _};

use polite_robots_audit::known::{self, KnownCrawler};

use crate::rows::row::Row;

/// The head: the names of the columns, and the tokens of the known crawlers.
pub(super) fn head() -> String {
    let crawlers = known::all().iter().map(KnownCrawler::token);
    let names: Vec<&str> = COLUMNS.iter().copied().chain(crawlers).collect();
    names.join(",") + "\r\n"
}

pub(super) fn write(row: &Row<'_>, line: &mut Vec<u8>) {
    let mut cells = Cells::default();
    cells.text(row.host.as_deref().unwrap_or_default());
    cells.text(row.url.unwrap_or_default());
    cells.text(&row.input);
    cells.text(row.member);
    cells.value(row.offset);
    cells.value(row.status);
    cells.value(row.outcome.as_str());
    cells.text(row.redirect.as_deref().unwrap_or_default());
    match &row.file {
        None => {
            let empty = COLUMNS.len() - COLUMNS_OF_EACH_ROW + known::all().len();
            for _ in 0..empty {
                cells.value("");
            }
        }
        Some(file) => {
            cells.value(file.bytes);
            cells.value(&file.digest);
            cells.value(file.groups);
            cells.value(file.rules);
            cells.value(file.sitemaps);
            let usage = &file.usage;
            for is_allowed in [usage.search, usage.ai_input, usage.ai_training] {
                cells.value(match is_allowed {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "",
                });
            }
            let findings = file.findings.iter();
            let findings = findings.map(|one| format!("{}={}", one.code.as_str(), one.count));
            cells.text(&joined(findings));
            let agents = file.agents.iter();
            let agents =
                agents.map(|agent| format!("{}={}@{}", agent.token, agent.access, agent.line));
            cells.text(&joined(agents));
            for crawler in file.crawlers {
                match crawler.by.line() {
                    Some(line) => cells.value(format_args!("{}@{line}", crawler.access)),
                    None => cells.value(crawler.access.as_str()),
                }
            }
        }
    }
    line.extend_from_slice(cells.line.as_bytes());
    line.extend_from_slice(b"\r\n");
}

fn joined(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<String>>().join(" ")
}

/// The cells of a line.
#[derive(Default)]
struct Cells {
    line: String,
    count: usize,
}

impl Cells {
    /// Adds a value that needs no quotes.
    fn value(&mut self, value: impl fmt::Display) {
        self.separate();
        // A string does not fail.
        let _ = write!(self.line, "{value}");
    }

    /// Adds any text, in quotes where it needs them.
    fn text(&mut self, text: &str) {
        self.separate();
        if text.contains([',', '"', '\r', '\n']) {
            self.line.push('"');
            self.line.push_str(&text.replace('"', "\"\""));
            self.line.push('"');
        } else {
            self.line.push_str(text);
        }
    }

    fn separate(&mut self) {
        if self.count > 0 {
            self.line.push(',');
        }
        self.count += 1;
    }
}

/// The columns before those of the crawlers.
const COLUMNS: [&str; 18] = [
    "host",
    "url",
    "input",
    "member",
    "offset",
    "status",
    "outcome",
    "redirect",
    "bytes",
    "digest",
    "groups",
    "rules",
    "sitemaps",
    "search",
    "ai_input",
    "ai_training",
    "findings",
    "agents",
];

/// The columns that a row has whatever its status.
const COLUMNS_OF_EACH_ROW: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_must_be() {
        let mut cells = Cells::default();
        for text in ["", "a b", "a,b", "a\"b", "a\r\nb"] {
            cells.text(text);
        }
        assert_eq!(cells.line, ",a b,\"a,b\",\"a\"\"b\",\"a\r\nb\"");
    }
}
