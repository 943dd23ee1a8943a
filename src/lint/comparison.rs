//! Where the dialects disagree.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::agent::InvalidToken;
use crate::options::{Dialect, Options};
use crate::parse::line::{GOOGLE_LINE_BYTES, PhysicalLines};
use crate::robots::robot::Robot;
use crate::robots::robots_txt::RobotsTxt;
use crate::target::Target;
use crate::text::percent::{decode_first, encode};
use crate::text::quote::quote;
use crate::verdict::{Reason, Verdict};

/// One file and one agent in both dialects, to see what they answer differently and why.
///
/// ```
/// use polite_robots::lint::{Comparison, Difference};
///
/// let comparison = Comparison::new("ExampleBot", b"User-agent: *\nDisallow: /two words/\nDisallow: /a")?;
/// assert!(comparison.disagreement("/a").is_none());
///
/// let disagreement = comparison.disagreement("/two%20words/1").unwrap();
/// assert!(!disagreement.rfc9309().is_allowed() && disagreement.google().is_allowed());
/// assert_eq!(disagreement.difference(), Difference::RuleEncoding);
///
/// // Without URLs of your own, ask about those that the rules speak of.
/// assert_eq!(comparison.urls_of_rules().filter(|url| comparison.disagreement(url).is_some()).count(), 1);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparison {
    robots_txt: RobotsTxt,
    rfc9309: Robot,
    google: Robot,
    // Of the whole file, and found once: each disagreement asks for both, and there may be one for each rule.
    names_agent_alike: bool,
    lines_cut_by_google: Vec<u32>,
}

impl Comparison {
    /// Reads a robots.txt in both dialects for one agent.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`.
    pub fn new(agent: &str, robots_txt: &[u8]) -> Result<Comparison, InvalidToken> {
        let robots_txt = RobotsTxt::parse_with(robots_txt, &Options::rfc9309(), &mut ());
        Comparison::of(agent, &robots_txt)
    }

    /// The same for a document, whatever its dialect.
    ///
    /// # Errors
    ///
    /// As [`Comparison::new`].
    pub fn of(agent: &str, robots_txt: &RobotsTxt) -> Result<Comparison, InvalidToken> {
        let in_dialect = |dialect| {
            // Without a file there is nothing to read in two ways.
            if robots_txt.dialect() == dialect || robots_txt.blanket().is_some() {
                robots_txt.robot(agent)
            } else {
                let options = match dialect {
                    Dialect::Rfc9309 => Options::rfc9309(),
                    Dialect::Google => Options::google(),
                };
                Robot::with_options(agent, robots_txt.as_bytes(), &options)
            }
        };
        let (rfc9309, google) = (in_dialect(Dialect::Rfc9309)?, in_dialect(Dialect::Google)?);
        let lines = PhysicalLines::new(robots_txt.as_bytes());
        Ok(Comparison {
            names_agent_alike: rfc9309.group_lines().eq(google.group_lines()),
            lines_cut_by_google: lines
                .filter(|line| line.bytes.len() > GOOGLE_LINE_BYTES)
                .map(|line| line.number)
                .collect(),
            rfc9309,
            google,
            robots_txt: robots_txt.clone(),
        })
    }

    /// What the dialects answer about a URL, if one allows it and the other does not.
    #[must_use]
    pub fn disagreement<'c, 'u>(&'c self, url: &'u str) -> Option<Disagreement<'c, 'u>> {
        let target = Target::new(url);
        let (rfc9309, google) = (self.rfc9309.check(&target), self.google.check(&target));
        (rfc9309.is_allowed() != google.is_allowed()).then(|| Disagreement {
            url,
            rfc9309,
            google,
            difference: self.difference(&target, rfc9309, google),
        })
    }

    /// URLs, without scheme and host, that the rules of the agent speak of: each pattern with its wildcards filled in, as
    /// it stands and percent-encoded as a client sends it, the directory of each `index.htm…`, and `/robots.txt`.
    pub fn urls_of_rules(&self) -> impl Iterator<Item = String> {
        let mut lines: Vec<u32> = self
            .rfc9309
            .group_lines()
            .chain(self.google.group_lines())
            .collect();
        lines.sort_unstable();
        let groups = self.robots_txt.groups().filter(move |group| {
            group
                .user_agents()
                .any(|agent| lines.binary_search(&agent.line()).is_ok())
        });
        groups
            .flat_map(|group| group.rules().flat_map(|rule| urls_of(rule.value())))
            .chain(["/robots.txt".into()])
    }

    fn difference(
        &self,
        target: &Target<'_>,
        rfc9309: Verdict<'_>,
        google: Verdict<'_>,
    ) -> Difference {
        if rfc9309.reason() == Reason::RobotsTxtItself {
            return Difference::RobotsTxtItself;
        }
        if matches!(google.reason(), Reason::DirectoryOfIndex(_)) {
            return Difference::DirectoryOfIndex;
        }
        if !self.names_agent_alike {
            return Difference::AgentName;
        }
        let rule = match (rfc9309.rule(), google.rule()) {
            (Some(rfc9309), Some(google)) if rfc9309.length() < google.length() => google,
            (Some(rule), _) | (None, Some(rule)) => rule,
            (None, None) => return Difference::UrlForm,
        };
        if self.lines_cut_by_google.binary_search(&rule.line()).is_ok() {
            return Difference::LineLength;
        }
        let (canonical, given) = (target.path(Dialect::Rfc9309), target.path(Dialect::Google));
        if canonical == given {
            Difference::RuleEncoding
        } else if !decoded(&canonical).eq(decoded(&given)) {
            Difference::UrlForm
        } else {
            // Were it the rule, a URL in canonical form would meet the same fate.
            let canonical = format!("http://h{}", String::from_utf8_lossy(&canonical));
            if self.google.allowed(&canonical) == rfc9309.is_allowed() {
                Difference::UrlEncoding
            } else {
                Difference::RuleEncoding
            }
        }
    }
}

