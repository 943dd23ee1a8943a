//! Writes records line by line, and checks the values of those outside RFC 9309.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::time::Duration;

use crate::build::error::{InvalidRecord, Problem};
use crate::build::path_pattern::{PathPattern, push_in_url};
use crate::parse::field::ExtensionField;
use crate::parse::line::GOOGLE_LINE_BYTES;
use crate::robots_url::robots_url;

/// Appends the line `field: value`.
pub(crate) fn push_record(
    out: &mut String,
    field: &'static str,
    value: &str,
) -> Result<(), InvalidRecord> {
    push_line(out, field, ": ", value)
}

/// Appends a comment, one line for each line of `text`.
pub(crate) fn push_comment(out: &mut String, text: &str) -> Result<(), InvalidRecord> {
    for line in text.lines() {
        if let Some(control) = control(line) {
            return Err(InvalidRecord::new("#", line, Problem::Control(control)));
        }
        let separator = if line.is_empty() { "" } else { " " };
        push_line(out, "#", separator, line)?;
    }
    Ok(())
}

fn push_line(
    out: &mut String,
    start: &'static str,
    separator: &str,
    rest: &str,
) -> Result<(), InvalidRecord> {
    let bytes = start.len() + separator.len() + rest.len();
    if bytes > GOOGLE_LINE_BYTES {
        return Err(InvalidRecord::new(start, rest, Problem::TooLong(bytes)));
    }
    for part in [start, separator, rest, "\n"] {
        out.push_str(part);
    }
    Ok(())
}

/// The value itself, if a line can carry it unchanged.
pub(crate) fn plain(field: ExtensionField, value: &str) -> Result<&str, InvalidRecord> {
    checked(value).map_err(|problem| InvalidRecord::new(field.as_str(), value, problem))
}

fn checked(value: &str) -> Result<&str, Problem> {
    if value.is_empty() {
        Err(Problem::Empty)
    } else if let Some(control) = control(value) {
        Err(Problem::Control(control))
    } else if value.trim().len() < value.len() {
        Err(Problem::BlankAtEdge)
    } else if value.contains('#') {
        Err(Problem::NumberSign)
    } else {
        Ok(value)
    }
}

/// Finds a character that could end a line or a value early: RFC 9309 ends lines at CR and LF, this
/// crate ends values at NUL, and other parsers end lines at U+0085, U+2028 or U+2029.
fn control(text: &str) -> Option<char> {
    text.chars().find(|character| {
        character.is_control() && *character != '\t' || matches!(character, '\u{2028}' | '\u{2029}')
    })
}

/// An absolute http or https URL, percent-encoded as a client requests it.
pub(crate) fn absolute_url(field: ExtensionField, url: &str) -> Result<String, InvalidRecord> {
    let invalid = |problem| InvalidRecord::new(field.as_str(), url, problem);
    checked(url).map_err(invalid)?;
    robots_url(url).map_err(|error| invalid(Problem::Url(error)))?;
    let mut value = String::with_capacity(url.len());
    url.chars()
        .for_each(|character| push_in_url(&mut value, character));
    Ok(value)
}

/// `[ ( "http" / "https" ) "://" ] host [ ":" port ]`
pub(crate) fn host_and_port(host: &str) -> Result<&str, InvalidRecord> {
    let invalid = |problem| InvalidRecord::new(ExtensionField::Host.as_str(), host, problem);
    checked(host).map_err(invalid)?;
    let (url, authority) = match host.split_once("://") {
        Some((_, authority)) => (host.to_string(), authority),
        None => (format!("https://{host}"), host),
    };
    if authority.contains(['/', '\\', '?', '@']) {
        return Err(invalid(Problem::NotOnlyHost));
    }
    robots_url(&url).map_err(|error| invalid(Problem::Url(error)))?;
    Ok(host)
}

