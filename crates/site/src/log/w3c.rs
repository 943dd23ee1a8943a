//! The W3C extended format: a line `#Fields` names the columns of the lines after it. IIS writes it
//! with blanks between the columns, and CloudFront with tabs.
//!
//! IIS writes times in UTC and `-` for no value
//! ([W3C logging](https://learn.microsoft.com/windows/win32/http/w3c-logging)), and as its logs show,
//! `+` for each blank of a user agent. CloudFront encodes blanks and some other characters, `%`
//! among them ([standard
//! logs](https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html)):
//! what a client encoded itself is encoded twice, as in `%2520`.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::log::escapes::{is_hex, percent_decoded};
use crate::log::time::LogTime;

/// A line that begins with `#`.
pub(crate) enum Directive {
    Fields(Box<Columns>),
    /// `#Version`, `#Software`, `#Date` and the like.
    Other,
}

impl Directive {
    /// `None` for a line that is not a directive.
    pub(crate) fn parse(line: &[u8]) -> Option<Directive> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let text = line.strip_prefix(b"#")?;
        let (name, names) = text.split_at_checked(memchr(b':', text)?)?;
        let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
        if name.is_empty() || !name.iter().all(is_name) {
            return None;
        }
        let names = names.strip_prefix(b":").unwrap_or(names);
        Some(match name.eq_ignore_ascii_case(b"fields") {
            true => Directive::Fields(Box::new(Columns::new(names))),
            false => Directive::Other,
        })
    }
}

/// The places of the columns that a request is read from.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    count: usize,
    user_agent: Option<usize>,
    uri: Option<usize>,
    stem: Option<usize>,
    query: Option<usize>,
    host: Option<usize>,
    date: Option<usize>,
    time: Option<usize>,
    /// Whether CloudFront writes the log, also where its tabs became blanks.
    is_of_cloudfront: bool,
}

impl Columns {
    fn new(names: &[u8]) -> Columns {
        let mut columns = Columns::default();
        let names = names.split(u8::is_ascii_whitespace);
        for (place, name) in names.filter(|name| !name.is_empty()).enumerate() {
            columns.count = place.saturating_add(1);
            let column = match name.to_ascii_lowercase().as_slice() {
                b"cs(user-agent)" => &mut columns.user_agent,
                b"cs-uri" => &mut columns.uri,
                b"cs-uri-stem" => &mut columns.stem,
                b"cs-uri-query" => &mut columns.query,
                b"date" => &mut columns.date,
                b"time" => &mut columns.time,
                // The host of the request; the columns below name that of the distribution there.
                b"x-host-header" => {
                    columns.is_of_cloudfront = true;
                    columns.host = Some(place);
                    continue;
                }
                b"cs-host" | b"cs(host)" if !columns.is_of_cloudfront => &mut columns.host,
                _ => continue,
            };
            *column = Some(place);
        }
        columns
    }

    /// Reads a line below the names. `None` if the numbers of values and names differ, because
    /// nobody knows which value is missing.
    pub(super) fn parse<'l>(&self, line: &'l [u8]) -> Option<Line<'l>> {
        let has_tabs = memchr(b'\t', line).is_some();
        let values: Vec<&[u8]> = match has_tabs {
            true => line.split(|byte| *byte == b'\t').collect(),
            false => line.split(|byte| *byte == b' ').collect(),
        };
        let values = match values.len() == self.count {
            true => values,
            // Other servers write values with blanks in quotes.
            false => quoted_values(line).filter(|values| values.len() == self.count)?,
        };
        let value = |column: Option<usize>| {
            let value = column.and_then(|place| values.get(place)).copied();
            value.filter(|value| !value.is_empty() && *value != b"-")
        };
        Some(Line {
            user_agent: values.get(self.user_agent?)?,
            path: value(self.stem).or(value(self.uri))?,
            query: value(self.stem).and(value(self.query)),
            host: value(self.host).and_then(|host| std::str::from_utf8(host).ok()),
            date: value(self.date),
            time: value(self.time),
            is_encoded: has_tabs || self.is_of_cloudfront,
        })
    }
}

/// The values of a line as the W3C has them: a value in quotes may hold blanks, and two quotes for
/// one. `None` if a quote never closes.
fn quoted_values(line: &[u8]) -> Option<Vec<&[u8]>> {
    let mut values = Vec::new();
    let mut rest = line;
    loop {
        let (value, after) = match rest.strip_prefix(b"\"") {
            None => rest.split_at_checked(memchr(b' ', rest).unwrap_or(rest.len()))?,
            Some(text) => {
                let mut end = memchr(b'"', text)?;
                while text.get(end.saturating_add(1)) == Some(&b'"') {
                    let next = end.saturating_add(2);
                    end = next.saturating_add(memchr(b'"', text.get(next..)?)?);
                }
                (text.get(..end)?, text.get(end.saturating_add(1)..)?)
            }
        };
        values.push(value);
        match after.split_first() {
            None => return Some(values),
            Some((b' ', after)) => rest = after,
            Some(_) => return None,
        }
    }
}

/// The values of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'l> {
    pub(super) user_agent: &'l [u8],
    pub(super) host: Option<&'l str>,
    path: &'l [u8],
    query: Option<&'l [u8]>,
    date: Option<&'l [u8]>,
    time: Option<&'l [u8]>,
    is_encoded: bool,
}

impl<'l> Line<'l> {
    pub(super) fn user_agent(&self) -> Cow<'l, [u8]> {
        if self.is_encoded {
            // Older logs of CloudFront have `%2520` for a blank.
            let once = percent_decoded(self.user_agent);
            return Cow::Owned(percent_decoded(&once).into_owned());
        }
        let blanks = |byte: &u8| if *byte == b'+' { b' ' } else { *byte };
        Cow::Owned(self.user_agent.iter().map(blanks).collect())
    }

    pub(super) fn target(&self) -> Cow<'l, [u8]> {
        let mut target = Cow::Borrowed(self.path);
        if let Some(query) = self.query {
            let target = target.to_mut();
            target.push(b'?');
            target.extend_from_slice(query);
        }
        match self.is_encoded && memmem::find(&target, b"%25").is_some() {
            true => Cow::Owned(without_second_encoding(&target)),
            false => target,
        }
    }

    /// In UTC, as both IIS and CloudFront document it.
    pub(super) fn time(&self) -> Option<LogTime> {
        LogTime::parse(&[self.date?, b" ", self.time?].concat())
    }
}

/// `%20` for each `%2520`. A character that was encoded by the log alone may stay as it is: a path
/// means the same with it.
fn without_second_encoding(text: &[u8]) -> Vec<u8> {
    let mut single = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        single.push(*byte);
        rest = match after {
            [b'2', b'5', rest @ ..] if *byte == b'%' && starts_with_hex(rest) => rest,
            _ => after,
        };
    }
    single
}

fn starts_with_hex(text: &[u8]) -> bool {
    matches!(text, [high, low, ..] if is_hex(*high) && is_hex(*low))
}
