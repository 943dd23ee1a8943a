//! Rules of the operator for single hosts, found by patterns of host names.

use std::collections::HashMap;

use polite_robots_policy::HostRule;
use thiserror::Error;
use url::Host;

/// Rules of the operator for single hosts, found by patterns of host names.
///
/// | pattern | hosts |
/// |---|---|
/// | `www.example.com`, `127.0.0.1`, `[::1]` | this one |
/// | `*.example.com` | `a.example.com` and `a.b.example.com`, but not `example.com` itself |
/// | `*` | all |
///
/// One rule applies to a host: that of the exact name, else that of the longest pattern that
/// matches. Rules are not merged, so a long pattern repeats what it wants to keep of a short one.
/// Names are compared as the URL standard reads them: in lower case, without a dot at the end,
/// internationalized names in punycode.
///
/// ```
/// use std::time::Duration;
/// use polite_robots_client::HostRule;
/// use polite_robots_client::hosts::HostRules;
///
/// let slow = HostRule::new().min_delay(Duration::from_secs(10));
/// let own = HostRule::new().max_in_flight(8);
/// let mut rules = HostRules::new();
/// rules.insert("*", slow)?;
/// rules.insert("*.internal.example", own)?;
/// assert_eq!(rules.find("wiki.internal.example"), Some(own));
/// assert_eq!(rules.find("example.com"), Some(slow));
/// # Ok::<(), polite_robots_client::hosts::InvalidPattern>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostRules {
    exact: HashMap<String, HostRule>,
    /// The rules of subdomains, by the part after `*.`.
    subdomains: HashMap<String, HostRule>,
    all: Option<HostRule>,
}

/// A pattern that is neither a host name nor `*.` before one nor `*`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{pattern:?} is no pattern of hosts: use `www.example.com`, `*.example.com` or `*`")]
pub struct InvalidPattern {
    pattern: String,
}

impl HostRules {
    /// A table without a rule.
    #[must_use]
    pub fn new() -> HostRules {
        HostRules::default()
    }

    /// Sets the rule of a pattern; one that it had before is replaced.
    ///
    /// # Errors
    ///
    /// [`InvalidPattern`]: the pattern has a scheme, a port, a path or a `*` elsewhere, say.
    pub fn insert(&mut self, pattern: &str, rule: HostRule) -> Result<(), InvalidPattern> {
        let invalid = || InvalidPattern {
            pattern: pattern.to_owned(),
        };
        if pattern == "*" {
            self.all = Some(rule);
        } else if let Some(parent) = pattern.strip_prefix("*.") {
            match folded(parent).ok_or_else(invalid)? {
                Host::Domain(parent) => self.subdomains.insert(parent, rule),
                // Addresses have no subdomains.
                Host::Ipv4(_) | Host::Ipv6(_) => return Err(invalid()),
            };
        } else {
            let host = folded(pattern).ok_or_else(invalid)?;
            self.exact.insert(host.to_string(), rule);
        }
        Ok(())
    }

    /// The rule for a host: a name or an address, an IPv6 address in brackets, as in a URL.
    #[must_use]
    pub fn find(&self, host: &str) -> Option<HostRule> {
        let Some(host) = folded(host) else {
            return self.all;
        };
        if let Some(rule) = self.exact.get(&host.to_string()) {
            return Some(*rule);
        }
        let parent_rule = match &host {
            Host::Domain(name) => {
                let mut rest = name.as_str();
                loop {
                    let Some((_, parent)) = rest.split_once('.') else {
                        break None;
                    };
                    // The first parent that is found is the longest.
                    if let Some(rule) = self.subdomains.get(parent) {
                        break Some(*rule);
                    }
                    rest = parent;
                }
            }
            Host::Ipv4(_) | Host::Ipv6(_) => None,
        };
        parent_rule.or(self.all)
    }
}

