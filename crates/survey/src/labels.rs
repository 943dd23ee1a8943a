//! The labels of hosts, by which a survey is split into strata: ranks, languages, kinds of sites.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use crate::error::{LabelsFault, SurveyError};

/// A label for each host of a list.
#[derive(Debug, Clone)]
pub struct Labels {
    /// The labels by host in lower case.
    by_host: HashMap<Box<str>, Arc<str>>,
    /// The hash of the list, which shows whether two parts have the same labels.
    identity: String,
}

impl Labels {
    /// Reads a list of comma-separated values: a host and its label on each line. Blank lines and a
    /// first line `host,label` are skipped.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, a line has no label, a host has two labels, or there are more
    /// than 1,000 labels.
    pub fn read(path: &Path) -> Result<Labels, SurveyError> {
        let text = fs::read_to_string(path).map_err(|source| SurveyError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        Labels::parse(&text).map_err(|(line, fault)| SurveyError::Labels {
            path: path.to_owned(),
            line,
            fault,
        })
    }

    /// Parses the list. An error has the number of its line.
    fn parse(text: &str) -> Result<Labels, (usize, LabelsFault)> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut pairs = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || (number == 1 && line.eq_ignore_ascii_case(HEAD)) {
                continue;
            }
            let (host, label) = line
                .split_once(',')
                .map(|(host, label)| (unquoted(host), unquoted(label)))
                .filter(|(host, label)| !host.is_empty() && !label.is_empty())
                .ok_or((number, LabelsFault::NoLabel))?;
            pairs.push((number, host.to_ascii_lowercase(), label));
        }
        let names: BTreeSet<Arc<str>> = pairs.iter().map(|(.., label)| Arc::from(*label)).collect();
        if names.len() > MOST_LABELS {
            return Err((pairs.len(), LabelsFault::TooMany));
        }
        let mut by_host = HashMap::with_capacity(pairs.len());
        for (number, host, label) in &pairs {
            let label = names.get(*label).map(Arc::clone).unwrap_or_default();
            let previous = by_host.insert(host.as_str().into(), Arc::clone(&label));
            if previous.is_some_and(|previous| previous != label) {
                return Err((*number, LabelsFault::Twice));
            }
        }
        Ok(Labels {
            by_host,
            identity: format!("{:016x}", XxHash3_64::oneshot(text.as_bytes())),
        })
    }

    /// The label of a host, or of the domain if only `www.` is before it.
    pub(crate) fn of(&self, host: Option<&str>) -> &str {
        let label = host.and_then(|host| {
            let domain = || host.strip_prefix("www.");
            let of_domain = || self.by_host.get(domain()?);
            self.by_host.get(host).or_else(of_domain)
        });
        label.map_or(UNLISTED, |label| label)
    }

    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'))
        .unwrap_or(value)
        .trim()
}

/// The first line that many lists have.
const HEAD: &str = "host,label";

/// The stratum of all hosts that are not on the list.
pub(crate) const UNLISTED: &str = "(unlisted)";

/// The most labels. Each thread has counts for each label.
const MOST_LABELS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_label_in_any_case_and_behind_www() {
        let text =
            "\u{FEFF}host,label\r\nExample.com,top\n\n\"a.example\", \"b, c\"\nwww.b.example,top\n";
        let labels = Labels::parse(text).unwrap();
        let of = |host| labels.of(Some(host));
        assert_eq!((of("example.com"), of("www.example.com")), ("top", "top"));
        assert_eq!((of("a.example"), of("www.b.example")), ("b, c", "top"));
        assert_eq!((of("b.example"), of("x.example.com")), (UNLISTED, UNLISTED));
        assert_eq!(labels.of(None), UNLISTED);
    }

    #[test]
    fn faults_have_the_number_of_their_line() {
        let fault = |text: &str| Labels::parse(text).unwrap_err();
        for text in ["a,1\nb", "a,1\nb,", "a,1\n,2"] {
            assert_eq!(fault(text), (2, LabelsFault::NoLabel), "{text}");
        }
        assert_eq!(fault("a,1\na,1\nA,2"), (3, LabelsFault::Twice));
        let many: String = (0..1001).map(|n| format!("h{n},{n}\n")).collect();
        assert_eq!(fault(&many), (1001, LabelsFault::TooMany));
    }
}