/// `parameter *( "&" parameter ) [ SP path ]`
pub(crate) fn clean_param(
    parameters: &[&str],
    path: Option<&str>,
) -> Result<String, InvalidRecord> {
    let invalid = |value: &str, problem| {
        InvalidRecord::new(ExtensionField::CleanParam.as_str(), value, problem)
    };
    if parameters.is_empty() {
        return Err(invalid("", Problem::Empty));
    }
    for parameter in parameters {
        let is_refused = |character: &char| {
            !character.is_ascii_graphic() || matches!(character, '&' | '=' | '#' | '?')
        };
        check_characters(parameter, is_refused, PARAMETER_CHARACTERS)
            .map_err(|problem| invalid(parameter, problem))?;
    }
    let mut value = parameters.join("&");
    if let Some(path) = path {
        let is_refused = |character: &char| {
            !character.is_ascii_alphanumeric() && !matches!(character, '.' | '-' | '/' | '*' | '_')
        };
        check_characters(path, is_refused, "use only letters, digits and `.-/*_`")
            .map_err(|problem| invalid(path, problem))?;
        value.push(' ');
        value.push_str(path);
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
pub(crate) fn request_rate(documents: u32, per: Duration) -> Result<String, InvalidRecord> {
    let invalid = |value: String, problem| {
        InvalidRecord::new(ExtensionField::RequestRate.as_str(), &value, problem)
    };
    if documents == 0 {
        return Err(invalid(documents.to_string(), Problem::NoDocuments));
    }
    if per.is_zero() || per.subsec_nanos() > 0 {
        return Err(invalid(format!("{per:?}"), Problem::NotWholeSeconds));
    }
    Ok(format!("{documents}/{}", per.as_secs()))
}

/// `HHMM-HHMM`
pub(crate) fn visit_time(from: (u8, u8), to: (u8, u8)) -> Result<String, InvalidRecord> {
    for (hours, minutes) in [from, to] {
        if hours >= 24 || minutes >= 60 {
            let value = format!("{hours:02}:{minutes:02}");
            let field = ExtensionField::VisitTime.as_str();
            return Err(InvalidRecord::new(field, &value, Problem::NotATime));
        }
    }
    Ok(format!("{:02}{:02}-{:02}{:02}", from.0, from.1, to.0, to.1))
}

/// `[ path SP ] key "=" value *( ", " key "=" value )`
pub(crate) fn preferences(
    field: ExtensionField,
    path: Option<&str>,
    preferences: &[(&str, &str)],
) -> Result<String, InvalidRecord> {
    let invalid = |value: &str, problem| InvalidRecord::new(field.as_str(), value, problem);
    if preferences.is_empty() {
        return Err(invalid("", Problem::Empty));
    }
    let mut value = String::new();
    if let Some(path) = path {
        // A reader distinguishes a path from a key by the first byte.
        if !path.starts_with('/') {
            return Err(invalid(path, Problem::PathStart));
        }
        value = PathPattern::new(path)
            .to_value()
            .map_err(|problem| invalid(path, problem))?;
        value.push(' ');
    }
    let mut separator = "";
    for (key, preference) in preferences {
        for word in [key, preference] {
            check_word(word).map_err(|problem| invalid(word, problem))?;
        }
        // The value is a dictionary (RFC 9651 §3.2): one bad key makes the whole value invalid.
        if field == ExtensionField::ContentUsage && key.contains(|c: char| c.is_ascii_uppercase()) {
            return Err(invalid(key, Problem::NotLowerCase));
        }
        for part in [separator, key, "=", preference] {
            value.push_str(part);
        }
        separator = ", ";
    }
    Ok(value)
}

fn check_word(word: &str) -> Result<(), Problem> {
    let is_refused = |character: &char| {
        !character.is_ascii_alphanumeric() && !matches!(character, '_' | '-' | '.')
    };
    check_characters(word, is_refused, WORD_CHARACTERS)?;
    match word.chars().next() {
        Some(first) if !first.is_ascii_alphabetic() => Err(Problem::Character {
            found: first,
            allowed: "begin with a letter",
        }),
        _ => Ok(()),
    }
}

fn check_characters(
    text: &str,
    is_refused: impl Fn(&char) -> bool,
    allowed: &'static str,
) -> Result<(), Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    match text.chars().find(is_refused) {
        Some(found) => Err(Problem::Character { found, allowed }),
        None => Ok(()),
    }
}

const PARAMETER_CHARACTERS: &str = "percent-encode blanks, `&`, `=`, `#` and `?` as the URL does";
const WORD_CHARACTERS: &str = "use only letters, digits, `_`, `-` and `.`";