impl InvalidPattern {
    /// The pattern, as it was given.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

/// A host in the form in which hosts are compared.
fn folded(host: &str) -> Option<Host<String>> {
    // The URL standard decodes percent signs and so would find a name that nobody wrote.
    if host.contains(['*', '%']) {
        return None;
    }
    let host = host.strip_suffix('.').unwrap_or(host);
    match Host::parse(host).ok()? {
        Host::Domain(name) if name.is_empty() || name.starts_with('.') || name.contains("..") => {
            None
        }
        host => Some(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule with a number, by which a test recognizes it.
    fn numbered(number: u8) -> HostRule {
        HostRule::new().max_in_flight(number)
    }

    fn rules(patterns: &[&str]) -> HostRules {
        let mut rules = HostRules::new();
        for (number, pattern) in (0..).zip(patterns) {
            rules.insert(pattern, numbered(number)).unwrap();
        }
        rules
    }

    #[test]
    fn the_longest_pattern_wins_in_any_order() {
        let patterns = ["*", "*.example", "*.internal.example", "a.internal.example"];
        let forward = rules(&patterns);
        let mut backward = HostRules::new();
        for (number, pattern) in (0..).zip(patterns).collect::<Vec<_>>().into_iter().rev() {
            backward.insert(pattern, numbered(number)).unwrap();
        }
        for (host, number) in [
            ("a.internal.example", 3),
            ("b.internal.example", 2),
            ("c.a.internal.example", 2),
            ("internal.example", 1),
            ("xinternal.example", 1),
            ("example", 0),
            ("example.com", 0),
            ("127.0.0.1", 0),
            ("[::1]", 0),
            ("not a host", 0),
        ] {
            assert_eq!(forward.find(host), Some(numbered(number)), "{host}");
            assert_eq!(backward.find(host), Some(numbered(number)), "{host}");
        }
    }

    #[test]
    fn without_a_match_there_is_no_rule() {
        let rules = rules(&["*.example.com", "example.org"]);
        for host in [
            "example.com",
            "www.example.org",
            "com",
            "",
            "127.0.0.1",
            "notexample.org",
        ] {
            assert_eq!(rules.find(host), None, "{host}");
        }
    }

    #[test]
    fn names_are_folded_on_both_sides() {
        let rules = rules(&["WWW.Example.COM.", "*.EXÄMPLE.com", "127.1", "[::0:1]"]);
        for (host, number) in [
            ("www.example.com", 0),
            ("www.example.com.", 0),
            ("WwW.eXample.com", 0),
            ("a.exämple.com", 1),
            ("a.xn--exmple-cua.com", 1),
            ("A.XN--EXMPLE-CUA.COM.", 1),
            ("127.0.0.1", 2),
            ("0x7f.0.0.1", 2),
            ("[::1]", 3),
        ] {
            assert_eq!(rules.find(host), Some(numbered(number)), "{host}");
        }
    }

    #[test]
    fn a_later_rule_replaces_one_of_the_same_pattern() {
        let rules = rules(&[
            "*.a.example",
            "*.A.example.",
            "b.example",
            "B.example",
            "*",
            "*",
        ]);
        assert_eq!(rules.find("x.a.example"), Some(numbered(1)));
        assert_eq!(rules.find("b.example"), Some(numbered(3)));
        assert_eq!(rules.find("other"), Some(numbered(5)));
    }

    #[test]
    fn a_pattern_is_a_name_or_a_wildcard_before_one() {
        for pattern in [
            "",
            ".",
            "*.",
            "**",
            "*.*.example",
            "a.*.example",
            "*a.example",
            "a*",
            ".example",
            "*..example",
            "a..b",
            "https://example.com",
            "example.com:80",
            "example.com/a",
            "a b",
            "%65xample.com",
            "*.127.0.0.1",
            "*.[::1]",
            "::1",
        ] {
            let refused = HostRules::new().insert(pattern, HostRule::new());
            assert_eq!(refused.unwrap_err().pattern(), pattern);
        }
    }
}
