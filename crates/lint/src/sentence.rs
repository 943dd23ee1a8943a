//! Parts of the sentences of findings: who is meant, by name.

use polite_robots::text::quote;

use polite_robots::document::is_wildcard;

/// The agents that read the same groups, for the start of a sentence: "`PlumBot` and 2 others".
pub(crate) fn agents(values: &[&[u8]]) -> String {
    if values.iter().any(|value| is_wildcard(value)) {
        return "crawlers without a group of their own".into();
    }
    let named = values.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|value| quote(value).to_string()).collect();
    match (named.as_slice(), values.len().saturating_sub(named.len())) {
        ([one], 0) => one.clone(),
        ([one, two], 0) => format!("{one} and {two}"),
        // There may be thousands, of which no more are looked at.
        ([one, ..], _) if values.len() > MOST_COUNTED => format!("{one} and others"),
        ([one, ..], _) => format!("{one} and {} others", values.len().saturating_sub(1)),
        ([], _) => "the crawler".into(),
    }
}

/// Like [`agents`], with `*` as it stands in the file.
pub(crate) fn agents_by_name(values: &[&[u8]]) -> String {
    match values {
        [value] if is_wildcard(value) => "`*`".into(),
        values => agents(values),
    }
}

/// The first few names: `a`, `b` and 3 more.
pub(crate) fn list(names: &[&str]) -> String {
    let shown = names.iter().take(MAX_LISTED);
    let quoted: Vec<String> = shown
        .map(|name| quote(name.as_bytes()).to_string())
        .collect();
    match names.len().saturating_sub(MAX_LISTED) {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// Names of a list.
const MAX_LISTED: usize = 3;

/// Agents that a sentence counts. A group may have thousands of them and thousands of findings.
pub(crate) const MOST_COUNTED: usize = 50;

/// Agents that a sentence names one by one.
const MAX_NAMED: usize = 2;
