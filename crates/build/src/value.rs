//! Writes records line by line, and checks the values of those outside RFC 9309.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::time::Duration;

use polite_robots::document::GOOGLE_LINE_BYTES;
use polite_robots::record::ExtensionField;
use polite_robots::robots_url;
use polite_robots::text::split_before_authority;

use crate::error::{InvalidRecord, Problem, Refusal};
use crate::path_pattern::{PathPattern, push_in_url};

/// Appends the line `field: value`, unless the value was refused.
pub(crate) fn push_record(
    out: &mut String,
    field: &'static str,
    value: Result<impl AsRef<str>, Refusal>,
) -> Result<(), InvalidRecord> {
    value
        .and_then(|value| push_line(out, field, ": ", value.as_ref()))
        .map_err(|refusal| InvalidRecord::new(field, refusal))
}

/// Appends a comment, one line for each line of `text`.
pub(crate) fn push_comment(out: &mut String, text: &str) -> Result<(), InvalidRecord> {
    for line in text.lines() {
        let separator = if line.is_empty() { "" } else { " " };
        let pushed = match control(line) {
            Some(control) => Err(Problem::Control(control).with(line)),
            None => push_line(out, "#", separator, line),
        };
        pushed.map_err(|refusal| InvalidRecord::new("#", refusal))?;
    }
    Ok(())
}

fn push_line(out: &mut String, start: &str, separator: &str, rest: &str) -> Result<(), Refusal> {
    let bytes = start.len() + separator.len() + rest.len();
    if bytes > GOOGLE_LINE_BYTES {
        return Err(Problem::TooLong(bytes).with(rest));
    }
    out.extend([start, separator, rest, "\n"]);
    Ok(())
}

/// The value itself, if a line can carry it unchanged.
pub(crate) fn plain(value: &str) -> Result<&str, Refusal> {
    let problem = if value.is_empty() {
        Problem::Empty
    } else if let Some(control) = control(value) {
        Problem::Control(control)
    } else if value.trim().len() < value.len() {
        Problem::BlankAtEdge
    } else if value.contains('#') {
        Problem::NumberSign
    } else {
        return Ok(value);
    };
    Err(problem.with(value))
}

/// Finds a character that could end a line or a value early: RFC 9309 ends lines at CR and LF,
/// Google's matcher ends values at NUL, and other parsers end lines at U+0085, U+2028 or U+2029.
fn control(text: &str) -> Option<char> {
    text.chars().find(|character| {
        character.is_control() && *character != '\t' || matches!(character, '\u{2028}' | '\u{2029}')
    })
}

/// An absolute http or https URL, percent-encoded as a client requests it.
pub(crate) fn absolute_url(url: &str) -> Result<String, Refusal> {
    plain(url)?;
    robots_url(url).map_err(|error| Problem::Url(error).with(url))?;
    let mut value = String::with_capacity(url.len());
    url.chars()
        .for_each(|character| push_in_url(&mut value, character));
    Ok(value)
}

/// `[ ( "http" / "https" ) "://" ] host [ ":" port ]`
pub(crate) fn host_and_port(host: &str) -> Result<&str, Refusal> {
    plain(host)?;
    let (url, authority) = match split_before_authority(host) {
        Some((_, authority)) => (host.to_string(), authority),
        None => (format!("https://{host}"), host),
    };
    if authority.contains(['/', '\\', '?', '@']) {
        return Err(Problem::NotOnlyHost.with(host));
    }
    robots_url(&url).map_err(|error| Problem::Url(error).with(host))?;
    Ok(host)
}

/// `parameter *( "&" parameter ) [ SP path ]`
pub(crate) fn clean_param(parameters: &[&str], path: Option<&str>) -> Result<String, Refusal> {
    if parameters.is_empty() {
        return Err(Problem::Empty.with(""));
    }
    for parameter in parameters {
        let is_allowed = |c: char| c.is_ascii_graphic() && !matches!(c, '&' | '=' | '#' | '?');
        check_characters(parameter, is_allowed, PARAMETER_CHARACTERS)?;
    }
    let mut value = parameters.join("&");
    if let Some(path) = path {
        let is_allowed =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '/' | '*' | '_');
        check_characters(path, is_allowed, "use only letters, digits and `.-/*_`")?;
        value.extend([" ", path]);
    }
    Ok(value)
}

/// Decimal seconds with as many fraction digits as needed, without a float on the way.
pub(crate) fn crawl_delay(delay: Duration) -> String {
    let (seconds, nanoseconds) = (delay.as_secs(), delay.subsec_nanos());
    if nanoseconds == 0 {
        return seconds.to_string();
    }
    let value = format!("{seconds}.{nanoseconds:09}");
    value.trim_end_matches('0').to_string()
}

/// `documents "/" seconds`
pub(crate) fn request_rate(documents: u32, per: Duration) -> Result<String, Refusal> {
    if documents == 0 {
        return Err(Problem::NoDocuments.with("0"));
    }
    if per.is_zero() || per.subsec_nanos() > 0 {
        return Err(Problem::NotWholeSeconds.with(&format!("{}s", crawl_delay(per))));
    }
    Ok(format!("{documents}/{}", per.as_secs()))
}

/// `HHMM-HHMM`
pub(crate) fn visit_time(from: (u8, u8), to: (u8, u8)) -> Result<String, Refusal> {
    for (hours, minutes) in [from, to] {
        if hours >= 24 || minutes >= 60 {
            return Err(Problem::NotATime.with(&format!("{hours:02}:{minutes:02}")));
        }
    }
    Ok(format!("{:02}{:02}-{:02}{:02}", from.0, from.1, to.0, to.1))
}

/// `[ path SP ] key "=" value *( ", " key "=" value )`
pub(crate) fn preferences(
    field: ExtensionField,
    path: Option<&str>,
    preferences: &[(&str, &str)],
) -> Result<String, Refusal> {
    if preferences.is_empty() {
        return Err(Problem::Empty.with(""));
    }
    let mut value = String::new();
    if let Some(path) = path {
        // A reader distinguishes a path from a key by the first byte.
        if !path.starts_with('/') {
            return Err(Problem::PathStart.with(path));
        }
        value = PathPattern::new(path).to_value()?;
        value.push(' ');
    }
    let mut separator = "";
    for (key, preference) in preferences {
        check_word(key)?;
        check_word(preference)?;
        // The value is a dictionary (RFC 9651 §3.2): one bad key makes the whole value invalid.
        if field == ExtensionField::ContentUsage && key.contains(|c: char| c.is_ascii_uppercase()) {
            return Err(Problem::NotLowerCase.with(key));
        }
        value.extend([separator, key, "=", preference]);
        separator = ", ";
    }
    Ok(value)
}

fn check_word(word: &str) -> Result<(), Refusal> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    check_characters(word, is_allowed, WORD_CHARACTERS)?;
    let found = word.chars().next();
    match found.filter(|first| !first.is_ascii_alphabetic()) {
        Some(found) => {
            let allowed = "begin with a letter";
            Err(Problem::Character { found, allowed }.with(word))
        }
        None => Ok(()),
    }
}

fn check_characters(
    text: &str,
    is_allowed: impl Fn(char) -> bool,
    allowed: &'static str,
) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(Problem::Empty.with(text));
    }
    match text.chars().find(|character| !is_allowed(*character)) {
        Some(found) => Err(Problem::Character { found, allowed }.with(text)),
        None => Ok(()),
    }
}

const PARAMETER_CHARACTERS: &str = "percent-encode blanks, `&`, `=`, `#` and `?` as the URL does";
const WORD_CHARACTERS: &str = "use only letters, digits, `_`, `-` and `.`";