/// A URL that one dialect allows and the other does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement<'c, 'u> {
    url: &'u str,
    rfc9309: Verdict<'c>,
    google: Verdict<'c>,
    difference: Difference,
}

impl<'c, 'u> Disagreement<'c, 'u> {
    /// The URL as it was given.
    #[must_use]
    pub fn url(&self) -> &'u str {
        self.url
    }

    /// The answer of RFC 9309.
    #[must_use]
    pub fn rfc9309(&self) -> Verdict<'c> {
        self.rfc9309
    }

    /// The answer of Google's matcher.
    #[must_use]
    pub fn google(&self) -> Verdict<'c> {
        self.google
    }

    /// Why they differ.
    #[must_use]
    pub fn difference(&self) -> Difference {
        self.difference
    }
}

impl fmt::Display for Disagreement<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: RFC 9309: {}; Google: {} ({})",
            quote(self.url.as_bytes()),
            self.rfc9309,
            self.google,
            self.difference
        )
    }
}

/// Why the dialects disagree about a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// RFC 9309 §2.2.2 always allows `/robots.txt`; Google's matcher compares it like any other path.
    RobotsTxtItself,
    /// Google's matcher allows a directory whose `index.htm…` page is allowed.
    DirectoryOfIndex,
    /// The agent's name has digits or dots, at which Google's matcher cuts the names in a file.
    AgentName,
    /// The rule is on a line of which Google's matcher reads 16,663 bytes.
    LineLength,
    /// The rule is percent-encoded otherwise than the URL: RFC 9309 compares what both mean, Google's matcher what they
    /// say.
    RuleEncoding,
    /// The URL holds bytes that a client would percent-encode, or escapes of bytes that need none.
    UrlEncoding,
    /// The URL is of a form in which Google's matcher finds another path.
    UrlForm,
}

impl Difference {
    /// The stable name, for machines: lower case with hyphens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Difference::RobotsTxtItself => "robots-txt-itself",
            Difference::DirectoryOfIndex => "directory-of-index",
            Difference::AgentName => "agent-name",
            Difference::LineLength => "line-length",
            Difference::RuleEncoding => "rule-encoding",
            Difference::UrlEncoding => "url-encoding",
            Difference::UrlForm => "url-form",
        }
    }
}

/// Half a sentence.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::RobotsTxtItself => "RFC 9309 always allows /robots.txt",
            Difference::DirectoryOfIndex => {
                "Google takes an allowed index page for its directory too"
            }
            Difference::AgentName => {
                "Google cuts agent names in the file at the first digit or dot"
            }
            Difference::LineLength => "Google reads only the start of that line",
            Difference::RuleEncoding => "Google compares the escapes of the rule as they stand",
            Difference::UrlEncoding => "Google compares the escapes of the URL as they stand",
            Difference::UrlForm => "Google finds another path in the URL",
        })
    }
}

fn urls_of(pattern: &[u8]) -> Vec<String> {
    let Some(b'/' | b'*') = pattern.first() else {
        return Vec::new();
    };
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let filled: Vec<u8> = body
        .iter()
        .map(|byte| if *byte == b'*' { b'x' } else { *byte })
        .collect();
    let path = if filled.starts_with(b"/") {
        filled
    } else {
        [b"/", &filled[..]].concat()
    };
    let mut urls = Vec::new();
    let mut push = |path: &[u8]| {
        // Two slashes at the start would make an authority.
        let slashes = path.iter().take_while(|byte| **byte == b'/').count();
        let path = path.get(slashes.saturating_sub(1)..).unwrap_or(path);
        let sent = encoded(path);
        if let Ok(raw) = core::str::from_utf8(path) {
            if raw != sent {
                urls.push(raw.into());
            }
        }
        urls.push(sent);
    };
    push(&path);
    let directory = path
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at.saturating_add(1));
    let (directory, page) = path.split_at_checked(directory).unwrap_or_default();
    if page.starts_with(b"index.htm") {
        push(directory);
    }
    urls
}

/// The bytes that a path means, whatever is escaped in it.
fn decoded(path: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = path;
    core::iter::from_fn(move || {
        let (first, after_first) = rest.split_first()?;
        let (byte, after) = decode_first(rest).unwrap_or((*first, after_first));
        rest = after;
        Some(byte)
    })
}

/// As a client sends it: what is no byte of a URL is escaped.
fn encoded(path: &[u8]) -> String {
    let mut url = String::new();
    for byte in path {
        if byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'"' | b'<' | b'>' | b'`' | b'{' | b'}' | b'|' | b'\\' | b'^'
            )
        {
            url.push(char::from(*byte));
        } else {
            url.extend(encode(*byte).map(char::from));
        }
    }
    url
}
