//! `--format table` and `--format csv`: a line for each site, with its answer and the cause.

use std::io::{self, Write};

use crate::columns::{self, Cell};
use crate::fetch::json::access;
use crate::fetch::site::Site;
use crate::fetch::text;
use crate::outcome::Answer;
use crate::reading::Dialect;
use crate::terminal::{ALLOWED, DISALLOWED, EMPHASIS, WARNING, printable};

/// A line of the list.
pub(super) struct Row {
    url: String,
    pub(super) answer: Answer,
    /// Empty if there is none.
    status: String,
    access: &'static str,
    cause: String,
}

impl Row {
    /// A site with the answer to the questions about it.
    pub(super) fn new(site: &Site, answer: Answer, dialect: Dialect) -> Row {
        let [rfc9309, ..] = &site.profiles;
        let status = site.round.received().map(|received| received.status);
        let mut cause = text::cause(site);
        if let Some(doubt) = site.doubt(dialect) {
            cause += &format!("; it seems to be no robots.txt: {}", doubt.message());
        }
        Row {
            url: site.origin.robots_url(),
            answer,
            status: status.map_or_else(String::new, |status| status.to_string()),
            access: access(&rfc9309.meaning).0,
            cause: printable(&cause),
        }
    }

    /// A URL that no site can be asked for.
    pub(super) fn unusable(url: &str, message: &str) -> Row {
        Row {
            url: printable(url),
            answer: Answer::Partial,
            status: String::new(),
            access: "",
            cause: message.to_owned(),
        }
    }

    fn answer(&self) -> &'static str {
        match self.answer {
            Answer::Yes => "yes",
            Answer::No => "no",
            _ => "none",
        }
    }
}

pub(super) fn write(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let head = ["answer", "status", "robots.txt", "cause"];
    let head = head.map(|name| Cell::styled(EMPHASIS, name)).to_vec();
    let row = |row: &Row| {
        let style = match row.answer {
            Answer::Yes => ALLOWED,
            Answer::No => DISALLOWED,
            _ => WARNING,
        };
        vec![
            Cell::styled(style, row.answer()),
            Cell::new(&row.status),
            Cell::new(&row.url),
            Cell::new(&row.cause),
        ]
    };
    let rows: Vec<Vec<Cell>> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    columns::write_folded(out, &rows)
}

/// Writes a line of names and a line for each site, as RFC 4180 has them.
pub(super) fn write_csv(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "robots_txt,answer,status,access,cause")?;
    rows.iter().try_for_each(|row| {
        let (url, cause) = (quoted(&row.url), quoted(&row.cause));
        let (answer, status, access) = (row.answer(), &row.status, row.access);
        writeln!(out, "{url},{answer},{status},{access},{cause}")
    })
}

/// A value of a line of CSV. Line breaks are escaped already.
fn quoted(value: &str) -> String {
    match value.contains([',', '"']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    }
}
