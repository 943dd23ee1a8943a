//! A reader of robots.txt for the judges, written from RFC 9309 to be obviously right for the plain
//! files of their worlds.
//!
//! It shares no code with the crates that are judged, and refuses every file that would need more
//! than it can do. The judge of the client's requests uses it too.

use std::time::Duration;

/// A robots.txt as one crawler has to read it.
#[derive(Debug, Clone)]
pub(crate) struct RobotsFile {
    rules: Vec<Rule>,
    /// Zero if the file asks for none.
    pub(crate) crawl_delay: Duration,
    /// Whether a line is neither blank nor a comment nor a record. IBM: such content "parsed with
    /// errors".
    pub(crate) has_errors: bool,
}

#[derive(Debug, Clone)]
struct Rule {
    is_allow: bool,
    pattern: String,
}

/// RFC 9309 §2.2.1: lines of `User-agent`, then their rules.
#[derive(Default)]
struct Group {
    agents: Vec<String>,
    rules: Vec<Rule>,
    crawl_delay: Duration,
}

impl RobotsFile {
    /// Reads a file for the crawler with this product token.
    pub(crate) fn read(file: &[u8], agent: &str) -> RobotsFile {
        let text = std::str::from_utf8(file).unwrap();
        assert!(
            text.is_ascii() && !text.contains('%'),
            "no file of a judge needs an escape"
        );
        let (mut groups, mut has_errors) = (Vec::<Group>::new(), false);
        for line in text.split(['\r', '\n']) {
            // RFC 9309 §2.2: a comment goes to the end of its line.
            let line = line.split('#').next().unwrap_or_default().trim();
            let Some((field, value)) = line.split_once(':') else {
                has_errors |= !line.is_empty();
                continue;
            };
            let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
            has_errors |= field.is_empty();
            if field == "user-agent" {
                // RFC 9309 §2.2.1: agents below each other share the rules that follow.
                if groups.last().is_none_or(|group| !group.rules.is_empty()) {
                    groups.push(Group::default());
                }
                if let Some(group) = groups.last_mut() {
                    group.agents.push(token(value));
                }
            } else if let Some(group) = groups.last_mut() {
                group.take(&field, value);
            }
        }
        RobotsFile::of_groups(&groups, agent, has_errors)
    }

    /// RFC 9309 §2.2.1: the groups that name the crawler, in upper or lower case, count as one
    /// group. If no group names it, the groups of `*` count.
    fn of_groups(groups: &[Group], agent: &str, has_errors: bool) -> RobotsFile {
        let of = |name: &str| -> Vec<&Group> {
            let names = |group: &&Group| group.agents.iter().any(|agent| agent == name);
            groups.iter().filter(names).collect()
        };
        let mut own = of(&agent.to_ascii_lowercase());
        if own.is_empty() {
            own = of("*");
        }
        RobotsFile {
            rules: own.iter().flat_map(|group| group.rules.clone()).collect(),
            crawl_delay: own
                .iter()
                .map(|group| group.crawl_delay)
                .max()
                .unwrap_or_default(),
            has_errors,
        }
    }

    /// RFC 9309 §2.2.2: the rule with the most bytes decides, and `Allow` wins a tie. Without a
    /// match the path is allowed, and `/robots.txt` is always allowed.
    pub(crate) fn permits(&self, path: &str) -> bool {
        path == "/robots.txt" || self.deciding(path).is_none_or(|rule| rule.is_allow)
    }

    /// The rule that decides about a path, in words, for the judge of the client.
    #[allow(dead_code)]
    pub(crate) fn reason(&self, path: &str) -> String {
        let rule = self.deciding(path);
        rule.map_or_else(String::new, |rule| {
            format!("{} is allowed: {}", rule.pattern, rule.is_allow)
        })
    }

    fn deciding(&self, path: &str) -> Option<&Rule> {
        assert!(
            path.is_ascii() && !path.contains('%'),
            "no page of a judge needs an escape"
        );
        let is_match = |rule: &&Rule| {
            !rule.pattern.is_empty() && matches(rule.pattern.as_bytes(), path.as_bytes())
        };
        let matching = self.rules.iter().filter(is_match);
        matching.max_by_key(|rule| (rule.pattern.len(), rule.is_allow))
    }
}

impl Group {
    fn take(&mut self, field: &str, value: &str) {
        match field {
            // RFC 9309 §2.2: an empty pattern is a rule too, so it ends the list of agents; it
            // matches nothing.
            "allow" | "disallow" => {
                assert!(
                    value.is_empty() || value.starts_with(['/', '*']),
                    "{value} is no path"
                );
                self.rules.push(Rule {
                    is_allow: field == "allow",
                    pattern: value.to_owned(),
                });
            }
            // This field is not part of RFC 9309. Yandex read it as the least number of seconds
            // between two requests.
            "crawl-delay" => {
                let delay = Duration::from_secs_f64(value.parse().unwrap());
                self.crawl_delay = self.crawl_delay.max(delay);
            }
            _ => {}
        }
    }
}

/// RFC 9309 §2.2.1: a product token has letters, `_` and `-`, and its case does not matter.
fn token(value: &str) -> String {
    let is_of_token = |c: &char| c.is_ascii_alphabetic() || matches!(c, '_' | '-' | '*');
    let token: String = value.chars().take_while(is_of_token).collect();
    token.to_ascii_lowercase()
}

/// RFC 9309 §2.2.2 and §2.2.3: the pattern is compared byte for byte from the start. `*` matches
/// anything, and a final `$` matches the end.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        b"$" => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skipped| matches(rest, &path[skipped..])),
        [first, rest @ ..] => path.first() == Some(first) && matches(rest, &path[1..]),
    }
}

#[test]
fn rules_are_read_as_rfc_9309_has_them() {
    let file = b"Disallow: /before\nUser-agent: a\nuser-AGENT: ExampleBot/2\n# all\nDisallow: / # but\nAllow: /p*/x$\nAllow:\n\
        Crawl-delay: 0.5\nUser-agent: *\nDisallow: /\n\nUser-agent: examplebot\nAllow: /q\nDisallow: /q\nCrawl-delay: 2";
    let file = RobotsFile::read(file, "ExampleBot");
    for (path, expected) in [
        ("/", false),
        ("/p/x", true),
        ("/p/x/y", false),
        ("/p/y/x", true),
        ("/q1", true),
        ("/robots.txt", true),
    ] {
        assert_eq!(file.permits(path), expected, "{path}");
    }
    assert_eq!(
        (file.crawl_delay, file.has_errors),
        (Duration::from_secs(2), false)
    );
    let other = RobotsFile::read(b"User-agent: b\nDisallow: /\nkeep out", "ExampleBot");
    assert!(other.permits("/") && other.has_errors);
    // An empty pattern matches nothing.
    let open = RobotsFile::read(b"User-agent: *\nDisallow:\n", "ExampleBot");
    assert!(open.permits("/") && open.deciding("/").is_none());
}

// Types of ours: none.
