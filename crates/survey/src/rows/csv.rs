//! A row as comma-separated values (RFC 4180). The names in its head are part of the contract of
//! the command.

use std::borrow::Cow;

use polite_robots_audit::known::{self, KnownCrawler};

use crate::rows::row::Row;

/// The head: the names of the columns, and the tokens of the known crawlers.
pub(super) fn head() -> String {
    let crawlers = known::all().iter().map(KnownCrawler::token);
    let names: Vec<&str> = COLUMNS.iter().copied().chain(crawlers).collect();
    names.join(",") + "\r\n"
}

pub(super) fn write(row: &Row<'_>, line: &mut Vec<u8>) {
    let mut cells: Vec<Cow<'_, str>> = vec![
        quoted(row.host.as_deref().unwrap_or_default()),
        quoted(row.url.unwrap_or_default()),
        quoted(&row.input),
        quoted(row.member),
        row.offset.to_string().into(),
        row.status.to_string().into(),
        row.outcome.as_str().into(),
        quoted(row.redirect.as_deref().unwrap_or_default()),
    ];
    let (findings, agents);
    if let Some(file) = &row.file {
        let counts = [file.bytes, file.rules, file.sitemaps].map(|count| count.to_string().into());
        let [bytes, rules, sitemaps] = counts;
        let digest = Cow::from(&file.digest);
        cells.extend([
            bytes,
            digest,
            file.groups.to_string().into(),
            rules,
            sitemaps,
        ]);
        let usage = &file.usage;
        let usage = [usage.search, usage.ai_input, usage.ai_training];
        cells.extend(usage.map(|is_allowed| {
            Cow::from(match is_allowed {
                Some(true) => "yes",
                Some(false) => "no",
                None => "",
            })
        }));
        let each = file.findings.iter();
        findings = joined(each.map(|one| format!("{}={}", one.code.as_str(), one.count)));
        let each = file.agents.iter();
        agents =
            joined(each.map(|one| format!("{}={}@{}", one.token, one.access.as_str(), one.line)));
        cells.extend([quoted(&findings), quoted(&agents)]);
        let crawlers = file.crawlers.iter();
        cells.extend(crawlers.map(|crawler| match crawler.by.line() {
            Some(line) => Cow::from(format!("{}@{line}", crawler.access.as_str())),
            None => Cow::from(crawler.access.as_str()),
        }));
    }
    cells.resize(COLUMNS.len() + known::all().len(), Cow::default());
    line.extend_from_slice(cells.join(",").as_bytes());
    line.extend_from_slice(b"\r\n");
}

fn joined(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<String>>().join(" ")
}

/// Puts a text in quotes where it needs them.
fn quoted(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\r', '\n']) {
        true => Cow::from(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::from(text),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_must_be() {
        let cells = ["", "a b", "a,b", "a\"b", "a\r\nb"].map(quoted);
        assert_eq!(cells.join(","), ",a b,\"a,b\",\"a\"\"b\",\"a\r\nb\"");
    }
}
